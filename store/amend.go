package store

import (
	"context"

	"showhow/capture"
	"showhow/internal/clock"
)

var _ capture.Amender = (*Store)(nil)

// Amend replaces stored observations, by their event ids, with versions that include later evidence. Their sequence
// stays. What was deleted or purged meanwhile stays deleted, with every value that the new evidence mentions.
func (s *Store) Amend(ctx context.Context, records []capture.Record) error {
	rows := make([]observationRow, len(records))
	for i := range records {
		var err error
		if rows[i], err = encodeRecord(&records[i]); err != nil {
			return err
		}
	}
	return s.asFault(s.write(ctx, syncNormal, func(tx *Tx) error {
		for i, row := range rows {
			r, err := tx.tx.ExecContext(ctx, `UPDATE observations SET event=?, action=?, before=?, after=? WHERE event_id=?`,
				row.event, row.action, row.before, row.after, row.id)
			if err != nil {
				return err
			}
			if n, err := r.RowsAffected(); err != nil || n == 0 {
				if err != nil {
					return err
				}
				continue
			}
			if err := tx.seal(records[i].Sealed); err != nil {
				return err
			}
		}
		return nil
	}))
}

// seal stores sealed values that are not stored yet.
func (tx *Tx) seal(rows []capture.SealedRow) error {
	for _, v := range rows {
		_, err := tx.tx.ExecContext(tx.ctx,
			`INSERT INTO sealed(target, link_id, session_id, kind, nonce, sealed, created_at) VALUES(?,?,?,?,?,?,?)
			ON CONFLICT(target, session_id, link_id) DO NOTHING`,
			v.Target, v.LinkID, v.SessionID, string(v.Kind), v.Nonce, v.Sealed, clock.At(v.CreatedAt).String())
		if err != nil {
			return err
		}
	}
	return nil
}
