package page

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// A control's name may end in its keyboard shortcut.
func TestTurnsWithItsKey(t *testing.T) {
	for name, want := range map[string]bool{"Next month (PageDown)": true, "Next month": true, "Next (of 3 steps to go through)": false} {
		if got := Turns(workflow.Step{Surface: workflow.OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "button",
			Name: name}}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A button "Go" searches, unless the page then says that something was done.
func TestGoMayBeADeed(t *testing.T) {
	for message, want := range map[string]bool{"": true, "3 orders found.": true, "3 invoices were marked as paid.": false} {
		s := workflow.Step{Verb: capture.Submit, Target: &capture.Target{Role: "button", Name: "Go"},
			Before: &capture.State{URL: "http://a/invoices"}, After: &capture.State{URL: "http://a/invoices"}}
		if message != "" {
			s.After.Alerts = []string{message}
		}
		if Searches(s) != want {
			t.Errorf("%q: a search: %v", message, !want)
		}
	}
}
