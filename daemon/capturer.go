package daemon

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/capture/redact"
	"showhow/daemon/learn"
	"showhow/internal/fault"
	"showhow/internal/logs"
)

// armTime bounds how long adapters may take until they observe: a browser has to start.
const armTime = 30 * time.Second

// sealedRows reads what earlier demonstrations of a learning target sealed.
type sealedRows interface {
	Sealed(ctx context.Context, target string) ([]capture.SealedRow, error)
}

// capturer runs the adapters and the pipeline of the capturing session: learn.Capturer.
type capturer struct {
	reg    *adapters.Registry
	log    capture.Log
	keys   capture.Keyring
	sealed sealedRows
	live   func([]capture.Record)
	home   string
	slog   *slog.Logger
	now    func() time.Time
	newID  func() string

	// set once, before the first Start
	indicate func(indicator string)
	failed   func(sessionID string, why learn.PauseReason)

	mu  sync.Mutex
	run *captureRun
}

// captureRun is one session's observation, from Start to Stop.
type captureRun struct {
	c         *capturer
	sessionID string
	pipe      *capture.Pipeline
	redactor  *redact.Redactor

	stopPipe     context.CancelFunc
	piping       sync.WaitGroup
	stopAdapters context.CancelFunc
	observing    sync.WaitGroup

	mu       sync.Mutex
	paused   bool
	controls map[capture.Kind]adapters.Control
	health   map[capture.Kind]adapters.Health
	lastKept time.Time
}

// Check implements learn.Capturer.
func (c *capturer) Check(ctx context.Context, kinds []capture.Kind) error {
	return c.reg.Check(ctx, kinds)
}

// Start implements learn.Capturer. When it fails nothing of it remains running.
func (c *capturer) Start(ctx context.Context, s learn.Session, traceID string) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != nil {
		return nil, fault.New(fault.LearnSessionAlreadyActive, "another session is being captured").
			WithDetail("active_session_id", c.run.sessionID)
	}
	run, err := c.prepare(ctx, s, traceID)
	if err != nil {
		return nil, err
	}
	armed, err := run.arm(ctx, s)
	if err != nil {
		run.end()
		return nil, err
	}
	run.pipe.Start()
	guardMemory(true)
	c.run = run
	return armed, nil
}

// prepare loads the redactor and the key and starts the pipeline, which lets nothing in yet.
func (c *capturer) prepare(ctx context.Context, s learn.Session, traceID string) (*captureRun, error) {
	key, err := c.keys.Key(ctx, s.TargetID)
	if err != nil {
		return nil, err
	}
	earlier, err := c.sealed.Sealed(ctx, s.TargetID)
	if err != nil {
		return nil, err
	}
	red, err := redact.Load()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the redaction rules do not load: nothing is captured without them")
	}
	run := &captureRun{c: c, sessionID: s.LearnSessionID, redactor: red,
		controls: map[capture.Kind]adapters.Control{}, health: map[capture.Kind]adapters.Health{}}
	run.pipe, err = capture.NewPipeline(capture.Config{
		SessionID: s.LearnSessionID, TraceID: traceID, Target: s.TargetID,
		ObservationMode: string(s.ObservationMode), Scope: s.Scope,
		Values: capture.ValuePolicy{Default: s.ValuePolicy, LiteralApps: s.LiteralApps},
		Key:    key, Sealed: earlier, Home: c.home, Log: c.log, Redactor: red, Now: c.now, NewID: c.newID,
		OnStored: run.stored, OnFailure: run.storeFailed,
	})
	if err != nil {
		red.Close()
		return nil, err
	}
	bg, cancel := context.WithCancel(context.WithoutCancel(ctx))
	run.stopPipe, run.stopAdapters = cancel, func() {}
	run.piping.Go(func() { run.pipe.Run(bg) })
	return run, nil
}

