//go:build unix

package browser

import (
	"os"
	"path/filepath"
	"testing"

	"showhow/internal/single"
)

// A killed program leaves its browser's pages behind; the next browser deletes them, and nobody
// else's.
func TestWhatAKilledBrowserLeftIsSwept(t *testing.T) {
	root := t.TempDir()
	mine, err := newTemporary(root, tempCache)
	if err != nil {
		t.Fatal(err)
	}
	left, err := newTemporary(root, tempCache)
	if err != nil {
		t.Fatal(err)
	}
	left.lock.Release() // as the kernel does when its program is killed
	if err := os.MkdirAll(filepath.Join(left.dir, "Default", "Cache"), 0o700); err != nil {
		t.Fatal(err)
	}
	unknown := filepath.Join(root, tempCache+"older")
	if err := os.Mkdir(unknown, 0o700); err != nil {
		t.Fatal(err)
	}
	sweep(root, tempCache)
	for dir, want := range map[string]bool{mine.dir: true, left.dir: false, unknown: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if single.Holder(filepath.Join(mine.dir, tempLock)) != os.Getpid() {
		t.Error("the lock was lost")
	}
	if err := mine.remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mine.dir); !os.IsNotExist(err) {
		t.Error(err)
	}
}
