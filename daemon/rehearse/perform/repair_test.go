package perform

import (
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// What a run proposes holds the inputs' names and not this run's values, and says where a control went.
func TestRepairHoldsNoValue(t *testing.T) {
	p := performance(supply.Supply{Bindings: supply.Bindings{"order": "A-1043"}})
	out := port.Outcome{Role: "button", Name: "Edit A-1043",
		Drift: []string{`it is called "Edit A-1043" now, it was called "Change A-1043"`, `it is in the form "Order A-1043" now`},
		Moved: &capture.Landmark{Role: "form", Name: "Order A-1043"}}
	p.tab.drifted(workflow.Step{StepID: "s2"}, out)
	r := p.Repairs[0]
	if said := strings.Join(r.Changes, "; ") + r.Name + r.Place.Name; strings.Contains(said, "1043") || strings.Count(said, "order") < 4 {
		t.Errorf("%+v %+v", r, r.Place)
	}
	if told := p.tab.told(workflow.Step{}, &check.Scene{Out: out}, nil); strings.Contains(told, "1043") {
		t.Error(told)
	}
	if r.Place.Role != "form" {
		t.Errorf("%+v", r.Place)
	}
}
