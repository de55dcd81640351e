package store

import (
	"context"
	"database/sql"
	"errors"

	"showhow/daemon/access"
	"showhow/daemon/journal"
	"showhow/internal/clock"
)

var _ access.Store = (*Store)(nil)

const agentColumns = `agent_id, name, created_at, revoked_at`

func scanAgent(scan func(...any) error) (a access.AgentRow, err error) {
	var created string
	var revoked sql.NullString
	if err := scan(&a.AgentID, &a.Name, &created, &revoked); err != nil {
		return a, err
	}
	if a.CreatedAt, err = clock.Parse(created); err != nil || !revoked.Valid {
		return a, err
	}
	at, err := clock.Parse(revoked.String)
	a.RevokedAt = &at
	return a, err
}

// agent reads one agent; ok is false if the condition selects none.
func (tx *Tx) agent(condition string, args ...any) (a access.AgentRow, ok bool, err error) {
	a, err = scanAgent(tx.tx.QueryRowContext(tx.ctx, `SELECT `+agentColumns+` FROM agents WHERE `+condition, args...).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return a, false, nil
	}
	return a, err == nil, err
}

// AddAgent implements access.Store.
func (s *Store) AddAgent(ctx context.Context, a access.AgentRow, tokenHash []byte, correlationID string) (ok bool, err error) {
	err = s.Update(ctx, func(tx *Tx) error {
		n, err := tx.exec(
			`INSERT INTO agents(agent_id, name, token_hash, created_at) VALUES(?,?,?,?) ON CONFLICT(name) WHERE revoked_at IS NULL DO NOTHING`,
			a.AgentID, a.Name, tokenHash, a.CreatedAt.String())
		if ok = n == 1; err != nil || !ok {
			return err
		}
		return tx.noteAgent(journal.AgentAdded, "an agent was given a token", a, a.CreatedAt, correlationID)
	})
	return ok, err
}

// noteAgent writes receipt and event.
func (tx *Tx) noteAgent(kind journal.EventKind, summary string, a access.AgentRow, at clock.Time, correlationID string) error {
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary, Reason: a.Name, CorrelationID: correlationID,
		CreatedAt: at}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Timestamp: at, Payload: map[string]any{"agent_id": a.AgentID, "name": a.Name}})
}

// Agents implements access.Store: oldest first.
func (s *Store) Agents(ctx context.Context) ([]access.AgentRow, error) {
	out := []access.AgentRow{}
	err := s.View(ctx, func(tx *Tx) error {
		rows, err := tx.tx.QueryContext(tx.ctx, `SELECT `+agentColumns+` FROM agents ORDER BY created_at, agent_id`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			a, err := scanAgent(rows.Scan)
			if err != nil {
				return err
			}
			out = append(out, a)
		}
		return rows.Err()
	})
	return out, err
}

// AgentByToken implements access.Store.
func (s *Store) AgentByToken(ctx context.Context, tokenHash []byte) (a access.AgentRow, ok bool, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		a, ok, err = tx.agent(`token_hash=?`, tokenHash)
		return err
	})
	return a, ok, err
}

// RevokeAgent implements access.Store.
func (s *Store) RevokeAgent(ctx context.Context, name string, at clock.Time, correlationID string) (a access.AgentRow, ok bool, err error) {
	err = s.Update(ctx, func(tx *Tx) error {
		if a, ok, err = tx.agent(`name=? AND revoked_at IS NULL`, name); err != nil || !ok {
			return err
		}
		a.RevokedAt = at.Ptr()
		if _, err := tx.exec(`UPDATE agents SET revoked_at=? WHERE agent_id=?`, at.String(), a.AgentID); err != nil {
			return err
		}
		return tx.noteAgent(journal.AgentRevoked, "an agent's token was revoked", a, at, correlationID)
	})
	return a, ok, err
}

// Remembered implements access.Store.
func (s *Store) Remembered(ctx context.Context, key []byte, now clock.Time) (r access.Remembered, ok bool, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		r.Key = key
		err := tx.tx.QueryRowContext(tx.ctx, `SELECT request, sealed FROM remembered WHERE key=? AND expires_at>?`, key,
			now.String()).Scan(&r.Request, &r.Sealed)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	})
	return r, ok, err
}

// Remember implements access.Store. It survives a killed process; after a power loss a repeated request may run
// again, which the resources' states refuse.
func (s *Store) Remember(ctx context.Context, r access.Remembered) error {
	sealed := r.Sealed
	if sealed == nil {
		sealed = []byte{}
	}
	return s.asFault(s.write(ctx, syncNormal, func(tx *Tx) error {
		if _, err := tx.exec(`DELETE FROM remembered WHERE expires_at<=?`, r.CreatedAt.String()); err != nil {
			return err
		}
		_, err := tx.exec(`INSERT INTO remembered(key, request, sealed, created_at, expires_at) VALUES(?,?,?,?,?)
			ON CONFLICT(key) DO UPDATE SET request=excluded.request, sealed=excluded.sealed, created_at=excluded.created_at, `+
			`expires_at=excluded.expires_at`,
			r.Key, r.Request, sealed, r.CreatedAt.String(), r.ExpiresAt.String())
		return err
	}))
}
