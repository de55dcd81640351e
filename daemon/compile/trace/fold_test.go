package trace

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// A program that writes "#/" behind its own address while it loads has led to no other page.
func TestMovedBehindHash(t *testing.T) {
	for after, want := range map[string]bool{"http://wood/": false, "http://wood/#/": false, "http://wood/#top": false,
		"http://wood/#/trees": true} {
		a := &Act{Surface: workflow.OnBrowser, Verb: capture.Click, Before: &capture.State{URL: "http://wood/"},
			After: &capture.State{URL: after}}
		if a.settle(); a.Moved != want {
			t.Errorf("to %s: moved is %v", after, a.Moved)
		}
	}
}

// A control without a role that turns pages is called by its words, under whichever heading it stands; anything else stays masked.
func TestPlainTurns(t *testing.T) {
	pressed := func(link string) capture.Record {
		text := "[[text 6 " + link + "]]"
		return capture.Record{Action: capture.Action{Verb: capture.Click, Target: &capture.Target{Role: "generic", Text: text,
			Landmark: &capture.Landmark{Role: "heading", Name: "Ada"}, Locators: []capture.Locator{{By: "text", Value: text}}}}}
	}
	got := PlainTurns([]capture.Record{pressed("v_a"), pressed("v_b")}, map[string]string{"v_a": "Next >", "v_b": "Nadine"})
	next, other := got[0].Action.Target, got[1].Action.Target
	if next.Text != "Next >" || next.Locators[0].Value != "Next >" || next.Landmark != nil {
		t.Errorf("next: %+v", next)
	}
	if other.Text != "[[text 6 v_b]]" || other.Landmark == nil {
		t.Errorf("another text: %+v", other)
	}
}
