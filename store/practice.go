package store

import (
	"context"

	"showhow/daemon/practice"
)

// Practices returns the storage of package practice.
func (r rooms) Practices() practice.Store { return practiceStore{r.store} }

type practiceStore struct{ s *Store }

func (p practiceStore) Update(ctx context.Context, fn func(practice.Tx) error) error {
	return p.s.Update(ctx, func(tx *Tx) error { return fn(practiceTx{tx}) })
}

func (p practiceStore) View(ctx context.Context, fn func(practice.Tx) error) error {
	return p.s.View(ctx, func(tx *Tx) error { return fn(practiceTx{tx}) })
}

// practiceTx is Tx with the methods of package practice.
type practiceTx struct{ *Tx }

func (tx practiceTx) PutPractice(p practice.Practice) error {
	return tx.put("practices", "practice_id", p.PracticeID, map[string]any{"state": p.State, "started_at": p.StartedAt.String()}, p)
}

func (tx practiceTx) Practice(id string) (practice.Practice, bool, error) {
	return one[practice.Practice](tx.Tx, `SELECT body FROM practices WHERE practice_id=?`, id)
}

func (tx practiceTx) Practices(most int) ([]practice.Practice, error) {
	return list[practice.Practice](tx.Tx, `SELECT body FROM practices ORDER BY started_at DESC, practice_id DESC LIMIT ?`, most)
}

func (tx practiceTx) OpenPractices() ([]practice.Practice, error) {
	return list[practice.Practice](tx.Tx, `SELECT body FROM practices WHERE state='running' ORDER BY started_at`)
}
