package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/internal/await"
	"showhow/internal/canary"
	"showhow/internal/fault"
	"showhow/store/keys"
)

// planted are the strings of which a purge must leave no trace.
var planted = []canary.Canary{
	{Label: "event", Text: "canary-window-4711"},
	{Label: "action", Text: "canary-target-4712"},
	{Label: "before", Text: "canary-heading-4713"},
	{Label: "after", Text: "canary-alert-4714"},
	{Label: "sealed", Text: "canary-sealed-4715"},
}

// plant adds n observations full of canaries to a session, among others of another one.
func plant(t testing.TB, s *Store, session string, n int) (events []string) {
	t.Helper()
	for i := range n {
		pad := strings.Repeat("x", i*37%3000)
		r := record(session, "trace-"+session, i)
		r.Event.WindowTitle = planted[0].Text + pad
		r.Action.Target.Name = planted[1].Text + pad
		r.Before = &capture.State{Headings: []string{planted[2].Text, pad}}
		r.After = &capture.State{Alerts: []string{planted[3].Text, pad}}
		r.Sealed = []capture.SealedRow{{
			LinkID: fmt.Sprintf("link-%s-%d", session, i), Target: "target-" + session, SessionID: session, Kind: capture.KindText,
			Nonce: []byte("nonce"), Sealed: []byte(planted[4].Text), CreatedAt: time.Now(),
		}}
		must(t, s.Append(context.Background(), []capture.Record{record("other", "trace-other", i), r}))
		events = append(events, r.Event.EventID)
	}
	return events
}

func scan(t testing.TB, dir string) []canary.Hit {
	t.Helper()
	hits, err := canary.Scan(dir, planted...)
	must(t, err)
	return hits
}

func TestPurgeLeavesNoByte(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ring := keys.Files(filepath.Join(dir, keysDir))
	key, err := ring.Key(t.Context(), "target-s1")
	must(t, err)
	plant(t, s, "s1", 60)
	must(t, os.MkdirAll(filepath.Join(dir, backupDir), 0o700))
	must(t, s.backup(t.Context(), migration{number: 2}))
	if len(scan(t, dir)) < len(planted) {
		t.Fatal("the canaries were not planted")
	}

	must(t, s.Purge(t.Context(), []string{"s1"}, []string{"target-s1"}))

	for _, h := range scan(t, dir) {
		t.Error(h)
	}
	if hits, _ := canary.Scan(dir, canary.Canary{Label: "key", Text: string(key)}); len(hits) > 0 {
		t.Error(hits)
	}
	if again, err := ring.Key(t.Context(), "target-s1"); err != nil || string(again) == string(key) {
		t.Error("the key was not destroyed", err)
	}
	if n, _ := s.ObservationCount(t.Context(), "other"); n != 60 {
		t.Errorf("%d observations of another session are left, want 60", n)
	}
	checkPurged(t, s, "s1")
	next := []capture.Record{record("s1", "trace-s1", 0)}
	must(t, s.Append(t.Context(), next))
	if next[0].Seq != 121 {
		t.Errorf("the next sequence is %d, want 121: none is given twice", next[0].Seq)
	}
	verify(t, s)
}

// checkPurged checks the result of a finished purge: no raw data, no mark, one receipt, one event.
func checkPurged(t testing.TB, s *Store, session string) {
	t.Helper()
	ctx := context.Background()
	if n, err := s.ObservationCount(ctx, session); n != 0 || err != nil {
		t.Errorf("%d observations are left, %v", n, err)
	}
	if rows, err := s.Sealed(ctx, "target-"+session); len(rows) != 0 || err != nil {
		t.Errorf("%d sealed values are left, %v", len(rows), err)
	}
	if n := count(t, s, "SELECT count(*) FROM purges"); n != 0 {
		t.Errorf("%d purges are still marked", n)
	}
	if n := count(t, s, "SELECT count(*) FROM receipts WHERE kind=? AND session_id=?", string(journal.RawPurged), session); n != 1 {
		t.Errorf("%d receipts of the purge, want 1", n)
	}
	events, err := s.Events(ctx, 0, session, 100)
	if err != nil || len(events) != 1 || events[0].Kind != journal.RawPurged || events[0].Payload["observations"] != float64(60) {
		t.Errorf("events %v, %v", events, err)
	}
}

