package scan

import (
	"showhow/internal/lazyre"
	"slices"
	"sync"
)

// finder tells in one pass over a text which of many sets of words have a member in it. The expressions of a set run only
// then: a text in which nothing is said costs one look at each of its bytes.
type finder struct {
	buckets [1 << 12][]hint
	short   []hint
	sets    int
}

type hint struct {
	text string
	set  int
}

// hits are the sets that were found.
type hits [6]uint64

func (h *hits) has(set int) bool { return h[set>>6]&(1<<(set&63)) != 0 }

func (h *hits) put(set int) { h[set>>6] |= 1 << (set & 63) }

func (h hits) or(g hits) hits {
	for i := range h {
		h[i] |= g[i]
	}
	return h
}

// all reports whether every set of want was found.
func (h *hits) all(want *hits) bool {
	for i := range h {
		if h[i]&want[i] != want[i] {
			return false
		}
	}
	return true
}

func trigram(a, b, c byte) int { return (int(a)*961 + int(b)*31 + int(c)) & (1<<12 - 1) }

// add makes the words a set and says which.
func (x *finder) add(words []string) int {
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

// expect adds what every match of an expression holds a word of each; what is empty says nothing.
func (x *finder) expect(expr *lazyre.Regexp, more ...[]string) (want hits) {
	for _, words := range append(more, needs(expr.String())...) {
		if len(words) > 0 {
			want.put(x.add(words))
		}
	}
	return want
}

func (x *finder) find(s string) hits {
	var h hits
	for i := range x.short {
		e := &x.short[i]
		if !h.has(e.set) && hinted(s, []string{e.text}) {
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

// allTellings are the rules for sentences; wanted are the sets of toldBy that each of them wants.
var (
	allTellings = slices.Concat(tellings, phrasings)
	toldBy      = &finder{}
	wanted      = func() (all []hits) {
		for i := range allTellings {
			all = append(all, toldBy.expect(allTellings[i].re, allTellings[i].hints, allTellings[i].also))
		}
		return all
	}()
	farSet = toldBy.add(farHints)
	objSet = toldBy.add(objHints)
)

var signedBy = sync.OnceValue(func() *finder {
	x := &finder{}
	for i := range signatureList {
		x.add(signatureList[i].hints)
	}
	return x
})
