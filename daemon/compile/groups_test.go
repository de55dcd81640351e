package compile

import (
	"slices"
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// If another button of the same group was pressed each time, that is one choice among the group's options. A single
// demonstration raises a question.
func TestOneOfAGroupIsAChoice(t *testing.T) {
	w := readRecorded(t, "one-pressed")
	for n := 1; n <= 2; n++ {
		out := compiled(t, w.input(n))
		i := slices.IndexFunc(out.Graph.Params, func(p workflow.Param) bool { return p.Name == "view" })
		if i < 0 {
			t.Fatalf("from %d: %+v", n, out.Graph.Params)
		}
		p := out.Graph.Params[i]
		if p.Kind != capture.KindChoice || !slices.Equal(p.Options, []string{"Day", "Week", "Month"}) {
			t.Errorf("from %d: %+v", n, p)
		}
		if asked := slices.ContainsFunc(out.Questions, func(q Question) bool { return q.SubjectRef == p.ParamID }); asked != (n == 1) || n == 2 &&
			p.Role != workflow.RoleInput {
			t.Errorf("from %d: %s, asked %v", n, p.Role, asked)
		}
		if n == 2 && !slices.ContainsFunc(out.Graph.Steps, func(s workflow.Step) bool {
			one := workflow.OneOf(s.Verb, s.Target, "Day")
			return s.Value == "{view}" && one != nil && one.Role == "button" && one.Landmark.Name == "View"
		}) {
			t.Errorf("no step chooses: %+v", out.Graph.Steps)
		}
	}
}

// The button that every row has is a control; the row is the person's choice.
func TestButtonOfARow(t *testing.T) {
	w := readRecorded(t, "row-button")
	for n := 1; n <= 2; n++ {
		out := compiled(t, w.input(n))
		if ps := out.Graph.Params; len(ps) != 1 || ps[0].Name != "mail" || ps[0].Role != workflow.RoleInput && n == 2 {
			t.Fatalf("from %d: %+v", n, ps)
		}
		last := out.Graph.Steps[len(out.Graph.Steps)-1]
		if last.Target == nil || last.Target.Name != "Archive" || last.Target.Landmark == nil || last.Target.Landmark.Name != "{mail}" {
			t.Errorf("from %d: %+v", n, last.Target)
		}
	}
}
