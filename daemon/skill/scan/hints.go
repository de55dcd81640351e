package scan

import "slices"

// finder tells in one pass over a text which of many sets of words have a member in it. The expressions of a set run only
// then: a text in which nothing is said costs one look at each of its bytes.
type finder struct {
	buckets [1 << 12][]hint
	short   []hint
}

type hint struct {
	text string
	set  int
}

// hits are the sets that were found.
type hits [3]uint64

func (h *hits) has(set int) bool { return h[set>>6]&(1<<(set&63)) != 0 }

func (h hits) or(g hits) hits { return hits{h[0] | g[0], h[1] | g[1], h[2] | g[2]} }

func trigram(a, b, c byte) int { return (int(a)*961 + int(b)*31 + int(c)) & (1<<12 - 1) }

// add makes the words members of a set.
func (x *finder) add(set int, words []string) {
	for _, w := range words {
		if len(w) < 3 {
			x.short = append(x.short, hint{w, set})
			continue
		}
		k := trigram(w[0], w[1], w[2])
		x.buckets[k] = append(x.buckets[k], hint{w, set})
	}
}

func (x *finder) find(s string) hits {
	var h hits
	for i := range x.short {
		e := &x.short[i]
		if !h.has(e.set) && hinted(s, []string{e.text}) {
			h[e.set>>6] |= 1 << (e.set & 63)
		}
	}
	for i := 0; i+2 < len(s); i++ {
		b := x.buckets[trigram(s[i], s[i+1], s[i+2])]
		for j := range b {
			e := &b[j]
			if len(s)-i >= len(e.text) && s[i:i+len(e.text)] == e.text {
				h[e.set>>6] |= 1 << (e.set & 63)
			}
		}
	}
	return h
}

// allTellings are the rules for sentences; the sets 2i and 2i+1 of toldBy are the hints and the further hints of the i-th.
var allTellings = slices.Concat(tellings, phrasings)

// Sets of toldBy after those of the tellings.
var (
	farSet = 2 * len(allTellings)
	objSet = farSet + 1
)

var toldBy = func() *finder {
	x := &finder{}
	for i := range allTellings {
		x.add(2*i, allTellings[i].hints)
		x.add(2*i+1, allTellings[i].also)
	}
	x.add(farSet, farHints)
	x.add(objSet, objHints)
	return x
}()

var signedBy = func() *finder {
	x := &finder{}
	for i := range signatureList {
		x.add(i, signatureList[i].hints)
	}
	return x
}()
