package store

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/internal/canary"
)

// TestCrash kills a process that uses the store, at random moments, and checks the result: nothing that was
// acknowledged is lost or doubled, nothing exists in part, and every canonical file equals the database.
// SHOWHOW_CRASH_ROUNDS sets the number of kills (default 50; `make crash` does 1,000).
func TestCrash(t *testing.T) {
	t.Parallel()
	rounds := 50
	if n, err := strconv.Atoi(os.Getenv("SHOWHOW_CRASH_ROUNDS")); err == nil {
		rounds = n
	} else if testing.Short() {
		rounds = 5
	}
	const perDir = 10 // then a fresh directory: what is checked stays small, and first starts are killed too
	var seen ledger
	acks := 0
	for round := range rounds {
		if round%perDir == 0 {
			seen = ledger{dir: t.TempDir(), events: map[string]int64{}}
		}
		seen.live(t, round)
		seen.check(t)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
		if (round+1)%perDir == 0 || round+1 == rounds {
			acks += seen.acks
		}
	}
	t.Logf("%d kills, %d acknowledgements", rounds, acks)
}

// ledger is what children have acknowledged, over all rounds in a directory.
type ledger struct {
	dir     string
	events  map[string]int64 // event id -> sequence
	updates int              // the last acknowledged change of state
	purged  bool             // everything planted so far was purged
	acks    int
}

const doomedText = "canary-doomed-4711"

// live runs a child until a random moment and records what it acknowledged.
func (l *ledger) live(t *testing.T, round int) {
	t.Helper()
	cmd := child("crash", "DIR="+l.dir, "ROUND="+strconv.Itoa(round))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	// One in five is killed while starting, the others while working.
	life := time.Duration(rand.IntN(100)) * time.Millisecond
	timer := time.AfterFunc(life, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	if round%5 != 0 {
		timer.Stop()
	}
	sc := bufio.NewScanner(out)
	for first := true; sc.Scan(); first = false {
		if first && round%5 != 0 {
			timer.Reset(life)
		}
		l.note(t, sc.Text())
	}
	must(t, sc.Err())
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the child ended by itself: %v", err)
	}
}

func (l *ledger) note(t *testing.T, ack string) {
	t.Helper()
	l.acks++
	switch f := strings.Fields(ack); f[0] {
	case "event":
		seq, err := strconv.ParseInt(f[2], 10, 64)
		must(t, err)
		if old, ok := l.events[f[1]]; ok {
			t.Errorf("event acknowledged twice, at %d and %d", old, seq)
		}
		l.events[f[1]] = seq
	case "update":
		n, err := strconv.Atoi(f[1])
		must(t, err)
		l.updates = n
	case "planted":
		l.purged = false
	case "purged":
		l.purged = true
	default:
		t.Fatalf("the child said %q", ack)
	}
}

// check opens what the child left and compares it with the ledger.
func (l *ledger) check(t *testing.T) {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: l.dir})
	must(t, err)
	defer s.Close()
	verify(t, s)
	var verdict string
	must(t, s.View(t.Context(), func(tx *Tx) error { return tx.scalar(&verdict, "PRAGMA integrity_check") }))
	if verdict != "ok" {
		t.Errorf("integrity: %s", verdict)
	}
	if n := count(t, s, "SELECT count(*) FROM receipts WHERE kind=?", string(journal.MigrationBackfill)); n != 0 {
		t.Errorf("%d times a file of ours was taken for missing or changed", n)
	}
	if found, _ := filepath.Glob(filepath.Join(s.Memory(), "*.foreign-*")); len(found) > 0 {
		t.Errorf("files of ours were moved aside: %d", len(found))
	}
	l.checkEvents(t, s)
	l.checkUpdates(t, s)
	if l.purged {
		hits, err := canary.Scan(l.dir, canary.Canary{Label: "doomed", Text: doomedText})
		must(t, err)
		for _, h := range hits {
			t.Error(h)
		}
	}
}

