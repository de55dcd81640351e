package store

import (
	"context"
	"encoding/json"
	"fmt"

	"showhow/daemon/events"
	"showhow/daemon/journal"
)

// RuntimeEvents returns the storage of package events.
func RuntimeEvents(s *Store) events.Store { return eventStore{s} }

type eventStore struct{ s *Store }

func (e eventStore) Update(ctx context.Context, fn func(events.Tx) error) error {
	return e.s.Update(ctx, func(tx *Tx) error { return fn(eventTx{tx}) })
}

func (e eventStore) View(ctx context.Context, fn func(events.Tx) error) error {
	return e.s.View(ctx, func(tx *Tx) error { return fn(eventTx{tx}) })
}

// DeleteSession has the guarantee of a purge, and is finished like one if interrupted.
func (e eventStore) DeleteSession(ctx context.Context, id string) error {
	return e.s.purge(ctx, purgeJob{Runtime: []string{id}})
}

func (e eventStore) PurgeOriginals(ctx context.Context) error {
	return e.s.purge(ctx, purgeJob{Targets: []string{events.KeyTarget}})
}

// eventTx is Tx with the methods of package events.
type eventTx struct{ *Tx }

func (tx eventTx) File(path string) ([]byte, bool, error) {
	b, ok, err := one[json.RawMessage](tx.Tx, `SELECT body FROM files WHERE path=? AND gone=0 AND kind='json'`, path)
	return b, ok, err
}

func (tx eventTx) PutOriginal(o events.Original) error {
	_, err := tx.exec(`INSERT INTO runtime_deliveries(delivery_id, target, received_at, raw) VALUES(?,?,?,?)`, o.DeliveryID, events.KeyTarget,
		o.ReceivedAt.String(), o.Sealed)
	return err
}

func (tx eventTx) Original(deliveryID string) (sealed []byte, err error) {
	err = tx.scalar(&sealed, `SELECT raw FROM runtime_deliveries WHERE delivery_id=?`, deliveryID)
	if noRows(err) {
		err = nil
	}
	return sealed, err
}

func (tx eventTx) Originals() (n int, bytes int64, err error) {
	err = tx.tx.QueryRowContext(tx.ctx, `SELECT count(*), coalesce(sum(length(raw)), 0) FROM runtime_deliveries WHERE raw IS NOT NULL`).
		Scan(&n, &bytes)
	return n, bytes, err
}

