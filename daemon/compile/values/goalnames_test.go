package values

import (
	"testing"

	"showhow/daemon/compile/draft"
	"showhow/daemon/workflow"
)

// A value that contains the noun of the goal is named by it, if the label of its field is generic.
func TestAValueIsCalledByTheGoalsThing(t *testing.T) {
	for _, c := range []struct {
		goal, label string
		texts       []string
		want        string
	}{
		{"Enter a booking for a customer", "Name", []string{"customer3", "Customer 12"}, "customer"},
		{"Tidy up the customers", "name", []string{"customer3", ""}, "customer"},
		{"Enter a booking for a customer", "Contact", []string{"customer3"}, "Contact"},
		{"Enter a booking for a customer", "Name", []string{"Ada Lovelace"}, "Name"},
		{"Enter a booking for a customer", "Name", []string{"customer3", "supplier1"}, "Name"},
		{"Enter a booking for a customer", "Name", []string{"Customer"}, "Name"},
		{"Enter a booking", "Name", []string{"customer3"}, "Name"},
	} {
		p := &Param{Param: workflow.Param{Label: c.label}, Texts: c.texts}
		nameByGoal(draft.Input{Goal: c.goal}, []*Param{p})
		if p.Label != c.want {
			t.Errorf("%s, %q %q: %q, not %q", c.goal, c.label, c.texts, p.Label, c.want)
		}
	}
}
