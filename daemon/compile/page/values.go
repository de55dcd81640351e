package page

import (
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// KindOf is the kind of a value by its looks.
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

// A word that somebody enters may stand on the page already and have nothing to do with it: the tag "new" on the page "A new dish" at
// /dishes/new. What stood there before the word was given, or stands there in another demonstration that gave another word, is the
// page's own text and stays as it is. A thing's name is another matter: it stands alone, as a heading or as what was clicked, before it
// is typed. One example is believed only about words that pages are made of: any other may be somebody's.

// WordsOfPages are words of pages and of their addresses that people enter as well.
var WordsOfPages = lang.English("pages")

// AllDigits reports whether a text is a number in digits.
func AllDigits(s string) bool { return s != "" && plain.Digits(s) == len(s) }

// FirstRune is the first character of a text.
func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
