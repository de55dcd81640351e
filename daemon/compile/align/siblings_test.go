package align

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
)

// Which of several siblings was used is a value; buttons that act, navigation and elements elsewhere are different
// steps.
func TestSiblings(t *testing.T) {
	act := func(role, name, css string, place *capture.Landmark) *trace.Act {
		return &trace.Act{Verb: capture.Click, Surface: workflow.OnBrowser, Page: &capture.Page{URL: "https://a.example/list"},
			Before: &capture.State{URL: "https://a.example/list"},
			Target: &capture.Target{Role: role, Name: name, Landmark: place, Locators: []capture.Locator{{By: "css", Value: css, Matches: 1}}}}
	}
	main := &capture.Landmark{Role: "heading", Name: "Things"}
	way := &capture.Landmark{Role: "navigation"}
	turned := func(verb capture.Verb, name, css string, place *capture.Landmark) *trace.Act {
		a := act("switch", name, css, place)
		a.Verb = verb
		return a
	}
	const second, third = "#l > button:nth-of-type(2)", "#l > button:nth-of-type(3)"
	for _, c := range []struct {
		name string
		a, b *trace.Act
		one  bool // one column, whose thing varies
	}{
		{"side by side", act("button", "Quarn", second, main), act("button", "Rhoan", third, main), true},
		{"by ids that count", act("button", "Quarn", "#b1", main), act("button", "Rhoan", "#b12", main), true},
		{"two deeds", act("button", "Approve", second, main), act("button", "Reject", third, main), false},
		{"signs", act("button", "+", second, main), act("button", "-", third, main), false},
		{"ways through the program", act("link", "Orders", second, way), act("link", "Reports", third, way), false},
		{"another list", act("button", "Quarn", "#l > p:nth-of-type(1) > b:nth-of-type(2)", main),
			act("button", "Rhoan", "#l > p:nth-of-type(2) > b:nth-of-type(3)", main), false},
		{"another kind", act("button", "Quarn", second, main), act("link", "Rhoan", third, main), false},
		{"switches side by side", turned(capture.Check, "Quarn", second, main), turned(capture.Check, "Rhoan", third, main), true},
		{"switches in roots of their own", turned(capture.Check, "Quarn", "p > button", main),
			turned(capture.Check, "Rhoan", "p > button", main), true},
		{"a switch called as a deed is", turned(capture.Check, "Quarn", second, main), turned(capture.Check, "New arrivals", third, main), true},
		{"on and off", turned(capture.Check, "Quarn", second, main), turned(capture.Uncheck, "Rhoan", third, main), false},
		{"a switch of another part", turned(capture.Check, "Quarn", "p > button", main),
			turned(capture.Check, "Rhoan", "p > button", &capture.Landmark{Role: "heading", Name: "Others"}), false},
		{"switches in no place", turned(capture.Check, "Quarn", "p > button", nil), turned(capture.Check, "Rhoan", "p > button", nil), false},
		{"the same one", act("button", "Quarn", second, main), act("button", "Quarn", second, main), true},
	} {
		got := Traces([]trace.Trace{{Acts: []*trace.Act{c.a}}, {Acts: []*trace.Act{c.b}}}).Columns
		if (len(got) == 1) != c.one {
			t.Errorf("%s: %d columns", c.name, len(got))
			continue
		}
		if a, _ := got[0].Base(); c.one && a.Varies() != (c.a.Target.Name != c.b.Target.Name) {
			t.Errorf("%s: varies %v", c.name, a.Varies())
		}
	}
}
