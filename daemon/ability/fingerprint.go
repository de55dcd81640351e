package ability

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"showhow/daemon/skill"
	"showhow/internal/fault"
	"showhow/internal/filetime"
)

// hashes caches the content hash of folders by their directory listing, so that a check for drift costs a few stat
// calls. Where the platform has a change time, setting the modification time back does not fool it.
type hashes struct {
	mu sync.Mutex
	of map[string]hashed
}

type hashed struct{ fingerprint, hash string }

// place is the content found at a path.
type place struct {
	there bool
	hash  string // "" when it cannot be read as a bundle: a link, a special file, too large, no permission
}

// look returns the current content of dir.
func (h *hashes) look(dir string) place {
	fp, newest, err := fingerprint(dir)
	if err != nil {
		_, lerr := os.Lstat(dir)
		return place{there: lerr == nil}
	}
	h.mu.Lock()
	known, ok := h.of[dir]
	h.mu.Unlock()
	if ok && known.fingerprint == fp {
		return place{true, known.hash}
	}
	b, err := skill.ReadDir(dir)
	if err != nil {
		return place{there: !fault.Is(err, fault.NotFound)}
	}
	known = hashed{fp, b.Hash()}
	// Remember only what did not change during the read, nor so shortly before that the clock could hide another
	// change.
	if again, _, err := fingerprint(dir); err == nil && again == fp && time.Since(newest) > clockTick {
		h.mu.Lock()
		h.of[dir] = known
		h.mu.Unlock()
	}
	return place{true, known.hash}
}

// How long a copy that lacks files must stay unchanged before it counts as changed rather than as being deleted.
const (
	deletionStep  = 10 * time.Millisecond
	deletionSteps = 15
	deletionLimit = 100 // steps; a slower deletion counts as a change
)

// settled looks at a copy; while the copy lacks files of the bundle, it looks again until the copy is gone or stays
// unchanged: deleting a folder takes several steps, and a half-deleted one is not content that anybody chose.
func (h *hashes) settled(dir, bundle, want string) place {
	p := h.look(dir)
	for n, still := 0, 0; n < deletionLimit && still < deletionSteps && p.there && p.hash != want && lacks(dir, bundle); n++ {
		time.Sleep(deletionStep)
		again := h.look(dir)
		if again == p {
			still++
		} else {
			p, still = again, 0
		}
	}
	return p
}

// lacks reports whether a file of the bundle is missing in dir.
func lacks(dir, bundle string) bool {
	err := filepath.WalkDir(bundle, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // the bundle's own state is judged elsewhere
		}
		_, err = os.Lstat(filepath.Join(dir, strings.TrimPrefix(p, bundle)))
		return err
	})
	return err != nil
}

func (h *hashes) forget(dir string) {
	h.mu.Lock()
	delete(h.of, dir)
	h.mu.Unlock()
}

// clockTick is longer than the resolution of the coarsest file system clock.
const clockTick = 50 * time.Millisecond

func fingerprint(dir string) (fp string, newest time.Time, err error) {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return "", newest, fs.ErrNotExist
	}
	var b strings.Builder
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		changed := filetime.Changed(info)
		for _, t := range []time.Time{info.ModTime(), changed} {
			if t.After(newest) {
				newest = t
			}
		}
		fmt.Fprintf(&b, "%s\x00%o %d %d %d\n", strings.TrimPrefix(p, dir), info.Mode(), info.Size(), info.ModTime().UnixNano(),
			changed.UnixNano())
		return nil
	})
	return b.String(), newest, err
}
