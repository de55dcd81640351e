package store

import (
	"context"
	"encoding/json"
	"sync"

	"showhow/daemon/journal"
)

// Events reads lifecycle events after a sequence, in commit order; sessionID "" means every session's.
func (s *Store) Events(ctx context.Context, after int64, sessionID string, limit int) (out []journal.Event, err error) {
	query, args := `SELECT seq, body FROM outbox WHERE path IS NULL AND seq>? ORDER BY seq LIMIT ?`, []any{after, limit}
	if sessionID != "" {
		query, args = `SELECT seq, body FROM outbox WHERE path IS NULL AND session_id=? AND seq>? ORDER BY seq LIMIT ?`, []any{
			sessionID, after, limit}
	}
	out = []journal.Event{}
	err = s.View(ctx, func(tx *Tx) error {
		rows, err := tx.tx.QueryContext(tx.ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var e journal.Event
			var seq int64
			var body string
			if err := rows.Scan(&seq, &body); err != nil {
				return err
			}
			if err := json.Unmarshal([]byte(body), &e); err != nil {
				return err
			}
			e.Seq = seq
			out = append(out, e)
		}
		return rows.Err()
	})
	return out, err
}

const prunedMark = "events_pruned_through" // in meta: the highest sequence of an event that is gone

// EventSpan returns the range that Events can still deliver: a reader that has seen everything up to after misses
// nothing if oldest <= after <= last. One outside that range must start over (an explicit reset on a stream).
func (s *Store) EventSpan(ctx context.Context) (oldest, last int64, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		if err := tx.scalar(&oldest, `SELECT coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key=?), 0)`, prunedMark); err != nil {
			return err
		}
		return tx.scalar(&last, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name='outbox'), 0)`)
	})
	return oldest, last, err
}

// keepEvents is how many lifecycle events a returning reader can always catch up on.
const keepEvents = 10_000

// pruneOutbox removes old lifecycle events. File changes are removed by the projector once they are done, never here.
func (s *Store) pruneOutbox(ctx context.Context, keep int) error {
	return s.write(ctx, syncFull, func(tx *Tx) error {
		var through int64
		if err := tx.scalar(&through, `SELECT coalesce((SELECT seq FROM outbox WHERE path IS NULL ORDER BY seq DESC LIMIT 1 OFFSET ?), 0)`,
			keep); err != nil {
			return err
		}
		n, err := tx.exec(`DELETE FROM outbox WHERE path IS NULL AND seq<=?`, through)
		if err != nil || n == 0 {
			return err
		}
		return tx.setMeta(prunedMark, through)
	})
}

// Watch returns a channel that receives a value soon after lifecycle events were committed, until ctx ends. Several
// commits may share one value: read Events from your last position.
func (s *Store) Watch(ctx context.Context) <-chan struct{} { return s.watchers.add(ctx) }

type watchers struct {
	mu  sync.Mutex
	all map[chan struct{}]bool
}

func (w *watchers) add(ctx context.Context) <-chan struct{} {
	ch := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[chan struct{}]bool{}
	}
	w.all[ch] = true
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, ch)
	})
	return ch
}

func (w *watchers) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.all {
		nudge(ch)
	}
}
