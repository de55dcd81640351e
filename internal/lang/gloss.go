package lang

import (
	"slices"
	"strings"
)

// controls are the actions of controls and the subjects of fields.
var controls = &Set{allMeanings: true}

// Gloss translates the words of a control to English, an action first: "Bestellung löschen" and 注文を削除 become delete
// order. An English word, or one that no language knows, stays as it is.
func Gloss(label string) []string {
	ws, raw := wordsAndRaw(label)
	x := controls.get()
	var deeds, others []string
	moved := false
	for i := 0; i < len(ws); {
		if x.speaksEnglish(ws[i]) {
			others = append(others, ws[i])
			i++
			continue
		}
		best, n := Hit{}, 0
		for _, h := range x.at(ws, raw, i, false) {
			if h.Len > n || h.Len == n && h.Exact && !best.Exact || h.Len == n && h.Exact == best.Exact && h.Concept.IsDeed() &&
				!best.Concept.IsDeed() {
				best, n = h, h.Len
			}
		}
		switch {
		case n == 0:
			inside := x.within(ws[i])
			if len(inside) == 0 {
				others = append(others, ws[i])
			}
			at := 0
			for k, h := range inside {
				if h.At < at || k+1 < len(inside) && inside[k+1].At == h.At && inside[k+1].Concept.IsDeed() && !h.Concept.IsDeed() {
					continue
				}
				at = h.At + h.Len
				deeds, others = sortIn(h.Concept, deeds, others)
				moved = true
			}
			n = 1
		default:
			deeds, others = sortIn(best.Concept, deeds, others)
			moved = true
		}
		i += n
	}
	if !moved {
		return ws
	}
	return append(deeds, others...)
}

func sortIn(c Concept, deeds, others []string) ([]string, []string) {
	word := glossOf(c)
	if c.IsDeed() {
		if !slices.Contains(deeds, word) {
			deeds = append(deeds, word)
		}
		return deeds, others
	}
	return deeds, append(others, word)
}

// glossOf is the English word for a concept: the first of the English list.
func glossOf(c Concept) string {
	word, _, _ := strings.Cut(Fold(load().languages[0].phrases[c][0]), " ")
	return word
}

// speaksEnglish reports whether a folded word is one of the English phrases of the index.
func (x *index) speaksEnglish(w string) bool {
	return slices.ContainsFunc(x.first[w], func(p *phrase) bool { return p.lang.Code == "en" })
}