// arm starts the adapters and waits until each observes or fails. One that fails leaves the session without it; when none
// observes, or one that the session needs fails at once, arming fails.
func (r *captureRun) arm(ctx context.Context, s learn.Session) ([]string, error) {
	bg, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r.stopAdapters = cancel
	type outcome struct {
		kind capture.Kind
		err  error
	}
	results := make(chan outcome, len(s.Adapters))
	for _, k := range s.Adapters {
		a := r.c.reg.Get(k)
		if a == nil {
			return nil, fault.New(fault.InvalidRequest, "no such adapter kind")
		}
		var once sync.Once
		report := func(err error) { once.Do(func() { results <- outcome{k, err} }) }
		r.observing.Go(func() { report(r.supervise(bg, k, a, func() { report(nil) })) })
	}
	deadline := time.NewTimer(armTime)
	defer deadline.Stop()
	armed := []string{}
	for range s.Adapters {
		select {
		case o := <-results:
			if o.err != nil {
				return nil, fault.Wrap(o.err, fault.AdapterUnavailable, "the adapter "+string(o.kind)+" could not start to observe").
					WithDetail("adapter", o.kind).WithHint("`showhow doctor` says what is missing")
			}
			armed = append(armed, r.c.reg.Get(o.kind).Info().ID)
		case <-deadline.C:
			return nil, fault.New(fault.AdapterUnavailable, "an adapter did not start to observe in time").WithHint("`showhow doctor` says what is missing")
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return armed, nil
}

// restarts are the waits before an adapter that broke off is started again; after the last it stays down.
var restarts = []time.Duration{time.Second, 3 * time.Second, 10 * time.Second}

// supervise keeps one adapter running. It returns the first error when the adapter never observed.
func (r *captureRun) supervise(ctx context.Context, k capture.Kind, a adapters.Adapter, observing func()) error {
	up := false
	for try := 0; ; try++ {
		err := r.runOnce(ctx, k, a, func() { up = true; observing() })
		r.setControl(k, nil)
		if ctx.Err() != nil {
			return nil
		}
		if !up {
			return err
		}
		r.c.slog.Warn("an adapter broke off", "adapter", string(k), "code", string(fault.CodeOf(err)))
		r.setHealth(k, adapters.Health{State: adapters.Degraded, Code: "broke_off", Reason: "it lost what it watched; trying again"})
		if try == len(restarts) {
			r.setHealth(k, adapters.Health{State: adapters.Unavailable, Code: "broke_off", Reason: "it lost what it watched"})
			if !r.anyUp() {
				r.c.failed(r.sessionID, learn.PausedAdapter)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(restarts[try]):
		}
	}
}

// runOnce runs the adapter and turns a panic into an error.
func (r *captureRun) runOnce(ctx context.Context, k capture.Kind, a adapters.Adapter, observing func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			logs.Panic(r.c.slog, "adapter "+string(k), p)
			err = fault.New(fault.AdapterUnavailable, "the adapter failed unexpectedly")
		}
	}()
	return a.Run(ctx, adapters.Session{ID: r.sessionID, Scope: r.pipe.Scope()}, sink{r, k}, func(ctl adapters.Control) {
		r.setControl(k, ctl)
		r.setHealth(k, adapters.Health{State: adapters.Ready})
		observing()
	})
}

// setControl notes a control and brings it to the session's present state, so that an adapter that restarts while paused
// stays paused.
func (r *captureRun) setControl(k capture.Kind, ctl adapters.Control) {
	r.mu.Lock()
	if ctl == nil {
		delete(r.controls, k)
		r.mu.Unlock()
		return
	}
	r.controls[k] = ctl
	paused := r.paused
	r.mu.Unlock()
	if paused {
		ctl.Pause()
	}
}

func (r *captureRun) setHealth(k capture.Kind, h adapters.Health) {
	r.mu.Lock()
	r.health[k] = h
	r.mu.Unlock()
}

func (r *captureRun) anyUp() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.controls) > 0
}

// each calls f for every running adapter, at the same time: pausing takes as long as the slowest, not as their sum.
func (r *captureRun) each(f func(adapters.Control)) {
	r.mu.Lock()
	var wg sync.WaitGroup
	for _, ctl := range r.controls {
		wg.Go(func() { f(ctl) })
	}
	r.mu.Unlock()
	wg.Wait()
}

func (r *captureRun) stored(records []capture.Record) {
	r.mu.Lock()
	r.lastKept = r.c.now()
	r.mu.Unlock()
	r.c.live(records)
}

