package store

import (
	"context"

	"showhow/daemon/journal"
	"showhow/daemon/oci"
)

// Pushes returns the storage of package oci.
func (r rooms) Pushes() oci.Store { return pushStore{r.store} }

type pushStore struct{ s *Store }

func (p pushStore) Update(ctx context.Context, fn func(journal.Writer) error) error {
	return p.s.Update(ctx, func(tx *Tx) error { return fn(tx) })
}
