package template

import (
	"strings"

	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// History is what a trace showed before its values were given, by place in the trace: twice the column, one more after its act.
type History struct {
	Open   func(text string) string // a text with its masks opened
	Shown  map[string]int           // text -> since when it is there
	Given  map[string]int           // value -> when it was given first
	Common map[string]bool          // texts that another demonstration, with other values, shows at the same step
}

// Gives notes that a value was given, the first time that it was.
func (b *History) Gives(text string, at int) {
	text = strings.ToLower(plain.Squeeze(text))
	if _, ok := b.Given[text]; !ok && text != "" {
		b.Given[text] = at
	}
}

// OwnWord reports whether a value, found in a text, is there by chance: the text is as old as the page.
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
	if !given { // but in another demonstration
		_, stood := b.Shown[key]
		return stood && page.PageWord(value)
	}
	if named, ok := b.Shown[value]; ok && named <= at {
		return false // the name of a thing
	}
	since, stood := b.Shown[key]
	return stood && since <= at && page.PageWord(value) || b.Common[key]
}
