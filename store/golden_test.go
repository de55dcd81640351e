package store

import (
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/internal/clock"
)

var updateGolden = flag.Bool("update", false, "write the golden database of the newest schema")

const golden = "testdata/golden"

// newest is the number of the last migration.
func newest(t *testing.T) int {
	t.Helper()
	all, err := migrations()
	must(t, err)
	return all[len(all)-1].number
}

// TestGoldenDatabases opens a database of every schema that was ever released, migrates it, and finds everything that
// was in it. Run with -update when a release adds migrations; never change a golden that was released.
func TestGoldenDatabases(t *testing.T) {
	if *updateGolden {
		writeGolden(t)
	}
	files, err := filepath.Glob(filepath.Join(golden, "*.db.gz"))
	must(t, err)
	if len(files) == 0 {
		t.Fatal("no golden database")
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".db.gz")
		t.Run(name, func(t *testing.T) { openGolden(t, file, name) })
	}
}

func openGolden(t *testing.T, file, name string) {
	number, err := strconv.Atoi(name)
	must(t, err)
	dir := t.TempDir()
	unpack(t, file, filepath.Join(dir, dbName))
	s := open(t, dir)
	verify(t, s)
	if got := count(t, s, "PRAGMA user_version"); got != newest(t) {
		t.Errorf("schema %d, want %d", got, newest(t))
	}
	backups, _ := filepath.Glob(filepath.Join(dir, backupDir, "*"))
	if migrated := number < newest(t); migrated != (len(backups) == 1) {
		t.Errorf("%d backups; migrated: %v", len(backups), migrated)
	}
	got, err := s.TraceRecords(t.Context(), "golden-trace")
	if err != nil || len(got) != 3 || got[2].After.Alerts[0] != "Saved 2" {
		t.Errorf("%d observations, %v", len(got), err)
	}
	sealed, err := s.Sealed(t.Context(), "golden-target")
	if err != nil || len(sealed) != 1 || string(sealed[0].Sealed) != "sealed" {
		t.Errorf("%d sealed values, %v", len(sealed), err)
	}
	events, err := s.Events(t.Context(), 0, "golden-session", 10)
	if err != nil || len(events) != 1 || events[0].Payload["from"] != "idle" {
		t.Errorf("events %v, %v", events, err)
	}
	if b, err := os.ReadFile(s.pathOf("system/learning/golden.json")); err != nil || !strings.Contains(string(b), `"state": "armed"`) {
		t.Errorf("%s, %v", b, err)
	}
	must(t, s.Append(t.Context(), []capture.Record{record("golden-session", "golden-trace", 3)}))
	must(t, s.Purge(t.Context(), []string{"golden-session"}, []string{"golden-target"}))
}

// writeGolden creates the golden database of the newest schema, with the same content every time.
func writeGolden(t *testing.T) {
	dir := t.TempDir()
	at := clock.At(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
	n := 0
	s, err := Open(t.Context(), Options{Dir: dir, Now: func() clock.Time { return at }, NewID: func() string {
		n++
		return fmt.Sprintf("00000000-0000-7000-8000-%012d", n)
	}})
	must(t, err)
	defer s.Close()
	for i := range 3 {
		r := record("golden-session", "golden-trace", i)
		r.Event.EventID, r.Event.CreatedAt = s.opt.NewID(), at
		r.Sealed = []capture.SealedRow{{LinkID: "golden-link", Target: "golden-target", SessionID: "golden-session",
			Kind: capture.KindText, Nonce: []byte("nonce"), Sealed: []byte("sealed"), CreatedAt: at.Time}}
		must(t, s.Append(t.Context(), []capture.Record{r}))
	}
	update(t, s, func(tx *Tx) error {
		if err := tx.PutFile("system/learning/golden.json", map[string]any{"state": "armed"}); err != nil {
			return err
		}
		if err := tx.AddReceipt(journal.Receipt{Kind: journal.SessionArmed, LearnSessionID: "golden-session", Summary: "armed"}); err != nil {
			return err
		}
		return tx.Emit(journal.Event{Kind: journal.SessionArmed, SessionID: "golden-session", Payload: map[string]any{"from": "idle"}})
	})
	must(t, s.take(t.Context()))
	_, err = s.w.ExecContext(context.Background(), "VACUUM INTO ?", filepath.Join(dir, "golden.db"))
	s.give()
	must(t, err)
	must(t, os.MkdirAll(golden, 0o755))
	pack(t, filepath.Join(dir, "golden.db"), filepath.Join(golden, fmt.Sprintf("%04d.db.gz", newest(t))))
}

func pack(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	must(t, err)
	f, err := os.Create(to)
	must(t, err)
	defer f.Close()
	w, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	must(t, err)
	_, err = w.Write(b)
	must(t, err)
	must(t, w.Close())
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	f, err := os.Open(from)
	must(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	must(t, err)
	b, err := io.ReadAll(r)
	must(t, err)
	must(t, os.WriteFile(to, b, 0o600))
}
