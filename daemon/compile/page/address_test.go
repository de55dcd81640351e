package page

import "testing"

// The first page of a program that keeps its routes behind "#" is the page itself, however its address is written; its other pages are
// pages of their own.
func TestFirstPageOfRoutes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"http://wood/", "http://wood/#/", true}, {"http://wood/app", "http://wood/app#!/", true}, {"http://wood/", "http://wood/#top", true},
		{"http://wood/", "http://wood/#/trees", false}, {"http://wood/#/trees", "http://wood/#/herbs", false},
		{"http://wood/#!/trees", "http://wood/#!/", false},
	} {
		if got := WithoutAnchor(c.a) == WithoutAnchor(c.b); got != c.same {
			t.Errorf("%s and %s without their anchors: the same is %v", c.a, c.b, got)
		}
		if got := PathOf(c.a) == PathOf(c.b); got != c.same {
			t.Errorf("the paths of %s and %s: the same is %v", c.a, c.b, got)
		}
	}
}
