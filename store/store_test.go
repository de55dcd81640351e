package store

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// open opens a store over dir and closes it at the end of the test.
func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func update(t testing.TB, s *Store, fn func(*Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func verify(t testing.TB, s *Store) {
	t.Helper()
	if err := s.VerifyProjections(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func count(t testing.TB, s *Store, query string, args ...any) (n int) {
	t.Helper()
	if err := s.View(t.Context(), func(tx *Tx) error { return tx.scalar(&n, query, args...) }); err != nil {
		t.Fatal(err)
	}
	return n
}

// record is an observation as the browser adapter makes it, about 1.3 KB long.
func record(session, trace string, i int) capture.Record {
	before := &capture.State{
		URL: "http://127.0.0.1:4000/orders/A-1042", Title: "Order desk", Headings: []string{"Order A-1042", "Lines"},
		Focus: "button Save", Tables: []capture.Table{{Name: "Lines", Columns: []string{"Item", "Qty", "Price"}, Rows: 3}},
	}
	after := *before
	after.Alerts = []string{fmt.Sprintf("Saved %d", i)}
	return capture.Record{
		TraceID: trace,
		Event: capture.Event{
			EventID: clock.NewID(), LearnSessionID: session, AdapterKind: capture.BrowserDOM, AppFamily: "chromium",
			WindowTitle: "Order desk", ActionLabel: "Click button 'Save'", ControlSurface: capture.SurfacePage,
			TargetRef: "target", BeforeStateRef: "before", AfterStateRef: "after", CausedStateChange: true,
			RedactionMode: "mask_text", CreatedAt: clock.Now(), SchemaVersion: 1,
		},
		Action: capture.Action{
			Verb: capture.Click, OccurredAt: "2026-11-21T10:00:00.000001Z",
			Target: &capture.Target{
				Role: "button", Name: "Save", Text: "Save", Tag: "button", Landmark: &capture.Landmark{Role: "form", Name: "Edit order"},
				Locators: []capture.Locator{{By: "role", Role: "button", Value: "Save", Matches: 1}, {By: "text", Value: "Save", Matches: 1}},
			},
			Page: &capture.Page{URL: before.URL, Pattern: "/orders/{id}", Title: "Order desk", Tab: "tab1"}, Site: "127.0.0.1:4000",
		},
		Before: before, After: &after,
	}
}

func TestUpdateIsAllOrNothing(t *testing.T) {
	s := open(t, t.TempDir())
	boom := fmt.Errorf("boom")
	write := func(tx *Tx) error {
		if err := tx.AddReceipt(journal.Receipt{Kind: journal.SessionStarted, Summary: "started"}); err != nil {
			return err
		}
		if err := tx.PutFile("system/a.json", map[string]any{"a": 1}); err != nil {
			return err
		}
		return tx.Emit(journal.Event{Kind: journal.SessionStarted})
	}
	err := s.Update(t.Context(), func(tx *Tx) error {
		if err := write(tx); err != nil {
			return err
		}
		return boom
	})
	if err != boom {
		t.Fatalf("Update = %v, want the function's own error", err)
	}
	for _, table := range []string{"receipts", "outbox", "files", "lines"} {
		if n := count(t, s, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%s has %d rows after a rollback", table, n)
		}
	}
	update(t, s, write)
	if n := count(t, s, "SELECT count(*) FROM receipts"); n != 1 {
		t.Errorf("%d receipts, want 1", n)
	}
	verify(t, s)
}

func TestEventsInCommitOrder(t *testing.T) {
	s := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	woken := s.Watch(ctx)
	for i := range 5 {
		session := []string{"s1", "s2"}[i%2]
		update(t, s, func(tx *Tx) error {
			if err := tx.PutFile("system/x.json", map[string]any{"i": i}); err != nil {
				return err
			}
			return tx.Emit(journal.Event{Kind: journal.SessionState, SessionID: session, Payload: map[string]any{"i": i}})
		})
	}
	select {
	case <-woken:
	default:
		t.Error("a watcher was not woken by a commit")
	}
	all, err := s.Events(ctx, 0, "", 100)
	if err != nil || len(all) != 5 {
		t.Fatalf("%d events, %v", len(all), err)
	}
	for i, e := range all {
		if e.Payload["i"] != float64(i) || (i > 0 && e.Seq <= all[i-1].Seq) {
			t.Errorf("event %d is %v at %d", i, e.Payload, e.Seq)
		}
	}
	mine, err := s.Events(ctx, all[0].Seq, "s1", 100)
	if err != nil || len(mine) != 2 || mine[0].Seq != all[2].Seq {
		t.Fatalf("s1 after the first: %v, %v", mine, err)
	}
	oldest, last, err := s.EventSpan(ctx)
	if err != nil || oldest != 0 || last < all[4].Seq {
		t.Fatalf("span %d-%d, %v", oldest, last, err)
	}
	if err := s.pruneOutbox(ctx, 2); err != nil {
		t.Fatal(err)
	}
	left, _ := s.Events(ctx, 0, "", 100)
	oldest, _, _ = s.EventSpan(ctx)
	if len(left) != 2 || oldest != all[2].Seq {
		t.Fatalf("%d events left after %d, want the last 2 after %d", len(left), oldest, all[2].Seq)
	}
}

func TestPruningKeepsWhatIsNotProjected(t *testing.T) {
	s := open(t, t.TempDir())
	err := s.write(t.Context(), syncFull, func(tx *Tx) error { // write does not project
		return tx.PutFile("system/x.json", map[string]any{"i": 1})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.pruneOutbox(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Project(t.Context()); err != nil {
		t.Fatal(err)
	}
	verify(t, s)
}

func TestAppendAndRead(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	in := []capture.Record{record("s1", "t1", 0), record("s2", "t2", 1), record("s1", "t1", 2)}
	in[2].After = in[2].Before // nothing changed
	in[1].Before, in[1].After = nil, nil
	in[0].Event.EventID = "not-a-uuid"
	in[0].Sealed = []capture.SealedRow{
		{LinkID: "l1", Target: "g", SessionID: "s1", Kind: capture.KindText, Nonce: []byte{1}, Sealed: []byte{2}, CreatedAt: time.Now()},
		{LinkID: "l1", Target: "g", SessionID: "s1", Kind: capture.KindText, Nonce: []byte{3}, Sealed: []byte{4}, CreatedAt: time.Now()},
	}
	in[1].Sealed = []capture.SealedRow{{LinkID: "l1", Target: "g", SessionID: "s2", Kind: capture.KindText, Nonce: []byte{5},
		Sealed: []byte{6}, CreatedAt: time.Now()}}
	if err := s.Append(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	for i, r := range in {
		if r.Seq != int64(i+1) {
			t.Errorf("record %d has seq %d", i, r.Seq)
		}
	}
	again := []capture.Record{in[1], record("s1", "t1", 3)}
	again[0].Seq = 0
	if err := s.Append(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	if again[0].Seq != 2 || again[1].Seq != 4 {
		t.Errorf("a repeated event got seq %d and the next %d, want 2 and 4", again[0].Seq, again[1].Seq)
	}
	s.Close()

	s = open(t, dir)
	got, err := s.TraceRecords(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	want := []capture.Record{in[0], in[2], again[1]}
	for i := range want {
		want[i].Sealed = nil
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	page, total, err := s.ObservationPage(t.Context(), "s1", 1, 1)
	if err != nil || total != 3 || len(page) != 1 || page[0].Seq != 3 {
		t.Errorf("page %v of %d, %v", page, total, err)
	}
	rest, err := s.Observations(t.Context(), "s1", 3, 10)
	if err != nil || len(rest) != 1 || rest[0].Seq != 4 {
		t.Errorf("after 3: %v, %v", rest, err)
	}
	if _, ok, err := s.Observation(t.Context(), "s2", "not-a-uuid"); ok || err != nil {
		t.Errorf("an observation of s1 was found in s2 (%v)", err)
	}
	sealed, err := s.Sealed(t.Context(), "g")
	if err != nil || len(sealed) != 1 || sealed[0].Nonce[0] != 1 {
		t.Errorf("sealed %v, %v", sealed, err)
	}
	if n := count(t, s, "SELECT count(*) FROM sealed"); n != 2 {
		t.Errorf("%d sealed rows, want one per session", n)
	}
}

func TestAppendersShareCommits(t *testing.T) {
	s := open(t, t.TempDir())
	const callers, each = 8, 50
	errs := make(chan error, callers)
	for c := range callers {
		go func() {
			var err error
			for i := 0; i < each && err == nil; i++ {
				err = s.Append(context.Background(), []capture.Record{record(fmt.Sprint("s", c), fmt.Sprint("t", c), i)})
			}
			errs <- err
		}()
	}
	for range callers {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, s, "SELECT max(seq) FROM observations"); n != callers*each {
		t.Errorf("%d sequences for %d records", n, callers*each)
	}
}

func TestFilesOfAnotherUmask(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir)
	update(t, s, func(tx *Tx) error { return tx.PutFile("system/a/b.json", map[string]any{}) })
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", filepath.Base(path), info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCanonicalFileCarriesItsSequence(t *testing.T) {
	s := open(t, t.TempDir())
	update(t, s, func(tx *Tx) error {
		return tx.PutFile("system/a.json", map[string]any{"outbox_seq": 77, "html": "<b>"})
	})
	b, err := os.ReadFile(filepath.Join(s.Memory(), "system/a.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Seq  int64 `json:"outbox_seq"`
		HTML string
	}
	if err := json.Unmarshal(b, &v); err != nil || v.Seq != 1 || v.HTML != "<b>" {
		t.Errorf("%s", b)
	}
	for _, bad := range []string{"/a.json", "../a.json", "a/../b.json", "a.txt", ".a.json", "a/.b.json", `a\b.json`, ""} {
		err := s.Update(t.Context(), func(tx *Tx) error { return tx.PutFile(bad, map[string]any{}) })
		if err == nil {
			t.Errorf("path %q was accepted", bad)
		}
	}
}

func TestCloseFoldsTheLog(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Append(t.Context(), []capture.Record{record("s", "t", 1)}))
	must(t, s.Close())
	if left, _ := filepath.Glob(filepath.Join(dir, dbName+"-*")); len(left) > 0 {
		t.Errorf("left after Close: %v", left)
	}
}
