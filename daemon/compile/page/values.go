package page

import (
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// KindOf guesses the kind of a value from its form.
func KindOf(text string) capture.ValueKind {
	switch _, isDate := workflow.ParseDate(text); {
	case isDate:
		return capture.KindDate
	case strings.Contains(text, "@") && !strings.Contains(text, " ") && strings.Contains(text, "."):
		return capture.KindEmail
	case strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://"):
		return capture.KindURL
	case plain.Digits(text) == len(text) && len(text) < 4:
		return capture.KindNumber
	case IDLike(text):
		return capture.KindID
	}
	return capture.KindText
}

// A word that somebody enters may already stand on the page by coincidence: the tag "new" on the page "A new dish" at
// /dishes/new. A text that was there before the word was entered, or that is there in another demonstration where
// another word was entered, is the page's own and stays as it is. The name of a thing is different: it stands alone, as
// a heading or as what was clicked, before it is typed. With a single demonstration only WordsOfPages count as the
// page's own; any other word may be a person's.
//
// WordsOfPages are words of pages and of their addresses that people also enter.
var WordsOfPages = lang.English("pages")

// AllDigits reports whether a text is a number in digits.
func AllDigits(s string) bool { return s != "" && plain.Digits(s) == len(s) }

// FirstRune returns the first character of a text.
func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
