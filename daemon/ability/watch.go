package ability

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"showhow/internal/fault"
	"showhow/internal/fswatch"
)

// Watching finds changes between requests. It only triggers an observation, which decides (world.go), and lookups
// observe for themselves, so a missed notification costs time, not trust.
const (
	quietFor    = 10 * time.Millisecond  // a burst of changes is one
	atMost      = 100 * time.Millisecond // but is not waited for longer
	backstop    = 30 * time.Second       // a look without a notification: network file systems send none
	pollEvery   = 2 * time.Second        // when folders cannot be watched
	maxWatches  = 4096                   // of the system's, which others need too
	deepestTree = 64
)

// WatchState is how changes are noticed.
type WatchState struct {
	Folders int    `json:"folders"`
	Polling bool   `json:"polling" doc:"some folders cannot be watched: they are looked at every two seconds"`
	Reason  string `json:"reason,omitempty" maxLength:"240"`
}

// watchState is shared between Run and readers.
type watchState struct {
	mu sync.Mutex
	WatchState
}

// Watch notices changes between requests, and has native skills scanned.
type Watch struct {
	*registry
	natives  *natives
	rescan   chan struct{} // wakes Run
	watching watchState
}

// Watching returns how changes are noticed now.
func (s *Watch) Watching() WatchState {
	s.watching.mu.Lock()
	defer s.watching.mu.Unlock()
	return s.watching.WatchState
}

// Run watches the skill folders, scans native skills and acts on changes until ctx ends.
func (s *Watch) Run(ctx context.Context) error {
	var scans sync.WaitGroup
	scans.Go(func() { s.natives.scanNatives(ctx) })
	defer scans.Wait()
	w := &sentry{s: s, have: map[string]os.FileInfo{}, limit: maxWatches}
	if s.o.MaxWatches > 0 {
		w.limit = s.o.MaxWatches
	}
	if fs, err := fswatch.New(); err == nil {
		w.fs = fs
		defer fs.Close()
	} else {
		w.cannot = "the system gives no notifications about folders"
	}
	return w.run(ctx)
}

// sentry watches every skill folder and the folders above. It belongs to one goroutine.
type sentry struct {
	s      *Watch
	fs     *fswatch.Watcher // nil: none to be had
	have   map[string]os.FileInfo
	places []string // the skills' folders, whether they exist or not
	limit  int
	cannot string // why some folders are not watched
	told   bool
}

func (w *sentry) run(ctx context.Context) error {
	for ctx.Err() == nil {
		w.look(ctx)
		w.wait(ctx)
	}
	return nil
}

// wait returns when something is to be looked at.
func (w *sentry) wait(ctx context.Context) {
	var events <-chan fsnotify.Event
	var lost <-chan struct{}
	if w.fs != nil {
		events, lost = w.fs.Events, w.fs.Lost
	}
	every := backstop
	if w.cannot != "" {
		every = pollEvery
	}
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		select {
		case e := <-events:
			w.gone(e)
			if !w.concerns(e.Name) {
				continue
			}
			w.settle(ctx, events)
		case <-ctx.Done():
		case <-lost:
		case <-timer.C:
		case <-w.s.rescan:
		}
		return
	}
}

// concerns reports whether a path is in a skills' folder or on the way to one. Where such a folder is missing the one above it is
// watched, which may be a home: most that changes there is none of it.
func (w *sentry) concerns(path string) bool {
	return slices.ContainsFunc(w.places, func(p string) bool { return inside(path, p) || inside(p, path) })
}

// inside ignores case, as some file systems do: one look too many costs little.
func inside(path, dir string) bool {
	const sep = string(filepath.Separator)
	return strings.HasPrefix(strings.ToLower(path)+sep, strings.ToLower(strings.TrimSuffix(dir, sep))+sep)
}

