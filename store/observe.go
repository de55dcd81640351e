package store

import (
	"context"
	"database/sql"
	"errors"

	"showhow/capture"
	"showhow/internal/clock"
)

// Append stores records and sets their Seq; what it acknowledged survives a killed process (synchronous=NORMAL). One
// call is stored as a whole or not at all. Concurrent appends share a commit: while one commit runs, the others queue
// up and the next commit takes them all, so nobody waits for a timer. An event id that is already stored keeps its
// place and Seq.
//
// If ctx ends first, the records may or may not be stored.
func (s *database) Append(ctx context.Context, records []capture.Record) error {
	if len(records) == 0 {
		return nil
	}
	job, err := newAppendJob(records)
	if err != nil {
		return err
	}
	s.appends.push(job)
	select {
	case s.turn <- struct{}{}: // our turn: commit for everyone who waits
		s.commitAppends(job)
		s.give()
	case <-job.done:
	case <-s.closed:
		if s.appends.drop(job) {
			return errClosed
		}
	case <-ctx.Done():
		if s.appends.drop(job) {
			return ctx.Err()
		}
	}
	<-job.done
	if job.err != nil {
		return s.asFault(job.err)
	}
	for i := range records {
		records[i].Seq = job.rows[i].seq
	}
	return nil
}

// appendJob is one call of Append, encoded by its caller so that the writer only writes.
type appendJob struct {
	rows   []observationRow
	sealed []capture.SealedRow
	done   chan struct{}
	err    error
}

func newAppendJob(records []capture.Record) (*appendJob, error) {
	job := &appendJob{rows: make([]observationRow, len(records)), done: make(chan struct{})}
	for i := range records {
		job.sealed = append(job.sealed, records[i].Sealed...)
	}
	return job, parallel(len(records), func(i int) (err error) {
		job.rows[i], err = encodeRecord(&records[i])
		return err
	})
}

// commitAppends commits group after group until own is done. The caller holds the writer connection.
func (s *database) commitAppends(own *appendJob) {
	for {
		select {
		case <-own.done:
			s.logGrew()
			return
		default:
		}
		jobs := s.appends.group() // own is among them, or among those of a later turn of this loop
		err := s.appendGroup(jobs)
		for _, j := range jobs {
			j.err = err
			close(j.done)
		}
	}
}

func (s *database) appendGroup(jobs []*appendJob) (err error) {
	select {
	case <-s.closed:
		return errClosed
	default:
	}
	if err := s.setLevel(syncNormal); err != nil {
		return err
	}
	q := &s.appends
	if _, err := q.begin.Exec(); err != nil {
		return err
	}
	next := q.next
	defer func() {
		if err != nil {
			_, _ = s.w.ExecContext(context.Background(), "ROLLBACK") // fails when SQLite already rolled back
			q.forget()
			return
		}
		q.next = next
	}()
	for _, j := range jobs {
		if next, err = s.insertJob(j, next); err != nil {
			return err
		}
	}
	_, err = q.commit.Exec()
	return err
}

func (s *database) insertJob(j *appendJob, next int64) (int64, error) {
	q := &s.appends
	for i := range j.rows {
		row := &j.rows[i]
		trace, err := s.traceNumber(row.trace)
		if err != nil {
			return next, err
		}
		r, err := q.insert.Exec(next, row.id, trace, row.event, row.action, row.before, row.after)
		if err != nil {
			return next, err
		}
		if n, err := r.RowsAffected(); err != nil {
			return next, err
		} else if n == 0 { // stored before: an acknowledgement was lost and the caller tries again
			if err := s.w.QueryRowContext(context.Background(), `SELECT seq FROM observations WHERE event_id=?`, row.id).Scan(&row.seq); err != nil {
				return next, err
			}
			continue
		}
		row.seq = next
		next++
	}
	for _, v := range j.sealed {
		key := sealKey{v.Target, v.SessionID, v.LinkID}
		if q.sealed[key] {
			continue
		}
		if len(q.sealed) >= maxRemembered {
			clear(q.sealed)
		}
		q.sealed[key] = true
		if _, err := q.seal.Exec(v.Target, v.LinkID, v.SessionID, string(v.Kind), v.Nonce, v.Sealed, clock.At(v.CreatedAt).String()); err != nil {
			return next, err
		}
	}
	return next, nil
}

// traceNumber is the number that stands for a trace in observations.
func (s *database) traceNumber(k traceKey) (int64, error) {
	if n, ok := s.appends.traces[k]; ok {
		return n, nil
	}
	ctx := context.Background()
	var n int64
	err := s.w.QueryRowContext(ctx, `SELECT id FROM traces WHERE session_id=? AND trace_id=?`, k.session, k.trace).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		var r sql.Result
		if r, err = s.w.ExecContext(ctx, `INSERT INTO traces(session_id, trace_id) VALUES(?,?)`, k.session, k.trace); err == nil {
			n, err = r.LastInsertId()
		}
	}
	if err != nil {
		return 0, err
	}
	s.appends.traces[k] = n
	return n, nil
}
