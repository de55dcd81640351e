package proposal

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/wire"
)

// What an input picked from a page is shown for the review as the page called it, whether the name was readable or sealed; what a step
// names otherwise, and what is no input, is not.
func TestWhatWasPickedForAnInput(t *testing.T) {
	record := func(id, name string) capture.Record {
		return capture.Record{Event: capture.Event{EventID: id}, Action: capture.Action{Target: &capture.Target{Role: "link", Name: name}}}
	}
	records := []capture.Record{record("e1", "Boiler room"), record("e2", "[[text 7 L7]]"), record("e3", "Rename")}
	steps := []wire.WorkflowStep{
		{ParamID: "p1", EventIDs: []string{"e1"}, Target: &wire.ObservedTarget{Name: "{room}"}},
		{ParamID: "p2", EventIDs: []string{"e2"}, Target: &wire.ObservedTarget{Name: "{lamp}"}},
		{ParamID: "p3", EventIDs: []string{"e3"}, Target: &wire.ObservedTarget{Name: "Rename"}},
	}
	for _, c := range []struct{ id, name, role, want string }{{"p1", "room", "input", "Boiler room"}, {"p2", "lamp", "input", "Desk lamp"},
		{"p3", "word", "input", ""}, {"p1", "room", "constant", ""}, {"p4", "other", "input", ""}} {
		p := wire.WorkflowParam{ParamID: c.id, Name: c.name, Role: c.role}
		if got := pickedFor(p, steps, records, map[string]string{"L7": "Desk lamp"}); got != c.want {
			t.Errorf("%s %s: %q, not %q", c.role, c.name, got, c.want)
		}
	}
}
