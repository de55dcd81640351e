package compile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// A day of a calendar that a page draws is a part of a date: the month above it says the rest. What leads from month to month, or from
// page to page of a list, is used until what is aimed at is in sight, not as often as it was the first time.

// pickedDay is the template of a day that was picked from a calendar whose month is known in every demonstration, "" for anything else.
// The parameter is the date.
func (s *study) pickedDay(c *column, a *act) string {
	dayOf := func(a *act) string {
		d, ok := s.dateShown(a)
		if !ok {
			return ""
		}
		return d.Format("2006-01-02")
	}
	p := &param{Param: workflow.Param{Label: cmp.Or(askedFor(a.from), "date"), Kind: capture.KindDate, Required: true}, source: "picked", texts: s.each(c, dayOf)}
	for t, act := range c.acts {
		if act != nil && p.texts[t] == "" {
			return ""
		}
	}
	s.inRounds(c, p, dayOf)
	tmpl := s.settle(c, p)
	ids := refsOf(tmpl)
	if len(ids) != 1 || tmpl != ref(ids[0]) {
		return tmpl
	}
	day := joinRef(ids[0], workflow.PartDay)
	for t, act := range c.acts {
		if act != nil && act.value != nil && act.value.LinkID != "" {
			s.gens[t].links[act.value.LinkID] = day
		}
	}
	for _, r := range s.roundN[c] {
		if r.act != nil && r.act.value != nil && r.act.value.LinkID != "" {
			s.gens[r.trace].links[r.act.value.LinkID] = day
		}
	}
	return day
}

// dateShown is the date of a day in a drawn calendar.
func (s *study) dateShown(a *act) (d time.Time, ok bool) {
	if a.target == nil || a.value == nil || !a.value.Chosen || itemRoles[a.role()] && a.role() != "gridcell" && a.role() != "cell" {
		return d, false
	}
	day := s.openText(targetName(a.target))
	if !dayForm.MatchString(day) {
		return d, false
	}
	var shown []string
	if l := a.target.Landmark; l != nil {
		shown = append(shown, l.Name)
	}
	for _, text := range slices.Concat(shown, a.stateBefore().Dialogs, a.stateBefore().Headings) {
		if m, ok := workflow.ParseMonth(strings.ReplaceAll(plain.Squeeze(s.openText(text)), ",", "")); ok {
			d = m.AddDate(0, 0, atoi(day)-1)
			return d, d.Month() == m.Month()
		}
	}
	return d, false
}

// turning are the names of controls that go through months, pages of a list or more of it; backwards says which lead back.
var (
	turning = listed("next|next page|next month|go to next month|go to next page|go to the next month|go to the next page|forward|forward one month|show next month|older|older posts|" +
		"newer|load more|show more|more|more results|see more|view more|›|»|>|>>|→|▶|❯|chevron_right|navigate_next|arrow_forward|weiter|nächste|nächste seite|nächster monat|" +
		"mehr laden|mehr anzeigen|suivant|suivante|page suivante|mois suivant|siguiente|página siguiente|mes siguiente|cargar más|下一页|下个月|下一頁|次へ|次の月|翌月|もっと見る|加载更多|" +
		"previous|previous page|previous month|go to previous month|go to previous page|go to the previous month|go to the previous page|back one month|show previous month|prev|" +
		"‹|«|<|<<|←|◀|❮|chevron_left|navigate_before|arrow_back|zurück|vorige|vorherige seite|vorheriger monat|précédent|page précédente|mois précédent|anterior|mes anterior|" +
		"上一页|上个月|前へ|前の月|前月")
	otherWay = [][2]string{{"next", "previous"}, {"forward", "back"}, {"›", "‹"}, {"»", "«"}, {">>", "<<"}, {">", "<"}, {"→", "←"}, {"▶", "◀"}, {"❯", "❮"}, {"right", "left"},
		{"_next", "_before"}, {"nächster", "vorheriger"}, {"weiter", "zurück"}, {"suivant", "précédent"}, {"siguiente", "anterior"}, {"下个月", "上个月"}, {"次の月", "前の月"}, {"翌月", "前月"}, {"次へ", "前へ"}}
)

// Turns reports whether a step only goes on to the next month, or page, or part of a list.
func Turns(s workflow.Step) bool {
	return s.Surface == workflow.OnBrowser && starts(s.Verb) && !s.Effect && s.Value == "" && s.Target != nil && turning[strings.ToLower(plain.Squeeze(keyTold.ReplaceAllString(targetName(s.Target), "")))]
}

// keyTold is the key that a control tells behind its name: "Next month (PageDown)".
var keyTold = regexp.MustCompile(`\s*\([^()]{1,20}\)\s*$`)

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
		if s.Surface != workflow.OnBrowser || s.Target == nil || s.Page == nil || steps[i].Page == nil || pathOf(s.Page.URL) != pathOf(steps[i].Page.URL) {
			return nil
		}
		about := s.Target.Name + s.Target.Text
		if s.Target.Landmark != nil {
			about += s.Target.Landmark.Name
		}
		if !inputForm.MatchString(strings.ReplaceAll(about, "{*}", "")) || s.FillsField() {
			return nil
		}
		return s
	}
	return nil
}

func listed(names string) map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Split(names, "|") {
		out[n] = true
	}
	return out
}

// dayOf is the date whose day a template is, nil for any other.
func dayOf(tmpl string, n *names) *param {
	m := refForm.FindStringSubmatch(tmpl)
	if m == nil || m[0] != tmpl {
		return nil
	}
	if base, part, _ := strings.Cut(m[1], "."); part == workflow.PartDay {
		return n.params[base]
	}
	return nil
}
