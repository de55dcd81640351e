package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// R9 0.2G, 1.1J: what something else writes, empties or removes where only Showhow writes is put back, with a receipt
// each; what Showhow itself writes, and files elsewhere, leave none.
func TestPutBack(t *testing.T) {
	s := open(t, t.TempDir())
	const a, b, c, other = "system/skills/config/user_preference.json", "system/skills/config/skill_config/x.json",
		"system/capabilities/manifests/x.json", "system/learning/current.json"
	update(t, s, func(tx *Tx) error {
		for _, p := range []string{a, b, c, other} {
			if err := tx.PutFile(p, map[string]any{"own": p}); err != nil {
				return err
			}
		}
		return nil
	})
	put := func() []string {
		t.Helper()
		got, _, err := s.PutBack(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		verify(t, s)
		return got
	}
	if got := put(); len(got) > 0 {
		t.Fatalf("our own writes: %v", got)
	}
	for _, p := range []string{a, c} {
		if err := os.WriteFile(s.pathOf(p), []byte(`{"foreign": true}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(s.pathOf(b)); err != nil {
		t.Fatal(err)
	}
	if got := put(); !slices.Equal(got, []string{c, b, a}) {
		t.Fatalf("%v", got)
	}
	if got := put(); len(got) > 0 {
		t.Errorf("put back twice: %v", got)
	}
	if n := count(t, s, "SELECT count(*) FROM receipts WHERE kind=?", string(journal.DirectWriteReverted)); n != 3 {
		t.Errorf("%d receipts", n)
	}
	if err := os.WriteFile(s.pathOf(other), []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _, err := s.PutBack(t.Context(), true); err != nil || len(got) > 0 {
		t.Errorf("%v %v", got, err)
	}
}

const preference = "system/skills/config/user_preference.json"

func putPreference(t *testing.T, s *Store) {
	t.Helper()
	update(t, s, func(tx *Tx) error { return tx.PutFile(preference, map[string]any{"folder": "reports"}) })
}

// aside lists the foreign files that were moved aside from a place.
func (s *Store) aside(name string) []string {
	found, _ := filepath.Glob(s.pathOf(name) + ".foreign-*")
	return found
}

// A file too large to be ours is moved aside as it is: while running, at start, and where a file of lines is removed.
func TestAFileTooLargeToBeOursIsNotRead(t *testing.T) {
	const size = 1 << 30 // sparse
	dir := t.TempDir()
	s := open(t, dir)
	putPreference(t, s)
	update(t, s, func(tx *Tx) error { return tx.AppendLine("log.jsonl", map[string]any{"i": 1}) })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	must(t, os.Truncate(s.pathOf(preference), size))
	if got, _, err := s.PutBack(t.Context(), false); err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	verify(t, s)
	must(t, os.Truncate(s.pathOf("log.jsonl"), size))
	update(t, s, func(tx *Tx) error { return tx.RemoveFile("log.jsonl") })
	must(t, os.Truncate(s.pathOf(preference), size))
	must(t, s.Close())
	s = open(t, dir)
	verify(t, s)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > size/4 {
		t.Errorf("%d MiB were read", n>>20)
	}
	for name, want := range map[string]int{preference: 2, "log.jsonl": 1} {
		kept := s.aside(name)
		if len(kept) != want {
			t.Fatalf("%s: %v", name, kept)
		}
		for _, k := range kept {
			if info, err := os.Stat(k); err != nil || info.Size() != size {
				t.Errorf("%s is not kept as it was: %v", k, err)
			}
		}
	}
}

// Another writer that insists is answered less and less often, with few receipts and copies; one that is left alone
// for a while begins anew.
func TestAWriterThatInsists(t *testing.T) {
	at := clock.Now()
	s, err := Open(t.Context(), Options{Dir: t.TempDir(), Now: func() clock.Time { return at }})
	must(t, err)
	defer s.Close()
	putPreference(t, s)
	after := func(d time.Duration) int {
		t.Helper()
		at = at.Plus(d)
		must(t, os.WriteFile(s.pathOf(preference), []byte(`{"folder": "elsewhere"}`), 0o600))
		got, again, err := s.PutBack(t.Context(), false)
		if must(t, err); len(got) == 0 && (again <= 0 || again > longestRest) {
			t.Errorf("it waits for %v", again)
		}
		return len(got)
	}
	receipts := func() int {
		return count(t, s, "SELECT count(*) FROM receipts WHERE kind=?", string(journal.DirectWriteReverted))
	}
	n := 0
	for range 3600 / 5 {
		n += after(5 * time.Second)
	}
	if n < 8 || n > 16 || receipts() != 5 { // 1, 2, 3, 4 and 8
		t.Errorf("put back %d times in an hour, with %d receipts", n, receipts())
	}
	if told := count(t, s, "SELECT count(*) FROM receipts WHERE body LIKE '%That was 8 times in a row; it is%'"); told != 1 {
		t.Error("no receipt says how often")
	}
	if kept := s.aside(preference); len(kept) != foreignKept {
		t.Errorf("%d foreign files are kept", len(kept))
	}
	if after(longestRest) != 1 {
		t.Error("it is not put back after its rest")
	}
	for i := range putBackAtOnce {
		wait := time.Second
		if i == 0 {
			wait = 3 * longestRest
		}
		if after(wait) != 1 {
			t.Errorf("%d: it was left alone and is not put back at once", i)
		}
	}
	if n := receipts(); n != 8 {
		t.Errorf("%d receipts: it did not begin anew", n)
	}
	verify(t, s)
}

// What was changed behind an unchanged size and time is found by a look at contents, and kept.
func TestContentsAreCompared(t *testing.T) {
	s := open(t, t.TempDir())
	putPreference(t, s)
	file := s.pathOf(preference)
	info, err := os.Stat(file)
	must(t, err)
	b, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, bytes.Replace(b, []byte("reports"), []byte("elsewhe"), 1), 0o600))
	must(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
	if got, _, err := s.PutBack(t.Context(), false); err != nil || len(got) > 0 {
		t.Fatal(got, err)
	}
	if got, _, err := s.PutBack(t.Context(), true); err != nil || !slices.Equal(got, []string{preference}) {
		t.Fatal(got, err)
	}
	verify(t, s)
	kept := s.aside(preference)
	if len(kept) != 1 {
		t.Fatalf("%v", kept)
	}
	if b, err := os.ReadFile(kept[0]); err != nil || !bytes.Contains(b, []byte("elsewhe")) {
		t.Errorf("%s %v", b, err)
	}
}

// Looks at contents come to every small file in turn.
func TestPartsOfALook(t *testing.T) {
	var rows []fileRow
	for i := range 2*filesPerLook + 10 {
		rows = append(rows, fileRow{path: fmt.Sprintf("%05d", i)})
	}
	rows[7].disk.size = smallFile + 1
	var p putBacks
	seen := map[string]int{}
	for range 3 {
		for name, reads := range p.part(rows) {
			if reads {
				seen[name]++
			}
		}
	}
	if len(seen) != len(rows)-1 || seen["00007"] != 0 || seen["00000"] != 2 {
		t.Errorf("%d of %d files", len(seen), len(rows))
	}
	if got := (&putBacks{}).part(nil); len(got) > 0 {
		t.Error(got)
	}
}
