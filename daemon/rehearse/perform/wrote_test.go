package perform

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// What a step had the page write to its site is looked up, unless it only asked for something; and it is looked up once.
func TestWhatWasWrittenIsLookedUp(t *testing.T) {
	at := func(url string) *capture.State { return &capture.State{URL: url} }
	button := func(name string) *capture.Target { return &capture.Target{Role: "button", Name: name} }
	steps := []workflow.Step{
		{StepID: "ok", Surface: policy.OnBrowser, Verb: capture.Click, Target: button("OK"), Before: at("http://a/x"), After: at("http://a/x")},
		{StepID: "find", Surface: policy.OnBrowser, Verb: capture.Click, Target: button("Search"), Before: at("http://a/x"),
			After: at("http://a/x")},
		{StepID: "go on", Surface: policy.OnBrowser, Verb: capture.Click, Target: button("Go {thing}"), Before: at("http://a/x"),
			After: at("http://a/x")},
		{StepID: "open", Surface: policy.OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "link", Name: "Ada"}},
		{StepID: "tab", Surface: policy.OnBrowser, Verb: capture.Click, Target: button("Guests"), Before: at("http://a/x"),
			After: at("http://a/guests")},
		{StepID: "type", Surface: policy.OnBrowser, Verb: capture.Type, Target: &capture.Target{Role: "textbox", Name: "Note"}},
		{StepID: "go", Surface: policy.OnBrowser, Verb: capture.Navigate},
	}
	for _, c := range []struct {
		step, method, kind string
		want               bool
	}{
		{"ok", "POST", "Fetch", true}, {"ok", "delete", "XHR", true}, {"ok", "GET", "Fetch", false}, {"ok", "POST", "Ping", false},
		{"", "POST", "Fetch", false},
		{"find", "POST", "XHR", false}, {"go on", "POST", "XHR", true},
		{"open", "POST", "Fetch", false}, {"open", "PATCH", "Fetch", true}, {"tab", "POST", "Fetch", false},
		{"type", "POST", "Fetch", false}, {"type", "PUT", "Fetch", true}, {"go", "POST", "Fetch", false},
	} {
		no := false
		p := performance(supply.Supply{})
		p.Req = record.Request{Draft: compile.Output{Graph: workflow.Graph{Steps: steps}}}
		p.guard = policy.NewGuard(record.TestPolicy{Mode: policy.ControlledLiveTest, ForbidDestructiveWrites: &no, ForbidExternalSend: &no},
			[]string{"a"})
		p.guard.BeginStep(c.step, false)
		if why := p.guard.Judge(port.Outgoing{Method: c.method, URL: "http://a/api/1", Type: c.kind}); why != "" {
			t.Fatal(why)
		}
		if got := p.reviewer.wroteUnseen(); got != c.want {
			t.Errorf("%s by %s in %q: %v", c.method, c.kind, c.step, got)
		}
		if p.guard.ForgetWrites(); p.reviewer.wroteUnseen() {
			t.Error("it was looked up")
		}
	}
}

// Where the last thing that was shown is a press on a thing's own control and nothing is seen to come of it, nothing says that it was done.
func TestAPressUponWhichNothingHappens(t *testing.T) {
	was := &capture.State{URL: "http://a/x", Headings: []string{"Parts"}}
	more := &capture.State{URL: "http://a/x", Headings: []string{"Parts"}, Alerts: []string{"Done"}}
	row := &capture.Target{Role: "link", Name: "Unhinge", Landmark: &capture.Landmark{Role: "row", Name: "{part}"}}
	other := &capture.Target{Role: "link", Name: "Overview"}
	for name, c := range map[string]struct {
		target *capture.Target
		after  *capture.State
		want   bool
	}{"nothing": {row, was, true}, "a message": {row, more, false}, "no thing's": {other, was, false}, "not seen": {other, nil, true}} {
		s := workflow.Step{StepID: "s", Surface: policy.OnBrowser, Verb: capture.Click, Target: c.target, Before: was, After: c.after}
		p := performance(supply.Supply{})
		p.Req = record.Request{Draft: compile.Output{Graph: workflow.Graph{Steps: []workflow.Step{s}}}}
		if got := p.unwatched(s); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
