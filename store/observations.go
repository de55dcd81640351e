package store

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json" // reads in half the time

	"showhow/capture"
	"showhow/internal/clock"
)

const selectRecord = `SELECT o.seq, t.trace_id, o.event, o.action, o.before, o.after FROM observations o JOIN traces t ON t.id=o.trace `

// Observations reads the observations of a session after a sequence, in order of arrival.
func (s *Store) Observations(ctx context.Context, sessionID string, after int64, limit int) (out []capture.Record, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		out, err = tx.records(`WHERE o.trace IN (SELECT id FROM traces WHERE session_id=?) AND o.seq>? ORDER BY o.seq LIMIT ?`,
			sessionID, after, limit)
		return err
	})
	return out, err
}

// ObservationPage reads one page of a session's observations, in order of arrival, with the total.
func (s *Store) ObservationPage(ctx context.Context, sessionID string, offset, limit int) (out []capture.Record, total int, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		if err := tx.scalar(&total, countOfSession, sessionID); err != nil {
			return err
		}
		// The page is found in the index alone; only its own rows are read.
		out, err = tx.records(`WHERE o.seq IN (SELECT seq FROM observations WHERE trace IN (SELECT id FROM traces WHERE session_id=?)
			ORDER BY seq LIMIT ? OFFSET ?) ORDER BY o.seq`, sessionID, limit, offset)
		return err
	})
	return out, total, err
}

const countOfSession = `SELECT count(*) FROM observations WHERE trace IN (SELECT id FROM traces WHERE session_id=?)`

// ObservationCount counts the observations of a session.
func (s *Store) ObservationCount(ctx context.Context, sessionID string) (n int, err error) {
	err = s.View(ctx, func(tx *Tx) error { return tx.scalar(&n, countOfSession, sessionID) })
	return n, err
}

// Observation reads one observation of a session.
func (s *Store) Observation(ctx context.Context, sessionID, eventID string) (r capture.Record, ok bool, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		rs, err := tx.records(`WHERE o.event_id=? AND t.session_id=?`, eventKey(eventID), sessionID)
		if len(rs) == 1 {
			r, ok = rs[0], true
		}
		return err
	})
	return r, ok, err
}

// TraceRecords reads every observation of a trace, in order of arrival.
func (s *Store) TraceRecords(ctx context.Context, traceID string) ([]capture.Record, error) {
	all := []capture.Record{}
	after := int64(0)
	for {
		var part []capture.Record
		err := s.View(ctx, func(tx *Tx) (err error) {
			part, err = tx.records(`WHERE o.trace IN (SELECT id FROM traces WHERE trace_id=?) AND o.seq>? ORDER BY o.seq LIMIT ?`,
				traceID, after, recordsPerRead)
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
		if len(part) < recordsPerRead {
			return all, nil
		}
		after = part[len(part)-1].Seq
	}
}

// Sealed reads the vault's rows of a learning target, one per link id.
func (s *Store) Sealed(ctx context.Context, target string) (out []capture.SealedRow, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		rows, err := tx.tx.QueryContext(tx.ctx, `SELECT link_id, target, session_id, kind, nonce, sealed, created_at FROM sealed
			WHERE id IN (SELECT min(id) FROM sealed WHERE target=? GROUP BY link_id) ORDER BY id`, target)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r capture.SealedRow
			var kind, at string
			if err := rows.Scan(&r.LinkID, &r.Target, &r.SessionID, &kind, &r.Nonce, &r.Sealed, &at); err != nil {
				return err
			}
			t, err := clock.Parse(at)
			if err != nil {
				return err
			}
			r.Kind, r.CreatedAt = capture.ValueKind(kind), t.Time
			out = append(out, r)
		}
		return rows.Err()
	})
	return out, err
}

// records reads the observations that the rest of the query selects.
func (tx *Tx) records(where string, args ...any) ([]capture.Record, error) {
	rows, err := tx.tx.QueryContext(tx.ctx, selectRecord+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var stored []storedRecord
	for rows.Next() {
		var r storedRecord
		if err := rows.Scan(&r.seq, &r.trace, &r.event, &r.action, &r.before, &r.after); err != nil {
			return nil, err
		}
		stored = append(stored, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	out := make([]capture.Record, len(stored))
	return out, parallel(len(out), func(i int) (err error) {
		out[i], err = stored[i].decode()
		return err
	})
}

type storedRecord struct {
	seq                          int64
	trace                        string
	event, action, before, after []byte
}

func (s storedRecord) decode() (capture.Record, error) {
	r := capture.Record{Seq: s.seq, TraceID: s.trace}
	if string(s.after) == same {
		s.after = s.before
	}
	err := errors.Join(json.Unmarshal(s.event, &r.Event), json.Unmarshal(s.action, &r.Action))
	if s.before != nil {
		err = errors.Join(err, json.Unmarshal(s.before, &r.Before))
	}
	if s.after != nil {
		err = errors.Join(err, json.Unmarshal(s.after, &r.After))
	}
	return r, err
}
