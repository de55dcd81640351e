package values

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/trace"
)

func TestAskedFor(t *testing.T) {
	for label, want := range map[string]string{"Search patient…": "patient", "Add a tag…": "tag", "Customer": "customer",
		"Suche Kunde": "kunde", "Search": "", "Find…": "",
		"Type here to find one of the many things that you know": ""} {
		if got := askedFor(&trace.Act{Target: &capture.Target{Role: "combobox", Placeholder: label}}); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}

// A picked object is named as the goal and its list's page name it, not by the goal's first noun or the page's last
// heading.
func TestAThingIsCalledAsTheGoalAndItsPageSay(t *testing.T) {
	for goal, want := range map[string]string{"Add a lesson to a course": "course", "Close a course for booking": "course",
		"Tidy up the courses": "course", "Change the filter of a course": "course", "Mark an invoice as paid": ""} {
		s := &Study{In: draft.Input{Goal: goal}}
		a := &align.Cell{Act: &trace.Act{Verb: capture.Click, Target: &capture.Target{Role: "link", Landmark: &capture.Landmark{Role: "row",
			Name: "[[text 10 v_a]]"}},
			Before: &capture.State{URL: "http://a/desk/course/", Headings: []string{"Desk", "Select course to change", "Filter"}}}}
		if got := goalSays(s, a); got != want {
			t.Errorf("%s: %q", goal, got)
		}
	}
}
