package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"showhow/capture"
	"showhow/internal/fault"
)

func openFails(t *testing.T, dir string, want fault.Code) *fault.Error {
	t.Helper()
	s, err := Open(context.Background(), Options{Dir: dir})
	if err == nil {
		s.Close()
		t.Fatalf("Open succeeded, want %s", want)
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != want || f.Hint == "" {
		t.Fatalf("Open = %v, want %s with a hint", err, want)
	}
	return f
}

func TestSecondOpenerIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	f := openFails(t, dir, fault.DataDirLocked)
	if f.Details["pid"] != os.Getpid() {
		t.Errorf("details %v, want our pid", f.Details)
	}
	s.Close()
	open(t, dir)
}

func init() {
	children["hold"] = func() {
		_, err := Open(context.Background(), Options{Dir: os.Getenv("DIR")})
		childMust(err)
		os.Stdout.WriteString("open\n")
		select {}
	}
}

func TestLockGoesWithTheProcess(t *testing.T) {
	dir := t.TempDir()
	cmd := child("hold", "DIR="+dir)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal("the child did not open the store:", err)
	}
	if f := openFails(t, dir, fault.DataDirLocked); f.Details["pid"] != cmd.Process.Pid {
		t.Errorf("details %v, want the child's pid", f.Details)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	open(t, dir)
}

// made creates a store with some content and returns its database file.
func made(t *testing.T, dir string) string {
	t.Helper()
	s := open(t, dir)
	for i := range 50 {
		must(t, s.Append(t.Context(), []capture.Record{record("s", "t", i)}))
	}
	must(t, s.Close())
	return filepath.Join(dir, dbName)
}

func TestDamage(t *testing.T) {
	for name, damage := range map[string]func(b []byte) []byte{
		"not a database": func([]byte) []byte { return []byte("this is my shopping list, and it is longer than a header") },
		"header":         func(b []byte) []byte { copy(b, "SQLite format 2\x00"); return b },
		"pages":          func(b []byte) []byte { clear(b[4096 : len(b)-4096]); return b },
		"noise": func(b []byte) []byte {
			for i := 4096; i < len(b); i++ {
				b[i] ^= byte(i * 31)
			}
			return b
		},
		"cut": func(b []byte) []byte { return b[:len(b)/2] },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := made(t, dir)
			b, err := os.ReadFile(file)
			must(t, err)
			must(t, os.WriteFile(file, damage(b), 0o600))
			before, _ := os.ReadFile(file)
			openFails(t, dir, fault.StoreCorrupt)
			if after, _ := os.ReadFile(file); string(after) != string(before) {
				t.Error("the damaged file was written to")
			}
		})
	}
}

func TestAnotherProgramsDatabase(t *testing.T) {
	dir := t.TempDir()
	change(t, filepath.Join(dir, dbName), `CREATE TABLE notes(t TEXT)`)
	openFails(t, dir, fault.StoreCorrupt)
}

func TestNewerSchema(t *testing.T) {
	dir := t.TempDir()
	file := made(t, dir)
	change(t, file, `INSERT INTO schema_migrations(number, name, applied_at) VALUES(9999, '9999_future.sql', '')`)
	openFails(t, dir, fault.StoreNewer)
}

func change(t *testing.T, file, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(query)
	must(t, err)
}

func TestBrokenReferencesAreRead(t *testing.T) {
	s := open(t, t.TempDir())
	err := s.write(t.Context(), syncFull, func(tx *Tx) error {
		_, err := tx.exec(
			`PRAGMA defer_foreign_keys=1; INSERT INTO observations(seq, event_id, trace, event, action) VALUES(1, x'00', 77, '', '')`)
		if err != nil {
			return err
		}
		return checkForeignKeys(t.Context(), tx)
	})
	if fault.CodeOf(err) != fault.StoreCorrupt {
		t.Errorf("a row that refers to nothing passed the check: %v", err)
	}
}

func TestMigrationMakesABackup(t *testing.T) {
	dir := t.TempDir()
	file := made(t, dir)
	change(t, file, `DELETE FROM schema_migrations WHERE number=1`) // as if an older version had not had it
	change(t, file, `INSERT INTO schema_migrations(number, name, applied_at) VALUES(0, 'before', '')`)
	openFails(t, dir, fault.StoreNewer) // 0 is not known: nothing is touched
	if found, _ := filepath.Glob(filepath.Join(dir, backupDir, "*")); len(found) != 0 {
		t.Error("a database of a newer version was backed up")
	}

	s := open(t, t.TempDir())
	must(t, s.Append(t.Context(), []capture.Record{record("s", "t", 1)}))
	for n := 2; n < 6; n++ {
		must(t, s.backup(t.Context(), migration{number: n}))
	}
	found, _ := filepath.Glob(filepath.Join(s.Dir(), backupDir, "*.db"))
	if len(found) != keepBackups {
		t.Fatalf("%d backups, want %d", len(found), keepBackups)
	}
	for _, name := range found {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("backup: %v, %v", info.Mode(), err)
		}
		change(t, name, `SELECT 1/count(*) FROM observations`)
	}
}

func TestClosedStore(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.Close())
	must(t, s.Close())
	if err := s.Append(t.Context(), []capture.Record{record("s", "t", 1)}); fault.CodeOf(err) != fault.Cancelled {
		t.Errorf("Append = %v", err)
	}
	if err := s.Update(t.Context(), func(*Tx) error { return nil }); fault.CodeOf(err) != fault.Cancelled {
		t.Errorf("Update = %v", err)
	}
	if _, err := s.Events(t.Context(), 0, "", 1); fault.CodeOf(err) != fault.Cancelled {
		t.Errorf("Events = %v", err)
	}
}

func TestAppendGivesUpWithItsContext(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.take(t.Context())) // somebody else writes
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Append(ctx, []capture.Record{record("s", "t", 1)}); !errors.Is(err, context.Canceled) {
		t.Errorf("Append = %v", err)
	}
	s.give()
	must(t, s.Append(t.Context(), []capture.Record{record("s", "t", 2)}))
	if n, _ := s.ObservationCount(t.Context(), "s"); n != 1 {
		t.Errorf("%d observations, want only the one that was not given up", n)
	}
}
