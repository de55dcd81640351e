package store

import (
	"context"
	"fmt"

	"showhow/daemon/rehearse"
)

// Runs is the storage that package rehearse asks for.
func (s *Store) Runs() rehearse.Store { return runStore{s} }

type runStore struct{ s *Store }

func (r runStore) Update(ctx context.Context, fn func(rehearse.Tx) error) error {
	return r.s.Update(ctx, func(tx *Tx) error { return fn(runTx{tx}) })
}

func (r runStore) View(ctx context.Context, fn func(rehearse.Tx) error) error {
	return r.s.View(ctx, func(tx *Tx) error { return fn(runTx{tx}) })
}

// runTx is Tx in the words of package rehearse.
type runTx struct{ *Tx }

func (tx runTx) PutRun(r rehearse.ValidationRun) error {
	return tx.put("validation_runs", "run_id", r.ValidationRunID, map[string]any{"proposal_id": r.ProposalID, "revision": r.Revision,
		"status": r.Status, "started_at": r.StartedAt.String()}, r)
}

func (tx runTx) Run(id string) (rehearse.ValidationRun, bool, error) {
	return one[rehearse.ValidationRun](tx.Tx, `SELECT body FROM validation_runs WHERE run_id=?`, id)
}

func (tx runTx) Runs(proposalID string, page, pageSize int) ([]rehearse.ValidationRun, int, error) {
	total := 0
	if err := tx.scalar(&total, `SELECT count(*) FROM validation_runs WHERE proposal_id=?`, proposalID); err != nil {
		return nil, 0, err
	}
	runs, err := list[rehearse.ValidationRun](tx.Tx, `SELECT body FROM validation_runs WHERE proposal_id=?
		ORDER BY started_at DESC, run_id DESC LIMIT ? OFFSET ?`, proposalID, pageSize, (page-1)*pageSize)
	return runs, total, err
}

func (tx runTx) RunsOf(proposalID string, revision int) ([]rehearse.ValidationRun, error) {
	return list[rehearse.ValidationRun](tx.Tx, `SELECT body FROM validation_runs WHERE proposal_id=? AND revision=? ORDER BY started_at, run_id`, proposalID, revision)
}

func (tx runTx) RunningRuns(proposalID string) ([]rehearse.ValidationRun, error) {
	return list[rehearse.ValidationRun](tx.Tx, `SELECT body FROM validation_runs WHERE status='running' AND (?1='' OR proposal_id=?1) ORDER BY started_at`, proposalID)
}

func (tx runTx) PutStep(place int, s rehearse.ValidationStepResult) error {
	return tx.put("validation_steps", "step_key", fmt.Sprintf("%s/%d", s.ValidationRunID, place), map[string]any{"run_id": s.ValidationRunID, "ord": place}, s)
}

func (tx runTx) Steps(runID string) ([]rehearse.ValidationStepResult, error) {
	return list[rehearse.ValidationStepResult](tx.Tx, `SELECT body FROM validation_steps WHERE run_id=? ORDER BY ord`, runID)
}
