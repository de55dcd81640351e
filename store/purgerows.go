package store

import (
	"context"
	"encoding/json"
	"slices"
)

func (s *purger) markedPurges(ctx context.Context) (jobs []purgeJob, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		rows, err := tx.tx.QueryContext(tx.ctx, `SELECT purge_id, sessions, events, targets, runtime FROM purges ORDER BY rowid`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var j purgeJob
			var sessions, events, targets, runtime []byte
			if err := rows.Scan(&j.PurgeID, &sessions, &events, &targets, &runtime); err != nil {
				return err
			}
			for _, f := range []struct {
				raw []byte
				dst *[]string
			}{{sessions, &j.Sessions}, {events, &j.Events}, {targets, &j.Targets}, {runtime, &j.Runtime}} {
				if err := json.Unmarshal(f.raw, f.dst); err != nil {
					return err
				}
			}
			jobs = append(jobs, j)
		}
		return rows.Err()
	})
	return jobs, err
}

// deleteRaw deletes the job's rows and records their number, in one transaction.
func (s *purger) deleteRaw(ctx context.Context, job *purgeJob) error {
	return s.write(ctx, syncFull, func(tx *Tx) error {
		// A sequence is never reused, so the highest must outlive its row.
		var last int64
		if err := tx.scalar(&last, `SELECT max(coalesce((SELECT max(seq) FROM observations), 0),
			coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key=?), 0))`, seqMark); err != nil {
			return err
		}
		if err := tx.setMeta(seqMark, last); err != nil {
			return err
		}
		removed, unsealed, err := tx.deleteRaw(job)
		if err != nil {
			return err
		}
		s.appends.forget()
		err = tx.tx.QueryRowContext(tx.ctx,
			`UPDATE purges SET removed=removed+?, unsealed=unsealed+? WHERE purge_id=? RETURNING removed, unsealed`,
			removed, unsealed, job.PurgeID).Scan(&job.removed, &job.unsealed)
		return err
	})
}

func (tx *Tx) deleteRaw(job *purgeJob) (removed, unsealed int64, err error) {
	if len(job.Events) > 0 {
		return tx.deleteEvents(job.Sessions[0], job.Events)
	}
	sessions := ids(job.Sessions)
	for _, d := range []struct {
		count *int64
		query string
		arg   string
	}{
		{&removed, `DELETE FROM observations WHERE trace IN (SELECT id FROM traces WHERE session_id IN (SELECT value FROM json_each(?)))`,
			sessions},
		{new(int64), `DELETE FROM rehearsal_evidence WHERE session_id IN (SELECT value FROM json_each(?))`, sessions},
		{new(int64), `DELETE FROM traces WHERE session_id IN (SELECT value FROM json_each(?))`, sessions},
		{&unsealed, `DELETE FROM sealed WHERE session_id IN (SELECT value FROM json_each(?))`, sessions},
		{&unsealed, `DELETE FROM sealed WHERE target IN (SELECT value FROM json_each(?))`, ids(job.Targets)},
		{&unsealed, `UPDATE runtime_deliveries SET raw=NULL WHERE raw IS NOT NULL AND target IN (SELECT value FROM json_each(?))`,
			ids(job.Targets)},
	} {
		n, err := tx.exec(d.query, d.arg)
		if err != nil {
			return 0, 0, err
		}
		*d.count += n
	}
	n, err := tx.deleteRuntime(job.Runtime)
	return removed + n, unsealed, err
}

// deleteEvents deletes single observations and the sealed values whose link id no other observation of the session
// mentions.
func (tx *Tx) deleteEvents(session string, events []string) (removed, unsealed int64, err error) {
	for _, id := range events {
		var text string
		err := tx.tx.QueryRowContext(tx.ctx, `DELETE FROM observations WHERE event_id=? AND trace IN (SELECT id FROM traces WHERE session_id=?)
			RETURNING event||action||coalesce(before,'')||coalesce(after,'')`, eventKey(id), session).Scan(&text)
		if noRows(err) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		n, err := tx.exec(`DELETE FROM sealed WHERE session_id=?1 AND instr(?2, link_id) AND NOT EXISTS(
			SELECT 1 FROM observations o WHERE o.trace IN (SELECT id FROM traces WHERE session_id=?1)
			AND (instr(o.action, link_id) OR instr(o.event, link_id) OR instr(o.before, link_id) OR instr(o.after, link_id)))`, session, text)
		if err != nil {
			return 0, 0, err
		}
		removed, unsealed = removed+1, unsealed+n
	}
	return removed, unsealed, nil
}

// ids encodes a list of ids as a JSON array, for json_each.
func ids(list []string) string {
	b, _ := json.Marshal(append([]string{}, slices.Clone(list)...)) // strings always marshal
	return string(b)
}
