package page

import (
	"strings"
	"time"

	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// LabelWords returns the words of a control's label in English, whatever its language, with the verb first.
func LabelWords(label string) []string { return lang.Gloss(label) }

// FirstLabelWord returns the first of LabelWords, the verb if there is one, or "" for a label without words.
func FirstLabelWord(label string) string {
	for _, w := range LabelWords(label) {
		return w
	}
	return ""
}

// PageWord reports whether a word is one that pages consist of, in any language.
func PageWord(word string) bool { return WordsOfPages.Has(word) || meant.Has(word) }

var (
	meant    = lang.AllMeanings()
	required = lang.Exactly(lang.Required)
	optional = lang.Exactly(lang.Optional)
)

// undecorated removes trailing marks from a label: stars, colons, "(required)" in any language.
func undecorated(s string) string {
	for range 3 {
		s = strings.TrimRight(s, " ")
		switch {
		case strings.HasSuffix(s, "*"), strings.HasSuffix(s, ":"):
			s = s[:len(s)-1]
		case strings.HasSuffix(s, "："):
			s = strings.TrimSuffix(s, "：")
		case strings.HasSuffix(s, ")"), strings.HasSuffix(s, "）"):
			i := strings.LastIndexAny(s, "(（")
			if i < 0 {
				return s
			}
			if mark := strings.Trim(s[i:], "()（）"); !required.Is(mark) && !optional.Is(mark) {
				return s
			}
			s = s[:i]
		case strings.EqualFold(s, "required"), len(s) > len(" required") && strings.EqualFold(s[len(s)-len(" required"):], " required"):
			s = s[:len(s)-len("required")]
		default:
			return s
		}
	}
	return strings.TrimRight(s, " ")
}

// MonthShown parses the month that a calendar's heading shows, in any language.
func MonthShown(heading string) (time.Time, bool) {
	text := strings.ReplaceAll(plain.Squeeze(heading), ",", "")
	if m, ok := workflow.ParseMonth(text); ok {
		return m, true
	}
	return lang.MonthYear(text)
}
