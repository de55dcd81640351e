package trace

import (
	"testing"

	"showhow/capture"
)

// A box of a named group is one of several; any other box is asked for alone.
func TestBox(t *testing.T) {
	group := func(name string) *capture.Landmark { return &capture.Landmark{Role: "group", Name: name} }
	ab := []string{"A", "B"}
	for _, c := range []struct {
		target capture.Target
		want   string
	}{
		{capture.Target{Role: "checkbox", Name: "B", Options: ab, Landmark: group("Contains")}, "B"},
		{capture.Target{Role: "checkbox", Label: "b ", Options: ab, Landmark: group("Contains")}, "B"},
		{capture.Target{Role: "checkbox", Name: "B", Options: ab, Landmark: group("")}, ""},
		{capture.Target{Role: "checkbox", Name: "B", Options: ab, Landmark: &capture.Landmark{Role: "form", Name: "Dish"}}, ""},
		{capture.Target{Role: "checkbox", Name: "B", Landmark: group("Contains")}, ""},
		{capture.Target{Role: "checkbox", Name: "[[choice 4 v_a]]", Options: []string{"[[choice 4 v_a]]", "B"}, Landmark: group("Contains")}, ""},
		{capture.Target{Role: "radio", Name: "B", Options: ab, Landmark: group("Contains")}, ""},
	} {
		if got := (&Act{Verb: capture.Check, Target: &c.target}).box(); got != c.want {
			t.Errorf("%+v: %q", c.target, got)
		}
	}
}
