package perform

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/report"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

// mailbox is a stage with one page, whose controls do what the test says.
type mailbox struct {
	port.Browser
	dir      string
	state    capture.State
	controls map[string]func(*capture.State)
	goal     string
	asks     bool // its site, by a request of its script
	eager    bool // it shows what was done before that has left
}

func (m *mailbox) Ready(context.Context, string) error             { return nil }
func (m *mailbox) Room(context.Context, string) (port.Room, error) { return mailRoom{m}, nil }
func (m *mailbox) Open(context.Context, string) error              { return nil }
func (m *mailbox) Read(context.Context) (port.Page, error)         { return port.Page{State: m.state}, nil }
func (m *mailbox) Rows(context.Context) ([]port.Row, error)        { return nil, nil }
func (m *mailbox) Frames(context.Context) []string                 { return nil }
func (m *mailbox) Return(context.Context) error                    { return nil }
func (m *mailbox) Peek(context.Context, string) (port.Page, error) {
	return port.Page{}, errors.New("it cannot be opened again")
}
func (m *mailbox) Explore(context.Context, func(context.Context) bool) (string, bool) {
	return "", false
}
func (m *mailbox) Status(context.Context) int           { return 200 }
func (m *mailbox) SignIn(context.Context) (bool, error) { return false, nil }
func (m *mailbox) Has(_ context.Context, t *capture.Target) (bool, error) {
	return m.controls[t.Name] != nil, nil
}
func (m *mailbox) Settle(_ context.Context, wanted func(capture.State) bool) (capture.State, bool, error) {
	return m.state, wanted(m.state), nil
}

func (m *mailbox) Do(ctx context.Context, a port.Act) (port.Outcome, error) {
	act := m.controls[a.Target.Name]
	if act == nil {
		return port.Outcome{}, &port.NotFound{Wanted: a.Target.Name}
	}
	if m.asks && a.Holds != nil && a.Holds(port.Outgoing{Method: "POST", URL: "https://mail.example/mail/1", Type: "Fetch"}) {
		shown := m.state
		if m.eager {
			act(&shown)
		}
		was := m.state
		m.state = shown
		a.Held(ctx)
		m.state = was
	}
	act(&m.state)
	return port.Outcome{Role: a.Target.Role, Name: a.Target.Name}, nil
}

type mailRoom struct{ m *mailbox }

func (r mailRoom) Dir() string                                                     { return r.m.dir }
func (r mailRoom) Downloads() string                                               { return r.m.dir }
func (r mailRoom) Browser(context.Context, port.BrowserSpec) (port.Browser, error) { return r.m, nil }
func (r mailRoom) Shell(context.Context, port.ShellSpec) (port.Shell, error)       { return nil, nil }
func (r mailRoom) Close() error                                                    { return nil }

// rehearsed is what a rehearsal of one step on a mailbox ends with, and the codes of what did not pass.
func rehearsed(t *testing.T, m *mailbox, s workflow.Step, checkpoints ...workflow.Checkpoint) (record.Overall, []string) {
	t.Helper()
	m.dir, m.state = t.TempDir(), capture.State{URL: "https://mail.example/inbox", Headings: []string{"Primary"}}
	s.StepID, s.Title, s.Surface, s.Verb = "s1", "the step", policy.OnBrowser, capture.Click
	s.Page, s.After = &capture.Page{URL: "https://mail.example/inbox"}, &capture.State{URL: "https://mail.example/inbox"}
	no := false
	r := &report.Report{Kind: record.RunRehearsal, Now: clock.Now,
		Req: record.Request{Goal: m.goal, Draft: compile.Output{RequiredSites: []string{"mail.example"},
			Graph: workflow.Graph{Steps: []workflow.Step{s}}, Interpretation: workflow.Interpretation{Checkpoints: checkpoints}}}}
	r.Req.Policy = &record.TestPolicy{Mode: policy.ControlledLiveTest, ForbidDestructiveWrites: &no, ForbidExternalSend: &no, MaxActions: 9}
	p := New(r, Options{Stage: m, Log: slog.New(slog.DiscardHandler)}, *r.Req.Policy, &supply.Supply{Bindings: supply.Bindings{}})
	if err := p.Perform(t.Context(), r.Req.Draft.Graph.Steps, false); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, s := range r.Steps {
		if s.Result != record.StepPassed {
			codes = append(codes, s.Code)
		}
	}
	overall, _ := r.Conclude()
	return overall, codes
}

