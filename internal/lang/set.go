package lang

import (
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Set is the words and phrases of some concepts in every language. It is created by Of, costs nothing until it is
// queried, and may be used by several goroutines at once.
type Set struct {
	concepts    []Concept
	allMeanings bool // of data/concepts.txt, beside the concepts
	exact       bool
	elsewhere   bool // without English
	index       atomic.Pointer[index]
}

// Of returns the set of everything that means one of the concepts, inflected forms included.
func Of(concepts ...Concept) *Set { return &Set{concepts: concepts} }

// Exactly is Of without inflected forms.
func Exactly(concepts ...Concept) *Set { return &Set{concepts: concepts, exact: true} }

// NonEnglish is Exactly without English, for names that programs mostly give in English and that the caller lists
// itself.
func NonEnglish(concepts ...Concept) *Set {
	return &Set{concepts: concepts, exact: true, elsewhere: true}
}

// AllMeanings returns the set of all Meanings: actions of controls and subjects of fields.
func AllMeanings() *Set { return &Set{allMeanings: true} }

// A Hit is a phrase of a set found in a text.
type Hit struct {
	Concept Concept
	Lang    *Language
	Phrase  string // as the language's file has it
	At, Len int    // in Words of the text; for a language without blanks in bytes of its Fold
	Exact   bool   // not only an inflected form of it
}

type phrase struct {
	words   []string // folded; of a language without blanks the whole phrase
	stems   []string
	raw     string // a short word that its marks tell from others, as it is written in lower case: the Swedish töm is no Tom
	concept Concept
	lang    *Language
	text    string
}

type index struct {
	first  map[string][]*phrase // by the first word
	stems  map[string][]*phrase // by the first word's stem
	inside map[rune][]*phrase   // of languages without blanks, by the first character, longest first
	ending map[string]bool      // of any language
	most   int                  // bytes of the longest ending
}

func (s *Set) get() *index {
	if x := s.index.Load(); x != nil {
		return x
	}
	d := load()
	concepts := slices.Clone(s.concepts)
	if s.allMeanings {
		for _, m := range d.meanings {
			concepts = append(concepts, m.Concept)
		}
	}
	x := &index{first: map[string][]*phrase{}, stems: map[string][]*phrase{}, inside: map[rune][]*phrase{}, ending: map[string]bool{}}
	for _, l := range d.languages {
		if s.elsewhere && l.Code == "en" {
			continue
		}
		for _, e := range l.endings {
			x.ending[e] = true
			x.most = max(x.most, len(e))
		}
		for _, c := range concepts {
			for _, p := range l.phrases[c] {
				x.add(l, c, p)
			}
		}
	}
	for _, ps := range x.inside {
		slices.SortStableFunc(ps, func(a, b *phrase) int { return len(b.words[0]) - len(a.words[0]) })
	}
	s.index.Store(x)
	mu.Lock()
	used = append(used, s)
	mu.Unlock()
	return x
}

func (x *index) add(l *Language, c Concept, text string) {
	for form := range strings.SplitSeq(text, "|") {
		if !l.Blanks && !isASCII(form) {
			p := &phrase{words: []string{Fold(form)}, concept: c, lang: l, text: text}
			r, _ := utf8.DecodeRuneInString(p.words[0])
			x.inside[r] = append(x.inside[r], p)
			continue
		}
		for _, spelled := range Spellings(form) {
			p := &phrase{words: Words(spelled), concept: c, lang: l, text: text}
			if len(p.words) == 0 {
				continue
			}
			if low := strings.ToLower(spelled); len(p.words) == 1 && len(p.words[0]) < shortestStem && low != p.words[0] {
				p.raw = low
			}
			for _, w := range p.words {
				p.stems = append(p.stems, l.stem(w))
			}
			x.first[p.words[0]] = append(x.first[p.words[0]], p)
			x.stems[p.stems[0]] = append(x.stems[p.stems[0]], p)
		}
	}
}

// Spellings are the ways to write a word: with diacritics, which Fold removes, and with two letters for one.
func Spellings(form string) []string {
	out := []string{form}
	if two := twoLetters.Replace(form); two != form {
		out = append(out, two)
	}
	return out
}

// stem removes the language's longest ending from a folded word.
func (l *Language) stem(w string) string {
	for _, e := range l.endings {
		if cut, ok := strings.CutSuffix(w, e); ok && utf8.RuneCountInString(cut) >= shortestStem {
			return cut
		}
	}
	return w
}

// matches reports whether a folded word is a form of the stem of a phrase's word.
func (p *phrase) matches(i int, w string) bool {
	if w == p.words[i] {
		return true
	}
	rest, ok := strings.CutPrefix(w, p.stems[i])
	return ok && utf8.RuneCountInString(p.stems[i]) >= shortestStem && (rest == "" || slices.Contains(p.lang.endings, rest))
}

// at returns the phrases that begin at a word.
func (x *index) at(ws, raw []string, at int, exact bool) (out []Hit) {
	w := ws[at]
	for _, p := range x.first[w] {
		if len(ws)-at >= len(p.words) && slices.Equal(ws[at:at+len(p.words)], p.words) && (p.raw == "" || p.raw == raw[at]) {
			out = append(out, Hit{p.concept, p.lang, p.text, at, len(p.words), true})
		}
	}
	if exact {
		return out
	}
	for n := 0; n <= min(x.most, len(w)); n++ {
		if n > 0 && !x.ending[w[len(w)-n:]] {
			continue
		}
	phrases:
		for _, p := range x.stems[w[:len(w)-n]] {
			if len(ws)-at < len(p.words) || slices.Equal(ws[at:at+len(p.words)], p.words) {
				continue
			}
			for i := range p.words {
				if !p.matches(i, ws[at+i]) {
					continue phrases
				}
			}
			out = append(out, Hit{p.concept, p.lang, p.text, at, len(p.words), false})
		}
	}
	return out
}

// wordsAndRaw returns the words of a text, folded and in lower case as written.
func wordsAndRaw(text string) (folded, raw []string) {
	folded = Words(text)
	if isASCII(text) {
		return folded, folded
	}
	raw = strings.FieldsFunc(strings.ToLower(norm.NFC.String(text)), func(r rune) bool { return !inWord(r) })
	if len(raw) != len(folded) {
		raw = folded
	}
	return folded, raw
}

// All returns the set's phrases in a text, in order; several may begin at one place.
func (s *Set) All(text string) (out []Hit) {
	x := s.get()
	ws, raw := wordsAndRaw(text)
	for i := range ws {
		out = append(out, x.at(ws, raw, i, s.exact)...)
	}
	return append(out, x.within(text)...)
}

// within finds phrases of languages without blanks in a text, the longest at every place.
func (x *index) within(text string) (out []Hit) {
	if isASCII(text) || len(x.inside) == 0 {
		return nil
	}
	folded := Fold(text)
	for i := 0; i < len(folded); {
		r, size := utf8.DecodeRuneInString(folded[i:])
		n := 0
		for _, p := range x.inside[r] {
			if strings.HasPrefix(folded[i:], p.words[0]) && len(p.words[0]) >= n {
				n = len(p.words[0])
				out = append(out, Hit{p.concept, p.lang, p.text, i, n, true})
			}
		}
		i += max(n, size)
	}
	return out
}

// Has reports whether a single word means a concept of the set.
func (s *Set) Has(word string) bool {
	x := s.get()
	ws, raw := wordsAndRaw(word)
	if len(ws) != 1 {
		return s.Is(word)
	}
	for _, h := range x.at(ws, raw, 0, s.exact) {
		if h.Len == 1 {
			return true
		}
	}
	return s.isInside(x, word)
}

// In reports whether a text contains a phrase of the set.
func (s *Set) In(text string) bool { return len(s.All(text)) > 0 }

// Begins reports whether a text begins with a phrase of the set.
func (s *Set) Begins(text string) bool {
	x := s.get()
	ws, raw := wordsAndRaw(text)
	if len(ws) > 0 && len(x.at(ws, raw, 0, s.exact)) > 0 {
		return true
	}
	hits := x.within(text)
	return len(hits) > 0 && hits[0].At == 0
}

// Ends reports whether a text ends with a phrase of the set, in a language in which the verb may come last.
func (s *Set) Ends(text string) bool {
	x := s.get()
	ws, raw := wordsAndRaw(text)
	for i := range ws {
		for _, h := range x.at(ws, raw, i, s.exact) {
			if h.Lang.VerbEnd && i+h.Len == len(ws) {
				return true
			}
		}
	}
	text = strings.TrimRightFunc(text, func(r rune) bool { return !inWord(r) })
	end := len(Fold(text))
	return slices.ContainsFunc(x.within(text), func(h Hit) bool { return h.At+h.Len == end })
}

// Is reports whether a text as a whole is a phrase of the set.
func (s *Set) Is(text string) bool {
	x := s.get()
	ws, raw := wordsAndRaw(text)
	if len(ws) == 0 {
		return false
	}
	for _, h := range x.at(ws, raw, 0, s.exact) {
		if h.Len == len(ws) {
			return true
		}
	}
	return s.isInside(x, text)
}

func (s *Set) isInside(x *index, text string) bool {
	if isASCII(text) {
		return false
	}
	folded := strings.TrimSpace(Fold(text))
	r, _ := utf8.DecodeRuneInString(folded)
	return slices.ContainsFunc(x.inside[r], func(p *phrase) bool { return p.words[0] == folded })
}
