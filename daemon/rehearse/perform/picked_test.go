package perform

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// Only what a pick itself uncovered makes that pick one that opened the way. What a longer list brings, or ticks, does not.
func TestWhatOnlyOpenedTheWay(t *testing.T) {
	const at = "https://x.example/jetty"
	short, long := rowsOf("boats: Heron ashore", "boats: Avocet ashore"),
		rowsOf("boats: Heron ashore", "boats: Avocet ashore", "boats: Curlew ashore")
	in := func(role string) *capture.Target {
		return &capture.Target{Role: role, Name: "Choose", Landmark: &capture.Landmark{Role: "row", Name: "{boat}"}}
	}
	node := &capture.Target{Role: "treeitem", Name: "{boat}"}
	for _, c := range []struct {
		name    string
		verb    capture.Verb
		target  *capture.Target
		between bool // the rows come after another step
		want    bool
	}{
		{"ticked, and the list grew by itself", capture.Check, in("checkbox"), false, false},
		{"ticked, and more was loaded", capture.Check, in("checkbox"), true, false},
		{"a box that was clicked", capture.Click, in("checkbox"), false, false},
		{"picked by its button, and the list grew by itself", capture.Click, in("button"), false, false},
		{"a node that was opened", capture.Click, node, false, true},
		{"a node, and more was loaded", capture.Click, node, true, false},
		{"a section that was opened", capture.Click, &capture.Target{Role: "button", Name: "{boat}", Shows: capture.ShowsSection}, false, true},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		p.tab.state = capture.State{URL: at}
		site := &berths{mailbox{state: p.tab.state}, short}
		p.tab.browser = site
		p.trail.remember(at, short)
		pick := func(boat string) {
			s := workflow.Step{Verb: c.verb, Target: c.target}
			p.supply.Bindings["boat"] = boat
			p.trail.look(t.Context(), s)
			p.trail.note(s, port.Act{Verb: c.verb, Target: c.target}, &check.Scene{})
		}
		pick("Heron")
		if c.between {
			p.trail.look(t.Context(), workflow.Step{Verb: capture.Click, Target: button("More boats")})
		}
		site.now = long
		pick("Curlew")
		if len(p.trail.things) != 2 || p.trail.things[0].Way != c.want || p.trail.things[1].Way {
			t.Errorf("%s: %+v", c.name, p.trail.things)
		}
		if c.want {
			continue
		}
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, port.Page{State: p.tab.state,
			Rows: rowsOf("boats: Heron ashore", "boats: Avocet ashore", "boats: Curlew afloat")}, r)
		if r.Against == "" {
			t.Errorf("%s: one of them is as it was: %q", c.name, r.Proof())
		}
	}
}

// What was picked in a menu is not there when the page is opened without it: it is not gone, and proves nothing. A row of the page is.
func TestAnEntryOfAClosedMenuIsNotGone(t *testing.T) {
	const at = "https://x.example/jetty"
	over := []capture.Locator{{By: "over", Value: "layer", Matches: 1}}
	for _, c := range []struct {
		target *capture.Target
		gone   bool
	}{
		{&capture.Target{Role: "link", Name: "{boat}"}, true},
		{&capture.Target{Role: "link", Name: "{boat}", Locators: over}, false},
		{&capture.Target{Role: "link", Name: "{boat}", Landmark: &capture.Landmark{Role: "menu", Name: "Boat"}}, false},
		{&capture.Target{Role: "button", Name: "Delete", Locators: over, Landmark: &capture.Landmark{Role: "row", Name: "{boat}"}}, true},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{"boat": "Avocet"}})
		p.tab.state = capture.State{URL: at}
		was := rowsOf("boats: Heron", "boats: Avocet", "boats: Curlew", "boats: Dunlin")
		p.tab.browser = &berths{mailbox{state: p.tab.state}, was}
		p.trail.remember(at, was)
		s := workflow.Step{Verb: capture.Click, Target: c.target}
		p.trail.look(t.Context(), s)
		p.trail.note(s, port.Act{Verb: s.Verb, Target: s.Target}, &check.Scene{})
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, port.Page{State: p.tab.state, Rows: rowsOf("boats: Heron", "boats: Curlew", "boats: Dunlin")}, r)
		if r.Removed != c.gone {
			t.Errorf("%+v: removed %v, %q", c.target, r.Removed, r.Altered)
		}
	}
}
