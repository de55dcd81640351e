package perform

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// The page that was shown is known again about another thing, and one that the run has not left yet is not taken for it.
func TestLikeShown(t *testing.T) {
	step := func(before, after string) workflow.Step {
		return workflow.Step{Before: &capture.State{URL: before}, After: &capture.State{URL: after}}
	}
	for _, c := range []struct {
		name          string
		s             workflow.Step
		at, here      string
		rested, wants bool // rested: the run has been seen resting there before
	}{
		{"the same", step("http://a/people", "http://a/people/P-706"), "http://a/people", "http://a/people/P-706", false, true},
		{"another thing", step("http://a/people", "http://a/people/P-706"), "http://a/people", "http://a/people/P-712", false, true},
		{"by number", step("http://a/orders", "http://a/orders/17/edit"), "http://a/orders", "http://a/orders/18/edit", false, true},
		{"not there yet", step("http://a/orders/17", "http://a/orders/18"), "http://a/orders/21", "http://a/orders/21", false, false},
		{"another page of it", step("http://a/people", "http://a/people/P-706"), "http://a/people", "http://a/people/P-712/edit", false, false},
		{"a name at first", step("http://a/people", "http://a/people/hopper"), "http://a/people", "http://a/people/lovelace", false, false},
		{"a name that it has", step("http://a/people/hopper", "http://a/people/hopper"), "http://a/people/lovelace", "http://a/people/lovelace",
			true, true},
		{"behind #", step("http://a/#/people", "http://a/#/people/P-706"), "http://a/#/people", "http://a/#/people/P-712", false, true},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		p.tab.state.URL = c.at
		if c.rested {
			p.arrival.learnNames(page.PathOf(c.s.After.URL), page.PathOf(c.here))
		}
		if got := p.arrival.likeShown(c.s, c.here); got != c.wants {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
