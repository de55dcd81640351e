package rehearse

import (
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// What a run proposes holds the inputs' names and not this run's values, and says where a control went.
func TestRepairHoldsNoValue(t *testing.T) {
	p := &play{exam: &exam{r: &Runner{}}, supply: &supply{bindings: bindings{"order": "A-1043"}}}
	out := Outcome{Role: "button", Name: "Edit A-1043", Drift: []string{`it is called "Edit A-1043" now, it was called "Change A-1043"`, `it is in the form "Order A-1043" now`}, Moved: &capture.Landmark{Role: "form", Name: "Order A-1043"}}
	p.drifted(workflow.Step{StepID: "s2"}, out)
	r := p.repairs[0]
	if said := strings.Join(r.Changes, "; ") + r.Name + r.Place.Name; strings.Contains(said, "1043") || strings.Count(said, "order") < 4 {
		t.Errorf("%+v %+v", r, r.Place)
	}
	if told := p.told(workflow.Step{}, &scene{out: out}, nil); strings.Contains(told, "1043") {
		t.Error(told)
	}
	if r.Place.Role != "form" {
		t.Errorf("%+v", r.Place)
	}
}
