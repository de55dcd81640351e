package template

import (
	"strings"

	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// History records when a trace first showed each text and gave each value. A time is twice the index of the column, plus
// one after its act.
type History struct {
	Open   func(text string) string // a text with its masks opened
	Shown  map[string]int           // text -> when it was first shown
	Given  map[string]int           // value -> when it was first given
	Common map[string]bool          // texts that another demonstration, with other values, shows at the same step
}

// RecordGiven records when a value was first given.
func (b *History) RecordGiven(text string, at int) {
	text = strings.ToLower(plain.Squeeze(text))
	if _, ok := b.Given[text]; !ok && text != "" {
		b.Given[text] = at
	}
}

// OwnWord reports whether a value appears in a text by coincidence: the page showed the text before the value was given.
func (b *History) OwnWord(value, text string) bool {
	value = strings.ToLower(plain.Squeeze(value))
	if plain.Digits(value) > 0 || len(plain.Words(value)) != 1 {
		return false
	}
	key := page.TextKey(b.Open(text))
	if key == value {
		return false
	}
	at, given := b.Given[value]
	if !given { // given only in another demonstration
		_, stood := b.Shown[key]
		return stood && page.PageWord(value)
	}
	if named, ok := b.Shown[value]; ok && named <= at {
		return false // it is the name of a thing
	}
	since, stood := b.Shown[key]
	return stood && since <= at && page.PageWord(value) || b.Common[key]
}
