package rehearse

import (
	"context"
	"slices"
	"strings"
	"sync"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// watching keeps what a run tells while it goes on: each step as soon as it is judged, with its event on the session's stream.
// Events carry ids and codes; texts are in the steps. The run does not wait for the disk; done waits until all is kept, in the order
// in which it was told.
func (r *Runner) watching(ctx context.Context, a *activeRun, req Request) (w watch, done func()) {
	said := make(chan func(), maxUnkept)
	var all sync.WaitGroup
	all.Go(func() {
		for f := range said {
			f()
		}
	})
	keep := func(what string, f func(Tx) error) {
		said <- func() {
			if err := r.o.Store.Update(ctx, f); err != nil {
				r.o.Log.Error("a rehearsal's progress could not be kept", "part", what, "run_id", req.Run.ValidationRunID, "code", fault.CodeOf(err))
			}
		}
	}
	w = watch{
		told: func(place int, s ValidationStepResult) {
			keep("step", func(tx Tx) error {
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
		seen: func(ev Evidence) { keep("evidence", func(tx Tx) error { return tx.PutEvidence(ev) }) },
		wait: func(run context.Context, what string) error {
			kept := make(chan struct{}) // what came before is to be seen by whoever is waited for
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

// maxUnkept is how much a run may have told that is not kept yet before it waits.
const maxUnkept = 64

// tellCheckpoint leaves the receipt of a checkpoint that a rehearsal looked at.
func (r *Runner) tellCheckpoint(tx Tx, run ValidationRun, s ValidationStepResult) error {
	id, ok := strings.CutPrefix(s.TestCaseID, string(s.RunKind)+".checkpoint.")
	if !ok {
		return nil
	}
	id, _, _ = strings.Cut(id, ".")
	status, kind := "reached", journal.CheckpointReached
	switch s.Result {
	case StepFailed:
		status, kind = "failed", journal.CheckpointFailed
	case StepSkipped:
		status, kind = "skipped", journal.CheckpointSkipped
	}
	rec := journal.CheckpointReceipt{ReceiptID: r.o.NewID(), CheckpointID: id, LearnSessionID: run.LearnSessionID, Status: status, Evidence: s.Details,
		Reason: s.Code, CheckedBy: "rehearsal", CreatedAt: s.CreatedAt, SchemaVersion: 1}
	if err := tx.PutCheckpointReceipt(rec); err != nil {
		return err
	}
	if err := tx.AppendLine(ability.CheckpointReceiptsPath, rec); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, SessionID: run.LearnSessionID, Payload: map[string]any{"receipt_id": rec.ReceiptID, "checkpoint_id": id,
		"status": status, "checked_by": "rehearsal", "validation_run_id": run.ValidationRunID}})
}

// waitFor shows that a run waits for the person, and returns when the person says that it may go on.
func (r *Runner) waitFor(keep, run context.Context, a *activeRun, of ValidationRun, what string) error {
	tellWaiting := func(now string) error {
		return r.o.Store.Update(keep, func(tx Tx) error {
			of.WaitingFor = now
			if err := tx.PutRun(of); err != nil {
				return err
			}
			return tx.Emit(journal.Event{Kind: journal.ValidationWaiting, SessionID: of.LearnSessionID, Payload: map[string]any{
				"validation_run_id": of.ValidationRunID, "proposal_id": of.ProposalID, "waiting_for": now}})
		})
	}
	select {
	case <-a.resume: // said before anybody waited
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

// Continue tells a run that waits for the person that it may go on.
func (r *Runner) Continue(ctx context.Context, runID string) (ValidationRun, error) {
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

// EvidenceOf is what was kept of a run's failures.
func (r *Runner) EvidenceOf(ctx context.Context, runID string) (out []Evidence, err error) {
	err = r.o.Store.View(ctx, func(tx Tx) error {
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
	err = r.o.Store.View(ctx, func(tx Tx) error {
		var ok bool
		if png, ok, err = tx.EvidencePicture(runID, id); err == nil && !ok {
			err = fault.New(fault.NotFound, "there is no such picture").WithHint("pictures are kept only when a rehearsal is asked to, and go with the raw data")
		}
		return err
	})
	return png, err
}

// Photographer is a Browser that can take a picture in which nothing is seen of fields, tables and texts that hold one of the
// words; nil when it cannot.
type Photographer interface {
	Picture(ctx context.Context, words []string) []byte
}

// picture is how the page looks, when pictures were asked for.
func (p *play) picture(ctx context.Context) []byte {
	b, ok := p.browser.(Photographer)
	if !ok || !p.req.Pictures {
		return nil
	}
	var words []string
	for _, v := range p.supply.bindings {
		words = append(words, strings.Join(strings.Fields(v), " "))
	}
	for _, items := range p.supply.lists {
		words = append(words, items...)
	}
	return b.Picture(ctx, words)
}

// keepEvidence keeps how the page was: its own words, with values replaced by names, and nobody's data.
func (p *play) keepEvidence(ctx context.Context, id string) {
	if p.seen == nil || p.browser == nil || ctx.Err() != nil {
		return
	}
	st, _, err := p.browser.Settle(ctx, func(capture.State) bool { return true })
	if err != nil {
		return
	}
	all := func(in []string) (out []string) {
		for _, s := range in {
			out = append(out, p.clean(s))
		}
		return out
	}
	kept := capture.State{URL: p.clean(routeOf(st.URL)), Title: p.clean(st.Title), Headings: all(st.Headings), Dialogs: all(st.Dialogs),
		Alerts: all(st.Alerts), Invalid: all(st.Invalid)}
	for _, t := range st.Tables {
		kept.Tables = append(kept.Tables, capture.Table{Name: p.clean(t.Name), Columns: slices.Clone(t.Columns), Rows: t.Rows, Total: t.Total})
	}
	for _, f := range st.Fields {
		kept.Fields = append(kept.Fields, capture.Field{Label: p.clean(f.Label), Role: f.Role})
	}
	png := p.picture(ctx)
	p.seen(Evidence{PNG: png, Picture: png != nil, ValidationRunID: p.req.Run.ValidationRunID, LearnSessionID: p.req.Run.LearnSessionID,
		TestCaseID: plain.Clip(string(p.kind)+"."+id, 160), State: kept, CreatedAt: p.r.o.Now()})
}
