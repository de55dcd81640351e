package browser

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"showhow/internal/single"
)

// temporary is a directory that goes with the browser: a profile, or a cache with whole pages in it. Its lock says that somebody
// needs it; what a killed program left is unlocked, and the next browser deletes it.
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

// InMemory reports whether a throw-away profile is kept in memory here. A disk would be asked for each of its hundreds of files, and
// would hold what was typed until it is overwritten.
func InMemory() bool { return slices.ContainsFunc(memoryRoots(), roomy) }

// profileRoot is where throw-away profiles go.
func profileRoot() string {
	for _, dir := range memoryRoots() {
		if roomy(dir) {
			return dir
		}
	}
	return os.TempDir()
}

// cacheRoot is where disk caches go: the runtime directory, which is memory on most systems.
func cacheRoot() string {
	root := os.Getenv("XDG_RUNTIME_DIR")
	if st, err := os.Stat(root); root == "" || err != nil || !st.IsDir() {
		return os.TempDir()
	}
	return root
}

// Sweep deletes what browsers of killed programs left, wherever that may be.
func Sweep() {
	for _, root := range append(memoryRoots(), os.TempDir(), cacheRoot()) {
		sweep(root, tempProfile)
		sweep(root, tempCache)
	}
}

// sweep deletes what browsers of killed programs left. Where nothing can be locked nobody knows whether one still needs it.
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
