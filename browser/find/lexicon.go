package find

import (
	"strings"
	"sync"

	"showhow/internal/lang"
)

// words is built on first use: most runs of the program never need it.
var words = sync.OnceValue(readLexicon)

// lexicon knows which words programs use for the same thing.
type lexicon struct {
	concepts []concept
	phrases  map[string][]int // plain phrase -> concepts
	stems    map[string][]int // likewise, by their stems
	longest  int              // words of the longest phrase
}

type concept struct {
	name lang.Concept
	deed bool
	near []int
}

// unit is a word or phrase with its possible meanings.
type unit struct {
	text     string
	concepts []int
}

func readLexicon() *lexicon {
	x := &lexicon{phrases: map[string][]int{}, stems: map[string][]int{}}
	byName := map[lang.Concept]int{}
	for n, m := range lang.Meanings() {
		byName[m.Concept] = n
		x.concepts = append(x.concepts, concept{name: m.Concept, deed: m.Concept.IsDeed()})
		for _, l := range lang.Languages() {
			for _, written := range l.Phrases(m.Concept) {
				for _, p := range lang.Spellings(written) {
					x.add(strings.Join(content(plain(p)), " "), n)
				}
			}
		}
	}
	for n, m := range lang.Meanings() {
		for _, o := range m.Near {
			x.concepts[n].near = append(x.concepts[n].near, byName[o])
		}
	}
	return x
}

func (x *lexicon) add(phrase string, concept int) {
	x.phrases[phrase] = append(x.phrases[phrase], concept)
	x.stems[lang.Stem(phrase)] = append(x.stems[lang.Stem(phrase)], concept)
	x.longest = max(x.longest, strings.Count(phrase, " ")+1)
}

// whole returns the possible meanings of the text as a whole.
func (x *lexicon) whole(s string) []int { return x.phrases[strings.Join(content(s), " ")] }

// units splits a plain text into the longest known phrases and single words.
func (x *lexicon) units(s string) []unit {
	ws := content(s)
	var out []unit
	for i := 0; i < len(ws); {
		n := min(x.longest, len(ws)-i)
		for ; n > 1; n-- {
			if x.knows(strings.Join(ws[i:i+n], " ")) {
				break
			}
		}
		text := strings.Join(ws[i:i+n], " ")
		concepts := x.phrases[text]
		if len(concepts) == 0 {
			concepts = x.stems[lang.Stem(text)]
		}
		out = append(out, unit{text, concepts})
		i += n
	}
	return out
}

func (x *lexicon) knows(s string) bool {
	return len(x.phrases[s]) > 0 || len(x.stems[lang.Stem(s)]) > 0
}

// content returns the meaningful words, or all words if none is.
func content(s string) []string {
	all := strings.Fields(s)
	out := make([]string, 0, len(all))
	for _, w := range all {
		if !empty.Has(w) {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

var (
	empty    = lang.Exactly(lang.Fillers)
	negating = lang.Exactly(lang.Negations)
)
