package page

import (
	"strings"
	"time"

	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// LabelWords are the words of a control in English, whatever language it speaks, its deed first.
func LabelWords(label string) []string { return lang.Gloss(label) }

// FirstLabelWord is the first of LabelWords, the deed if there is one; "" for a label without words.
func FirstLabelWord(label string) string {
	for _, w := range LabelWords(label) {
		return w
	}
	return ""
}

// A PageWord is a word that pages are made of, in some language.
func PageWord(word string) bool { return WordsOfPages.Has(word) || meant.Has(word) }

var (
	meant    = lang.AllMeanings()
	required = lang.Exactly(lang.Required)
	optional = lang.Exactly(lang.Optional)
)

// undecorated is a label without the marks behind it: stars, colons, "(required)" in any language.
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

// MonthShown reads the month that the heading of a calendar shows, in any language.
func MonthShown(heading string) (time.Time, bool) {
	text := strings.ReplaceAll(plain.Squeeze(heading), ",", "")
	if m, ok := workflow.ParseMonth(text); ok {
		return m, true
	}
	return lang.MonthYear(text)
}