func TestDeleteObservation(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	shared := func(r *capture.Record) {
		r.Action.Value = &capture.Value{Policy: capture.Masked, LinkID: "link-shared"}
		r.Sealed = append(r.Sealed, capture.SealedRow{LinkID: "link-shared", Target: "g", SessionID: "s", Kind: capture.KindText,
			Nonce: []byte("n"), Sealed: []byte("v")})
	}
	kept := record("s", "t", 1)
	shared(&kept)
	gone := record("s", "t", 2)
	shared(&gone)
	gone.Event.WindowTitle = planted[0].Text
	gone.Action.Keys = "typed link-own"
	gone.Sealed = append(gone.Sealed, capture.SealedRow{LinkID: "link-own", Target: "g", SessionID: "s", Kind: capture.KindText,
		Nonce: []byte("n"), Sealed: []byte(planted[4].Text)})
	must(t, s.Append(t.Context(), []capture.Record{kept, gone}))

	if ok, err := s.DeleteObservation(t.Context(), "another session", gone.Event.EventID); ok || err != nil {
		t.Errorf("deleted through another session: %v %v", ok, err)
	}
	ok, err := s.DeleteObservation(t.Context(), "s", gone.Event.EventID)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if hits := scan(t, dir); len(hits) > 0 {
		t.Error(hits)
	}
	rows, err := s.Sealed(t.Context(), "g")
	if err != nil || len(rows) != 1 || rows[0].LinkID != "link-shared" {
		t.Errorf("sealed values left: %v, %v", rows, err)
	}
	if n, _ := s.ObservationCount(t.Context(), "s"); n != 1 {
		t.Errorf("%d observations left, want 1", n)
	}
	if n := count(t, s, "SELECT count(*) FROM receipts WHERE kind=?", string(journal.ObservationGone)); n != 1 {
		t.Errorf("%d receipts", n)
	}
	if ok, err := s.DeleteObservation(t.Context(), "s", gone.Event.EventID); ok || err != nil {
		t.Errorf("deleted twice: %v %v", ok, err)
	}
	again := record("s", "t", 3) // the value is used once more: its row is wanted again
	again.Sealed = gone.Sealed
	must(t, s.Append(t.Context(), []capture.Record{again}))
	if rows, err := s.Sealed(t.Context(), "g"); err != nil || len(rows) != 2 {
		t.Errorf("%d sealed values, want 2 (%v)", len(rows), err)
	}
}

// The steps after which a purge can be killed, in order.
var purgeSteps = []string{"marked", "deleted", "rewritten", "drained", "truncated", "backups", "keys", "done"}

func init() {
	children["purge"] = func() {
		s, err := Open(context.Background(), Options{Dir: os.Getenv("DIR")})
		childMust(err)
		s.reached = func(step string) {
			if step == os.Getenv("STEP") {
				self, _ := os.FindProcess(os.Getpid())
				_ = self.Kill()
				select {}
			}
		}
		childMust(s.Purge(context.Background(), []string{"s1"}, []string{"target-s1"}))
	}
}

func TestPurgeKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	for _, step := range purgeSteps {
		t.Run(step, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			_, err := keys.Files(filepath.Join(dir, keysDir)).Key(t.Context(), "target-s1")
			must(t, err)
			plant(t, s, "s1", 60)
			must(t, s.backup(t.Context(), migration{number: 2}))
			s.Close()

			var exit *exec.ExitError
			if err := child("purge", "DIR="+dir, "STEP="+step).Run(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
				t.Fatalf("the child was not killed: %v", err)
			}
			s = open(t, dir)
			for _, h := range scan(t, dir) {
				t.Error(h)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, keysDir, "*")); len(left) > 0 {
				t.Errorf("keys left: %d", len(left))
			}
			checkPurged(t, s, "s1")
			verify(t, s)
		})
	}
}

// TestPurgeWaitsForReaders: a reader holds the log when a purge begins.
func TestPurgeWaitsForReaders(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	plant(t, s, "s1", 60)
	reading, purged := make(chan struct{}), make(chan error, 1)
	go func() {
		<-reading
		purged <- s.Purge(context.Background(), []string{"s1"}, nil)
	}()
	drained := make(chan struct{})
	s.reached = func(step string) {
		if step == "drained" {
			close(drained)
		}
	}
	must(t, s.View(t.Context(), func(tx *Tx) error {
		var n int
		if err := tx.scalar(&n, "SELECT count(*) FROM observations"); err != nil {
			return err
		}
		close(reading)
		select {
		case <-drained:
			t.Error("the purge did not wait for this reader")
		case <-time.After(100 * time.Millisecond):
		}
		return nil
	}))
	must(t, <-purged)
	if hits := scan(t, dir); len(hits) > 0 {
		t.Error(hits)
	}
}

