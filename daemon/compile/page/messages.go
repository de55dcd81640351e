package page

import (
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

var (
	refusals  = lang.Of(lang.Refusal)
	busy      = lang.Of(lang.Busy)
	negated   = lang.Of(lang.Negations)
	successes = lang.Of(lang.Success)
)

// Failing reports whether a message says that something went wrong.
func Failing(message string) bool { return refusals.In(message) }

// IsNoise reports whether an announcement of a page is not a message: it only reports progress, or it is a list of
// names or a month that is read out.
func IsNoise(message string) bool {
	if _, month := MonthShown(message); month || busyMessage(message) {
		return true // a calendar announces the month that it was turned to
	}
	ws := strings.Fields(MaskForm.ReplaceAllString(message, "X"))
	if len(ws) < 3 || strings.ContainsAny(message, ".!?:,") {
		return false
	}
	return !slices.ContainsFunc(ws, func(w string) bool { r := FirstRune(w); return unicode.IsLower(r) })
}

// busyMessage reports whether a message only reports progress: "Loading", "Still looking", "Please wait".
func busyMessage(message string) bool {
	ws := plain.Words(message)
	if len(ws) == 0 || len(ws) > 5 {
		return false
	}
	if busy.In(message) || strings.HasSuffix(strings.TrimSpace(message), "...") || strings.HasSuffix(strings.TrimSpace(message), "\u2026") {
		return true
	}
	for i, w := range ws {
		if strings.HasSuffix(w, "ing") && len(w) > 5 && (i == 0 && len(ws) <= 2 || i > 0 && (ws[i-1] == "still" || ws[i-1] == "is" ||
			ws[i-1] == "are")) {
			return true
		}
	}
	return false
}

// SaysDone reports whether the page has a new message that says that something was done.
func SaysDone(before, after *capture.State) bool {
	for _, msg := range Fresh(before.Alerts, after.Alerts) {
		if Failing(msg) || negated.In(msg) {
			continue
		}
		if successes.In(msg) {
			return true
		}
		for _, w := range plain.Words(msg) {
			if stem, done := strings.CutSuffix(w, "d"); done && (intent.IsActionWord(stem) || intent.IsActionWord(strings.TrimSuffix(stem, "e"))) {
				return true
			}
		}
	}
	return false
}

// WordsWithDigits returns the words of a text that contain a digit.
func WordsWithDigits(text string) []string {
	return slices.DeleteFunc(plain.Words(StripMasks(text)), func(w string) bool { return plain.Digits(w) == 0 })
}