func (tx eventTx) AddEnvelope(k events.Kept) error {
	b, err := json.Marshal(k)
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO runtime_envelopes(envelope_id, event_id, session_id, delivery_id, reported_by, body) VALUES(?,?,?,?,?,?)`,
		k.Envelope.EnvelopeID, k.Envelope.Event.EventID, k.Envelope.Event.SessionID, k.DeliveryID, k.ReportedBy, string(b))
	return err
}

func (tx eventTx) Known(envelopeID, eventID string) (events.Kept, bool, error) {
	return one[events.Kept](tx.Tx, `SELECT body FROM runtime_envelopes WHERE envelope_id=?1 OR event_id=?2
		ORDER BY envelope_id=?1 DESC LIMIT 1`, envelopeID, eventID)
}

func (tx eventTx) CountOf(reporter string) (n int, err error) {
	err = tx.scalar(&n, `SELECT count(*) FROM runtime_envelopes WHERE reported_by=?`, reporter)
	return n, err
}

func (tx eventTx) Envelopes(sessionID string, offset, limit int) (out []events.Kept, total int, err error) {
	return slice[events.Kept](tx.Tx, "runtime_envelopes", "session_id", sessionID, "seq", offset, limit)
}

func (tx eventTx) AddFeedback(f events.Feedback) (added bool, err error) {
	b, err := json.Marshal(f)
	if err != nil {
		return false, err
	}
	n, err := tx.exec(`INSERT INTO runtime_feedback(feedback_id, session_id, told, body) VALUES(?,?,0,?) ON CONFLICT(feedback_id) DO NOTHING`,
		f.FeedbackID, f.SessionID, string(b))
	return n > 0, err
}

func (tx eventTx) Feedback(sessionID string) ([]events.Feedback, error) {
	w := where{}
	w.eq("session_id", sessionID)
	return list[events.Feedback](tx.Tx, `SELECT body FROM runtime_feedback`+w.String()+` ORDER BY seq`, w.args...)
}

func (tx eventTx) Untold(limit int) ([]events.Feedback, error) {
	return list[events.Feedback](tx.Tx, `SELECT body FROM runtime_feedback WHERE told=0 ORDER BY seq LIMIT ?`, limit)
}

func (tx eventTx) Told(feedbackIDs []string) error {
	_, err := tx.exec(`UPDATE runtime_feedback SET told=1 WHERE feedback_id IN (SELECT value FROM json_each(?))`, ids(feedbackIDs))
	return err
}

func (tx eventTx) PutSession(s events.StoredSession) error {
	return tx.put("runtime_sessions", "session_id", s.SessionID, map[string]any{"stage": s.Stage, "last_seen_at": s.LastSeenAt.String()}, s)
}

func (tx eventTx) Session(id string) (events.StoredSession, bool, error) {
	return one[events.StoredSession](tx.Tx, `SELECT body FROM runtime_sessions WHERE session_id=?`, id)
}

func (tx eventTx) Sessions(stage string, offset, limit int) (out []events.StoredSession, total int, err error) {
	return slice[events.StoredSession](tx.Tx, "runtime_sessions", "stage", stage, "last_seen_at DESC, session_id", offset, limit)
}

// slice reads some bodies of a table and their total; an empty value selects all rows, not only those with an empty
// one.
func slice[T any](tx *Tx, table, column, value, order string, offset, limit int) (out []T, total int, err error) {
	w := where{}
	w.eq(column, value)
	if err := tx.scalar(&total, "SELECT count(*) FROM "+table+w.String(), w.args...); err != nil {
		return nil, 0, err
	}
	out, err = list[T](tx, "SELECT body FROM "+table+w.String()+" ORDER BY "+order+" LIMIT ? OFFSET ?", append(w.args, limit, offset)...)
	return out, total, err
}

// deleteRuntime deletes everything about runtime sessions: rows, original deliveries that mention them, lines and
// reports.
func (tx *Tx) deleteRuntime(sessions []string) (envelopes int64, err error) {
	for _, id := range sessions {
		// An original delivery that mentions several sessions is deleted with the first of them.
		if _, err := tx.exec(`UPDATE runtime_deliveries SET raw=NULL WHERE delivery_id IN (SELECT delivery_id FROM runtime_envelopes
			WHERE session_id=?)`, id); err != nil {
			return 0, err
		}
		n, err := tx.exec(`DELETE FROM runtime_envelopes WHERE session_id=?`, id)
		if err != nil {
			return 0, err
		}
		envelopes += n
		for _, q := range []string{`DELETE FROM runtime_feedback WHERE session_id=?`, `DELETE FROM runtime_sessions WHERE session_id=?`} {
			if _, err := tx.exec(q, id); err != nil {
				return 0, err
			}
		}
		if err := tx.dropRuntimeFiles(id); err != nil {
			return 0, err
		}
	}
	_, err = tx.exec(`DELETE FROM runtime_deliveries WHERE delivery_id NOT IN (SELECT delivery_id FROM runtime_envelopes)`)
	return envelopes, err
}

func (tx *Tx) dropRuntimeFiles(id string) error {
	for file, field := range map[string]string{events.EnvelopesPath: "$.event.session_id", events.FeedbackPath: "$.session_id",
		events.EventsPath: "$.session_id", events.HistoryPath: "$.session_id"} {
		n, err := tx.exec(`DELETE FROM lines WHERE path=? AND json_extract(body, ?)=?`, file, field, id)
		if err != nil {
			return err
		}
		if n > 0 {
			if err := tx.rewrite(file); err != nil {
				return err
			}
		}
	}
	for _, file := range events.FilesOf(id) {
		if err := tx.RemoveFile(file); err != nil {
			return err
		}
	}
	// Files about several sessions are rebuilt on demand.
	for _, file := range events.SharedFiles() {
		if err := tx.RemoveFile(file); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) purgedRuntime(job purgeJob) error {
	note := func(kind journal.EventKind, summary string, payload map[string]any) error {
		if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary}); err != nil {
			return err
		}
		return tx.Emit(journal.Event{Kind: kind, Payload: payload})
	}
	for _, t := range job.Targets {
		if t == events.KeyTarget {
			return note(journal.RuntimePurged, fmt.Sprintf("Sealed originals of runtime events purged: %d.", job.unsealed),
				map[string]any{"originals": job.unsealed})
		}
	}
	if len(job.Runtime) > 0 {
		return note(journal.RuntimeDeleted, fmt.Sprintf("A session of an agent's runtime was deleted: %d envelopes.", job.removed),
			map[string]any{"envelopes": job.removed})
	}
	return nil
}
