package proposal

import (
	"strings"
	"testing"

	"showhow/daemon/rehearse"
)

// What hinders names the run that decides, where it ended, and the command that does it again.
func TestHindranceNamesTheRunThatDecides(t *testing.T) {
	steps := []rehearse.ValidationStepResult{
		{RunKind: rehearse.RunLint, TestCaseID: "lint.x", Label: "another kind", Result: rehearse.StepFailed},
		{RunKind: rehearse.RunRehearsal, TestCaseID: "rehearsal.step.s1", Label: "Save", Result: rehearse.StepPassed},
		{RunKind: rehearse.RunRehearsal, TestCaseID: "rehearsal.step.s2", Label: "not done", Result: rehearse.StepSkipped},
		{RunKind: rehearse.RunRehearsal, TestCaseID: "rehearsal.checkpoint.cp-01", Label: "The ticket is shown", Result: rehearse.StepFailed,
			Details: "expected a heading"},
	}
	h := describe(rehearse.Standing{Overall: rehearse.Failed, RunID: "r", Kind: rehearse.RunRehearsal}, steps)
	if h.CheckpointID != "cp-01" || h.Details != "expected a heading" ||
		h.Message != "the rehearsal of this revision failed at cp-01, The ticket is shown" ||
		!strings.Contains(h.Next, "`showhow proposal rehearse` again") {
		t.Errorf("%+v", h)
	}
	h = describe(rehearse.Standing{Overall: rehearse.Partial, RunID: "r", Kind: rehearse.RunDryRun}, []rehearse.ValidationStepResult{
		{RunKind: rehearse.RunDryRun, TestCaseID: "dry_run.input.order", Label: "a value for order", Result: rehearse.StepSkipped}})
	if h.CheckpointID != "" || h.Message != "the dry run of this revision was only partial at: a value for order" ||
		!strings.Contains(h.Next, "--accept-partial") {
		t.Errorf("%+v", h)
	}
}
