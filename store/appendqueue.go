package store

import (
	"context"
	"database/sql"
	"slices"
	"sync"
)

// maxGroup bounds how many observations share a commit, so that session changes get their turn.
const maxGroup = 4096

// appendQueue holds what waits to be appended, and what the writer caches between appends.
type appendQueue struct {
	mu      sync.Mutex
	waiting []*appendJob

	// The rest belongs to the holder of the writer connection.
	next   int64
	traces map[traceKey]int64
	sealed map[sealKey]bool // rows that are stored; every record brings the rows of all values it mentions
	begin  *sql.Stmt
	commit *sql.Stmt
	insert *sql.Stmt
	seal   *sql.Stmt
}

// maxRemembered bounds the writer's cache of stored values: about 10 MB.
const maxRemembered = 50_000

type sealKey struct{ target, session, link string }

const seqMark = "observation_seq" // in meta: the highest sequence that was ever given and deleted

func (q *appendQueue) load(ctx context.Context, w *sql.Conn) (err error) {
	q.traces, q.sealed = map[traceKey]int64{}, map[sealKey]bool{}
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

// close closes the statements: SQLite keeps a connection, and its log, alive as long as one of its statements is
// open.
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

// drop removes job from the queue; false if it is already being committed.
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

// forget drops cached rows that may no longer exist: after a rollback, or a purge.
func (q *appendQueue) forget() {
	clear(q.traces)
	clear(q.sealed)
}
