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

// A form is a question on the way to an action only where its address tells all that was entered and the next form is sent from there; one
// that would be grave is none.
func TestAFormThatOnlyAsks(t *testing.T) {
	field := func(label, text string) capture.Field {
		return capture.Field{Role: "textbox", Label: label, Value: &capture.Value{Text: text}}
	}
	submit := func(from, to string, fields ...capture.Field) *Step {
		return &Step{Loop: -1, Step: workflow.Step{Effect: true, Verb: capture.Submit}, Act: &align.Cell{Act: &trace.Act{
			Surface: workflow.OnBrowser, Verb: capture.Submit, Before: &capture.State{URL: from, Fields: fields}, After: &capture.State{URL: to}}}}
	}
	for _, c := range []struct {
		name, to, next string
		fields         []capture.Field
		grave          bool
		want           bool
	}{
		{"it asks", "http://a/more?v=Cedar+wood", "http://a/more?v=Cedar+wood", []capture.Field{field("Name", "Cedar wood")}, false, true},
		{"it saved, and the work goes on elsewhere", "http://a/?saved=Cedar+wood", "http://a/notes", []capture.Field{field("Name", "Cedar wood")},
			false, false},
		{"it saved, and says a part of it", "http://a/?saved=Cedar+wood", "http://a/?saved=Cedar+wood",
			[]capture.Field{field("Name", "Cedar wood"), field("Note", "by the metre")}, false, false},
		{"it is grave", "http://a/more?v=Cedar+wood", "http://a/more?v=Cedar+wood", []capture.Field{field("Name", "Cedar wood")}, true, false},
	} {
		steps := []*Step{submit("http://a/", c.to, c.fields...), submit(c.next, "http://a/done")}
		steps[0].Grave = c.grave
		askOn(steps)
		if st := steps[0]; st.Asks != c.want || st.Effect == c.want || st.Grave != c.grave || !steps[1].Effect {
			t.Errorf("%s: asks %v, effect %v, grave %v", c.name, st.Asks, st.Effect, st.Grave)
		}
	}
}

// A link in a row that brings the same page without that row did something, whatever address it had.
func TestALinkThatTakesItsRow(t *testing.T) {
	list := func(url string, rows int, headings ...string) *capture.State {
		return &capture.State{URL: url, Headings: headings, Tables: []capture.Table{{Rows: rows}}}
	}
	row := &capture.Landmark{Role: "listitem", Name: "Pine"}
	for _, c := range []struct {
		name string
		in   *capture.Landmark
		then *capture.State
		want bool
	}{
		{"its row is gone", row, list("http://a/?del=3", 4, "Trees"), true},
		{"a page that asks again", row, list("http://a/?del=3", 4, "Trees", "Sure?"), false},
		{"many rows less", row, list("http://a/?del=3", 2, "Trees"), false},
		{"as many rows", row, list("http://a/?del=3", 5, "Trees"), false},
		{"it stands in no row", nil, list("http://a/?del=3", 4, "Trees"), false},
	} {
		target := &capture.Target{Role: "link", Name: "Delete", Href: "http://a/?del=3", Landmark: c.in}
		a := &trace.Act{Surface: workflow.OnBrowser, Verb: capture.Click, Target: target, Before: list("http://a/", 5, "Trees"), After: c.then}
		st := &Step{Act: &align.Cell{Act: a}, Step: workflow.Step{Verb: capture.Click, Target: target}}
		if got := Effective(st); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
