//go:build unix

package regular

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("text"), 0o600), os.Mkdir(at("folder"), 0o700), unix.Mkfifo(at("pipe"), 0o600),
		os.Symlink("file", at("link")), os.Symlink("pipe", at("piped"))); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]struct{ open, in bool }{
		"file": {true, true}, "folder": {}, "pipe": {}, "link": {open: true}, "piped": {}, "none": {},
	} {
		f, info, err := Open(at(name))
		if (err == nil) != want.open {
			t.Errorf("%s by path: %v", name, err)
		} else if err == nil && info.Size() != 4 {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
		f.Close()
		if f, _, err = In(root, name); (err == nil) != want.in {
			t.Errorf("%s in its folder: %v", name, err)
		}
		f.Close()
	}
	if _, err := ReadIn(root, "file", 3); !errors.Is(err, ErrLong) {
		t.Error(err)
	}
	if b, err := ReadIn(root, "file", 4); err != nil || string(b) != "text" {
		t.Errorf("%q %v", b, err)
	}
}
