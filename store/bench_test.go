package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
)

// Records of about 1.5 KB as the browser adapter makes them (see record). The comparison with SQLite includes
// encoding the records to JSON on both sides, one commit per batch, synchronous=NORMAL, the same table and indexes.

func batch(n int) []capture.Record {
	out := make([]capture.Record, n)
	for i := range out {
		out[i] = record("0195e2f0-0000-7000-8000-000000000001", "0195e2f0-0000-7000-8000-000000000002", i)
	}
	return out
}

// busy opens a store with its maintenance running, as in the daemon.
func busy(b *testing.B) *Store {
	s := open(b, b.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	b.Cleanup(func() { cancel(); <-done })
	return s
}

const batchSize = 200

// BenchmarkAppendBatched appends batch after batch, as the pipeline does under load.
func BenchmarkAppendBatched(b *testing.B) {
	s := busy(b)
	b.ReportMetric(perSecond(b, batchSize, func(records []capture.Record) { must(b, s.Append(context.Background(), records)) }),
		"events_batched_per_s")
}

// BenchmarkAppendSingle appends one record after the other, each acknowledged before the next.
func BenchmarkAppendSingle(b *testing.B) {
	s := busy(b)
	b.ReportMetric(perSecond(b, 1, func(records []capture.Record) { must(b, s.Append(context.Background(), records)) }), "events_single_per_s")
}

// perSecond runs fn on fresh records; creating them is not counted.
func perSecond(b *testing.B, size int, fn func([]capture.Record)) float64 {
	var took time.Duration
	events := 0
	for b.Loop() {
		records := batch(size)
		begin := time.Now()
		fn(records)
		took += time.Since(begin)
		events += size
	}
	return float64(events) / took.Seconds()
}

// plain is the baseline for Append: database/sql, a prepared statement, a transaction per batch.
type plain struct {
	db     *sql.DB
	insert *sql.Stmt
}

func newPlain(b *testing.B) plain {
	path := filepath.Join(b.TempDir(), "plain.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(1)&_pragma=temp_store(2)")
	must(b, err)
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE observations(seq INTEGER PRIMARY KEY, event_id BLOB NOT NULL UNIQUE, trace INTEGER NOT NULL,
		event TEXT NOT NULL, action TEXT NOT NULL, before TEXT, after TEXT) STRICT; CREATE INDEX t ON observations(trace, seq)`)
	must(b, err)
	insert, err := db.Prepare(`INSERT INTO observations(event_id, trace, event, action, before, after) VALUES(?,1,?,?,?,?)`)
	must(b, err)
	b.Cleanup(func() { insert.Close() })
	return plain{db, insert}
}

func (p plain) append(b *testing.B, records []capture.Record) {
	tx, err := p.db.Begin()
	must(b, err)
	insert := tx.Stmt(p.insert)
	for i := range records {
		row, err := encodeRecord(&records[i])
		must(b, err)
		_, err = insert.Exec(row.id, row.event, row.action, row.before, row.after)
		must(b, err)
	}
	must(b, tx.Commit())
}

func BenchmarkPlainBatched(b *testing.B) {
	p := newPlain(b)
	b.ReportMetric(perSecond(b, batchSize, func(records []capture.Record) { p.append(b, records) }), "events/s")
}

func BenchmarkPlainSingle(b *testing.B) {
	p := newPlain(b)
	b.ReportMetric(perSecond(b, 1, func(records []capture.Record) { p.append(b, records) }), "events/s")
}

// BenchmarkRatio alternates between the two, so that both run under the same conditions.
func BenchmarkRatio(b *testing.B) {
	s, p := busy(b), newPlain(b)
	var ours, theirs time.Duration
	for b.Loop() {
		records := batch(batchSize)
		t0 := time.Now()
		p.append(b, records)
		t1 := time.Now()
		must(b, s.Append(context.Background(), records))
		theirs, ours = theirs+t1.Sub(t0), ours+time.Since(t1)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "sqlite_ratio")
}

// BenchmarkAppendPaced appends single records at 1,000 per second, as a very busy demonstration would, and reports
// the 99th percentile of the wait for acknowledgement.
func BenchmarkAppendPaced(b *testing.B) {
	s := busy(b)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	var took []time.Duration
	for b.Loop() {
		for range 1000 {
			<-tick.C
			records := batch(1)
			begin := time.Now()
			must(b, s.Append(context.Background(), records))
			took = append(took, time.Since(begin))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "append_p99_ms")
}

// fill appends n records.
func fill(b testing.TB, s *Store, session string, n int) {
	for at := 0; at < n; at += 500 {
		records := batch(min(500, n-at))
		for i := range records {
			records[i].Event.LearnSessionID, records[i].TraceID = session, "trace-"+session
		}
		must(b, s.Append(context.Background(), records))
	}
}

// BenchmarkSize reports the disk space per event, indexes and free space included.
func BenchmarkSize(b *testing.B) {
	const n = 10_000
	for b.Loop() {
		s := open(b, b.TempDir())
		fill(b, s, "s", n)
		must(b, s.Close())
		info, err := os.Stat(filepath.Join(s.Dir(), dbName))
		must(b, err)
		b.ReportMetric(float64(info.Size())/n, "db_bytes_per_event")
	}
}

// BenchmarkPurge purges a session of 1,000 events from a database of 5,000.
func BenchmarkPurge(b *testing.B) {
	var took time.Duration
	n := 0
	for b.Loop() {
		s := open(b, b.TempDir())
		fill(b, s, "kept", 4000)
		fill(b, s, "gone", 1000)
		begin := time.Now()
		must(b, s.Purge(context.Background(), []string{"gone"}, nil))
		took += time.Since(begin)
		n++
		must(b, s.Close())
	}
	b.ReportMetric(float64(took.Microseconds())/1000/float64(n), "purge_ms")
}

// BenchmarkUpdate measures a session's change of state: receipt, event, one JSON file and one line, durable and on
// disk when it returns.
func BenchmarkUpdate(b *testing.B) {
	s := open(b, b.TempDir())
	i := 0
	for b.Loop() {
		i++
		must(b, s.Update(context.Background(), func(tx *Tx) error {
			if err := tx.AddReceipt(journal.Receipt{Kind: journal.SessionState, Summary: "changed"}); err != nil {
				return err
			}
			if err := tx.PutFile("system/learning/runtime/current.json", map[string]any{"n": i, "state": "capturing"}); err != nil {
				return err
			}
			return tx.Emit(journal.Event{Kind: journal.SessionState, Payload: map[string]any{"n": i}})
		}))
	}
}

// BenchmarkOpen opens a clean data directory with 10,000 events.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir)
	fill(b, s, "s", 10_000)
	must(b, s.Close())
	for b.Loop() {
		s, err := Open(context.Background(), Options{Dir: dir})
		must(b, err)
		b.StopTimer()
		must(b, s.Close())
		b.StartTimer()
	}
}

// BenchmarkTraceRecords reads a trace of 10,000 events for compiling.
func BenchmarkTraceRecords(b *testing.B) {
	s := open(b, b.TempDir())
	fill(b, s, "s", 10_000)
	for b.Loop() {
		got, err := s.TraceRecords(context.Background(), "trace-s")
		must(b, err)
		if len(got) != 10_000 {
			b.Fatal(fmt.Errorf("%d records", len(got)))
		}
	}
}
