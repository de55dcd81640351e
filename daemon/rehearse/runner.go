package rehearse

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options configures a Runner. Only Store is required for runs that are stored.
type Options struct {
	Store     record.Store
	Env       ability.Environment                                            // what this machine has
	Installed func(ctx context.Context) ([]ability.AvailabilityEntry, error) // for trigger collisions; nil means none
	Now       func() clock.Time                                              // default clock.Now
	NewID     func() string                                                  // default clock.NewID
	Log       *slog.Logger                                                   // default: nothing is logged
	Stage     port.Stage                                                     // what workflows are performed on; nil: none is
	Door      port.Connectors                                                // connected services; nil: none can be called
	Reader    port.Documents                                                 // of documents; nil: none can be read
	Home      string                                                         // the person's, for files that "~" names
	Redact    func(string) string                                            // redacts every stored text of a page; nil means unchanged
	// SupportPack is where a pack that a capability refers to is kept, "" when it is bound to no place; nil means that
	// none is.
	SupportPack func(ctx context.Context, capabilityID, pack string) (path string, err error)
	OnOutcome   OutcomeFunc // nil means that outcomes are not counted
}

// Runner starts and stores validation runs. Make it with New; Close waits for what it started.
type Runner struct {
	o      Options
	base   context.Context
	stop   context.CancelFunc
	all    sync.WaitGroup
	mu     sync.Mutex
	active map[string]*activeRun
	closed bool
}

// activeRun is a run in progress in this process.
type activeRun struct {
	cancel context.CancelFunc
	done   chan struct{}
	resume chan struct{}        // the person has done what the run waits for
	run    record.ValidationRun // as it ended, once done is closed
	err    error                // why its end could not be recorded
	look   bool                 // a canary: it gives way to any other run
}

// New makes a runner; call Recover once before serving.
func New(o Options) *Runner {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	base, stop := context.WithCancel(context.Background())
	return &Runner{o: o, base: base, stop: stop, active: map[string]*activeRun{}}
}

// Start begins a run and returns it as running; VALIDATION_IN_PROGRESS when the proposal has one in progress. What the
// test policy makes impossible from the outset is refused with TEST_POLICY_VIOLATION.
func (r *Runner) Start(ctx context.Context, req record.Request) (record.ValidationRun, error) {
	if err := r.prepare(ctx, &req); err != nil {
		return record.ValidationRun{}, err
	}
	if err := r.looksGiveWay(ctx, req); err != nil {
		return record.ValidationRun{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return record.ValidationRun{}, fault.New(fault.Cancelled, "Showhow is stopping").WithHint("try again in a moment")
	}
	if err := r.recordStart(ctx, req.Run); err != nil {
		return record.ValidationRun{}, err
	}
	runCtx, cancel := context.WithCancel(r.base)
	a := &activeRun{cancel: cancel, done: make(chan struct{}), resume: make(chan struct{}, 1), run: req.Run, look: isLook(req)}
	r.active[req.Run.ValidationRunID] = a
	r.all.Go(func() {
		defer cancel()
		r.work(runCtx, a, req)
	})
	return req.Run, nil
}

func isLook(req record.Request) bool { return req.Run.RunLabel == record.LookLabel }

// looksGiveWay cancels running canaries before a run that somebody asked for, and waits for their end, so that nobody
// has to wait for an automatic check.
func (r *Runner) looksGiveWay(ctx context.Context, req record.Request) error {
	if isLook(req) {
		return nil
	}
	r.mu.Lock()
	var looks []*activeRun
	for _, a := range r.active {
		if a.look {
			a.cancel()
			looks = append(looks, a)
		}
	}
	r.mu.Unlock()
	for _, a := range looks {
		select {
		case <-a.done:
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), fault.Cancelled, "the validation was given up before it began")
		}
	}
	return nil
}

// Busy reports whether a run is in progress.
func (r *Runner) Busy() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.active) > 0
}

// prepare fills in defaults and refuses what cannot be run.
func (r *Runner) prepare(ctx context.Context, req *record.Request) error {
	run := &req.Run
	if len(run.RunKinds) == 0 && run.RunKind != "" {
		run.RunKinds = []record.RunKind{run.RunKind}
	}
	if len(run.RunKinds) == 0 {
		run.RunKinds = slices.Clone(record.DefaultKinds)
	}
	run.RunKind = run.RunKinds[0]
	for _, k := range run.RunKinds {
		if !k.Performs() && !slices.Contains(record.DefaultKinds, k) {
			return fault.New(fault.InvalidRequest, "a run kind is unknown")
		}
	}
	hash := req.Draft.Bundle.Hash()
	if run.ContentHash != "" && run.ContentHash != hash {
		return fault.New(fault.ContentHashMismatch, "the draft is not what was named").WithHint("look at the proposal again, then validate it")
	}
	run.ContentHash = hash
	if run.ValidationRunID == "" {
		run.ValidationRunID = r.o.NewID()
	}
	run.Status, run.StartedAt, run.CompletedAt, run.OverallResult = record.StatusRunning, r.o.Now(), nil, ""
	run.KindResults, run.ResultRefs, run.SchemaVersion = []record.KindResult{}, []string{}, 1
	return r.checkPolicy(ctx, *req)
}