func button(name string) *capture.Target { return &capture.Target{Role: "button", Name: name} }

func nothing(*capture.State) {}

// A condition that is said in words is for a person to judge: whatever a run does about its step, it does not pass.
func TestAConditionInWordsIsNotJudged(t *testing.T) {
	for name, controls := range map[string]map[string]func(*capture.State){"there": {"Archive": nothing}, "not there": {}} {
		s := workflow.Step{Target: button("Archive"), Optional: true, Condition: "the mail is an old one"}
		if got, codes := rehearsed(t, &mailbox{controls: controls}, s); got != record.Partial ||
			!slices.Equal(codes, []string{record.CodeConditionUnread}) {
			t.Errorf("%s: %s %q", name, got, codes)
		}
	}
	s := workflow.Step{Target: button("Archive"), Optional: true, Condition: "Primary is shown",
		When: &workflow.Check{Kind: "heading", Expect: "Primary"}}
	if got, codes := rehearsed(t, &mailbox{controls: map[string]func(*capture.State){"Archive": nothing}}, s); got != record.Passed {
		t.Errorf("%s %q", got, codes)
	}
}

// Demonstrations that disagree, and a person who did not say why: a run that leaves the step out, or does it, does not pass.
func TestADisputedStepIsNotJudged(t *testing.T) {
	for name, controls := range map[string]map[string]func(*capture.State){"there": {"Archive": nothing}, "not there": {}} {
		s := workflow.Step{Target: button("Archive"), Optional: true, ByPerson: true}
		if got, codes := rehearsed(t, &mailbox{controls: controls}, s); got != record.Partial ||
			!slices.Equal(codes, []string{record.CodeConditionUnread}) {
			t.Errorf("%s: %s %q", name, got, codes)
		}
	}
}

// A run in which no step that changes something was done has shown nothing, however well everything else went.
func TestARunThatChangedNothingDoesNotPass(t *testing.T) {
	offline := &workflow.Check{Kind: "heading", Expect: "Offline"}
	for _, c := range []struct {
		name  string
		s     workflow.Step
		want  record.Overall
		codes []string
	}{
		{"its condition does not hold", workflow.Step{Effect: true, Optional: true, Condition: "Offline is shown", When: offline}, record.Partial,
			[]string{record.CodeNothingDone}},
		{"its control is not there", workflow.Step{Effect: true, Optional: true, Target: button("Elsewhere")}, record.Partial,
			[]string{record.CodeNothingDone}},
		{"it is done", workflow.Step{Effect: true}, record.Passed, nil},
		{"nothing is to be changed", workflow.Step{Optional: true, Condition: "Offline is shown", When: offline}, record.Passed, nil},
	} {
		if c.s.Target == nil {
			c.s.Target = button("Archive")
		}
		if got, codes := rehearsed(t, &mailbox{controls: map[string]func(*capture.State){"Archive": nothing}}, c.s); got != c.want ||
			!slices.Equal(codes, c.codes) {
			t.Errorf("%s: %s %q", c.name, got, codes)
		}
	}
}

