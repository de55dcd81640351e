package redact

import (
	"slices"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// ruleSet has one automaton for all rules' hints: a text is read once, and only the rules whose hints occur are
// tried.
type ruleSet struct {
	own    []compiled
	vendor []*vendorRule
	trie   *ahocorasick.Trie
	calls  [][]int // by pattern of the trie: rules, the vendor's counted after our own
	always []int   // rules without a hint
}

func newRuleSet(own []compiled, vendor []*vendorRule) *ruleSet {
	rs := &ruleSet{own: own, vendor: vendor}
	var words []string
	at := map[string]int{}
	call := func(word string, rule int) {
		n, ok := at[word]
		if !ok {
			n = len(words)
			at[word] = n
			words, rs.calls = append(words, word), append(rs.calls, nil)
		}
		rs.calls[n] = append(rs.calls[n], rule)
	}
	for i := range own {
		if len(own[i].hints) == 0 {
			rs.always = append(rs.always, i)
		}
		for _, h := range own[i].hints {
			call(h, i)
		}
	}
	for i, r := range vendor {
		if len(r.hints) == 0 {
			rs.always = append(rs.always, len(own)+i)
		}
		for _, k := range r.hints {
			call(lowerASCII(k), len(own)+i)
		}
	}
	rs.trie = ahocorasick.NewTrieBuilder().AddStrings(words).Build()
	return rs
}

// scan runs every selected rule once over the working text.
func (rs *ruleSet) scan(text string) []Span {
	lower := lowers.Get().(*[]byte)
	defer lowers.Put(lower)
	*lower = appendLower((*lower)[:0], text)

	var seen [16]uint64 // more rules than that do not load
	called := slices.Clone(rs.always)
	rs.trie.Walk(*lower, func(_, _, pattern int64) bool {
		for _, r := range rs.calls[pattern] {
			if bit := uint64(1) << (r % 64); seen[r/64]&bit == 0 {
				seen[r/64] |= bit
				called = append(called, r)
			}
		}
		return true
	})
	slices.Sort(called)
	var found []Span
	f := measure(text)
	for _, r := range called {
		if r < len(rs.own) {
			found = rs.own[r].scan(text, f, found)
		} else {
			found = rs.vendor[r-len(rs.own)].scan(text, found)
		}
	}
	return found
}

const maxRules = 16 * 64

func lowerASCII(s string) string { return string(appendLower(nil, s)) }
