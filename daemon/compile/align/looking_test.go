package align

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
)

// The path to an object is not a step if it differed: a page that one demonstration turned to, folders with different
// names. A section that all of them opened by the same name is a step, and so is a path that led to no object.
func TestTheWayToAThingIsNoStep(t *testing.T) {
	act := func(role, name, shows string) *trace.Act {
		a := &trace.Act{Verb: capture.Click, Surface: workflow.OnBrowser, Page: &capture.Page{URL: "https://a.example/list"},
			Before: &capture.State{URL: "https://a.example/list"}, Target: &capture.Target{Role: role, Name: name, Shows: shows}}
		if role == "row" {
			a.Target = &capture.Target{Role: "button", Name: "Keep", Landmark: &capture.Landmark{Role: "row", Name: name}}
		}
		return a
	}
	page, section := capture.ShowsPage, capture.ShowsSection
	for _, c := range []struct {
		name   string
		a, b   []*trace.Act
		want   int
		sought bool
	}{
		{"a page that one needed", []*trace.Act{act("button", "2", page), act("row", "Oak", "")}, []*trace.Act{act("row", "Yew", "")}, 1, true},
		{"another page each time", []*trace.Act{act("button", "2", page), act("row", "Oak", "")},
			[]*trace.Act{act("button", "3", page), act("row", "Yew", "")}, 1, true},
		{"folders by other names", []*trace.Act{act("button", "Hard", section), act("row", "Oak", "")},
			[]*trace.Act{act("button", "Soft", section), act("button", "Needles", section), act("row", "Yew", "")}, 1, true},
		{"one section", []*trace.Act{act("button", "Trees", section), act("row", "Oak", "")},
			[]*trace.Act{act("button", "Trees", section), act("row", "Yew", "")}, 2, false},
		{"nothing is picked", []*trace.Act{act("button", "2", page), act("button", "Export", "")}, []*trace.Act{act("button", "Export", "")}, 2,
			false},
	} {
		got := Traces([]trace.Trace{{Acts: c.a}, {Acts: c.b}}).Columns
		if len(got) != c.want || got[len(got)-1].Sought != c.sought {
			t.Errorf("%s: %d columns, sought %v", c.name, len(got), got[len(got)-1].Sought)
		}
	}
}