func (r *Runner) recordStart(ctx context.Context, run record.ValidationRun) error {
	return r.o.Store.Update(ctx, func(tx record.Tx) error {
		running, err := tx.RunningRuns(run.ProposalID)
		if err != nil {
			return err
		}
		for len(running) > 0 && r.active[running[0].ValidationRunID] == nil { // its end could not be recorded then
			if err := writeEnd(tx, ended(running[0], record.Result{Overall: record.Cancelled, Reason: "its result could not be recorded"},
				r.o.Now())); err != nil {
				return err
			}
			running = running[1:]
		}
		if len(running) > 0 {
			return fault.New(fault.ValidationInProgress, "this proposal is being validated").WithHint("wait for the run, or cancel it").
				WithDetail("validation_run_id", running[0].ValidationRunID)
		}
		if err := tx.PutRun(run); err != nil {
			return err
		}
		return tell(tx, journal.ValidationStarted, run, "A test of the draft began.")
	})
}

// work performs the run and records its end.
func (r *Runner) work(ctx context.Context, a *activeRun, req record.Request) {
	keep := context.WithoutCancel(ctx)
	w, kept := r.watching(keep, a, req)
	res := r.perform(ctx, req, w)
	kept()
	run, err := r.recordEnd(keep, req, res)
	if err != nil { // what the end changes elsewhere was refused, or the disk is full: the run must not stay open
		r.o.Log.Error("a validation run's end could not be recorded", "run_id", req.Run.ValidationRunID, "code", fault.CodeOf(err))
		run, err = r.recordEnd(keep, req, record.Result{Overall: record.Cancelled, Reason: "its result could not be recorded"})
	}
	if err == nil {
		r.reportOutcome(keep, req, run, res)
	}
	a.run, a.err = run, err
	r.mu.Lock()
	delete(r.active, req.Run.ValidationRunID)
	r.mu.Unlock()
	close(a.done)
}

func (r *Runner) recordEnd(ctx context.Context, req record.Request, res record.Result) (record.ValidationRun, error) {
	run := ended(req.Run, res, r.o.Now())
	err := r.o.Store.Update(ctx, func(tx record.Tx) error {
		for i, s := range res.Steps {
			if err := tx.PutStep(i, s); err != nil {
				return err
			}
			if err := tx.AppendLine(record.StepsPath, s); err != nil {
				return err
			}
		}
		if err := writeEnd(tx, run); err != nil {
			return err
		}
		if req.Finish == nil {
			return nil
		}
		all, err := tx.RunsOf(run.ProposalID, run.Revision)
		if err != nil {
			return err
		}
		return req.Finish(tx, run, standing(all, run.ContentHash))
	})
	return run, err
}

func ended(run record.ValidationRun, res record.Result, now clock.Time) record.ValidationRun {
	run.Status, run.OverallResult, run.Reason, run.CompletedAt = record.StatusCompleted, res.Overall, res.Reason, &now
	run.KindResults, run.ResultRefs, run.Repairs, run.WaitingFor = res.Kinds, res.ResultRefs, res.Repairs, ""
	run.Requests = res.Requests
	if run.KindResults == nil {
		run.KindResults = []record.KindResult{}
	}
	if run.ResultRefs == nil {
		run.ResultRefs = []string{}
	}
	return run
}

func writeEnd(tx record.Tx, run record.ValidationRun) error {
	if err := tx.PutRun(run); err != nil {
		return err
	}
	if err := tx.AppendLine(record.RunsPath, run); err != nil {
		return err
	}
	return tell(tx, journal.ValidationDone, run, "The test ended: "+string(run.OverallResult)+".")
}

// tell writes a receipt and the event of the same kind.
func tell(w journal.Writer, kind journal.EventKind, run record.ValidationRun, summary string) error {
	err := w.AddReceipt(journal.Receipt{Kind: kind, LearnSessionID: run.LearnSessionID, ProposalID: run.ProposalID, AbilityID: run.AbilityID,
		Reason: string(run.OverallResult), Summary: summary})
	if err != nil {
		return err
	}
	payload := map[string]any{"validation_run_id": run.ValidationRunID, "proposal_id": run.ProposalID, "revision": run.Revision,
		"run_kinds": run.RunKinds, "status": run.Status}
	if run.OverallResult != "" {
		payload["overall_result"] = string(run.OverallResult)
	}
	return w.Emit(journal.Event{Kind: kind, SessionID: run.LearnSessionID, Payload: payload})
}

