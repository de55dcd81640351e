// Package capturing observes for one session at a time: it runs the adapters and evidence sources that the session's
// scope needs, and the one pipeline that all of them feed. A preview and an imported recording use the same pipeline.
//
// Guaranteed: when Start fails nothing remains running; after Stop everything observed before it is stored; an adapter
// that fails is restarted a few times, then the session is told; while a session captures, no other process of this
// user can read this one's memory (Linux).
//
// Not guaranteed: evidence. A source that cannot watch costs its evidence, but does not end the session.
//
// Only package daemon imports it. To test against it: New with your own adapters and a log in memory
// (evidence_test.go).
package capturing

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/browser"
	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/redact"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
	"showhow/internal/fault"
	"showhow/internal/footprint"
	"showhow/internal/logs"
)

// armTime bounds how long adapters may take to start observing: a browser has to start.
const armTime = 30 * time.Second

// SealedRows reads the values that earlier demonstrations of a learning target sealed.
type SealedRows interface {
	Sealed(ctx context.Context, target string) ([]capture.SealedRow, error)
}

// Options is what a capturer stands on.
type Options struct {
	Adapters *adapters.Registry
	Log      capture.Log
	Keys     capture.Keyring
	Sealed   SealedRows
	Live     func([]capture.Record)                                           // receives what was stored
	Document func(ctx context.Context, path string) (capture.Document, error) // reads a document that the person read; may be nil
	Home     string
	Logger   *slog.Logger
	Now      func() time.Time
	NewID    func() string

	Indicate func(indicator string)                        // something shows the person that capture is on
	Standby  func(indicator string)                        // called when a paused session has an indicator that would show it; may be nil
	Failed   func(sessionID string, why state.PauseReason) // nothing observes any more, or nothing can be stored
}

// New makes a capturer that captures nothing yet.
func New(o Options) *Capturer { return &Capturer{o: o} }

// Capturer runs the adapters and the pipeline of the capturing session; it implements port.Capturer.
type Capturer struct {
	o Options

	mu  sync.Mutex
	run *sessionRun

	preview *preview // at most one, and never beside a run

	seen records // of every adapter, across sessions and previews
}

// sessionRun is one session's observation, from Start to Stop.
type sessionRun struct {
	c         *Capturer
	sessionID string
	live      func([]capture.Record)  // after they were stored
	failed    func(state.PauseReason) // nothing observes any more
	pipe      *pipeline.Pipeline
	redactor  *redact.Redactor
	mode      state.ObservationMode

	stopPipe     context.CancelFunc
	piping       sync.WaitGroup
	adaptersCtx  context.Context // ends with stopAdapters; nil before arm
	stopAdapters context.CancelFunc
	observing    sync.WaitGroup

	kinds []capture.Kind // adapters that were started; changed under the session's lock

	mu       sync.Mutex
	paused   bool
	ended    bool
	controls map[string]adapters.Control // by adapter id: evidence shares its kind with an adapter
	health   map[string]adapters.Health  // likewise
	evidence map[string]*evidenceRun     // sources of evidence that were started, by id
	lastKept time.Time
}

// Check implements port.Capturer.
func (c *Capturer) Check(ctx context.Context, kinds []capture.Kind) error {
	return c.o.Adapters.Check(ctx, kinds)
}

// Start implements port.Capturer. When it fails nothing remains running.
func (c *Capturer) Start(ctx context.Context, s state.Session, traceID string) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != nil {
		return nil, fault.New(fault.LearnSessionAlreadyActive, "another session is being captured").
			WithDetail("active_session_id", c.run.sessionID)
	}
	c.endPreview()
	v, err := c.vault(ctx, s.TargetID)
	if err != nil {
		return nil, err
	}
	run, err := c.prepare(ctx, s, traceID, v)
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
	footprint.Shrink() // what loading the redaction rules took is not needed again
	return armed, nil
}

// vault stores a run's records and values.
type vault struct {
	log     capture.Log
	key     []byte
	earlier []capture.SealedRow
}

