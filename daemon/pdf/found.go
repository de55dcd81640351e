package pdf

import (
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/pdf/table"
	"showhow/internal/fault"
)

// Secret is the bytes [Start, End) of a text that the redactor recognises, and what they are.
type Secret struct {
	Start, End int
	Class      string
}

// line is a line of words on a page; block tells its paragraph.
type line struct {
	page, block int
	words       []table.Word
}

// patterns is what is looked for.
type patterns struct {
	classes []string
	words   []wanted
}

// wanted is what a person named: its text, and how it is compared.
type wanted struct {
	said   string
	folded []rune
}

// Bounds of what is looked for and found.
const (
	mostPatterns = 100
	mostPlaces   = 20_000
	classMark    = "class:"
	wordsMark    = "words:"
)

// patternsOf reads a pattern set: class:NAME is a class of the redactor's, anything else a person's words. Nothing at all
// means every class.
func patternsOf(set, classes []string) (out patterns, err error) {
	bad := func(what string) (patterns, error) {
		return out, fault.New(fault.InvalidRequest, what).WithDetail("classes", classes).
			WithHint("name words that stand in the document, or classes: " + strings.Join(classes, ", "))
	}
	if len(set) > mostPatterns {
		return bad("more than 100 patterns are named")
	}
	if len(set) == 0 {
		out.classes = classes
	}
	for _, p := range set {
		if name, ok := strings.CutPrefix(p, classMark); ok {
			if !slices.Contains(classes, name) {
				return bad("a class is unknown")
			}
			out.classes = append(out.classes, name)
			continue
		}
		said := strings.TrimPrefix(p, wordsMark)
		folded := []rune(strings.Join(strings.Fields(fold(normal(said))), " "))
		if len(folded) < 2 {
			return bad("words are shorter than two letters")
		}
		out.words = append(out.words, wanted{said, folded})
	}
	return out, nil
}

// withheld is the class of a text that the redactor could not judge.
const withheld = "withheld"

// distinct removes what was found more than once, and a place that lies within another of the same pattern.
func distinct(hits []hit) (out []hit) {
	byWord := map[placed][]int{} // places by one of their words, in whatever line it was read
	key := func(w placed) placed { w.line = 0; return w }
	for _, h := range hits {
		if len(h.words) == 0 {
			continue
		}
		known := false
		for _, i := range byWord[key(h.words[0])] {
			if out[i].pattern == h.pattern && out[i].covers(h) {
				known = true
			}
		}
		if known {
			continue
		}
		for _, w := range h.words {
			byWord[key(w)] = append(byWord[key(w)], len(out))
		}
		out = append(out, h)
	}
	return out
}

// spaced says whether a rune is of a word that spaces end.
func spaced(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
