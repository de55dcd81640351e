package terminal

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A late look also sees the effects of the next command; those are left to the next one.
func TestWhatTheNextCommandDidIsLeftToIt(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("old", "1")
	put("gone", "1")
	put("kept", "1")
	start := list(dir)
	put("first", "1")
	put("old", "22")
	// The next command starts once the file clock has advanced.
	end := time.Now()
	for l := list(dir); !l.files[".tick"].changed.After(end.Add(2 * tick)); l = list(dir) {
		put(".tick", "x")
	}
	put("second", "1")
	put("first", "333")
	if err := os.Remove(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	late := list(dir)
	one := late.until(end, "make first", start)
	delete(one.files, ".tick")
	if got := slices.Sorted(maps.Keys(one.files)); !slices.Equal(got, []string{"gone", "kept", "old"}) || one.files["old"].size != 2 {
		t.Errorf("after the first: %v", one.files)
	}
	if named := late.until(end, "rm gone", start); named.files["gone"] != (fileState{}) {
		t.Error("what the line removes by name is still there")
	}
	was, is := effects(one, late.until(time.Now(), "make second", one))
	names := []string{}
	for _, f := range append(was, is...) {
		if f.Name != ".tick" {
			names = append(names, f.Name)
		}
	}
	if !slices.Equal(names, []string{"gone", "first", "second"}) {
		t.Errorf("the second: %v", names)
	}
}

// The mark just after a command's report takes no new listing, which could include the next command's files; a later
// mark does, and sees what others did.
func TestTheMarkAfterACommand(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	s := shell{files: list(dir), looked: now}
	if err := os.WriteFile(filepath.Join(dir, "next.csv"), []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s.prompted(dir, now.Add(10*time.Millisecond)); len(s.files.files) != 0 {
		t.Error("the next command's file is taken for one that was there")
	}
	if s.prompted(dir, now.Add(time.Minute)); len(s.files.files) != 1 {
		t.Error("a file that somebody made meanwhile would be the next command's")
	}
}