func (r *captureRun) storeFailed(err error) {
	r.c.slog.Error("the store refused observations: capture stops", "code", string(fault.CodeOf(err)))
	go r.c.failed(r.sessionID, learn.PausedStore) // the pipeline's goroutine must not wait for the session's
}

// end stops letting in what occurs from now on, then the adapters, which hand over what occurred before, then the pipeline,
// which stores it.
func (r *captureRun) end() {
	r.pipe.Pause()
	r.each(func(ctl adapters.Control) { ctl.Pause() })
	r.stopAdapters()
	r.observing.Wait()
	r.pipe.Close()
	r.stopPipe()
	r.piping.Wait()
	r.redactor.Close()
}

// current returns the run of the session, nil when another or none is captured.
func (c *capturer) current(sessionID string) *captureRun {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == nil || c.run.sessionID != sessionID {
		return nil
	}
	return c.run
}

// Pause implements learn.Capturer: from now on nothing is kept; adapters take their marks away.
func (c *capturer) Pause(sessionID string) {
	r := c.current(sessionID)
	if r == nil {
		return
	}
	r.mu.Lock()
	r.paused = true
	r.mu.Unlock()
	r.pipe.Pause()
	r.each(func(ctl adapters.Control) { ctl.Pause() })
	guardMemory(false)
}

// Resume implements learn.Capturer.
func (c *capturer) Resume(sessionID string) error {
	r := c.current(sessionID)
	if r == nil || r.pipe.Failed() || !r.anyUp() {
		return fault.New(fault.AdapterUnavailable, "nothing observes for this session any more").
			WithHint("stop it and start another as an example of it: `showhow learn start --example-of SESSION`")
	}
	guardMemory(true)
	r.mu.Lock()
	r.paused = false
	r.mu.Unlock()
	r.pipe.Start()
	r.each(func(ctl adapters.Control) { ctl.Resume() })
	return nil
}

// Rescope implements learn.Capturer.
func (c *capturer) Rescope(sessionID string, scope capture.Scope, policy capture.Policy, literalApps []string) {
	r := c.current(sessionID)
	if r == nil {
		return
	}
	if err := r.pipe.Rescope(scope); err != nil {
		c.slog.Error("a scope that was accepted is not one", "code", string(fault.CodeOf(err)))
		return
	}
	r.pipe.SetValues(capture.ValuePolicy{Default: policy, LiteralApps: literalApps})
	r.each(func(ctl adapters.Control) { ctl.Rescope(r.pipe.Scope()) })
}

// Stop implements learn.Capturer.
func (c *capturer) Stop(_ context.Context, sessionID string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == nil || c.run.sessionID != sessionID {
		return nil
	}
	c.run.end()
	c.run = nil
	guardMemory(false)
	return nil
}

// Counts implements learn.Capturer.
func (c *capturer) Counts(sessionID string) learn.Counts {
	r := c.current(sessionID)
	if r == nil {
		return learn.Counts{}
	}
	r.mu.Lock()
	last := r.lastKept
	r.mu.Unlock()
	return learn.Counts{Kept: r.pipe.Kept(), Withheld: r.pipe.Withheld(), LastKept: last}
}

// active are the adapters that observe right now, with their health.
func (c *capturer) active() map[capture.Kind]adapters.Health {
	c.mu.Lock()
	r := c.run
	c.mu.Unlock()
	out := map[capture.Kind]adapters.Health{}
	if r == nil {
		return out
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, h := range r.health {
		out[k] = h
	}
	return out
}

// close ends whatever is captured.
func (c *capturer) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != nil {
		c.run.end()
		c.run = nil
	}
}

// sink is one adapter's way into the session.
type sink struct {
	r    *captureRun
	kind capture.Kind
}

func (s sink) Emit(o capture.Observation) { s.r.pipe.Emit(o) }

func (s sink) Withhold(k capture.Kind, why capture.WithheldReason, n int64) {
	s.r.pipe.Withhold(k, why, n)
}

func (s sink) Indicate(indicator string) { s.r.c.indicate(indicator) }

func (s sink) Health(h adapters.Health) { s.r.setHealth(s.kind, h) }
