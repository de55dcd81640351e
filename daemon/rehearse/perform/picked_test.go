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
