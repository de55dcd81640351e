package page

import (
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

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
var WordsOfPages = plain.Set("new edit create add all open closed close list view show more next previous back home start search find settings options profile " +
	"account admin detail details overview summary today week month year day draft drafts inbox sent archive archived active inactive done pending " +
	"status type name title date tag tags note notes item items order orders report reports help about public private default standard other page " +
	"pages main menu user users customer customers group groups project projects task tasks ticket tickets board boards file files document " +
	"documents message messages team teams event events calendar import export delete remove update change save copy move first last current recent " +
	"neu neue neuer alle offen heute bearbeiten nuevo nueva nouveau nouvelle tous todos nuovo nuova nieuw novo nova ny nytt")

func AllDigits(s string) bool { return s != "" && plain.Digits(s) == len(s) }

func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
