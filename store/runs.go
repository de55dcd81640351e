package store

import (
	"context"

	"showhow/capture"
	"showhow/daemon/mining"
	"showhow/daemon/observe"
)

// Agents' runs are stored as observations of a session that has the run's id, under a key of their own.

// Observed returns the storage of package observe.
func (r rooms) Observed() observe.Store { return observeStore{r.store} }

type observeStore struct{ *Store }

func (o observeStore) Update(ctx context.Context, fn func(observe.Tx) error) error {
	return o.Store.Update(ctx, func(tx *Tx) error { return fn(observeTx{tx}) })
}

func (o observeStore) View(ctx context.Context, fn func(observe.Tx) error) error {
	return o.Store.View(ctx, func(tx *Tx) error { return fn(observeTx{tx}) })
}

func (o observeStore) Page(ctx context.Context, runID string, offset, limit int) ([]capture.Record, int, error) {
	return o.ObservationPage(ctx, runID, offset, limit)
}

func (o observeStore) Records(ctx context.Context, runID string) ([]capture.Record, error) {
	return o.TraceRecords(ctx, runID)
}

func (o observeStore) Purge(ctx context.Context, runIDs []string) error {
	return o.Store.Purge(ctx, runIDs, runIDs)
}

// observeTx is Tx with the methods of package observe.
type observeTx struct{ *Tx }

func (tx observeTx) PutAgent(a observe.StoredAgent) error {
	return tx.put("observed_agents", "agent", a.Agent, nil, a)
}

func (tx observeTx) Agents() ([]observe.StoredAgent, error) {
	return list[observe.StoredAgent](tx.Tx, `SELECT body FROM observed_agents ORDER BY agent`)
}

func (tx observeTx) PutRun(r observe.StoredRun) error {
	return tx.put("agent_runs", "run_id", r.RunID, map[string]any{"agent": r.Agent, "started_at": r.StartedAt.String(), "gone": r.Gone}, r)
}

func (tx observeTx) Run(id string) (observe.StoredRun, bool, error) {
	return one[observe.StoredRun](tx.Tx, `SELECT body FROM agent_runs WHERE run_id=?`, id)
}

func (tx observeTx) Runs() ([]observe.StoredRun, error) {
	return list[observe.StoredRun](tx.Tx, `SELECT body FROM agent_runs ORDER BY started_at DESC, run_id DESC`)
}

func (tx observeTx) DeleteRun(id string) error {
	_, err := tx.exec(`DELETE FROM agent_runs WHERE run_id=?`, id)
	return err
}

func (tx observeTx) DropDerived(agent string, runIDs []string) error {
	if agent == "" {
		return tx.forgetMined(runIDs)
	}
	return mining.ForgetAgent(miningTx(tx), agent)
}

func (tx observeTx) Kept(runID string) (n int, first, last *capture.Record, err error) {
	if err := tx.scalar(&n, countOfSession, runID); err != nil || n == 0 {
		return n, nil, nil, err
	}
	const ofRun = `WHERE o.trace IN (SELECT id FROM traces WHERE session_id=?) ORDER BY o.seq `
	for _, end := range []struct {
		order string
		dst   **capture.Record
	}{{"LIMIT 1", &first}, {"DESC LIMIT 1", &last}} {
		rs, err := tx.records(ofRun+end.order, runID)
		if err != nil {
			return n, nil, nil, err
		}
		*end.dst = &rs[0]
	}
	return n, first, last, nil
}

// isRun reports whether an id is a run's.
func (tx *Tx) isRun(id string) (ok bool, err error) {
	err = tx.scalar(&ok, `SELECT EXISTS(SELECT 1 FROM agent_runs WHERE run_id=?)`, id)
	return ok, err
}

// AppendRecords stores records within this transaction: together with their session, or not at all.
func (tx *Tx) AppendRecords(records []capture.Record) error {
	q := &tx.s.appends
	defer q.forget() // should this transaction be rolled back, what it remembered would not be there
	job, err := newAppendJob(records)
	if err != nil {
		return err
	}
	// Numbers are used up even if this transaction fails: a gap is harmless, a number used twice would not be.
	if q.next, err = tx.s.insertJob(job, q.next); err != nil {
		return err
	}
	for i := range records {
		records[i].Seq = job.rows[i].seq
	}
	return nil
}
