package store

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"showhow/daemon/journal"
	"showhow/daemon/rehearse"
)

// Runs returns the storage of package rehearse.
func (r rooms) Runs() rehearse.Store { return runStore{r.store} }

type runStore struct{ s *Store }

func (r runStore) Update(ctx context.Context, fn func(rehearse.Tx) error) error {
	return r.s.Update(ctx, func(tx *Tx) error { return fn(runTx{tx}) })
}

func (r runStore) View(ctx context.Context, fn func(rehearse.Tx) error) error {
	return r.s.View(ctx, func(tx *Tx) error { return fn(runTx{tx}) })
}

// runTx is Tx with the methods of package rehearse.
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
	return list[rehearse.ValidationRun](tx.Tx,
		`SELECT body FROM validation_runs WHERE proposal_id=? AND revision=? ORDER BY started_at, run_id`, proposalID, revision)
}

func (tx runTx) RunningRuns(proposalID string) ([]rehearse.ValidationRun, error) {
	return list[rehearse.ValidationRun](tx.Tx,
		`SELECT body FROM validation_runs WHERE status='running' AND (?1='' OR proposal_id=?1) ORDER BY started_at`, proposalID)
}

func (tx runTx) PutStep(place int, s rehearse.ValidationStepResult) error {
	return tx.put("validation_steps", "step_key", fmt.Sprintf("%s/%d", s.ValidationRunID, place),
		map[string]any{"run_id": s.ValidationRunID, "ord": place}, s)
}

func (tx runTx) Steps(runID string) ([]rehearse.ValidationStepResult, error) {
	return list[rehearse.ValidationStepResult](tx.Tx, `SELECT body FROM validation_steps WHERE run_id=? ORDER BY ord`, runID)
}

// PutEvidence stores nothing for a session whose raw data was purged: nobody would purge it again.
func (tx runTx) PutEvidence(e rehearse.Evidence) error {
	body, err := json.Marshal(struct {
		rehearse.Evidence
		PNG []byte `json:"png,omitempty"`
	}{e, e.PNG})
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO rehearsal_evidence(run_id, session_id, body) SELECT ?1, ?2, ?3
		WHERE ?2='' OR EXISTS(SELECT 1 FROM learn_sessions WHERE session_id=?2 AND purged=0)`, e.ValidationRunID, e.LearnSessionID, string(body))
	return err
}

func (tx runTx) Evidence(runID string) ([]rehearse.Evidence, error) {
	return list[rehearse.Evidence](tx.Tx, `SELECT json_set(json_remove(body, '$.png'), '$.evidence_id', evidence_id)
		FROM rehearsal_evidence WHERE run_id=? ORDER BY evidence_id`, runID)
}

func (tx runTx) EvidencePicture(runID string, id int64) ([]byte, bool, error) {
	var text string
	err := tx.tx.QueryRowContext(tx.ctx,
		`SELECT body->>'$.png' FROM rehearsal_evidence WHERE run_id=? AND evidence_id=? AND body->>'$.png' IS NOT NULL`, runID, id).Scan(&text)
	if noRows(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	png, err := base64.StdEncoding.DecodeString(text)
	return png, err == nil, err
}

func (tx runTx) PutCheckpointReceipt(r journal.CheckpointReceipt) error {
	return abilityTx(tx).PutCheckpointReceipt(r)
}
