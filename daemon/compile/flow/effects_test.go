package flow

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
)

// A choice or a neutral button had an effect if the page then confirms one; what an opened list announces is not a
// confirmation.
func TestAnnouncesDeed(t *testing.T) {
	state := func(alerts ...string) *capture.State { return &capture.State{URL: "http://a/x", Alerts: alerts} }
	for _, c := range []struct {
		verb       capture.Verb
		role, says string
		want       bool
	}{
		{capture.Click, "option", "Booking updated", true}, {capture.Click, "button", "Booking deleted", true}, {capture.Check, "switch", "Saved",
			true},
		{capture.Click, "option", "option Blue room, selected.", false}, {capture.Click, "option", "5 results available", false},
		{capture.Click, "option", "", false},
		{capture.Click, "button", "It could not be saved", false}, {capture.Click, "link", "Booking updated", false},
		{capture.Type, "textbox", "Saved", false},
	} {
		a := &trace.Act{Surface: workflow.OnBrowser, Verb: c.verb, Target: &capture.Target{Role: c.role, Name: "OK"}, Before: state(),
			After: state()}
		if c.says != "" {
			a.After = state(c.says)
		}
		if got := announcesAction(a); got != c.want {
			t.Errorf("%s %s, %q: %v", c.verb, c.role, c.says, got)
		}
	}
}

// What an open list had hidden is not new when the list closes.
func TestRestoreHidden(t *testing.T) {
	page := &capture.State{URL: "http://a/x", Headings: []string{"Bookings", "Ada"}}
	open := &capture.State{URL: "http://a/x", Tables: []capture.Table{{Name: "Status", Rows: 4}}}
	opens := &trace.Act{Surface: workflow.OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "combobox", Name: "Status"},
		Before: page, After: open}
	picks := &trace.Act{Surface: workflow.OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "option", Name: "Paid"}, Before: open,
		After: page}
	n := &trace.Trace{Acts: []*trace.Act{opens, picks}}
	n.RestoreHidden()
	if news := trace.ChangeKinds(picks); len(news) != 0 {
		t.Errorf("news: %q", news)
	}
	if changes(&Step{Act: &align.Cell{Act: opens}, Step: workflow.Step{Verb: capture.Click}}) {
		t.Error("the list that opened is no state to reach")
	}
}
