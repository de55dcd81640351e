package drafting

import (
	"testing"

	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Only the page shows what it offers: a draft knows what was offered during the demonstration.
func TestAValueOutsideOfTheDraftsListIsTried(t *testing.T) {
	d := client.ProposalDetail{Graph: &client.Graph{}, Interpretation: &client.Interpretation{
		Inputs: []wire.InputSpec{{Name: "status", Options: []string{"Open", "Shipped"}}}}}
	if err := knownInputs(d, map[string]string{"status": "Returned"}); err != nil {
		t.Errorf("refused before the page was looked at: %v", err)
	}
	if err := knownInputs(d, map[string]string{"state": "Open"}); !fault.Is(err, fault.Usage) {
		t.Errorf("an unknown input: %v", err)
	}
}

// A hint can be run as printed, except for the values.
func TestWhatIsMissingIsNamed(t *testing.T) {
	steps := []client.ValidationStepResult{{TestCaseID: "dry_run.input.order", Code: "needs_value"}, {TestCaseID: "dry_run.s1"},
		{TestCaseID: "dry_run.input.date", Code: "needs_value"}}
	if onlyMissing(append(steps, client.ValidationStepResult{Result: "failed", Code: "other"})) {
		t.Error("a failure is no missing value")
	}
	if got := missing(steps); got != " --set order=VALUE --set date=VALUE" {
		t.Errorf("%q", got)
	}
}
