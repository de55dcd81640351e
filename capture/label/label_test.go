package label

import (
	"testing"

	"showhow/capture"
)

// A button of a group is not a checkbox: it is chosen, not ticked.
func TestLabelOfOneOfAGroup(t *testing.T) {
	for role, want := range map[string]string{"button": "Chose the button 'Month'", "checkbox": "Ticked 'Month'"} {
		if got := Of(&capture.Action{Verb: capture.Check, Target: &capture.Target{Role: role, Name: "Month"}}); got != want {
			t.Errorf("%s: %q, not %q", role, got, want)
		}
	}
}