// TestPurgeOutlastsAReader: a reader stays longer than a purge waits; the purge reports it, and is finished later.
func TestPurgeOutlastsAReader(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes as long as a purge waits")
	}
	dir := t.TempDir()
	s := open(t, dir)
	plant(t, s, "s1", 60)
	_, err := s.gate.enter(t.Context()) // a reader that never ends
	must(t, err)
	err = s.Purge(t.Context(), []string{"s1"}, nil)
	if err == nil {
		t.Fatal("the purge did not wait for the reader")
	}
	s.gate.leave()
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	await.Until(t, "what follows the commit", func() bool { return count(t, s, "SELECT count(*) FROM purges") == 0 })
	cancel()
	must(t, <-ran)
	if hits := scan(t, dir); len(hits) > 0 {
		t.Error(hits)
	}
	checkPurged(t, s, "s1")
}

// TestPurgeEndsReaders: an endless read is ended when a purge waits for it.
func TestPurgeEndsReaders(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	plant(t, s, "s1", 6)
	reading, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.View(context.Background(), func(tx *Tx) error {
			close(reading)
			var n int
			return tx.scalar(&n, "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM x) SELECT count(*) FROM x")
		})
	}()
	<-reading
	must(t, s.Purge(t.Context(), []string{"s1"}, nil))
	if err := <-ended; !fault.Is(err, fault.Cancelled) {
		t.Errorf("a read without an end ended with %v, %s", err, fault.CodeOf(err))
	}
}

// TestCallerGone: a call that ends because its caller did is not reported as a fault of the database.
func TestCallerGone(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	for name, call := range map[string]func(context.Context, func(*Tx) error) error{"view": s.View, "update": s.Update} {
		ctx, cancel := context.WithCancel(t.Context())
		err := call(ctx, func(tx *Tx) error {
			cancel()
			var n int
			return tx.scalar(&n, "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM x) SELECT count(*) FROM x")
		})
		if !fault.Is(err, fault.Cancelled) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s while it worked: %v, %s", name, err, fault.CodeOf(err))
		}
		if err := call(ctx, func(*Tx) error { return nil }); !fault.Is(err, fault.Cancelled) {
			t.Errorf("%s before it worked: %v, %s", name, err, fault.CodeOf(err))
		}
	}
}

// TestSecureDeleteIsNotEnough proves the reason for VACUUM: documents of many sessions grow and shrink in turn, pages
// are rebalanced, and a purged session's data may be left in their gaps. Without VACUUM it fails.
func TestSecureDeleteIsNotEnough(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	r := rand.New(rand.NewPCG(1, 4))
	text := func(session int) string { return fmt.Sprintf("canary-of-session-%03d", session) }
	var live []int
	var gone []canary.Canary
	const sessions = 60
	for next := 0; next < sessions; {
		for range 12 {
			live = append(live, next)
			next++
		}
		must(t, s.write(t.Context(), syncNormal, func(tx *Tx) error {
			for range 400 {
				session := live[r.IntN(len(live))]
				name := fmt.Sprintf("s/%d-%d.json", r.IntN(4), session)
				goal := text(session) + strings.Repeat("y", r.IntN(900))
				if err := tx.PutFile(name, map[string]any{"goal": goal}); err != nil {
					return err
				}
			}
			return nil
		}))
		var ending []string
		for range 8 {
			i := r.IntN(len(live))
			ending = append(ending, fmt.Sprint(live[i]))
			gone = append(gone, canary.Canary{Label: fmt.Sprint(live[i]), Text: text(live[i])})
			live = append(live[:i], live[i+1:]...)
		}
		update(t, s, func(tx *Tx) error {
			for _, session := range ending {
				for k := range 4 {
					if err := tx.RemoveFile(fmt.Sprintf("s/%d-%s.json", k, session)); err != nil {
						return err
					}
				}
			}
			return nil
		})
		must(t, s.Purge(t.Context(), ending, nil))
		hits, err := canary.Scan(dir, gone...)
		must(t, err)
		for _, h := range hits {
			t.Fatal(h)
		}
	}
}
