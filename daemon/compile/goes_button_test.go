package compile

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// A button "Go" looks for something, unless the page says then that something was done.
func TestGoMayBeADeed(t *testing.T) {
	for message, want := range map[string]bool{"": true, "3 orders found.": true, "3 invoices were marked as paid.": false} {
		s := workflow.Step{Verb: capture.Submit, Target: &capture.Target{Role: "button", Name: "Go"}, Before: &capture.State{URL: "http://a/invoices"}, After: &capture.State{URL: "http://a/invoices"}}
		if message != "" {
			s.After.Alerts = []string{message}
		}
		if Searches(s) != want {
			t.Errorf("%q: a search: %v", message, !want)
		}
	}
}

// What is picked from a list is called as the goal and the list's page call it, not as the goal's first thing or the page's last heading.
func TestAThingIsCalledAsTheGoalAndItsPageSay(t *testing.T) {
	for goal, want := range map[string]string{"Add a lesson to a course": "course", "Close a course for booking": "course", "Tidy up the courses": "course", "Change the filter of a course": "course", "Mark an invoice as paid": ""} {
		s := &study{in: Input{Goal: goal}}
		a := &act{verb: capture.Click, target: &capture.Target{Role: "link", Landmark: &capture.Landmark{Role: "row", Name: "[[text 10 v_a]]"}},
			before: &capture.State{URL: "http://a/desk/course/", Headings: []string{"Desk", "Select course to change", "Filter"}}}
		if got := s.goalSays(a); got != want {
			t.Errorf("%s: %q", goal, got)
		}
	}
}