func (l *ledger) checkEvents(t *testing.T, s *Store) {
	t.Helper()
	kept, err := s.TraceRecords(t.Context(), "kept")
	must(t, err)
	stored := map[string]int64{}
	batches := map[string]int{}
	for _, r := range kept {
		if _, ok := stored[r.Event.EventID]; ok {
			t.Errorf("an event is there twice")
		}
		stored[r.Event.EventID] = r.Seq
		batches[r.Event.ActionLabel]++ // "batch of N"
	}
	for id, seq := range l.events {
		if stored[id] != seq {
			t.Errorf("an event acknowledged at %d is at %d (0: lost)", seq, stored[id])
		}
	}
	for label, n := range batches {
		if want, _ := strconv.Atoi(label[strings.LastIndexByte(label, ' ')+1:]); n != want {
			t.Errorf("%d of %d records of one append are there", n, want)
		}
	}
	// Sequences have no gaps except those of purged observations.
	there, last := count(t, s, "SELECT count(*) FROM observations"), count(t, s, "SELECT coalesce(max(seq), 0) FROM observations")
	purged := count(t, s, "SELECT coalesce(sum(json_extract(body, '$.payload.observations')), 0) FROM outbox WHERE session_id='doomed'")
	if there+purged < last { // more is possible: the last sequences may be the purged ones
		t.Errorf("%d observations and %d purged, but the last sequence is %d", there, purged, last)
	}
}

func (l *ledger) checkUpdates(t *testing.T, s *Store) {
	t.Helper()
	n := count(t, s, "SELECT count(*) FROM receipts WHERE session_id='state'")
	if n < l.updates {
		t.Errorf("%d changes of state are left, %d were acknowledged", n, l.updates)
	}
	events, err := s.Events(t.Context(), 0, "state", 1<<30)
	must(t, err)
	if len(events) != n {
		t.Errorf("%d receipts but %d events", n, len(events))
	}
	for i, e := range events {
		if e.Payload["n"] != float64(i+1) {
			t.Errorf("event %d is of change %v", i+1, e.Payload["n"])
		}
	}
	var state struct{ N int }
	if b, err := os.ReadFile(s.pathOf(statePath(n))); n > 0 {
		must(t, err)
		must(t, json.Unmarshal(b, &state))
	}
	if state.N != n {
		t.Errorf("the file says %d changes, the database %d", state.N, n)
	}
	if lines := count(t, s, "SELECT count(*) FROM lines WHERE path='log.jsonl'"); lines != n {
		t.Errorf("%d lines for %d changes", lines, n)
	}
}

// statePath moves between two places, so that moves are killed too.
func statePath(n int) string { return []string{"state/even.json", "state/odd.json"}[n%2] }

func init() {
	children["crash"] = func() {
		s, err := Open(context.Background(), Options{Dir: os.Getenv("DIR")})
		childMust(err)
		go func() { childMust(s.Run(context.Background())) }()
		var mu sync.Mutex // one acknowledgement at a time
		ack := func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			_, err := fmt.Printf(format+"\n", args...)
			childMust(err)
		}
		for c := range 2 {
			go crashAppend(s, fmt.Sprintf("%s-%d", os.Getenv("ROUND"), c), ack)
		}
		go crashPurge(s, ack)
		crashUpdate(s, ack)
	}
}

func crashAppend(s *Store, name string, ack func(string, ...any)) {
	for i := 0; ; i++ {
		records := make([]capture.Record, 1+rand.IntN(20))
		for k := range records {
			records[k] = record("kept", "kept", k)
			records[k].Event.ActionLabel = fmt.Sprintf("%s-%d of %d", name, i, len(records))
		}
		childMust(s.Append(context.Background(), records))
		for _, r := range records {
			ack("event %s %d", r.Event.EventID, r.Seq)
		}
	}
}

func crashPurge(s *Store, ack func(string, ...any)) {
	for {
		ack("planted")
		for i := range 10 {
			r := record("doomed", "doomed", i)
			r.Event.WindowTitle = doomedText
			childMust(s.Append(context.Background(), []capture.Record{r}))
		}
		childMust(s.Purge(context.Background(), []string{"doomed"}, nil))
		ack("purged")
	}
}

func crashUpdate(s *Store, ack func(string, ...any)) {
	ctx := context.Background()
	for {
		var n int
		childMust(s.Update(ctx, func(tx *Tx) error {
			if err := tx.scalar(&n, "SELECT count(*)+1 FROM receipts WHERE session_id='state'"); err != nil {
				return err
			}
			if n > 1 {
				if err := tx.MoveFile(statePath(n-1), statePath(n)); err != nil {
					return err
				}
			}
			if err := tx.PutFile(statePath(n), map[string]any{"n": n}); err != nil {
				return err
			}
			if err := tx.AppendLine("log.jsonl", map[string]any{"n": n, "pad": strings.Repeat("x", rand.IntN(3000))}); err != nil {
				return err
			}
			if err := tx.AddReceipt(journal.Receipt{Kind: journal.SessionState, LearnSessionID: "state", Summary: "changed"}); err != nil {
				return err
			}
			return tx.Emit(journal.Event{Kind: journal.SessionState, SessionID: "state", Payload: map[string]any{"n": n}})
		}))
		ack("update %d", n)
	}
}
