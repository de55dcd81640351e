package capturing

import (
	"context"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/daemon/learn/state"
	"showhow/internal/fault"
)

// evidenceTime bounds how long a session waits for a source of evidence to watch or to end; a large folder may be
// ready later.
const evidenceTime = 3 * time.Second

// evidenceRun is a source of evidence that was started. up is closed when it observes or never will, gone when it has
// ended.
type evidenceRun struct {
	id       string
	ctx      context.Context
	stop     context.CancelFunc
	before   *evidenceRun // of the same source, told to stop; this one starts when that has ended
	up, gone chan struct{}
}

// starts reports whether the run has yet to observe.
func (e *evidenceRun) starts() bool {
	select {
	case <-e.up:
		return false
	default:
		return true
	}
}

// gather starts the sources of evidence that the scope needs and ends the others. It waits up to evidenceTime for them
// and returns the ids of those that observe. A source that fails costs its evidence, never the session.
func (r *sessionRun) gather(scope capture.Scope) (observing []string) {
	timeout, cancel := context.WithTimeout(context.Background(), evidenceTime)
	defer cancel()
	for _, e := range r.c.o.Adapters.Evidence() {
		run, wanted := r.wantEvidence(e, scope)
		if run == nil {
			continue
		}
		reached := run.up
		if !wanted {
			reached = run.gone
		}
		select {
		case <-reached:
		case <-timeout.Done():
		}
		if r.control(run.id) != nil && wanted {
			observing = append(observing, run.id)
		}
	}
	return observing
}

// wantEvidence starts or ends one source as the scope requires, and returns the run that starts, continues or ends;
// nil when there is none.
func (r *sessionRun) wantEvidence(e adapters.Evidence, scope capture.Scope) (run *evidenceRun, wanted bool) {
	info := e.Info()
	wanted = capture.AdmitsKind(string(r.mode), info.Kind) && e.Wanted(scope)
	r.mu.Lock()
	defer r.mu.Unlock()
	run = r.evidence[info.ID]
	switch {
	case run != nil && !wanted:
		run.stop()
	case wanted && (run == nil || run.ctx.Err() != nil) && !r.ended && r.adaptersCtx != nil:
		run = &evidenceRun{id: info.ID, before: run, up: make(chan struct{}), gone: make(chan struct{})}
		run.ctx, run.stop = context.WithCancel(r.adaptersCtx)
		r.evidence[info.ID] = run
		r.observing.Go(func() { r.watchEvidence(run, e) })
	}
	return run, wanted
}

// watchEvidence runs one source until its context ends or it is given up; after that, a change of scope may start it
// again.
func (r *sessionRun) watchEvidence(run *evidenceRun, e adapters.Evidence) {
	var once sync.Once
	up := func() { once.Do(func() { close(run.up) }) }
	if run.before != nil {
		<-run.before.gone
		run.before = nil
	}
	if h := adapters.Probe(run.ctx, e); h.State == adapters.Unavailable {
		r.setHealth(run.id, h)
	} else if err := r.supervise(run.ctx, e, up); err != nil {
		r.c.o.Logger.Warn("evidence could not be watched", "adapter", run.id, "code", string(fault.CodeOf(err)))
		r.setHealth(run.id, adapters.Health{State: adapters.Unavailable, Code: "not_started", Reason: "it could not begin to watch",
			Fix: "see `showhow logs`"})
	}
	r.mu.Lock()
	if r.evidence[run.id] == run {
		delete(r.evidence, run.id)
	}
	if run.ctx.Err() != nil {
		delete(r.health, run.id) // no longer wanted, so not unwell
	}
	r.mu.Unlock()
	run.stop()
	up()
	close(run.gone)
}

// control returns the control of an adapter or source by id, nil when it is not running.
func (r *sessionRun) control(id string) adapters.Control {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.controls[id]
}

// DataClasses lists the kinds of data that a session's adapters and evidence observe.
func (c *Capturer) DataClasses(s state.Session) (out []string) {
	for _, k := range s.Adapters {
		if a := c.o.Adapters.Get(k); a != nil {
			out = append(out, a.Info().DataClasses...)
		}
	}
	for _, e := range c.o.Adapters.Evidence() {
		if capture.AdmitsKind(string(s.ObservationMode), e.Info().Kind) && e.Wanted(s.Scope) {
			out = append(out, e.Info().DataClasses...)
		}
	}
	return out
}
