package compile

import (
	"slices"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/trace"
)

// What a page shows by itself belongs to the act before it and is never an act: a message at any time, a table while it
// fills, but not rows that arrive much later.
func TestPageChangesBelongToTheirAct(t *testing.T) {
	state := func(rows int, alerts ...string) *capture.State {
		return &capture.State{URL: "https://desk.example/orders", Alerts: alerts, Tables: []capture.Table{{Name: "Orders", Rows: rows}}}
	}
	at := func(s int) string {
		return fixtureStart.Add(time.Duration(s) * time.Second).Format("2006-01-02T15:04:05.000000Z")
	}
	page := &capture.Page{URL: "https://desk.example/orders", Tab: "tab1"}
	change := func(id, cause string, s int, after *capture.State) capture.Record {
		return capture.Record{Event: capture.Event{EventID: id, AdapterKind: capture.BrowserSnapshot, CausedStateChange: true},
			Action: capture.Action{Verb: capture.PageChange, CauseEventID: cause, OccurredAt: at(s), Page: page}, After: after}
	}
	records := []capture.Record{
		change("early", "", 0, state(1)),
		{Event: capture.Event{EventID: "click", AdapterKind: capture.BrowserDOM}, Before: state(2), After: state(2),
			Action: capture.Action{Verb: capture.Click, OccurredAt: at(10), Page: page, Target: &capture.Target{Role: "button", Name: "Import"}}},
		change("filled", "click", 12, state(20, "Import begun")),
		change("later", "click", 45, state(99, "Imported")),
	}
	acts := trace.Fold(trace.Order(records))
	if len(acts) != 1 || acts[0].Verb != capture.Click {
		t.Fatalf("%d acts, want the click alone", len(acts))
	}
	a := acts[0]
	if !a.Changed || a.After.Tables[0].Rows != 20 || !slices.Equal(a.After.Alerts, []string{"Import begun", "Imported"}) {
		t.Errorf("changed %v, after %+v", a.Changed, a.After)
	}
	if !slices.Equal(a.Events(), []string{"click", "filled", "later"}) {
		t.Errorf("evidence %v", a.Events())
	}
}
