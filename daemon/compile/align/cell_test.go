package align

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
)

// A box that selects a row is not an option of a form.
func TestTicksItem(t *testing.T) {
	row := func(name string) *capture.Landmark { return &capture.Landmark{Role: "row", Name: name} }
	for _, c := range []struct {
		target capture.Target
		want   bool
	}{
		{capture.Target{Role: "checkbox", Name: "[[choice 12 v_a]]", Landmark: row("[[id 5 v_b]]")}, true},
		{capture.Target{Role: "checkbox", Landmark: row("A-1042")}, true},
		{capture.Target{Role: "checkbox", Name: "Select row", Landmark: row("A-1042")}, true},
		{capture.Target{Role: "checkbox", Name: "Paid", Landmark: row("A-1042")}, false},
		{capture.Target{Role: "checkbox", Name: "Send letters by post", Landmark: &capture.Landmark{Role: "form", Name: "Member"}}, false},
		{capture.Target{Role: "radio", Name: "[[choice 4 v_a]]", Landmark: row("[[id 5 v_b]]")}, false},
	} {
		a := Cell{Act: &trace.Act{Verb: capture.Check, Target: &c.target, Surface: workflow.OnBrowser}}
		if a.TicksItem() != c.want || a.Ticks() == c.want && c.target.Role == "checkbox" {
			t.Errorf("%+v: %v", c.target, a.TicksItem())
		}
	}
}
