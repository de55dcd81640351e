package trace

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// Turning the months of a calendar sends no form, whatever the page then announces.
func TestTurningSendsNothing(t *testing.T) {
	at := &capture.State{URL: "http://a/x"}
	acts := []*Act{
		{Surface: workflow.OnBrowser, Verb: capture.Type, Target: &capture.Target{Role: "textbox", Name: "Guest"}, Before: at, After: at},
		{Surface: workflow.OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "button", Name: "Next Month"}, Before: at,
			After: &capture.State{URL: "http://a/x", Headings: []string{"A month"}}},
		{Surface: workflow.OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "button", Name: "Create"}, Before: at,
			After: &capture.State{URL: "http://a/x", Headings: []string{"It is made"}}},
	}
	sent(acts)
	if acts[1].Verb != capture.Click || acts[2].Verb != capture.Submit {
		t.Errorf("%s, %s", acts[1].Verb, acts[2].Verb)
	}
}
