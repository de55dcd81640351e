package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/journal"
)

func (s *Store) pathOf(name string) string {
	return filepath.Join(s.opt.Memory, filepath.FromSlash(name))
}

func putSome(t *testing.T, s *Store) {
	t.Helper()
	update(t, s, func(tx *Tx) error {
		if err := tx.PutFile("system/learning/current.json", map[string]any{"state": "armed"}); err != nil {
			return err
		}
		return tx.AddReceipt(journal.Receipt{Kind: journal.SessionArmed, Summary: "armed"})
	})
}

func TestFilesAreThereWhenUpdateReturns(t *testing.T) {
	s := open(t, t.TempDir())
	putSome(t, s)
	verify(t, s)
	if _, err := os.Stat(s.pathOf("system/learning/current.json")); err != nil {
		t.Error(err)
	}
	if n := count(t, s, "SELECT count(*) FROM outbox"); n != 0 {
		t.Errorf("%d changes are still pending", n)
	}
}

func TestMoveAndRemove(t *testing.T) {
	s := open(t, t.TempDir())
	line := func(tx *Tx, path string, i int) error { return tx.AppendLine(path, map[string]any{"i": i}) }
	steps := []func(tx *Tx) error{
		func(tx *Tx) error { return tx.PutFile("sessions/a.json", map[string]any{"a": 1}) },
		func(tx *Tx) error { return tx.PutFile("sessions/sub/b.json", map[string]any{"b": 1}) },
		func(tx *Tx) error { return line(tx, "sessions/x.jsonl", 1) },
		func(tx *Tx) error { return line(tx, "other.jsonl", 7) },
		func(tx *Tx) error { return line(tx, "sessions/x.jsonl", 2) },
		func(tx *Tx) error { return tx.MoveFile("sessions", "archived/2026") },
		func(tx *Tx) error { return line(tx, "archived/2026/x.jsonl", 3) },
		func(tx *Tx) error { return tx.MoveFile("archived/2026/x.jsonl", "other.jsonl") }, // replaces
		func(tx *Tx) error { return line(tx, "other.jsonl", 4) },
		func(tx *Tx) error { // gone and back in one transaction
			if err := tx.RemoveFile("other.jsonl"); err != nil {
				return err
			}
			return line(tx, "other.jsonl", 5)
		},
		func(tx *Tx) error { return tx.RemoveFile("archived/2026/sub") },
		func(tx *Tx) error { return tx.RemoveFile("nothing/here") },
		func(tx *Tx) error { return tx.RemoveFile("archived") },
	}
	for i, step := range steps {
		update(t, s, step)
		if err := s.VerifyProjections(t.Context()); err != nil {
			t.Fatalf("after step %d: %v", i, err)
		}
	}
	for _, gone := range []string{"sessions/a.json", "archived/2026/a.json", "archived/2026/sub/b.json", "archived/2026/x.jsonl"} {
		if _, err := os.Stat(s.pathOf(gone)); !os.IsNotExist(err) {
			t.Errorf("%s is still there", gone)
		}
	}
	b, err := os.ReadFile(s.pathOf("other.jsonl"))
	if err != nil || strings.Count(string(b), "\n") != 1 || !bytes.Contains(b, []byte(`"i":5`)) {
		t.Errorf("other.jsonl: %s %v", b, err)
	}
	if err := s.Update(t.Context(), func(tx *Tx) error { return tx.MoveFile("nothing", "else") }); err == nil {
		t.Error("a missing file was moved")
	}
	if n := count(t, s, "SELECT count(*) FROM files"); n != 1 {
		t.Errorf("%d rows of files, want the one that exists", n)
	}
}

// TestRandomHistory performs random operations on files, with occasional restarts and lost marks.
func TestRandomHistory(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"a.json", "d/b.json", "d/c.jsonl", "e.jsonl", "d/f/g.jsonl"}
	for i := range 150 {
		run := s.Update
		if r.IntN(3) == 0 { // committed, not projected: as if killed between the two
			run = func(ctx context.Context, fn func(*Tx) error) error { return s.write(ctx, syncFull, fn) }
		}
		err := run(t.Context(), func(tx *Tx) error {
			name := names[r.IntN(len(names))]
			switch r.IntN(8) {
			case 0:
				return tx.RemoveFile(name)
			case 1:
				to := names[r.IntN(len(names))]
				if filepath.Ext(to) != filepath.Ext(name) {
					return nil
				}
				if paths, err := tx.filesAt(name); err != nil || len(paths) == 0 {
					return err
				}
				return tx.MoveFile(name, to)
			}
			if filepath.Ext(name) == ".json" {
				return tx.PutFile(name, map[string]any{"i": i})
			}
			return tx.AppendLine(name, map[string]any{"i": i})
		})
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if r.IntN(10) == 0 {
			s.Close()
			s = open(t, dir)
			if err := s.VerifyProjections(t.Context()); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
	}
	if foreign, _ := filepath.Glob(filepath.Join(s.Memory(), "*.foreign-*")); len(foreign) > 0 {
		t.Errorf("our own files were taken for foreign: %v", foreign)
	}
	if n := count(t, s, "SELECT count(*) FROM receipts"); n != 0 {
		t.Errorf("%d files were taken for missing or changed", n)
	}
}

