// Package practice lets an agent try a task in the sandbox until it has learned it: a learn session for each attempt,
// which keeps what the agent's own hooks report, and a draft compiled from the successful attempts.
//
// Guaranteed: an attempt counts only when its program ended well, when its statements about files it made or removed
// are true, and when the check that the person named passes in the same sandbox. It ends at the test policy's number
// of actions and reaches only the policy's hosts. Failed attempts are discarded. Nothing is installed without a
// person's decision. The state is recorded after each step; a practice that the daemon's end interrupted is marked so,
// with the attempts that had succeeded.
//
// Not guaranteed: that an agent reports everything it does; one without hooks reports nothing, and teaches nothing.
// While an attempt runs somebody must be able to see it (the indicator lease): otherwise its capture pauses, and it is
// given up.
//
// Testing against it: the daemon's acceptance tests, with a script as the agent.
package practice

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"showhow/daemon/agentrun"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// States of a practice.
const (
	Running     = "running"
	Drafted     = "drafted"
	Failed      = "failed"
	Interrupted = "interrupted"
)

// maxListed bounds how many practices a list shows.
const maxListed = 50

// Store stores practices.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutPractice(Practice) error
	Practice(id string) (Practice, bool, error)
	Practices(most int) ([]Practice, error) // newest first
	OpenPractices() ([]Practice, error)
}

// Learn is the part of package learn that an attempt needs.
type Learn interface {
	Create(ctx context.Context, m state.Meta, r wire.CreateLearnSessionRequest) (wire.CreateLearnSessionResponse, error)
	SetTestPolicy(ctx context.Context, m state.Meta, id string, p rehearse.TestPolicy) (state.Session, error)
	Start(ctx context.Context, m state.Meta, id string) (wire.StartSessionResponse, error)
	Stop(ctx context.Context, m state.Meta, id string) (wire.StopSessionResponse, error)
	Cancel(ctx context.Context, m state.Meta, id, reason string) (state.Session, error)
	Session(ctx context.Context, id string) (state.Session, error)
	GenerateProposal(ctx context.Context, m state.Meta, id string) (wire.GenerateProposalResponse, error)
}

// Options configures a Service.
type Options struct {
	Store   Store
	Learn   Learn
	Runs    *agentrun.Service
	Command func() []string     // the configured agent, as it is now; nil: none
	Redact  func(string) string // redacts a goal; nil means unchanged
	Log     *slog.Logger
	Now     func() clock.Time
	NewID   func() string
}

// Service runs practices, one at a time.
type Service struct {
	o    Options
	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup
	mu   sync.Mutex
	last *Practice
}

// New makes a service.
func New(o Options) *Service {
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, stop := context.WithCancel(context.Background())
	return &Service{o: o, ctx: ctx, stop: stop}
}

// Close gives up the current practice and waits for it.
func (s *Service) Close() error {
	s.stop()
	s.wg.Wait()
	return nil
}

// Run is the run request of one attempt, which a person may have to confirm.
func (s *Service) Run(r Request) agentrun.StartRequest {
	out := agentrun.StartRequest{Command: r.Command, Goal: r.Goal, Hints: r.Hints, Agent: r.Agent, ReadOnly: r.ReadOnly, Limits: r.Limits}
	if len(out.Command) == 0 && s.o.Command != nil {
		out.Command = slices.Clone(s.o.Command())
	}
	if r.TestPolicy != nil {
		out.Domains = r.TestPolicy.AllowedDomains
	}
	return out
}

// Start begins a practice and returns when its first attempt runs, or cannot.
func (s *Service) Start(ctx context.Context, m state.Meta, r Request) (Practice, error) {
	if r.EntryMode == "" {
		r.EntryMode = state.AutonomousAgentPractice
	}
	r.Attempts = max(r.Attempts, 1)
	s.mu.Lock()
	if s.last != nil && s.last.State == Running || s.ctx.Err() != nil {
		s.mu.Unlock()
		return Practice{}, fault.New(fault.AgentRunActive,
			"another practice has not ended").WithHint("wait for it, or cancel its run: showhow run cancel")
	}
	p := &Practice{PracticeID: s.o.NewID(), State: Running, Goal: s.o.Redact(r.Goal), Attempts: []Attempt{}, StartedAt: s.o.Now(),
		SchemaVersion: 1}
	s.last = p
	s.wg.Add(1)
	s.mu.Unlock()
	m.IfMatch, m.ClientRequestID = nil, ""
	first, err := s.begin(ctx, m, r, p)
	if err == nil {
		err = s.record(p, journal.PracticeStarted, "An agent began to practise.", func() {})
	}
	if err != nil {
		s.set(func() { p.State, p.Reason = Failed, fault.From(err).Message })
		s.wg.Done()
		return Practice{}, err
	}
	go func() {
		defer s.wg.Done()
		s.perform(m, r, p, first)
	}()
	return s.copy(p), nil
}

