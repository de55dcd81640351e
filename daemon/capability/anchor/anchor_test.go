package anchor_test

import (
	"slices"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/capability/anchor"
	"showhow/daemon/capability/health"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

var at = clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))

func graph() workflow.Graph {
	return workflow.Graph{Steps: []workflow.Step{
		{StepID: "s1", Surface: workflow.OnBrowser, Verb: "navigate"},
		{StepID: "s2", Surface: workflow.OnBrowser, Verb: "click", ParamID: "p1", Value: "{parcel}",
			Target: &capture.Target{Role: "link", Name: "P-77", Landmark: &capture.Landmark{Role: "row", Name: "P-77"}}},
		{StepID: "s3", Surface: workflow.OnBrowser, Verb: "type", ParamID: "p2", Value: "{weight}",
			Target: &capture.Target{Role: "textbox", Label: "Weight", Placeholder: "in kg",
				Locators: []capture.Locator{{By: "testid", Value: "weight"}, {By: "css", Value: "#w"}}}},
		{StepID: "s4", Surface: workflow.OnBrowser, Verb: "press", Keys: "Control+S"},
		{StepID: "s5", Surface: workflow.OnShell, Command: "wc -l {file}"},
	}}
}

func TestR9_1_1G_AnchorsAreTheTargetsOfTheWorkflow(t *testing.T) {
	all := anchor.Of(wire.UIAnchor{CapabilityID: "showhow.weigh", AppID: "parcels"}, graph(), nil,
		[]health.Renamed{{Step: "s3", Name: "Weight of the parcel"}})
	if len(all) != 3 {
		t.Fatalf("%+v", all)
	}
	pick, field, keys := all[0], all[1], all[2]
	if pick.LocatorValue != "{parcel}" || pick.LocatorType != "aria_text" || len(pick.Alternates) > 0 || pick.WindowKind != "row" {
		t.Errorf("what was picked once is no anchor: %+v", pick)
	}
	if field.AnchorID != "showhow.weigh/s3" || field.LocatorType != "snapshot_label" || field.LocatorValue != "Weight" ||
		!slices.Equal(field.Alternates, []string{"in kg", `[data-testid="weight"]`, "#w"}) || field.FoundAs != "Weight of the parcel" {
		t.Errorf("%+v", field)
	}
	if keys.LocatorType != "keyboard_shortcut" || keys.LocatorValue != "Control+S" || keys.Confidence != .5 || keys.LastVerifiedAt != nil {
		t.Errorf("%+v", keys)
	}
}

func TestR9_1_1G_ConfidenceAndFailures(t *testing.T) {
	look := func(hours int, r health.Result, step, code string, covered ...string) health.Outcome {
		return health.Outcome{Source: health.Canary, Result: r, Step: step, Code: code, Covered: covered,
			At: at.Plus(time.Duration(hours) * time.Hour)}
	}
	outcomes := []health.Outcome{ // newest first
		look(5, health.Failed, "s3", "target_missing", "s2"),
		look(4, health.Failed, "s3", "target_ambiguous", "s2"),
		{Source: health.Report, Result: health.Failed, Step: "cp-01", Code: "checkpoint_failed", At: at},
		look(3, health.Failed, "s3", "check_failed"),
		look(2, health.Passed, "", "", "s2", "s3"),
		look(1, health.Failed, "s3", "target_missing"),
	}
	all := anchor.Of(wire.UIAnchor{CapabilityID: "c"}, graph(), outcomes, nil)
	pick, field := all[0], all[1]
	if pick.FailureCount != 0 || pick.Confidence != .8 || !pick.LastVerifiedAt.Equal(at.Plus(5*time.Hour).Time) {
		t.Errorf("%+v", pick)
	}
	// A check that fails is not the control's fault; what it was missed before it was last found is over.
	if field.FailureCount != 2 || field.Confidence != .33 || !field.LastVerifiedAt.Equal(at.Plus(2*time.Hour).Time) {
		t.Errorf("%+v", field)
	}
}
