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
