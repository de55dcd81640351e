package compile

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// A choice or a button that says nothing of a deed has had one when the page then says so; what a list that opens reads out is none.
func TestAnnouncesDeed(t *testing.T) {
	state := func(alerts ...string) *capture.State { return &capture.State{URL: "http://a/x", Alerts: alerts} }
	for _, c := range []struct {
		verb       capture.Verb
		role, says string
		want       bool
	}{
		{capture.Click, "option", "Booking updated", true}, {capture.Click, "button", "Booking deleted", true}, {capture.Check, "switch", "Saved", true},
		{capture.Click, "option", "option Blue room, selected.", false}, {capture.Click, "option", "5 results available", false}, {capture.Click, "option", "", false},
		{capture.Click, "button", "It could not be saved", false}, {capture.Click, "link", "Booking updated", false}, {capture.Type, "textbox", "Saved", false},
	} {
		a := &act{surface: workflow.OnBrowser, verb: c.verb, target: &capture.Target{Role: c.role, Name: "OK"}, before: state(), after: state()}
		if c.says != "" {
			a.after = state(c.says)
		}
		if got := announcesDeed(a); got != c.want {
			t.Errorf("%s %s, %q: %v", c.verb, c.role, c.says, got)
		}
	}
}

// Of two lists that nothing tells apart nobody could say which one changed.
func TestListsThatAreAlike(t *testing.T) {
	list := func(name string, rows int) capture.Table { return capture.Table{Name: name, Rows: rows} }
	was := &capture.State{Tables: []capture.Table{list("Rights", 4), list("Rights", 1), list("Bookings", 3)}}
	is := &capture.State{Tables: []capture.Table{list("Rights", 3), list("Rights", 2), list("Bookings", 2)}}
	if got := rowChanges(was, is); len(got) != 1 || got[0].table.Name != "Bookings" {
		t.Errorf("%+v", got)
	}
}

// What a list that opened over the page had hidden is nothing new when it is closed.
func TestUnveiled(t *testing.T) {
	page := &capture.State{URL: "http://a/x", Headings: []string{"Bookings", "Ada"}}
	open := &capture.State{URL: "http://a/x", Tables: []capture.Table{{Name: "Status", Rows: 4}}}
	opens := &act{surface: workflow.OnBrowser, verb: capture.Click, target: &capture.Target{Role: "combobox", Name: "Status"}, before: page, after: open}
	picks := &act{surface: workflow.OnBrowser, verb: capture.Click, target: &capture.Target{Role: "option", Name: "Paid"}, before: open, after: page}
	n := &normalised{acts: []*act{opens, picks}}
	n.unveiled()
	if news := newsOf(picks); len(news) != 0 {
		t.Errorf("news: %q", news)
	}
	if changes(&step{act: opens, Step: workflow.Step{Verb: capture.Click}}) {
		t.Error("the list that opened is no state to reach")
	}
}

// A calendar that reads out the month to which it was turned says nothing of a deed.
func TestAMonthIsNoMessage(t *testing.T) {
	for message, want := range map[string]bool{"December 2026": true, "Dec 2026": true, "The booking for December 2026 is made": false, "Saved": false} {
		if got := saysNothingOf(message); got != want {
			t.Errorf("%s: %v", message, got)
		}
	}
}

// A control may tell its key behind its name.
func TestTurnsWithItsKey(t *testing.T) {
	for name, want := range map[string]bool{"Next month (PageDown)": true, "Next month": true, "Next (of 3 steps to go through)": false} {
		if got := Turns(workflow.Step{Surface: workflow.OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "button", Name: name}}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// An entry of a list is an act of its own, however soon something else is ticked or typed; and a click into a field is one when what it
// opened is a list of lists.
func TestAnEntryAndWhatFollows(t *testing.T) {
	const lists = `-- input.json --
{"goal":"Place the stand","values":{"v_r":"Blue room"}}
-- trace1.jsonl --
{"action":{"verb":"click","target":{"role":"combobox","name":"Room"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"option","name":"[[choice 9 v_r]]"},"value":{"policy":"masked","kind":"choice","length":9,"link_id":"v_r","chosen":true},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"check","target":{"role":"checkbox","name":"Breakfast"},"value":{"policy":"masked","kind":"boolean","length":2,"chosen":true},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"combobox","name":"Place"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"menuitemcheckbox","name":"South"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"menuitemcheckbox","name":"Hill"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"button","name":"Save"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x","alerts":["Saved."]}}
`
	out, err := Compile(loadFixture(t, txtar.Parse([]byte(lists))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range out.Graph.Steps {
		got = append(got, string(s.Verb)+" "+s.Target.Role)
	}
	want := "click combobox|click option|check checkbox|click combobox|click menuitemcheckbox|click menuitemcheckbox|submit button"
	if strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}

// To turn the months of a calendar, whatever the page then says, sends no form.
func TestTurningSendsNothing(t *testing.T) {
	at := &capture.State{URL: "http://a/x"}
	acts := []*act{
		{surface: workflow.OnBrowser, verb: capture.Type, target: &capture.Target{Role: "textbox", Name: "Guest"}, before: at, after: at},
		{surface: workflow.OnBrowser, verb: capture.Click, target: &capture.Target{Role: "button", Name: "Next Month"}, before: at, after: &capture.State{URL: "http://a/x", Headings: []string{"A month"}}},
		{surface: workflow.OnBrowser, verb: capture.Click, target: &capture.Target{Role: "button", Name: "Create"}, before: at, after: &capture.State{URL: "http://a/x", Headings: []string{"It is made"}}},
	}
	sent(acts)
	if acts[1].verb != capture.Click || acts[2].verb != capture.Submit {
		t.Errorf("%s, %s", acts[1].verb, acts[2].verb)
	}
}