// A goal that says that something is removed is not reached by steps that were not seen to do anything.
func TestAGoalWithoutADeed(t *testing.T) {
	opened := func(st *capture.State) { st.Headings = []string{"A mail"} }
	came := workflow.Checkpoint{CheckpointID: "cp-1", Goal: "the mail is open", StepID: "s1",
		Check: &workflow.Check{Kind: "heading", Expect: "A mail"}}
	for _, c := range []struct {
		goal    string
		s       workflow.Step
		control func(*capture.State)
		checks  []workflow.Checkpoint
		want    record.Overall
	}{
		{"Delete a mail", workflow.Step{}, nothing, nil, record.Partial},
		{"Eine Mail löschen", workflow.Step{}, nothing, nil, record.Partial},
		{"Delete a mail", workflow.Step{Effect: true}, nothing, nil, record.Passed},
		{"Update a mail", workflow.Step{}, opened, []workflow.Checkpoint{came}, record.Partial}, // it is open, and no more
		{"Give a mail another subject", workflow.Step{}, opened, []workflow.Checkpoint{came}, record.Partial},
		{"Create a mail", workflow.Step{}, opened, []workflow.Checkpoint{came}, record.Partial},
		{"Find a mail", workflow.Step{}, opened, []workflow.Checkpoint{came}, record.Passed},
		{"Open a mail", workflow.Step{}, opened, []workflow.Checkpoint{came}, record.Passed},
		{"Open a mail", workflow.Step{}, nothing, nil, record.Passed},
		{"", workflow.Step{}, nothing, nil, record.Passed},
	} {
		c.s.Target = button("More")
		m := &mailbox{controls: map[string]func(*capture.State){"More": c.control}, goal: c.goal}
		if got, codes := rehearsed(t, m, c.s, c.checks...); got != c.want {
			t.Errorf("%s, effect %v: %s %q", c.goal, c.s.Effect, got, codes)
		}
	}
}

// What held before a step does not show that the step was done, unless something later does.
func TestACheckpointThatHeldBeforeProvesNothing(t *testing.T) {
	opened := func(st *capture.State) { st.Headings = []string{"A mail"} }
	before, inbox := workflow.Check{Kind: "heading", Expect: "Primary"}, workflow.Check{Kind: "url", Expect: "/inbox"}
	after := workflow.Check{Kind: "heading", Expect: "A mail"}
	for _, c := range []struct {
		name    string
		checks  []workflow.Check // of a checkpoint each
		control func(*capture.State)
		want    record.Overall
		codes   []string
	}{
		{"it was so before", []workflow.Check{before}, nothing, record.Partial, []string{record.CodeAlreadySo}},
		{"all of it was so before", []workflow.Check{before, inbox}, nothing, record.Partial,
			[]string{record.CodeAlreadySo, record.CodeAlreadySo}},
		{"it came of the step", []workflow.Check{after}, opened, record.Passed, nil},
		{"something later shows it", []workflow.Check{inbox, after}, opened, record.Passed, nil},
		{"something else shows it", []workflow.Check{after, inbox}, opened, record.Passed, nil},
	} {
		var checkpoints []workflow.Checkpoint
		for i, check := range c.checks {
			checkpoints = append(checkpoints, workflow.Checkpoint{CheckpointID: fmt.Sprint("cp-", i+1), Goal: "the mail is open", StepID: "s1",
				Check: &check})
		}
		got, codes := rehearsed(t, &mailbox{controls: map[string]func(*capture.State){"Open": c.control}}, workflow.Step{Target: button("Open")},
			checkpoints...)
		if got != c.want || !slices.Equal(codes, c.codes) {
			t.Errorf("%s: %s %q", c.name, got, codes)
		}
	}
}

