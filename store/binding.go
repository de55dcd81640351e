package store

import (
	"context"

	"showhow/daemon/capability/binding"
	"showhow/daemon/wire"
)

// Bindings returns the storage of package binding.
func (r rooms) Bindings() binding.Store { return bindingStore{r.store} }

type bindingStore struct{ s *Store }

func (b bindingStore) Update(ctx context.Context, fn func(binding.Tx) error) error {
	return b.s.Update(ctx, func(tx *Tx) error { return fn(bindingTx{tx}) })
}

func (b bindingStore) View(ctx context.Context, fn func(binding.Tx) error) error {
	return b.s.View(ctx, func(tx *Tx) error { return fn(bindingTx{tx}) })
}

type bindingTx struct{ *Tx }

func (tx bindingTx) PutBinding(b wire.ProjectBinding) error {
	return tx.put("project_bindings", "project_id", b.ProjectID, nil, b)
}

func (tx bindingTx) DeleteBinding(projectID string) error {
	_, err := tx.exec(`DELETE FROM project_bindings WHERE project_id=?`, projectID)
	return err
}

func (tx bindingTx) Bindings() ([]wire.ProjectBinding, error) {
	return list[wire.ProjectBinding](tx.Tx, `SELECT body FROM project_bindings ORDER BY project_id`)
}
