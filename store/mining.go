package store

import (
	"context"

	"showhow/daemon/mining"
	"showhow/internal/clock"
)

// Mining returns the storage of package mining.
func Mining(s *Store) mining.Store { return miningStore{s} }

type miningStore struct{ s *Store }

func (p miningStore) Update(ctx context.Context, fn func(mining.Tx) error) error {
	return p.s.Update(ctx, func(tx *Tx) error { return fn(miningTx{tx}) })
}

func (p miningStore) View(ctx context.Context, fn func(mining.Tx) error) error {
	return p.s.View(ctx, func(tx *Tx) error { return fn(miningTx{tx}) })
}

// miningTx is Tx with the methods of package mining.
type miningTx struct{ *Tx }

const miningSettings = "settings"

func (tx miningTx) MiningSettings() (mining.Settings, bool, error) {
	return one[mining.Settings](tx.Tx, `SELECT body FROM mining_records WHERE id=?`, miningSettings)
}

func (tx miningTx) PutMiningSettings(s mining.Settings) error {
	return tx.put("mining_records", "id", miningSettings, map[string]any{"kind": miningSettings}, s)
}

func (tx miningTx) Fingerprints() ([]mining.Work, error) {
	return list[mining.Work](tx.Tx, `SELECT body FROM mining_fingerprints ORDER BY at, work_id`)
}

func (tx miningTx) PutFingerprint(w mining.Work) error {
	return tx.put("mining_fingerprints", "work_id", w.ID, map[string]any{"kind": string(w.Kind), "at": clock.At(w.At).String()}, w)
}

func (tx miningTx) DropFingerprints(k mining.Kind, of []string, before clock.Time) (int, error) {
	w := where{}
	w.eq("kind", string(k))
	if of != nil {
		w.add("work_id IN (SELECT value FROM json_each(?))", ids(of))
	}
	if !before.IsZero() {
		w.add("at<?", before.String())
	}
	n, err := tx.exec(`DELETE FROM mining_fingerprints`+w.String(), w.args...)
	return int(n), err
}

const miningDeletions = "deletions"

func (tx miningTx) Deletions() (int, error) {
	n, _, err := one[int](tx.Tx, `SELECT body FROM mining_records WHERE id=?`, miningDeletions)
	return n, err
}

func (tx miningTx) CountDeletion() error {
	n, err := tx.Deletions()
	if err != nil {
		return err
	}
	return tx.put("mining_records", "id", miningDeletions, map[string]any{"kind": miningDeletions}, n+1)
}

func (tx miningTx) Candidates() ([]mining.Stored, error) {
	return list[mining.Stored](tx.Tx, `SELECT body FROM mining_records WHERE kind='candidate' ORDER BY id`)
}

func (tx miningTx) PutCandidate(c mining.Stored) error {
	return tx.put("mining_records", "id", c.Routine.Cluster.ClusterID, map[string]any{"kind": "candidate"}, c)
}

func (tx miningTx) DropCandidate(id string) error {
	_, err := tx.exec(`DELETE FROM mining_records WHERE id=? AND kind='candidate'`, id)
	return err
}

// forgetMined removes what was derived from work that a person deletes.
func (tx *Tx) forgetMined(works []string) error { return mining.ForgetSources(miningTx{tx}, works) }
