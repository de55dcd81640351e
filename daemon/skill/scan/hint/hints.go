package hint

import (
	"showhow/internal/lazyre"
	"strings"
)

// Finder finds in one pass over a text which of many word sets occur in it. The expressions of a set run only then: a
// text without any costs one look at each byte.
type Finder struct {
	buckets [1 << 12][]hint
	short   []hint
	sets    int
}

// shortest is the least length of a word that is worth a search.
const shortest = 3

type hint struct {
	text string
	set  int
}

// Hits are the sets that were found.
type Hits [6]uint64

func (h *Hits) Has(set int) bool { return h[set>>6]&(1<<(set&63)) != 0 }

func (h *Hits) put(set int) { h[set>>6] |= 1 << (set & 63) }

func (h Hits) Or(g Hits) Hits {
	for i := range h {
		h[i] |= g[i]
	}
	return h
}

// All reports whether every set of want was found.
func (h *Hits) All(want *Hits) bool {
	for i := range h {
		if h[i]&want[i] != want[i] {
			return false
		}
	}
	return true
}

func trigram(a, b, c byte) int { return (int(a)*961 + int(b)*31 + int(c)) & (1<<12 - 1) }

// Add makes the words a set and says which.
func (x *Finder) Add(words []string) int {
	set := x.sets
	x.sets++
	for _, w := range words {
		if len(w) < shortest {
			x.short = append(x.short, hint{w, set})
			continue
		}
		k := trigram(w[0], w[1], w[2])
		x.buckets[k] = append(x.buckets[k], hint{w, set})
	}
	return set
}

// Expect adds the word sets of which every match of an expression contains a word each; an empty set says nothing.
func (x *Finder) Expect(expr *lazyre.Regexp, more ...[]string) (want Hits) {
	for _, words := range append(more, lazyre.Needs(expr.String(), shortest)...) {
		if len(words) > 0 {
			want.put(x.Add(words))
		}
	}
	return want
}

func (x *Finder) Find(s string) Hits {
	var h Hits
	for i := range x.short {
		e := &x.short[i]
		if !h.Has(e.set) && Any(s, []string{e.text}) {
			h.put(e.set)
		}
	}
	for i := 0; i+2 < len(s); i++ {
		b := x.buckets[trigram(s[i], s[i+1], s[i+2])]
		for j := range b {
			e := &b[j]
			if len(s)-i >= len(e.text) && s[i:i+len(e.text)] == e.text {
				h.put(e.set)
			}
		}
	}
	return h
}

// Any reports whether one of the words is in a text.
func Any(s string, hints []string) bool {
	for _, h := range hints {
		if strings.Contains(s, h) {
			return true
		}
	}
	return false
}