// vault returns the durable vault of a learning target.
func (c *Capturer) vault(ctx context.Context, target string) (v vault, err error) {
	v.log = c.o.Log
	if v.key, err = c.o.Keys.Key(ctx, target); err != nil {
		return v, err
	}
	v.earlier, err = c.o.Sealed.Sealed(ctx, target)
	return v, err
}

// prepare loads the redactor and starts the pipeline with its gate closed.
func (c *Capturer) prepare(ctx context.Context, s state.Session, traceID string, v vault) (*sessionRun, error) {
	red, err := redact.Load()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the redaction rules do not load: nothing is captured without them")
	}
	run := &sessionRun{c: c, sessionID: s.LearnSessionID, live: c.o.Live, redactor: red,
		mode:     s.ObservationMode,
		failed:   func(why state.PauseReason) { c.o.Failed(s.LearnSessionID, why) },
		controls: map[string]adapters.Control{}, health: map[string]adapters.Health{}, evidence: map[string]*evidenceRun{}}
	run.pipe, err = pipeline.New(pipeline.Config{
		SessionID: s.LearnSessionID, TraceID: traceID, Target: s.TargetID,
		ObservationMode: string(s.ObservationMode), Scope: s.Scope,
		Values: capture.ValuePolicy{Default: s.ValuePolicy, LiteralApps: s.LiteralApps},
		Key:    v.key, Sealed: v.earlier, Home: c.o.Home, Log: v.log, Redactor: red, Now: c.o.Now, NewID: c.o.NewID,
		OnStored: run.stored, OnFailure: run.storeFailed, Document: c.o.Document,
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

// arm starts the session's adapters and its sources of evidence.
func (r *sessionRun) arm(ctx context.Context, s state.Session) ([]string, error) {
	r.adaptersCtx, r.stopAdapters = context.WithCancel(context.WithoutCancel(ctx))
	armed, err := r.begin(ctx, s.Adapters)
	if err != nil {
		return nil, err
	}
	return append(armed, r.gather(s.Scope)...), nil
}

// begin starts adapters and waits until each observes or fails; one that fails at once fails the whole.
func (r *sessionRun) begin(ctx context.Context, kinds []capture.Kind) ([]string, error) {
	type outcome struct {
		kind capture.Kind
		err  error
	}
	results := make(chan outcome, len(kinds))
	for _, k := range kinds {
		a := r.c.o.Adapters.Get(k)
		if a == nil {
			return nil, fault.New(fault.InvalidRequest, "no such adapter kind")
		}
		var once sync.Once
		report := func(err error) { once.Do(func() { results <- outcome{k, err} }) }
		r.kinds = append(r.kinds, k)
		r.observing.Go(func() { report(r.supervise(r.adaptersCtx, a, func() { report(nil) })) })
	}
	deadline := time.NewTimer(armTime)
	defer deadline.Stop()
	armed := []string{}
	for range kinds {
		select {
		case o := <-results:
			if o.err != nil {
				return nil, notObserving(r.c.o.Adapters.Get(o.kind).Info().Title, o.kind, o.err).WithDetail("adapter", o.kind)
			}
			armed = append(armed, r.c.o.Adapters.Get(o.kind).Info().ID)
		case <-deadline.C:
			return nil, fault.New(fault.AdapterUnavailable,
				"an adapter did not start to observe in time").WithHint("`showhow doctor` says what is missing")
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return armed, nil
}

// notObserving is the error for something that cannot be watched, with the adapter's own reason and hint.
func notObserving(title string, kind capture.Kind, err error) *fault.Error {
	f := fault.From(err)
	hint := f.Hint
	if hint == "" {
		hint = startHint(kind)
	}
	return fault.Wrap(err, fault.AdapterUnavailable, title+" cannot be watched now: "+f.Message).WithHint(hint)
}

// restarts are the delays before a failed adapter is restarted; after the last it stays down.
var restarts = []time.Duration{time.Second, 3 * time.Second, 10 * time.Second}

// supervise keeps one adapter running. It returns the first error when the adapter never observed.
func (r *sessionRun) supervise(ctx context.Context, a adapters.Adapter, observing func()) error {
	id, up := a.Info().ID, false
	for try := 0; ; try++ {
		err := r.runOnce(ctx, id, a, func() { up = true; observing() })
		r.setControl(id, nil)
		if ctx.Err() != nil {
			return nil
		}
		if !up {
			return err
		}
		r.c.o.Logger.Warn("an adapter broke off", "adapter", id, "code", string(fault.CodeOf(err)))
		r.setHealth(id, adapters.Health{State: adapters.Degraded, Code: "broke_off", Reason: "it lost what it watched; trying again"})
		if try == len(restarts) {
			r.setHealth(id, adapters.Health{State: adapters.Unavailable, Code: "broke_off", Reason: "it lost what it watched"})
			if !r.anyUp() {
				r.failed(state.PausedAdapter)
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
func (r *sessionRun) runOnce(ctx context.Context, id string, a adapters.Adapter, observing func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			logs.Panic(r.c.o.Logger, "adapter "+id, p)
			err = fault.New(fault.AdapterUnavailable, "the adapter failed unexpectedly")
		}
	}()
	return a.Run(ctx, adapters.Session{ID: r.sessionID, Scope: r.pipe.Scope(), Salt: r.pipe.Salt()}, sink{r, id, r.c.seen.of(id)},
		func(ctl adapters.Control) {
			r.c.seen.of(id).alive(r.c.o.Now())
			r.setControl(id, ctl)
			r.setHealth(id, adapters.Health{State: adapters.Ready})
			observing()
		})
}

// setControl stores a control and applies the session's current state to it, so that an adapter that restarts while
// paused stays paused.
func (r *sessionRun) setControl(id string, ctl adapters.Control) {
	r.mu.Lock()
	if ctl == nil {
		delete(r.controls, id)
		r.mu.Unlock()
		return
	}
	r.controls[id] = ctl
	paused := r.paused
	r.mu.Unlock()
	if paused {
		ctl.Pause()
	}
}

func (r *sessionRun) setHealth(id string, h adapters.Health) {
	r.c.seen.of(id).unready(h)
	r.mu.Lock()
	r.health[id] = h
	r.mu.Unlock()
}

// anyUp reports whether anything observes the person's actions. Evidence alone suffices only if the session has
// nothing else.
func (r *sessionRun) anyUp() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	isAct := func(id string) bool { return r.evidence[id] == nil }
	for id := range r.controls {
		if isAct(id) {
			return true
		}
	}
	for id := range r.health {
		if isAct(id) {
			return false // it was there, and is down
		}
	}
	return len(r.controls) > 0
}

// each calls f concurrently for every running adapter: pausing takes as long as the slowest, not as their sum.
func (r *sessionRun) each(f func(adapters.Control)) {
	r.mu.Lock()
	var wg sync.WaitGroup
	for _, ctl := range r.controls {
		wg.Go(func() { f(ctl) })
	}
	r.mu.Unlock()
	wg.Wait()
}

func (r *sessionRun) stored(records []capture.Record) {
	r.mu.Lock()
	r.lastKept = r.c.o.Now()
	r.mu.Unlock()
	r.live(records)
}

func (r *sessionRun) storeFailed(err error) {
	r.c.o.Logger.Error("the store refused observations: capture stops", "code", string(fault.CodeOf(err)))
	go r.failed(state.PausedStore) // the pipeline's goroutine must not wait for the session's
}

// end closes the gate for what happens from now on, then stops the adapters, which deliver what happened before, then
// the pipeline, which stores it.
func (r *sessionRun) end() {
	r.pipe.Pause()
	r.each(func(ctl adapters.Control) { ctl.Pause() })
	r.mu.Lock()
	r.ended = true // nothing is started any more
	r.mu.Unlock()
	r.stopAdapters()
	r.observing.Wait()
	r.pipe.Close()
	r.stopPipe()
	r.piping.Wait()
	r.redactor.Close()
}

// current returns the run of the session, nil when it is not being captured.
func (c *Capturer) current(sessionID string) *sessionRun {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == nil || c.run.sessionID != sessionID {
		return nil
	}
	return c.run
}

// Pause implements port.Capturer: from now on nothing is kept; adapters remove their indicators.
func (c *Capturer) Pause(sessionID string) {
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

// Resume implements port.Capturer.
func (c *Capturer) Resume(sessionID string) error {
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

// Rescope implements port.Capturer.
func (c *Capturer) Rescope(ctx context.Context, s state.Session) {
	r := c.current(s.LearnSessionID)
	if r == nil {
		return
	}
	if err := r.pipe.Rescope(s.Scope); err != nil {
		c.o.Logger.Error("a scope that was accepted is not one", "code", string(fault.CodeOf(err)))
		return
	}
	r.pipe.SetValues(capture.ValuePolicy{Default: s.ValuePolicy, LiteralApps: s.LiteralApps})
	for _, k := range s.Adapters {
		if slices.Contains(r.kinds, k) {
			continue
		}
		if _, err := r.begin(ctx, []capture.Kind{k}); err != nil { // the rest of the session continues
			c.o.Logger.Warn("an adapter that the scope asks for could not start", "adapter", string(k), "code", string(fault.CodeOf(err)))
			r.setHealth(string(k), adapters.Health{State: adapters.Unavailable, Code: "not_started", Reason: "it could not begin to watch",
				Fix: "`showhow doctor` says what is missing"})
		}
	}
	r.gather(r.pipe.Scope())
	r.each(func(ctl adapters.Control) { ctl.Rescope(r.pipe.Scope()) })
}

// Stop implements port.Capturer.
func (c *Capturer) Stop(_ context.Context, sessionID string) error {
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

// Counts implements port.Capturer.
func (c *Capturer) Counts(sessionID string) port.Counts {
	r := c.current(sessionID)
	if r == nil {
		return port.Counts{}
	}
	r.mu.Lock()
	last, observing := r.lastKept, slices.AppendSeq([]string{}, maps.Keys(r.controls)) // empty when nothing observes, never nil
	r.mu.Unlock()
	slices.Sort(observing)
	return port.Counts{Kept: r.pipe.Kept(), Withheld: r.pipe.Withheld(), LastKept: last, Observing: observing}
}

// Active lists the adapters that observe right now, by id, with their health.
func (c *Capturer) Active() map[string]adapters.Health {
	c.mu.Lock()
	r := c.run
	if c.preview != nil {
		r = c.preview.run
	}
	c.mu.Unlock()
	out := map[string]adapters.Health{}
	if r == nil {
		return out
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.Copy(out, r.health)
	for id, run := range r.evidence {
		if run.ctx.Err() != nil || run.starts() { // what is told of it is another run's
			delete(out, id)
		}
	}
	return out
}

// Close ends the active capture.
func (c *Capturer) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endPreview()
	if c.run != nil {
		c.run.end()
		c.run = nil
	}
}

// sink delivers one adapter's observations to the session.
type sink struct {
	r    *sessionRun
	id   string
	seen *record
}

func (s sink) Emit(o capture.Observation) {
	s.seen.alive(s.r.c.o.Now())
	s.r.pipe.Emit(o)
}

func (s sink) Withhold(k capture.Kind, why capture.WithheldReason, n int64) {
	s.seen.alive(s.r.c.o.Now())
	s.r.pipe.Withhold(k, why, n)
}

func (s sink) Blot(known []capture.Blot) { s.r.pipe.Blot(known) }

func (s sink) Private(shell string, ended time.Time) { s.r.pipe.Private(shell, ended) }

func (s sink) Indicate(indicator string) { s.r.c.o.Indicate(indicator) }

func (s sink) CouldIndicate(indicator string) {
	if s.r.c.o.Standby != nil {
		s.r.c.o.Standby(indicator)
	}
}

func (s sink) Health(h adapters.Health) {
	s.seen.alive(s.r.c.o.Now())
	s.r.setHealth(s.id, h)
}

// startHint is what to do about an adapter that does not start.
func startHint(k capture.Kind) string {
	if k == capture.BrowserDOM || k == capture.BrowserSnapshot {
		return browser.StartHint()
	}
	return "`showhow doctor` says what is missing"
}