// Get returns a practice's state.
func (s *Service) Get(ctx context.Context, id string) (p Practice, err error) {
	if p, ok := s.under(id); ok {
		return p, nil
	}
	ok := false
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { p, ok, err = tx.Practice(id); return err })
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "there is no such practice").WithHint("`showhow learn practices` lists them")
	}
	return p, err
}

// under is the practice that this process runs, or ran last.
func (s *Service) under(id string) (Practice, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil || s.last.PracticeID != id {
		return Practice{}, false
	}
	return clone(*s.last), true
}

// List returns the newest practices, newest first.
func (s *Service) List(ctx context.Context) (out []Practice, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { out, err = tx.Practices(maxListed); return err })
	return out, err
}

// Recover marks practices that the end of an earlier process interrupted. Call it once, before serving.
func (s *Service) Recover(ctx context.Context) error {
	return s.o.Store.Update(ctx, func(tx Tx) error {
		open, err := tx.OpenPractices()
		for _, p := range open {
			if err == nil {
				interrupt(&p)
				err = tell(tx, p, journal.PracticeEnded, "The practice was interrupted.")
			}
		}
		return err
	})
}

// interrupt is how a practice ends with the daemon.
func interrupt(p *Practice) {
	p.State, p.Reason = Interrupted, "the daemon ended while it ran"
	if n := len(p.Attempts); n > 0 && !p.Attempts[n-1].Ended {
		p.Attempts[n-1].Ended, p.Attempts[n-1].Reason = true, p.Reason
	}
	if p.LearnSessionID != "" {
		p.Reason += "; what had worked can be drafted: showhow learn propose --session " + p.LearnSessionID
	}
}

// record changes a practice and stores it with receipt and event.
func (s *Service) record(p *Practice, kind journal.EventKind, summary string, change func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	now := clone(*p)
	return s.o.Store.Update(context.WithoutCancel(s.ctx), func(tx Tx) error { return tell(tx, now, kind, summary) })
}

// recordOrLog is record for background work; if it fails, the state in memory is valid until the daemon ends.
func (s *Service) recordOrLog(p *Practice, kind journal.EventKind, summary string, change func()) {
	if err := s.record(p, kind, summary, change); err != nil {
		s.o.Log.Error("how a practice stands could not be put on record", "code", string(fault.CodeOf(err)))
	}
}

func tell(tx Tx, p Practice, kind journal.EventKind, summary string) error {
	if err := tx.PutPractice(p); err != nil {
		return err
	}
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, LearnSessionID: p.LearnSessionID, ProposalID: p.ProposalID,
		Summary: summary}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, SessionID: p.LearnSessionID,
		Payload: map[string]any{"practice_id": p.PracticeID, "state": p.State, "attempts": len(p.Attempts)}})
}

func clone(p Practice) Practice { p.Attempts = slices.Clone(p.Attempts); return p }

func (s *Service) copy(p *Practice) Practice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return clone(*p)
}

