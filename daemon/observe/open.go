package observe

import (
	"context"
	"sync"
	"time"

	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/redact"
	"showhow/internal/fault"
)

// openRun is a run that is being written.
type openRun struct {
	StoredRun
	pipe    *pipeline.Pipeline
	running sync.WaitGroup
	last    time.Time
}

// keep writes one report into its run.
func (j *Journal) keep(ctx context.Context, e entry) {
	if !j.Consented(e.key.agent) {
		return // withdrawn since
	}
	if e.end {
		j.endRun(ctx, e.key)
		return
	}
	run, err := j.runFor(ctx, e.key)
	if err != nil {
		j.o.Log.Warn("a run could not be kept", "code", string(fault.CodeOf(err)))
		j.miss(e.key.agent)
		return
	}
	run.last = j.o.Now()
	run.pipe.Emit(e.o)
	if run.pipe.Failed() {
		j.miss(e.key.agent)
	}
}

// runFor returns the run of a key: the open one, a stored one that continues, or a new one.
func (j *Journal) runFor(ctx context.Context, k runKey) (*openRun, error) {
	if k.id == "" {
		k = j.latest(k)
	}
	now := j.now()
	if run := j.open[k]; run != nil {
		if now.Sub(run.StartedAt.Time) < runSpan && !run.pipe.Failed() {
			return run, nil
		}
		j.close(ctx, k)
	}
	stored, found, err := j.stored(ctx, k, now.Time)
	if err != nil {
		return nil, err
	}
	if !found {
		stored = StoredRun{RunID: j.o.NewID(), Agent: k.agent, AgentRunID: k.id, StartedAt: now}
	}
	if !found || stored.EndedAt != nil {
		stored.EndedAt = nil // the agent took it up again
		if err := j.o.Store.Update(ctx, func(tx Tx) error { return tx.PutRun(stored) }); err != nil {
			return nil, err
		}
	}
	run, err := j.begin(ctx, stored)
	if err != nil {
		return nil, err
	}
	j.open[k] = run
	if !found {
		if err := j.markDue(ctx); err != nil {
			j.o.Log.Warn("runs that are due could not be marked", "code", string(fault.CodeOf(err)))
		}
	}
	return run, nil
}

// latest is the key of the agent's run that was written to last; a report without a run belongs to it.
func (j *Journal) latest(k runKey) runKey {
	var last time.Time
	for open, run := range j.open {
		if open.agent == k.agent && run.last.After(last) {
			k, last = open, run.last
		}
	}
	return k
}

// stored finds the stored run that a key continues.
func (j *Journal) stored(ctx context.Context, k runKey, now time.Time) (run StoredRun, found bool, err error) {
	err = j.o.Store.View(ctx, func(tx Tx) error {
		all, err := tx.Runs()
		for _, r := range all {
			if !found && !r.Gone && r.Agent == k.agent && r.AgentRunID == k.id && now.Sub(r.StartedAt.Time) < runSpan {
				run, found = r, true
			}
		}
		return err
	})
	return run, found, err
}

// begin opens a run's pipeline.
func (j *Journal) begin(ctx context.Context, r StoredRun) (*openRun, error) {
	key, err := j.o.Keys.Key(ctx, r.RunID)
	if err != nil {
		return nil, err
	}
	earlier, err := j.o.Store.Sealed(ctx, r.RunID)
	if err != nil {
		return nil, err
	}
	if j.redactor == nil {
		if j.redactor, err = redact.Load(); err != nil {
			return nil, fault.Wrap(err, fault.Internal, "the redaction rules do not load: nothing is kept without them")
		}
	}
	run := &openRun{StoredRun: r, last: j.o.Now()}
	run.pipe, err = pipeline.New(pipeline.Config{
		SessionID: r.RunID, TraceID: r.RunID, Target: r.RunID, ObservationMode: capture.InsideAgent,
		Scope: capture.Scope{Apps: []string{r.Agent}}, Values: capture.ValuePolicy{Default: capture.Masked},
		Key: key, Sealed: earlier, Home: j.o.Home, Log: j.o.Store, Redactor: j.redactor, Now: j.o.Now, NewID: j.o.NewID,
	})
	if err != nil {
		return nil, err
	}
	run.running.Go(func() { run.pipe.Run(context.WithoutCancel(ctx)) })
	run.pipe.Switch(pipeline.Capturing, j.since(r.Agent))
	return run, nil
}

// since is when the consent was given: earlier actions of the agent are not kept.
func (j *Journal) since(agent string) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if at := j.agents[agent].JournalSince; at != nil {
		return at.Time
	}
	return time.Time{}
}

// endRun records that a run has ended.
func (j *Journal) endRun(ctx context.Context, k runKey) {
	j.close(ctx, k)
	now := j.now()
	run, found, err := j.stored(ctx, k, now.Time)
	if err == nil && found {
		run.EndedAt = now.Ptr()
		err = j.o.Store.Update(ctx, func(tx Tx) error { return tx.PutRun(run) })
	}
	if err != nil {
		j.o.Log.Warn("a run's end could not be noted", "code", string(fault.CodeOf(err)))
	}
}

// close stores the rest of a run's pipeline and ends it.
func (j *Journal) close(_ context.Context, k runKey) {
	run := j.open[k]
	if run == nil {
		return
	}
	delete(j.open, k)
	run.pipe.Close()
	run.running.Wait()
	if len(j.open) == 0 {
		j.restSince = j.o.Now()
	}
}

func (j *Journal) closeAll(ctx context.Context) {
	for k := range j.open {
		j.close(ctx, k)
	}
	j.rest()
}

// rest unloads the redaction rules.
func (j *Journal) rest() {
	if j.redactor != nil && len(j.open) == 0 {
		j.redactor.Close()
		j.redactor = nil
	}
}

// flush makes what was taken so far durable.
func (j *Journal) flush(ctx context.Context) error {
	var err error
	asked := j.ask(ctx, func(ctx context.Context) {
		for _, run := range j.open {
			if ferr := run.pipe.Flush(ctx); err == nil {
				err = ferr
			}
		}
	})
	if asked != nil {
		return asked
	}
	return err
}