// TestKilledBeforeTheMark projects files and loses the mark, as a kill between the two does.
func TestKilledBeforeTheMark(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	putSome(t, s)
	for range 3 {
		putSome(t, s)
		err := s.write(t.Context(), syncFull, func(tx *Tx) error {
			_, err := tx.exec(`UPDATE files SET disk_seq=0, disk_size=0, disk_mtime=0, disk_hash='';
				INSERT INTO outbox(path) SELECT path FROM files`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		s = open(t, dir)
		verify(t, s)
	}
	if n := count(t, s, "SELECT count(*) FROM receipts WHERE kind='migration_backfill'"); n != 0 {
		t.Errorf("%d rebuilds of files that were right", n)
	}
}

func TestTornLastLine(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for range 3 {
		putSome(t, s)
	}
	file := s.pathOf(receiptsFile)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for _, keep := range []int{len(whole) - 1, len(whole) - 20, len(lines[0]) + 1, len(lines[0]), 5, 0} {
		if err := os.WriteFile(file, whole[:keep], 0o600); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir)
		verify(t, s)
		b, _ := os.ReadFile(file)
		if !bytes.HasPrefix(b, whole) {
			t.Errorf("cut to %d bytes, the first lines are not back", keep)
		}
		if found, _ := filepath.Glob(file + ".foreign-*"); len(found) > 0 {
			t.Errorf("cut to %d bytes, our own file was taken for foreign", keep)
		}
		s.Close()
	}
}

func TestDeletedFilesComeBack(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	putSome(t, s)
	s.Close()
	if err := os.RemoveAll(s.Memory()); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	verify(t, s)
	var r journal.Receipt
	err := s.View(t.Context(), func(tx *Tx) (err error) {
		r, _, err = one[journal.Receipt](tx, "SELECT body FROM receipts WHERE kind='migration_backfill'")
		return err
	})
	if err != nil || r.Summary != "Canonical files rebuilt from the database: 2." {
		t.Errorf("receipt %+v, %v", r, err)
	}
	s.Close()
	s = open(t, dir)
	if n := count(t, s, "SELECT count(*) FROM receipts"); n != 2 {
		t.Errorf("%d receipts: a rebuild happened again", n)
	}
}

func TestForeignFilesAreMovedAside(t *testing.T) {
	for name, content := range map[string]string{
		"not JSON":  "my notes",
		"newer":     `{"outbox_seq":99999,"state":"from the future"}` + "\n",
		"edited":    `{"outbox_seq":1,"state":"edited"}` + "\n",
		"appended":  "+", // to what is there
		"directory": "/",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			putSome(t, s)
			for _, file := range []string{"system/learning/current.json", receiptsFile} {
				path := s.pathOf(file)
				switch content {
				case "/":
					must(t, os.Remove(path))
					must(t, os.Mkdir(path, 0o700))
				case "+":
					b, _ := os.ReadFile(path)
					must(t, os.WriteFile(path, append(b, "mine"...), 0o600))
				default:
					must(t, os.WriteFile(path, []byte(content), 0o600))
				}
			}
			if name != "edited" { // while running, when the next change comes
				putSome(t, s)
				verify(t, s)
			}
			s.Close()
			s = open(t, dir)
			verify(t, s)
			for _, file := range []string{"system/learning/current.json", receiptsFile} {
				kept, _ := filepath.Glob(s.pathOf(file) + ".foreign-*")
				if len(kept) != 1 {
					t.Fatalf("%s: moved aside: %v", file, kept)
				}
				b, err := os.ReadFile(kept[0])
				if content == "+" {
					if !bytes.HasSuffix(b, []byte("mine")) {
						t.Errorf("%s: %q", file, b)
					}
				} else if content != "/" && (err != nil || string(b) != content) {
					t.Errorf("%s: kept %q, %v", file, b, err)
				}
			}
		})
	}
}

func TestLinksDoNotLeadOut(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	s := open(t, dir)
	must(t, os.Symlink(outside, s.pathOf("system")))
	err := s.Update(t.Context(), func(tx *Tx) error { return tx.PutFile("system/a.json", map[string]any{}) })
	if err != nil {
		t.Fatal("the commit stands, whatever becomes of the file:", err)
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Error("a canonical file was written outside the memory root")
	}
	must(t, s.Close())
	s = open(t, dir) // it keeps nobody from starting
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Error("a canonical file was written outside the memory root at start")
	}
	must(t, os.Remove(s.pathOf("system")))
	must(t, s.Project(t.Context()))
	verify(t, s)
}

func TestManyLines(t *testing.T) {
	const n = recordsPerRead + 500
	dir := t.TempDir()
	s := open(t, dir)
	update(t, s, func(tx *Tx) error {
		for i := range n {
			if err := tx.AppendLine("log.jsonl", map[string]any{"i": i}); err != nil {
				return err
			}
		}
		return nil
	})
	verify(t, s)
	f, err := os.Open(s.pathOf("log.jsonl"))
	must(t, err)
	defer f.Close()
	dec := json.NewDecoder(f)
	for i := range n {
		var v struct {
			I   int
			Seq int64 `json:"outbox_seq"`
		}
		if err := dec.Decode(&v); err != nil || v.I != i || v.Seq != int64(i+1) {
			t.Fatal(fmt.Errorf("line %d is %+v: %w", i, v, err))
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