func (s *Service) set(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// begin starts an attempt: a session that keeps the agent's reports, and the run.
func (s *Service) begin(ctx context.Context, m state.Meta, r Request, p *Practice) (Attempt, error) {
	req := s.Run(r)
	plan, err := s.o.Runs.Plan(ctx, req)
	if err == nil {
		err = agentrun.Probe()
	}
	if err != nil {
		return Attempt{}, err
	}
	c, err := s.o.Learn.Create(ctx, m, wire.CreateLearnSessionRequest{EntryMode: r.EntryMode, ObservationMode: state.ObserveInside,
		Goal:  r.Goal,
		Scope: &wire.Scope{Apps: []string{plan.Agent}}, ExampleOf: s.copy(p).LearnSessionID})
	if err != nil {
		return Attempt{}, err
	}
	a := Attempt{LearnSessionID: c.Session.LearnSessionID}
	give := func(err error) (Attempt, error) {
		_, _ = s.o.Learn.Cancel(context.WithoutCancel(ctx), m, a.LearnSessionID, "practice_failed")
		return a, err
	}
	most := rehearse.DefaultMaxActions
	if r.TestPolicy != nil {
		if _, err := s.o.Learn.SetTestPolicy(ctx, m, a.LearnSessionID, *r.TestPolicy); err != nil {
			return give(err)
		}
		if r.TestPolicy.MaxActions > 0 {
			most = r.TestPolicy.MaxActions
		}
	}
	if _, err := s.o.Learn.Start(ctx, m, a.LearnSessionID); err != nil {
		return give(err)
	}
	run, err := s.o.Runs.StartFor(ctx, req, agentrun.Assignment{Purpose: "practice", LearnSessionID: a.LearnSessionID, MaxActions: most,
		Look: verify(r.Verify)})
	if err != nil {
		return give(err)
	}
	a.RunID = run.RunID
	s.set(func() { p.Attempts = append(p.Attempts, a) })
	return a, nil
}

// verify runs the person's check in the agent's sandbox.
func verify(line string) func(context.Context, *sandbox.Box) bool {
	if line == "" {
		return nil
	}
	return func(ctx context.Context, b *sandbox.Box) bool {
		res, err := b.Exec(ctx, sandbox.Command{Args: []string{"bash", "-c", line}})
		return err == nil && res.ExitCode == 0
	}
}

func (s *Service) perform(m state.Meta, r Request, p *Practice, a Attempt) {
	for n := 1; ; n++ {
		goOn := s.finish(m, p, a)
		if n >= r.Attempts || !goOn || s.ctx.Err() != nil {
			break
		}
		var err error
		if a, err = s.begin(s.ctx, m, r, p); err != nil {
			s.set(func() { p.Reason = fault.From(err).Message })
			break
		}
	}
	s.draft(m, p)
}

// finish waits for an attempt's end and keeps it if it succeeded. goOn is false when a person ended it.
func (s *Service) finish(m state.Meta, p *Practice, a Attempt) (goOn bool) {
	ctx := context.WithoutCancel(s.ctx)
	s.wait(a)
	run, err := s.o.Runs.Get(ctx, a.RunID)
	sess, serr := s.o.Learn.Session(ctx, a.LearnSessionID)
	reason := ""
	switch {
	case err != nil || serr != nil:
		reason = "its end was not seen"
	case run.State != agentrun.Succeeded:
		reason = run.Reason
	case sess.State == state.Paused:
		reason = "its capture was paused: nobody could see it"
	}
	if reason == "" {
		st, err := s.o.Learn.Stop(ctx, m, a.LearnSessionID)
		if err == nil && st.Session.EventsKept > 0 {
			s.note(p, a, true, "")
			return true
		}
		reason = "the agent reported nothing that a skill could be made of"
	}
	_, _ = s.o.Learn.Cancel(ctx, m, a.LearnSessionID, "attempt_failed")
	s.note(p, a, false, reason)
	return run.State != agentrun.Cancelled
}

// wait returns when the run has ended; a run that nobody can see any more is cancelled.
func (s *Service) wait(a Attempt) {
	done := s.o.Runs.Done(a.RunID)
	look := time.NewTicker(250 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-done:
			return
		case <-s.ctx.Done():
			_, _ = s.o.Runs.Cancel(context.Background(), a.RunID)
			<-done
			return
		case <-look.C:
			sess, err := s.o.Learn.Session(s.ctx, a.LearnSessionID)
			if err == nil && sess.State != state.Capturing {
				_, _ = s.o.Runs.Cancel(s.ctx, a.RunID)
			}
		}
	}
}

func (s *Service) note(p *Practice, a Attempt, worked bool, reason string) {
	s.recordOrLog(p, journal.PracticeAttempt, map[bool]string{true: "An attempt worked.", false: "An attempt did not work."}[worked], func() {
		i := len(p.Attempts) - 1
		p.Attempts[i].Worked, p.Attempts[i].Ended, p.Attempts[i].Reason = worked, true, reason
		if worked && p.LearnSessionID == "" {
			p.LearnSessionID = a.LearnSessionID
		}
	})
}

// draft compiles the successful attempts.
func (s *Service) draft(m state.Meta, p *Practice) {
	id := s.copy(p).LearnSessionID
	if s.ctx.Err() != nil {
		s.recordOrLog(p, journal.PracticeEnded, "The practice was interrupted.", func() { interrupt(p) })
		return
	}
	if id == "" {
		s.recordOrLog(p, journal.PracticeEnded, "The practice ended, and nothing was learned.", func() {
			p.State, p.Reason = Failed, "no attempt worked"
		})
		return
	}
	g, err := s.o.Learn.GenerateProposal(context.WithoutCancel(s.ctx), m, id)
	s.recordOrLog(p, journal.PracticeEnded, "The practice has ended.", func() {
		if err != nil {
			p.State, p.Reason = Failed, fault.From(err).Message
			return
		}
		p.State, p.ProposalID = Drafted, g.ProposalID
	})
}