// settle drains events that arrive at the same moment.
func (w *sentry) settle(ctx context.Context, events <-chan fsnotify.Event) {
	end := time.NewTimer(atMost)
	defer end.Stop()
	for {
		quiet := time.NewTimer(quietFor)
		select {
		case e := <-events:
			quiet.Stop()
			w.gone(e)
			continue
		case <-quiet.C:
		case <-end.C:
		case <-ctx.Done():
		}
		quiet.Stop()
		return
	}
}

// gone forgets the watch of a folder that was removed or renamed: a new folder with the name gets its own watch.
func (w *sentry) gone(e fsnotify.Event) {
	if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		w.drop(e.Name)
	}
}

func (w *sentry) drop(path string) {
	if _, ok := w.have[path]; ok {
		delete(w.have, path)
		_ = w.fs.Remove(path) // which the system may have done already
	}
}

// look observes the folders and then watches those that exist. It observes again after adding watches, so that nothing
// created in between is missed.
func (w *sentry) look(ctx context.Context) {
	for range 5 {
		places, err := w.s.lookAround(ctx)
		if err != nil {
			if ctx.Err() == nil {
				w.s.o.Log.Warn("the skills' folders could not be looked at", "code", fault.CodeOf(err))
			}
			return
		}
		w.places = places
		if added := w.watch(places); !added || ctx.Err() != nil {
			break
		}
	}
	w.tell()
}

// watch sets the watched folders to those below and above places. It reports whether one is new.
func (w *sentry) watch(places []string) (added bool) {
	if w.fs == nil {
		return false
	}
	want := map[string]os.FileInfo{}
	for _, p := range places {
		folders(p, want)
	}
	for path, info := range w.have {
		if now, ok := want[path]; !ok || !os.SameFile(info, now) {
			w.drop(path)
		}
	}
	w.cannot = ""
	for path, info := range want {
		if _, ok := w.have[path]; ok {
			continue
		}
		if len(w.have) >= w.limit {
			w.cannot = "there are more folders than Showhow watches"
			continue
		}
		if err := w.fs.Add(path); err != nil {
			if !errors.Is(err, os.ErrNotExist) {
				w.cannot = "the system refuses to watch more folders"
			}
			continue
		}
		w.have[path], added = info, true
	}
	return added
}

// tell logs once that some folders are only polled.
func (w *sentry) tell() {
	st := WatchState{Folders: len(w.have), Polling: w.cannot != "", Reason: w.cannot}
	w.s.watching.mu.Lock()
	w.s.watching.WatchState = st
	w.s.watching.mu.Unlock()
	if st.Polling && !w.told {
		w.s.o.Log.Warn("some skill folders cannot be watched; they are looked at every two seconds", "reason", w.cannot, "watched", st.Folders)
	}
	w.told = st.Polling
}

// folders collects place with everything below it, without following symlinks; for a missing place, the nearest
// existing parent, where it would appear.
func folders(place string, into map[string]os.FileInfo) {
	for p := place; ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		if err == nil && info.IsDir() {
			into[p] = info
			if p != place {
				return
			}
			break
		}
		if filepath.Dir(p) == p {
			return
		}
	}
	below(place, into, 0)
}

func below(dir string, into map[string]os.FileInfo, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil || depth > deepestTree {
		return
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		p := filepath.Join(dir, e.Name())
		if info, err := os.Lstat(p); err == nil && info.IsDir() {
			into[p] = info
			below(p, into, depth+1)
		}
	}
}

// Wake makes Run observe now, after something that the catalog shows was changed elsewhere.
func (s *Watch) Wake() { wake(s.rescan) }

// lookAround detects changes, acts on them, and returns the places to watch: the targets, and the bundle folder.
func (s *Watch) lookAround(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.current(ctx); err != nil {
		return nil, err
	}
	places := []string{filepath.Dir(s.bundlePath("x"))}
	for _, t := range s.o.Targets {
		places = append(places, t.Dir)
	}
	return places, nil
}
