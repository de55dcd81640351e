package rehearse

import (
	"testing"

	"showhow/daemon/capability/health"
	"showhow/daemon/rehearse/record"
	"showhow/internal/clock"
)

// What a run says of its ability: a page that changed is a failure, what stood in the way of looking is none.
func TestOutcomeOfARun(t *testing.T) {
	type results = []record.ValidationStepResult
	step := func(id, result, code string) record.ValidationStepResult {
		return record.ValidationStepResult{TestCaseID: "canary." + id, RunKind: record.RunCanary, Label: id, Result: result, Code: code}
	}
	good := step("step.s1", record.StepPassed, "")
	missing := func(id string) record.ValidationStepResult {
		return step(id, record.StepFailed, record.CodeTargetMissing)
	}
	for name, c := range map[string]struct {
		overall record.Overall
		steps   results
		want    health.Result
		at      string
	}{
		"it works":                {record.Passed, results{good, step("ahead.s2", record.StepPassed, "")}, health.Passed, ""},
		"a thing is gone":         {record.Failed, results{good, missing("step.s2")}, health.Failed, "s2"},
		"what comes next is gone": {record.Failed, results{good, missing("ahead.s2")}, health.Failed, "s2"},
		"a checkpoint fails": {record.Failed, results{good, step("checkpoint.cp-01", record.StepFailed, record.CodeCheckFailed)},
			health.Failed, "cp-01"},
		"in a loop": {record.Failed, results{good, missing("step.s2.3")}, health.Failed, "s2"},
		"no browser": {record.Failed, results{step("step.s1", record.StepFailed, record.CodeMachineFailed)},
			health.Inconclusive, ""},
		"the server's own fault": {record.Failed, results{good, step("page.s2", record.StepFailed, record.CodeServerError)},
			health.Inconclusive, ""},
		"signed out": {record.Partial, results{step("step.s1", record.StepSkipped, record.CodeSignIn)},
			health.Inconclusive, ""},
		"a value is missing": {record.Partial, results{step("input.order", record.StepSkipped, record.CodeNeedsValue)},
			health.Inconclusive, ""},
		"the policy forbids it": {record.Failed, results{step("step.s1", record.StepFailed, record.CodePolicyViolation)},
			health.Inconclusive, ""},
	} {
		run := record.ValidationRun{OverallResult: c.overall, RunKinds: []record.RunKind{record.RunCanary}, StartedAt: clock.Now()}
		o, _ := OutcomeOf(run, c.steps)
		if o.Result != c.want || o.Step != c.at {
			t.Errorf("%s: %s at %q, want %s at %q", name, o.Result, o.Step, c.want, c.at)
		}
	}
}
