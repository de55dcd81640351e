package browser

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"showhow/internal/single"
)

// temporary is a directory that lives as long as the browser: a profile, or a cache that contains
// whole pages. Its lock marks it as in use; the directory of a killed program is unlocked, and the
// next browser deletes it.
type temporary struct {
	dir  string
	lock *single.Lock
}

const (
	tempProfile = "showhow-browser-"
	tempCache   = "showhow-cache-"
	tempLock    = "showhow.lock"
)

func newTemporary(root, prefix string) (temporary, error) {
	for {
		dir, err := os.MkdirTemp(root, prefix)
		if err != nil {
			return temporary{}, err
		}
		lock, first, err := single.Take(filepath.Join(dir, tempLock))
		if err == nil && first {
			return temporary{dir, lock}, nil
		}
		if err != nil {
			return temporary{}, errors.Join(err, os.RemoveAll(dir))
		}
	}
}

func (t temporary) remove() error {
	defer t.lock.Release()
	return RemoveProfile(t.dir)
}

// InMemory reports whether a throw-away profile is kept in memory here. On disk it would cost
// hundreds of file operations, and what was typed would remain until overwritten.
func InMemory() bool { return slices.ContainsFunc(memoryRoots(), roomy) }

// profileRoot is the folder for throw-away profiles.
func profileRoot() string {
	for _, dir := range memoryRoots() {
		if roomy(dir) {
			return dir
		}
	}
	return os.TempDir()
}

// cacheRoot is the folder for disk caches: the runtime directory, which is memory on most systems.
func cacheRoot() string {
	root := os.Getenv("XDG_RUNTIME_DIR")
	if st, err := os.Stat(root); root == "" || err != nil || !st.IsDir() {
		return os.TempDir()
	}
	return root
}

// Sweep deletes what browsers of killed programs left behind, wherever that may be.
func Sweep() {
	for _, root := range append(memoryRoots(), os.TempDir(), cacheRoot()) {
		sweep(root, tempProfile)
		sweep(root, tempCache)
	}
}

// sweep deletes what browsers of killed programs left behind. Where files cannot be locked it
// deletes nothing, because nobody knows what is still in use.
func sweep(root, prefix string) {
	if runtime.GOOS == "windows" {
		return
	}
	locks, _ := filepath.Glob(filepath.Join(root, prefix+"*", tempLock))
	for _, l := range locks {
		if lock, first, err := single.Take(l); err == nil && first {
			_ = temporary{filepath.Dir(l), lock}.remove()
		}
	}
}
