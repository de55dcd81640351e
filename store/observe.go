package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/google/uuid"

	"showhow/capture"
	"showhow/internal/clock"
)

var _ capture.Log = (*Store)(nil)

// Append stores records and sets their Seq; what it acknowledged survives a killed process (synchronous=NORMAL).
// One call is stored whole or not at all. Appends that meet share a commit: while one commit runs, the others queue up and
// the next commit takes them all, so nobody waits for a timer. An event id that is already stored keeps its place and Seq.
//
// When ctx ends first, what was handed over may or may not be stored.
func (s *Store) Append(ctx context.Context, records []capture.Record) error {
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

type observationRow struct {
	seq           int64
	id            []byte
	trace         traceKey
	event, action string
	before, after sql.NullString
}

type traceKey struct{ session, trace string }

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

// same stands for an after state that equals the one before: most actions change nothing that a person could see.
const same = "="

func encodeRecord(r *capture.Record) (row observationRow, err error) {
	row.id = eventKey(r.Event.EventID)
	row.trace = traceKey{r.Event.LearnSessionID, r.TraceID}
	if row.event, err = encode(r.Event); err != nil {
		return row, err
	}
	if row.action, err = encode(r.Action); err != nil {
		return row, err
	}
	if r.Before != nil {
		row.before.Valid = true
		if row.before.String, err = encode(r.Before); err != nil {
			return row, err
		}
	}
	if r.After != nil {
		row.after.Valid = true
		if r.After == r.Before {
			row.after.String = same
		} else if row.after.String, err = encode(r.After); err != nil {
			return row, err
		} else if row.before == row.after {
			row.after.String = same
		}
	}
	return row, nil
}

func encode(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// eventKey is the 16 bytes of a UUID, or the bytes of any other id.
func eventKey(id string) []byte {
	if u, err := uuid.Parse(id); err == nil && u.String() == id {
		return u[:]
	}
	return []byte(id)
}

// maxGroup bounds how many observations share a commit, so that session changes get their turn.
const maxGroup = 4096

// appendQueue is what waits to be appended, and what the writer remembers between appends.
type appendQueue struct {
	mu      sync.Mutex
	waiting []*appendJob

	// The rest belongs to whoever has the writer connection.
	next   int64
	traces map[traceKey]int64
	begin  *sql.Stmt
	commit *sql.Stmt
	insert *sql.Stmt
	seal   *sql.Stmt
}

const seqMark = "observation_seq" // in meta: the highest sequence that was ever given and deleted

func (q *appendQueue) load(ctx context.Context, w *sql.Conn) (err error) {
	q.traces = map[traceKey]int64{}
	err = w.QueryRowContext(ctx, `SELECT 1 + max(coalesce((SELECT max(seq) FROM observations), 0),
		coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key=?), 0))`, seqMark).Scan(&q.next)
	if err != nil {
		return err
	}
	prepare := func(query string) (st *sql.Stmt) {
		if err == nil {
			st, err = w.PrepareContext(ctx, query)
		}
		return st
	}
	q.begin, q.commit = prepare(`BEGIN IMMEDIATE`), prepare(`COMMIT`)
	q.insert = prepare(`INSERT INTO observations(seq, event_id, trace, event, action, before, after) VALUES(?,?,?,?,?,?,?)
		ON CONFLICT(event_id) DO NOTHING`)
	q.seal = prepare(`INSERT INTO sealed(target, link_id, session_id, kind, nonce, sealed, created_at) VALUES(?,?,?,?,?,?,?)
		ON CONFLICT(target, session_id, link_id) DO NOTHING`)
	return err
}

// close closes the statements: SQLite keeps a connection alive, and its log, as long as one of its statements is.
func (q *appendQueue) close() {
	for _, st := range []*sql.Stmt{q.begin, q.commit, q.insert, q.seal} {
		if st != nil {
			st.Close()
		}
	}
}

func (q *appendQueue) push(job *appendJob) {
	q.mu.Lock()
	q.waiting = append(q.waiting, job)
	q.mu.Unlock()
}

// drop takes job back; false when somebody is already committing it.
func (q *appendQueue) drop(job *appendJob) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, job)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// group takes the next jobs that share a commit.
func (q *appendQueue) group() []*appendJob {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, rows := 0, 0
	for n < len(q.waiting) && (n == 0 || rows+len(q.waiting[n].rows) <= maxGroup) {
		rows += len(q.waiting[n].rows)
		n++
	}
	jobs := slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return jobs
}

// commitAppends commits group after group until own is done. The caller has the writer connection.
func (s *Store) commitAppends(own *appendJob) {
	for {
		select {
		case <-own.done:
			s.logGrew()
			return
		default:
		}
		jobs := s.appends.group()
		err := s.appendGroup(jobs)
		for _, j := range jobs {
			j.err = err
			close(j.done)
		}
		if len(jobs) == 0 { // own is being dropped by nobody but us: cannot happen, and must not spin
			return
		}
	}
}

func (s *Store) appendGroup(jobs []*appendJob) (err error) {
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
			clear(q.traces)
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

func (s *Store) insertJob(j *appendJob, next int64) (int64, error) {
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
		if _, err := q.seal.Exec(v.Target, v.LinkID, v.SessionID, string(v.Kind), v.Nonce, v.Sealed, clock.At(v.CreatedAt).String()); err != nil {
			return next, err
		}
	}
	return next, nil
}

// traceNumber is the number that observations use for a trace.
func (s *Store) traceNumber(k traceKey) (int64, error) {
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
