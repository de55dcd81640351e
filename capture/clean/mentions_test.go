package clean

import (
	"fmt"
	"testing"

	"showhow/capture"
)

func TestMentions(t *testing.T) {
	mail := &capture.Target{Role: "listitem", Name: "Emil Saar", ItemTexts: []capture.ItemText{{Path: "div.from", Text: "Emil Saar"},
		{Path: "div.subj", Text: "Minutes of May"}, {Path: "i", Text: "open"}, {Path: "b", Text: "Yoga"}, {Path: "u", Text: "7"}}}
	state := func(h ...string) *capture.State { return &capture.State{Headings: h} }
	for _, c := range []struct {
		name  string
		later capture.Observation
		want  string
	}{
		{"a heading", capture.Observation{After: state("Inbox", "Minutes of May")}, "[div.subj]"},
		{"in another case", capture.Observation{After: state("MINUTES  of May")}, "[div.subj]"},
		{"a dialog that mentions it", capture.Observation{After: &capture.State{Dialogs: []string{"Delete “Minutes of May”?"}}},
			"[div.subj]"},
		{"a message", capture.Observation{After: &capture.State{Alerts: []string{"Moved: Yoga"}}}, "[b]"},
		{"the name of a place", capture.Observation{Target: &capture.Target{Role: "button", Name: "Delete",
			Landmark: &capture.Landmark{Role: "dialog", Name: "Minutes of May"}}}, "[div.subj]"},
		{"a part of a word", capture.Observation{After: state("Minutes of Mayhem")}, "[]"},
		{"a word among words", capture.Observation{After: state("Orders that are open")}, "[]"},
		{"a number", capture.Observation{After: state("7")}, "[]"},
		{"a heading that stood there before", capture.Observation{After: state("Read last: Emil Saar")}, "[]"},
		{"in another item", capture.Observation{Target: &capture.Target{Role: "button", Name: "Minutes of May",
			ItemTexts: []capture.ItemText{{Path: "b", Text: "Pilates"}}}}, "[]"},
	} {
		j := newJob(t)
		if got := j.mentions(capture.Observation{Target: mail, Before: state("Inbox", "Read last: Emil Saar")}, "e1"); len(got) > 0 {
			t.Errorf("at once: %+v", got)
		}
		var paths []string
		for _, m := range j.mentions(c.later, "e2") {
			if m.EventID != "e1" {
				t.Errorf("%s: of %s", c.name, m.EventID)
			}
			paths = append(paths, m.Path)
		}
		if got := fmt.Sprint(paths); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// Of the texts of an item none is kept that the page does not show elsewhere.
func TestItemTextsAreNotKept(t *testing.T) {
	j := newJob(t)
	for i := range 2 * maxItems {
		j.mentions(capture.Observation{Target: &capture.Target{
			ItemTexts: []capture.ItemText{{Path: "b", Text: fmt.Sprint("Item number ", i)}}}}, fmt.Sprint(i))
	}
	if len(j.items) != maxItems {
		t.Errorf("%d items are remembered", len(j.items))
	}
	out := j.target(&capture.Target{Role: "button", Name: "Edit", ItemTexts: []capture.ItemText{{Path: "b", Text: "Minutes of May"}}})
	if out.ItemTexts != nil {
		t.Errorf("kept: %+v", out.ItemTexts)
	}
}
