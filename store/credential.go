package store

import (
	"context"

	"showhow/daemon/credential"
)

// Credentials returns the storage of package credential.
func (r rooms) Credentials() credential.Store { return credentialStore{r.store} }

type credentialStore struct{ s *Store }

func (c credentialStore) Update(ctx context.Context, fn func(credential.Tx) error) error {
	return c.s.Update(ctx, func(tx *Tx) error { return fn(credentialTx{tx}) })
}

func (c credentialStore) View(ctx context.Context, fn func(credential.Tx) error) error {
	return c.s.View(ctx, func(tx *Tx) error { return fn(credentialTx{tx}) })
}

// credentialTx is Tx with the methods of package credential.
type credentialTx struct{ *Tx }

func (tx credentialTx) PutCredential(r credential.Row) error {
	return tx.put("credentials", "name", r.Name, nil, r)
}

func (tx credentialTx) Credential(name string) (credential.Row, bool, error) {
	return one[credential.Row](tx.Tx, `SELECT body FROM credentials WHERE name=?`, name)
}

func (tx credentialTx) Credentials() ([]credential.Row, error) {
	return list[credential.Row](tx.Tx, `SELECT body FROM credentials ORDER BY name`)
}

func (tx credentialTx) DeleteCredential(name string) error {
	_, err := tx.exec(`DELETE FROM credentials WHERE name=?`, name)
	return err
}