// What a page shows before its request has left, it would show whatever its site answers.
func TestACheckpointThatThePageShowsByItselfProvesNothing(t *testing.T) {
	opened := func(st *capture.State) { st.Headings = []string{"A mail"} }
	for _, c := range []struct {
		name        string
		asks, eager bool
		want        record.Overall
	}{
		{"it is shown after the answer", true, false, record.Passed},
		{"it is shown before the request has left", true, true, record.Partial},
		{"nothing is asked for", false, true, record.Passed},
	} {
		m := &mailbox{controls: map[string]func(*capture.State){"Star": opened}, asks: c.asks, eager: c.eager}
		got, codes := rehearsed(t, m, workflow.Step{Target: button("Star")}, workflow.Checkpoint{CheckpointID: "cp-1",
			Goal: "it is starred", StepID: "s1",
			Check: &workflow.Check{Kind: "heading", Expect: "A mail"}})
		if got != c.want || got == record.Partial && !slices.Contains(codes, record.CodeUnverified) {
			t.Errorf("%s: %s %q", c.name, got, codes)
		}
	}
}

// berths is a site whose page shows these rows whenever it is opened afresh.
type berths struct {
	mailbox
	now []port.Row
}

func (b *berths) Peek(context.Context, string) (port.Page, error) {
	return port.Page{State: b.state, Rows: b.now}, nil
}
func (b *berths) Read(context.Context) (port.Page, error) {
	return port.Page{State: b.state, Rows: b.now}, nil
}
func (b *berths) Rows(context.Context) ([]port.Row, error) { return b.now, nil }

// Where no step was seen to do what the goal says, the last look must show that very deed: something removed is gone, and what a page
// counts or says beside it is none.
func TestWhatPaysForAPromise(t *testing.T) {
	was := rowsOf("berths: Heron 5 looks", "berths: Curlew 2 looks")
	for _, c := range []struct {
		goal, now string
		want      bool
	}{
		{"Delete {boat}", "berths: Heron 6 looks", false},
		{"Delete {boat}", "berths: Heron 5 looks, moored", false},
		{"Delete {boat}", "", true},
		{"Update {boat}", "berths: Heron 6 looks", false},
		{"Update {boat}", "berths: Heron 5 looks, moored", true},
	} {
		at := "https://x.example/berths"
		s := workflow.Step{StepID: "s1", Surface: policy.OnBrowser, Verb: capture.Click,
			Target: &capture.Target{Role: "link", Name: "More", Landmark: &capture.Landmark{Role: "row", Name: "{boat}"}},
			Before: &capture.State{URL: at}, After: &capture.State{URL: at, Headings: []string{"A boat"}}}
		now := was[1:]
		if c.now != "" {
			now = append(rowsOf(c.now), now...)
		}
		p := New(&report.Report{Now: clock.Now, Req: record.Request{Goal: c.goal, Draft: compile.Output{Graph: workflow.Graph{
			Steps: []workflow.Step{s}}}}}, Options{}, record.TestPolicy{}, &supply.Supply{Bindings: supply.Bindings{"boat": "Heron"}})
		p.guard = policy.NewGuard(p.policy, nil)
		p.tab.state, p.tab.prev = capture.State{URL: at}, &s
		p.tab.browser = &berths{mailbox{state: p.tab.state}, now}
		p.trail.remember(at, was)
		p.trail.things = []proof.Thing{{Name: "boat", Value: "Heron", Address: at}}
		p.reviewer.lastLook(t.Context(), false)
		if got := p.reviewer.latest != nil; got != c.want || p.stopped != "" {
			t.Errorf("%s, %q: %v %+v", c.goal, c.now, got, p.Steps)
		}
	}
}

// What an earlier step was seen to keep pays for the promise, whatever a later one shows; what a page only says does not.
func TestADeedIsPaidForOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		look proof.Review
		want bool // it is still owed
	}{
		{"it is gone", proof.Review{Removed: true, Altered: "the row is gone"}, false},
		{"only a message", proof.Review{}, true},
	} {
		p := New(&report.Report{Now: clock.Now, Req: record.Request{Goal: "Delete {boat}"}}, Options{}, record.TestPolicy{}, &supply.Supply{})
		p.reviewer.secondLook(t.Context(), "effect.cp-1", "it is gone", &c.look)
		p.counted = false // the next step begins
		if p.owesDeed(nil) != c.want {
			t.Errorf("%s: not %v", c.name, c.want)
		}
	}
}
