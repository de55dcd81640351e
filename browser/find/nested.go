package find

import (
	"slices"
	"strings"
)

// outer merges nested candidates that mean the same: a link in a menu entry, an icon in a button.
// The better match stays; of equals the outer one, which is what a person points at. What stands between the two need not fit.
func outer(fits, all []*candidate) []*candidate {
	at := map[key]*candidate{}
	for _, c := range all {
		at[key{c.doc, c.I}] = c
	}
	around := func(c *candidate) *candidate {
		for c != nil && c.Within != nil {
			if c = at[key{c.doc, *c.Within}]; c != nil && slices.Contains(fits, c) {
				return c
			}
		}
		return nil
	}
	drop := map[*candidate]bool{}
	for _, c := range fits {
		o := around(c)
		for o != nil && drop[o] {
			o = around(o)
		}
		if o != nil && !alike(o, c) {
			o = headed(c, around, fits)
		}
		if o == nil || !alike(o, c) {
			continue
		}
		if c.score > o.score {
			drop[o] = true
		} else {
			drop[c] = true
		}
	}
	return slices.DeleteFunc(fits, func(c *candidate) bool { return drop[c] })
}

func alike(o, c *candidate) bool { return o.words == c.words && plain(o.called()) == plain(c.called()) }

// headed is the entry of several parts that c, alone in it, is the head of.
func headed(c *candidate, around func(*candidate) *candidate, fits []*candidate) *candidate {
	o := around(c)
	for o != nil && !alike(o, c) {
		o = around(o)
	}
	if o == nil || o.Role != "generic" || c.Role != o.Role || !strings.HasPrefix(o.Text, o.Name+" ") {
		return nil
	}
	for _, x := range fits {
		if x == c || x == o || !alike(x, c) {
			continue
		}
		for at := around(x); at != nil; at = around(at) {
			if at == o {
				return nil
			}
		}
	}
	return o
}

type key struct {
	doc *document
	i   int
}
