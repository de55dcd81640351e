package page

import (
	"regexp"
	"strings"

	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// turning are the names of controls that go through months, pages of a list or more of it; backwards says which lead back.
var (
	turning = plain.SetOf(strings.Split("next|next page|next month|go to next month|go to next page|go to the next month|go to the next page|forward|forward one month|show next month|older|older posts|"+
		"newer|load more|show more|more|more results|see more|view more|›|»|>|>>|→|▶|❯|chevron_right|navigate_next|arrow_forward|weiter|nächste|nächste seite|nächster monat|"+
		"mehr laden|mehr anzeigen|suivant|suivante|page suivante|mois suivant|siguiente|página siguiente|mes siguiente|cargar más|下一页|下个月|下一頁|次へ|次の月|翌月|もっと見る|加载更多|"+
		"previous|previous page|previous month|go to previous month|go to previous page|go to the previous month|go to the previous page|back one month|show previous month|prev|"+
		"‹|«|<|<<|←|◀|❮|chevron_left|navigate_before|arrow_back|zurück|vorige|vorherige seite|vorheriger monat|précédent|page précédente|mois précédent|anterior|mes anterior|"+
		"上一页|上个月|前へ|前の月|前月", "|")...)
	otherWay = [][2]string{{"next", "previous"}, {"forward", "back"}, {"›", "‹"}, {"»", "«"}, {">>", "<<"}, {">", "<"}, {"→", "←"}, {"▶", "◀"}, {"❯", "❮"}, {"right", "left"},
		{"_next", "_before"}, {"nächster", "vorheriger"}, {"weiter", "zurück"}, {"suivant", "précédent"}, {"siguiente", "anterior"}, {"下个月", "上个月"}, {"次の月", "前の月"}, {"翌月", "前月"}, {"次へ", "前へ"}}
)

// keyTold is the key that a control tells behind its name: "Next month (PageDown)".
var keyTold = regexp.MustCompile(`\s*\([^()]{1,20}\)\s*$`)

// Turns reports whether a step only goes on to the next month, or page, or part of a list.
func Turns(s workflow.Step) bool {
	return s.Surface == workflow.OnBrowser && Starts(s.Verb) && !s.Effect && s.Value == "" && s.Target != nil && turning[strings.ToLower(plain.Squeeze(keyTold.ReplaceAllString(TargetName(s.Target), "")))]
}

// Back is what a control is called that leads the other way, "" when nobody knows.
func Back(name string) string {
	low := strings.ToLower(plain.Squeeze(name))
	for _, o := range otherWay {
		for i := range o {
			if strings.Contains(low, o[i]) {
				return strings.Replace(low, o[i], o[1-i], 1)
			}
		}
	}
	return ""
}

// AimOf is the step for whose sake the i-th one turns pages: the next other one, when an input says what it is about; nil for any other
// step.
func AimOf(steps []workflow.Step, i int) *workflow.Step {
	if !Turns(steps[i]) {
		return nil
	}
	for j := i + 1; j < len(steps); j++ {
		s := &steps[j]
		if Turns(*s) {
			continue
		}
		if s.Surface != workflow.OnBrowser || s.Target == nil || s.Page == nil || steps[i].Page == nil || PathOf(s.Page.URL) != PathOf(steps[i].Page.URL) {
			return nil
		}
		about := s.Target.Name + s.Target.Text
		if s.Target.Landmark != nil {
			about += s.Target.Landmark.Name
		}
		if !workflow.InputForm.MatchString(strings.ReplaceAll(about, "{*}", "")) || s.FillsField() {
			return nil
		}
		return s
	}
	return nil
}