// Wait returns the run once it has ended, or ctx's error.
func (r *Runner) Wait(ctx context.Context, runID string) (record.ValidationRun, error) {
	r.mu.Lock()
	a := r.active[runID]
	r.mu.Unlock()
	if a == nil {
		run, _, err := r.Get(ctx, runID)
		return run, err
	}
	select {
	case <-a.done:
		return a.run, a.err
	case <-ctx.Done():
		return record.ValidationRun{}, fault.Wrap(ctx.Err(), fault.Cancelled, "the wait for a validation run was given up")
	}
}

// Cancel ends a running run with the result cancelled and returns it; an ended run is returned unchanged.
func (r *Runner) Cancel(ctx context.Context, runID string) (record.ValidationRun, error) {
	r.mu.Lock()
	if a := r.active[runID]; a != nil {
		a.cancel()
	}
	r.mu.Unlock()
	return r.Wait(ctx, runID)
}

// Get returns one run with its steps.
func (r *Runner) Get(ctx context.Context, runID string) (run record.ValidationRun, steps []record.ValidationStepResult, err error) {
	err = r.o.Store.View(ctx, func(tx record.Tx) error {
		var ok bool
		if run, ok, err = tx.Run(runID); err != nil {
			return err
		}
		if !ok {
			return fault.New(fault.NotFound, "there is no such validation run")
		}
		steps, err = tx.Steps(runID)
		return err
	})
	return run, steps, err
}

// List returns a proposal's runs, newest first, the steps of those runs, and the total.
func (r *Runner) List(ctx context.Context, proposalID string, page, pageSize int) (runs []record.ValidationRun,
	steps []record.ValidationStepResult, total int, err error) {
	err = r.o.Store.View(ctx, func(tx record.Tx) error {
		if runs, total, err = tx.Runs(proposalID, page, pageSize); err != nil {
			return err
		}
		for _, run := range runs {
			of, err := tx.Steps(run.ValidationRunID)
			if err != nil {
				return err
			}
			steps = append(steps, of...)
		}
		return nil
	})
	return runs, steps, total, err
}

// Standing sums up the runs on this revision and hash.
func (r *Runner) Standing(ctx context.Context, proposalID string, revision int, contentHash string) (st record.Standing, err error) {
	var runs, running []record.ValidationRun
	err = r.o.Store.View(ctx, func(tx record.Tx) error {
		if running, err = tx.RunningRuns(proposalID); err != nil {
			return err
		}
		runs, err = tx.RunsOf(proposalID, revision)
		return err
	})
	st = standing(runs, contentHash)
	st.Running = len(running) > 0
	return st, err
}

// standing sums up the runs on one revision, oldest first.
func standing(runs []record.ValidationRun, contentHash string) (st record.Standing) {
	latest := map[record.RunKind]record.ValidationRun{}
	result := map[record.RunKind]record.Overall{}
	for _, run := range runs {
		if run.RunLabel == record.LookLabel { // no decision depends on it
			continue
		}
		for _, k := range run.KindResults {
			if run.ContentHash == contentHash && run.OverallResult != record.Cancelled {
				latest[k.RunKind], result[k.RunKind] = run, k.Result
				if k.RunKind == record.RunRehearsal && k.Result == record.Passed {
					delete(result, record.RunCanary) // its beginning was in it
				}
			}
		}
	}
	whole := result[record.RunDryRun] != "" || result[record.RunRehearsal] != ""
	if whole && result[record.RunCanary] == record.Partial {
		delete(result, record.RunCanary) // what it left out, the others look at
	}
	for _, k := range append(slices.Clone(record.DefaultKinds), record.RunCanary, record.RunRehearsal) {
		if o, ok := result[k]; ok && worse(o, st.Overall) {
			st.Overall, st.RunID, st.Kind, st.Reason = o, latest[k].ValidationRunID, k, latest[k].Reason
		}
	}
	if st.Overall == record.Passed && !whole {
		st.Overall, st.Kind, st.Reason = record.Partial, "", "only part of the work has been looked at"
	}
	return st
}

// worse reports whether a outweighs b: failed over partial over passed over nothing.
func worse(a, b record.Overall) bool {
	weight := map[record.Overall]int{record.Passed: 1, record.Partial: 2, record.Failed: 3}
	return weight[a] > weight[b]
}

// Recover marks runs that a crash left running as cancelled (decisions A9) and returns them.
func (r *Runner) Recover(ctx context.Context) (all []record.ValidationRun, err error) {
	err = r.o.Store.Update(ctx, func(tx record.Tx) error {
		left, err := tx.RunningRuns("")
		if err != nil {
			return err
		}
		all = nil
		for _, run := range left {
			run = ended(run, record.Result{Overall: record.Cancelled, Reason: "daemon_restart"}, r.o.Now())
			if err := writeEnd(tx, run); err != nil {
				return err
			}
			all = append(all, run)
		}
		return nil
	})
	return all, err
}

// Close cancels running runs and waits for them; nothing can be started afterwards.
func (r *Runner) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	r.all.Wait()
	return nil
}
