package folder

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A file that vanishes again after it was taken in, as an editor does it that writes by a rename, is not brought back.
func TestTakingInWritesNoFile(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	sync(t, f)
	commit(t, f, map[string]Write{"a.md": {Data: []byte("one")}})
	os.Remove(filepath.Join(dir, "a.md"))
	put(t, dir, "b.md", "two")
	f.step = func(s string) {
		if s == "files" { // undone in the meantime
			os.Remove(filepath.Join(dir, "b.md"))
			put(t, dir, "a.md", "one")
		}
	}
	sync(t, f)
	if _, err := os.Stat(filepath.Join(dir, "a.md")); err != nil {
		t.Errorf("a file that came back is gone: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.md")); err == nil {
		t.Error("a file that somebody removed is back")
	}
	f.step = func(string) {}
	if s := sync(t, f); len(s.Files) != 1 || s.Files["a.md"] == "" {
		t.Errorf("the folder holds %v", s.Files)
	}
	// The same after a kill between the branch and the end.
	put(t, dir, "c.md", "three")
	f.step = func(s string) {
		if s == "index" {
			panic("killed")
		}
	}
	func() {
		defer func() { recover() }()
		f.Sync()
	}()
	os.Remove(filepath.Join(dir, "c.md"))
	f = open(t, dir)
	sync(t, f)
	if _, err := os.Stat(filepath.Join(dir, "c.md")); err == nil {
		t.Error("the next start wrote a file of somebody else's")
	}
}

func TestAFolderThatCannotBeListedStaysAsItWas(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	for _, p := range []string{"open/a.md", "shut/b.md", "shut/deep/c.md"} {
		put(t, dir, p, p)
	}
	sync(t, f)
	shut := filepath.Join(dir, "shut")
	if err := os.Chmod(shut, 0o100); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(shut, 0o700) })
	if _, err := os.ReadDir(shut); err == nil {
		t.Skip("nothing is unreadable for this user")
	}
	put(t, dir, "open/a.md", "edited")
	s := sync(t, f)
	if !slices.Contains(s.Skipped, "shut") || len(s.Files) != 1 {
		t.Errorf("%+v", s)
	}
	if got := git(t, dir, "ls-tree", "-r", "--name-only", "HEAD"); got != "open/a.md\nshut/b.md\nshut/deep/c.md" {
		t.Errorf("HEAD holds %q", got)
	}
	os.Chmod(shut, 0o700)
	if s := sync(t, f); len(s.Files) != 3 || len(s.Skipped) != 0 {
		t.Errorf("%+v", s)
	}
}
