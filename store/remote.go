package store

import (
	"context"

	"showhow/daemon/remote"
)

// Remote returns the storage of package remote.
func (r rooms) Remote() remote.Store { return remoteStore{r.store} }

type remoteStore struct{ s *Store }

func (r remoteStore) Update(ctx context.Context, fn func(remote.Tx) error) error {
	return r.s.Update(ctx, func(tx *Tx) error { return fn(remoteTx{tx}) })
}

func (r remoteStore) View(ctx context.Context, fn func(remote.Tx) error) error {
	return r.s.View(ctx, func(tx *Tx) error { return fn(remoteTx{tx}) })
}

// remoteTx is Tx with the methods of package remote.
type remoteTx struct{ *Tx }

func (tx remoteTx) RemoteSettings() (remote.Settings, bool, error) {
	return one[remote.Settings](tx.Tx, `SELECT body FROM remote_settings WHERE id='settings'`)
}

func (tx remoteTx) PutRemoteSettings(x remote.Settings) error {
	return tx.put("remote_settings", "id", "settings", nil, x)
}

func (tx remoteTx) RemoteClient(id string) (remote.Client, bool, error) {
	return one[remote.Client](tx.Tx, `SELECT body FROM remote_clients WHERE client_id=?`, id)
}

func (tx remoteTx) RemoteClients() ([]remote.Client, error) {
	return list[remote.Client](tx.Tx, `SELECT body FROM remote_clients ORDER BY created_at, client_id`)
}

func (tx remoteTx) PutRemoteClient(c remote.Client) error {
	return tx.put("remote_clients", "client_id", c.ClientID, map[string]any{"created_at": c.CreatedAt.String()}, c)
}

func (tx remoteTx) DeleteRemoteClient(id string) error {
	_, err := tx.exec(`DELETE FROM remote_clients WHERE client_id=?`, id)
	return err
}

func (tx remoteTx) RemoteCaller(id string) (remote.Caller, bool, error) {
	return one[remote.Caller](tx.Tx, `SELECT body FROM remote_callers WHERE caller_id=?`, id)
}

func (tx remoteTx) RemoteCallers() ([]remote.Caller, error) {
	return list[remote.Caller](tx.Tx, `SELECT body FROM remote_callers ORDER BY approved_at, caller_id`)
}

func (tx remoteTx) PutRemoteCaller(c remote.Caller) error {
	return tx.put("remote_callers", "caller_id", c.CallerID, map[string]any{"approved_at": c.ApprovedAt.String()}, c)
}

func (tx remoteTx) DeleteRemoteCaller(id string) error {
	_, err := tx.exec(`DELETE FROM remote_callers WHERE caller_id=?`, id)
	return err
}

func (tx remoteTx) RemoteToken(hash string) (remote.Token, bool, error) {
	t, ok, err := one[remote.Token](tx.Tx, `SELECT body FROM remote_tokens WHERE hash=?`, hash)
	t.Hash = hash
	return t, ok, err
}

func (tx remoteTx) RemoteTokens(callerID string) ([]remote.Token, error) {
	rows, err := tx.tx.QueryContext(tx.ctx, `SELECT hash FROM remote_tokens WHERE caller_id=? ORDER BY created_at, hash`, callerID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var hashes []string
	for rows.Next() {
		var h string
		if err := rows.Scan(&h); err != nil {
			return nil, err
		}
		hashes = append(hashes, h)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var out []remote.Token
	for _, h := range hashes {
		t, ok, err := tx.RemoteToken(h)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, t)
		}
	}
	return out, nil
}

func (tx remoteTx) PutRemoteToken(t remote.Token) error {
	return tx.put("remote_tokens", "hash", t.Hash, map[string]any{"caller_id": t.CallerID, "created_at": t.CreatedAt.String()}, t)
}

func (tx remoteTx) DeleteRemoteToken(hash string) error {
	_, err := tx.exec(`DELETE FROM remote_tokens WHERE hash=?`, hash)
	return err
}

func (tx remoteTx) DeleteRemoteTokens(callerID string) error {
	_, err := tx.exec(`DELETE FROM remote_tokens WHERE caller_id=?`, callerID)
	return err
}
