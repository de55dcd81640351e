package trace

import (
	"testing"

	"showhow/capture"
)

// An entry that an act consumed is kept besides the next one in that field; one that was cleared or replaced is not.
func TestTakes(t *testing.T) {
	state := func(length int) *capture.State {
		return &capture.State{URL: "http://a/new",
			Fields: []capture.Field{{Label: "Tag", Role: "textbox", Value: &capture.Value{Length: length}}}}
	}
	entry := &Act{Verb: capture.Type, Target: &capture.Target{Role: "textbox", Name: "Tag"}}
	for _, c := range []struct {
		name          string
		before, after int
		moved, want   bool
	}{
		{"Add tag", 5, 0, false, true}, {"Clear", 5, 0, false, false}, {"Reset form", 5, 0, false, false}, {"Look up", 5, 5, false, false},
		{"Add tag", 0, 0, false, false}, {"Add tag", 5, 0, true, false},
	} {
		a := &Act{Verb: capture.Click, Target: &capture.Target{Role: "button", Name: c.name}, Before: state(c.before), After: state(c.after),
			Moved: c.moved}
		if got := takes(a, entry); got != c.want {
			t.Errorf("%s, %d to %d: %v", c.name, c.before, c.after, got)
		}
	}
}
