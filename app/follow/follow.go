package follow

import (
	"context"
	"time"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// How often a Follower polls without an event: counters have no events, nor does a killed daemon.
const (
	whileOn  = time.Second
	whileOff = 3 * time.Second

	inboxEvery = 30 * time.Second // collecting it is expensive for the daemon
)

// Follower follows one daemon.
type Follower struct {
	// Answers reports whether a person can be asked here right now: then the View includes confirmations. nil: never.
	Answers func() bool

	c    *client.Client
	kick chan struct{}

	inbox []client.InboxItem // only Run's goroutine touches it
	asked time.Time          // when it was read
}

// New returns a Follower of the daemon behind c.
func New(c *client.Client) *Follower { return &Follower{c: c, kick: make(chan struct{}, 1)} }

// Look makes Run poll now.
func (f *Follower) Look() {
	select {
	case f.kick <- struct{}{}:
	default: // it is about to
	}
}

// Run passes a View to show at once, at every change and at every tick, until ctx ends. One goroutine calls show.
func (f *Follower) Run(ctx context.Context, show func(View)) error {
	listening, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); f.listen(listening) }()
	defer func() { cancel(); <-done }()
	for {
		v := f.look(ctx)
		if ctx.Err() != nil {
			return nil
		}
		show(v)
		every := whileOff
		if v.On() || v.Waits() || v.State == Away {
			every = whileOn
		}
		select {
		case <-ctx.Done():
			return nil
		case <-f.kick:
		case <-time.After(every):
		}
	}
}

// listen triggers a poll for each event. The stream reconnects when the daemon was restarted; it ends only if the
// daemon refuses it, which a poll then reports.
func (f *Follower) listen(ctx context.Context) {
	for ctx.Err() == nil {
		_ = f.c.Events(ctx, 0, func(client.Event) error { f.Look(); return nil })
		select {
		case <-ctx.Done():
		case <-time.After(whileOff):
		}
	}
}

// look asks the daemon for its state.
func (f *Follower) look(ctx context.Context) View {
	v := View{State: Off}
	active, err := f.c.Sessions(ctx, client.SessionFilter{Active: true, PageQuery: client.PageQuery{Page: 1, PageSize: 20}})
	if err != nil {
		return away(err)
	}
	for i, s := range active.Sessions {
		switch {
		case shown[string(s.State)] != "" && v.Session == nil:
			v.Session, v.State, v.Kept = &active.Sessions[i], shown[string(s.State)], s.EventsKept
		case s.State == "testing_proposal" && s.ProposalID != "" && s.ValidationRunID != "":
			if r, _, err := f.c.ValidationRun(ctx, s.ProposalID, s.ValidationRunID); err == nil && r.Status == "running" &&
				r.WaitingFor == "sign_in" {
				v.SignIns = append(v.SignIns, r)
			}
		}
	}
	if v.Session != nil {
		if sc, err := f.c.ObservationScope(ctx, v.Session.LearnSessionID); err == nil {
			v.Scope, v.Kept = &sc, sc.EventsKept
		}
	}
	if f.Answers != nil {
		if asks, err := f.c.Confirmations(ctx, f.Answers()); err == nil {
			v.Asks = asks.Confirmations
		}
	}
	if runs, err := f.c.SandboxRuns(ctx, client.PageQuery{Page: 1, PageSize: 5}); err == nil {
		for _, r := range runs.Runs {
			if r.Question != nil {
				v.Runs = append(v.Runs, r)
			}
		}
	}
	if calls, err := f.c.PendingCalls(ctx); err == nil {
		for _, d := range calls.Dispatches {
			if d.Status == "pending" {
				v.Calls = append(v.Calls, d)
			}
		}
	}
	if time.Since(f.asked) > inboxEvery {
		if b, err := f.c.Inbox(ctx); err == nil {
			f.inbox, f.asked = b.Items, time.Now()
		}
	}
	for _, i := range f.inbox {
		if i.Kind != "call_waiting" && i.Kind != "run_question" {
			v.Inbox = append(v.Inbox, i)
		}
	}
	return v
}

var shown = map[string]State{"armed": Armed, "capturing": Watching, "paused": Paused}

func away(err error) View {
	f := fault.From(err)
	v := View{State: Away, Problem: "Showhow is not running: nothing is watched", Code: string(f.Code)}
	if f.Code != fault.DaemonUnreachable {
		v.Problem = f.Message
	}
	return v
}

// Pause and the other acts change the session that was shown. If somebody has already done so meanwhile, elsewhere or
// by a second click, that is not a failure: the next View shows it.
func (f *Follower) Pause(ctx context.Context, v View) error {
	return f.act(ctx, v, "paused", func(id string) error { _, err := f.c.PauseSession(ctx, id); return err })
}

// Resume continues watching.
func (f *Follower) Resume(ctx context.Context, v View) error {
	return f.act(ctx, v, "capturing", func(id string) error { _, err := f.c.ResumeSession(ctx, id); return err })
}

// Start starts watching.
func (f *Follower) Start(ctx context.Context, v View) error {
	return f.act(ctx, v, "capturing", func(id string) error { _, err := f.c.StartSession(ctx, id); return err })
}

// Stop ends the demonstration.
func (f *Follower) Stop(ctx context.Context, v View) error {
	return f.act(ctx, v, "stopped", func(id string) error { _, err := f.c.StopSession(ctx, id); return err })
}

// Discard discards the session with everything kept in it.
func (f *Follower) Discard(ctx context.Context, v View) error {
	return f.act(ctx, v, "cancelled", func(id string) error { _, err := f.c.CancelSession(ctx, id, "user"); return err })
}

func (f *Follower) act(ctx context.Context, v View, wanted client.State, do func(id string) error) error {
	if v.Session == nil {
		return nil
	}
	defer f.Look()
	err := do(v.Session.LearnSessionID)
	if fault.Is(err, fault.CaptureAlreadyStopped) {
		return nil
	}
	if fault.Is(err, fault.InvalidLearnStateTransition) {
		if s, e := f.c.Session(ctx, v.Session.LearnSessionID); e == nil && s.State == wanted {
			return nil
		}
	}
	return err
}
