package rehearse

import (
	"context"
	"strings"
	"sync"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/report"
	"showhow/internal/fault"
)

// watching stores a run's progress: each step as soon as it is judged, with its event on the session's stream. Events
// hold ids and codes; texts are in the steps. The run does not wait for the disk; done waits until everything is
// stored, in order.
func (r *Runner) watching(ctx context.Context, a *activeRun, req record.Request) (w report.Watch, done func()) {
	said := make(chan func(), maxUnkept)
	var all sync.WaitGroup
	all.Go(func() {
		for f := range said {
			f()
		}
	})
	keep := func(what string, f func(record.Tx) error) {
		said <- func() {
			if err := r.o.Store.Update(ctx, f); err != nil {
				r.o.Log.Error("a rehearsal's progress could not be kept", "part", what, "run_id", req.Run.ValidationRunID, "code", fault.CodeOf(err))
			}
		}
	}
	w = report.Watch{
		Told: func(place int, s record.ValidationStepResult) {
			keep("step", func(tx record.Tx) error {
				if err := tx.PutStep(place, s); err != nil {
					return err
				}
				if err := r.tellCheckpoint(tx, req.Run, s); err != nil {
					return err
				}
				return tx.Emit(journal.Event{Kind: journal.ValidationStep, SessionID: req.Run.LearnSessionID, Payload: map[string]any{
					"validation_run_id": s.ValidationRunID, "proposal_id": req.Run.ProposalID, "run_kind": string(s.RunKind), "test_case_id": s.TestCaseID,
					"place": place, "result": s.Result, "code": s.Code}})
			})
		},
		Seen: func(ev record.Evidence) { keep("evidence", func(tx record.Tx) error { return tx.PutEvidence(ev) }) },
		Wait: func(run context.Context, what string) error {
			kept := make(chan struct{}) // earlier steps must be visible to the person
			said <- func() { close(kept) }
			<-kept
			return r.waitFor(ctx, run, a, req.Run, what)
		},
	}
	return w, func() {
		close(said)
		all.Wait()
	}
}

// maxUnkept bounds the progress that is not stored yet before the run waits.
const maxUnkept = 64

// tellCheckpoint writes the receipt of a checkpoint that a rehearsal judged.
func (r *Runner) tellCheckpoint(tx record.Tx, run record.ValidationRun, s record.ValidationStepResult) error {
	id, ok := strings.CutPrefix(s.TestCaseID, string(s.RunKind)+".checkpoint.")
	if !ok {
		return nil
	}
	id, _, _ = strings.Cut(id, ".")
	status, kind := "reached", journal.CheckpointReached
	switch s.Result {
	case record.StepFailed:
		status, kind = "failed", journal.CheckpointFailed
	case record.StepSkipped:
		status, kind = "skipped", journal.CheckpointSkipped
	}
	rec := journal.CheckpointReceipt{ReceiptID: r.o.NewID(), CheckpointID: id, LearnSessionID: run.LearnSessionID, Status: status,
		Evidence: s.Details,
		Reason:   s.Code, CheckedBy: "rehearsal", CreatedAt: s.CreatedAt, SchemaVersion: 1}
	if err := tx.PutCheckpointReceipt(rec); err != nil {
		return err
	}
	if err := tx.AppendLine(ability.CheckpointReceiptsPath, rec); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, SessionID: run.LearnSessionID,
		Payload: map[string]any{"receipt_id": rec.ReceiptID, "checkpoint_id": id,
			"status": status, "checked_by": "rehearsal", "validation_run_id": run.ValidationRunID}})
}

// waitFor shows that a run waits for the person, and returns when the person continues it.
func (r *Runner) waitFor(keep, run context.Context, a *activeRun, of record.ValidationRun, what string) error {
	tellWaiting := func(now string) error {
		return r.o.Store.Update(keep, func(tx record.Tx) error {
			of.WaitingFor = now
			if err := tx.PutRun(of); err != nil {
				return err
			}
			return tx.Emit(journal.Event{Kind: journal.ValidationWaiting, SessionID: of.LearnSessionID, Payload: map[string]any{
				"validation_run_id": of.ValidationRunID, "proposal_id": of.ProposalID, "waiting_for": now}})
		})
	}
	select {
	case <-a.resume: // a signal from before anybody waited
	default:
	}
	if err := tellWaiting(what); err != nil {
		return err
	}
	select {
	case <-a.resume:
		return tellWaiting("")
	case <-run.Done():
		return run.Err()
	}
}

// Continue resumes a run that waits for the person.
func (r *Runner) Continue(ctx context.Context, runID string) (record.ValidationRun, error) {
	run, _, err := r.Get(ctx, runID)
	if err != nil {
		return run, err
	}
	r.mu.Lock()
	a := r.active[runID]
	r.mu.Unlock()
	if a == nil || run.WaitingFor == "" {
		return run, fault.New(fault.InvalidLearnStateTransition, "the run does not wait for anything").WithDetail("status", run.Status)
	}
	select {
	case a.resume <- struct{}{}:
	default:
	}
	return run, nil
}

// EvidenceOf returns the evidence of a run's failures.
func (r *Runner) EvidenceOf(ctx context.Context, runID string) (out []record.Evidence, err error) {
	err = r.o.Store.View(ctx, func(tx record.Tx) error {
		if _, ok, err := tx.Run(runID); err != nil || !ok {
			if err == nil {
				err = fault.New(fault.NotFound, "there is no such validation run")
			}
			return err
		}
		out, err = tx.Evidence(runID)
		return err
	})
	return out, err
}

// EvidencePicture is the screenshot of a failure, as a PNG.
func (r *Runner) EvidencePicture(ctx context.Context, runID string, id int64) (png []byte, err error) {
	err = r.o.Store.View(ctx, func(tx record.Tx) error {
		var ok bool
		if png, ok, err = tx.EvidencePicture(runID, id); err == nil && !ok {
			err = fault.New(fault.NotFound, "there is no such picture").WithHint(
				"pictures are kept only when a rehearsal is asked to, and go with the raw data")
		}
		return err
	})
	return png, err
}
