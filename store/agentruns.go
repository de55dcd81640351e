package store

import (
	"context"

	"showhow/daemon/agentrun"
)

// AgentRuns returns the storage of package agentrun.
func (r rooms) AgentRuns() agentrun.Store { return agentRunStore{r.store} }

type agentRunStore struct{ s *Store }

func (r agentRunStore) Update(ctx context.Context, fn func(agentrun.Tx) error) error {
	return r.s.Update(ctx, func(tx *Tx) error { return fn(agentRunTx{tx}) })
}

func (r agentRunStore) View(ctx context.Context, fn func(agentrun.Tx) error) error {
	return r.s.View(ctx, func(tx *Tx) error { return fn(agentRunTx{tx}) })
}

// agentRunTx is Tx with the methods of package agentrun.
type agentRunTx struct{ *Tx }

func (tx agentRunTx) PutAgentRun(r agentrun.Run) error {
	return tx.put("sandbox_runs", "run_id", r.RunID, map[string]any{"state": string(r.State), "started_at": r.StartedAt.String()}, r)
}

func (tx agentRunTx) AgentRun(id string) (agentrun.Run, bool, error) {
	return one[agentrun.Run](tx.Tx, `SELECT body FROM sandbox_runs WHERE run_id=?`, id)
}

func (tx agentRunTx) AgentRuns(page, pageSize int) ([]agentrun.Run, int, error) {
	total := 0
	if err := tx.scalar(&total, `SELECT count(*) FROM sandbox_runs`); err != nil {
		return nil, 0, err
	}
	runs, err := list[agentrun.Run](tx.Tx, `SELECT body FROM sandbox_runs ORDER BY started_at DESC, run_id DESC LIMIT ? OFFSET ?`, pageSize,
		(page-1)*pageSize)
	return runs, total, err
}

func (tx agentRunTx) OpenAgentRuns() ([]agentrun.Run, error) {
	return list[agentrun.Run](tx.Tx, `SELECT body FROM sandbox_runs WHERE state IN ('running','waiting','extracting') ORDER BY started_at`)
}

func (tx agentRunTx) PutRunEvidence(e agentrun.Evidence) error {
	return tx.put("sandbox_evidence", "run_id", e.RunID, nil, e)
}

func (tx agentRunTx) RunEvidence(id string) (agentrun.Evidence, bool, error) {
	return one[agentrun.Evidence](tx.Tx, `SELECT body FROM sandbox_evidence WHERE run_id=?`, id)
}
