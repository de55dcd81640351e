package perform

import (
	"os"
	"path/filepath"
	"testing"

	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
)

// emptyRoom is no more than its folder.
type emptyRoom struct {
	port.Room
	dir string
}

func (r emptyRoom) Dir() string { return r.dir }

// What a line writes has a place to go to where the person has one, and no other.
func TestFoldersThatALineWritesInto(t *testing.T) {
	home, room := t.TempDir(), emptyRoom{dir: t.TempDir()}
	for _, dir := range []string{"sites", "out/2026"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "sites", "old.conf"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := performance(supply.Supply{})
	p.room = room
	for _, word := range []string{"sites/new.conf", "out/2026/a.csv", "none/a.csv", "../up/a", "/etc/passwd", "a.txt", "o*/x", "{x}/y"} {
		if err := p.files.makeFolderOf(home, "www", word); err != nil {
			t.Errorf("%s: %v", word, err)
		}
	}
	var got []string
	_ = filepath.WalkDir(room.dir, func(name string, _ os.DirEntry, _ error) error {
		rel, _ := filepath.Rel(room.dir, name)
		got = append(got, filepath.ToSlash(rel))
		return nil
	})
	if want := []string{".", "www", "www/out", "www/out/2026", "www/sites"}; len(got) != len(want) {
		t.Errorf("%q, want %q", got, want)
	}
}
