package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"showhow/adapters"
	"showhow/capture"
	"showhow/internal/fswatch"
)

// Bounds of what is watched.
const (
	maxFolders = 20_000  // one watch each
	maxEntries = 200_000 // about 30 MB of listing
)

// mark is a path about which something was noticed.
type mark struct {
	first, last time.Time
	told        bool // it never became quiet and was reported once; from now on it must be quiet
}

// watcher follows the named folders. It belongs to Run's goroutine, except for fsnotify's own goroutine.
type watcher struct {
	own    []string
	sink   adapters.Sink
	now    func() time.Time
	fs     *fswatch.Watcher
	roots  []root
	ids    map[string]identity // of the roots as they were last seen; none when missing
	look   func(string) (facts, bool)
	tree   tree
	marks  map[string]*mark
	latest time.Time       // when something was noticed last
	oldest time.Time       // since when something waits
	watch  map[string]bool // folders with a watch
	count  int             // entries of the listing, roughly
	health adapters.Health
	unwell adapters.Health // of the last scan
	stale  bool            // notifications may have gone astray: rebuild
}

func newWatcher(a *Adapter, sink adapters.Sink) (*watcher, error) {
	fs, err := fswatch.New()
	if err != nil {
		return nil, err
	}
	w := &watcher{sink: sink, now: a.now, fs: fs, look: look, marks: map[string]*mark{}, watch: map[string]bool{},
		ids: map[string]identity{}, health: adapters.Health{State: adapters.Ready}}
	for _, o := range a.own {
		w.own = append(w.own, resolve(o))
	}
	return w, nil
}

// rescope watches the folders of a scope and no others. What a newly added folder contains is the starting point, not
// a change.
func (w *watcher) rescope(s capture.Scope) {
	roots, refused := rootsOf(s.Folders, w.own)
	if refused > 0 {
		w.sink.Withhold(capture.ProcessLaunch, capture.OwnWindow, int64(refused))
	}
	w.unwell = adapters.Health{}
	for _, r := range w.roots {
		if !slices.Contains(roots, r) {
			w.unwatch(r.real)
			w.tree.cut(r.real)
			delete(w.ids, r.real)
			for p := range w.marks {
				if within(p, r.real) {
					delete(w.marks, p)
				}
			}
		}
	}
	old := w.roots
	w.roots = roots
	w.look = look
	for _, r := range roots {
		if !slices.Contains(old, r) {
			w.list(r)
		}
		if foldsCase(r.real) {
			w.look = spelled
		}
	}
	w.report()
}

// list adds a root to the listing as it is.
func (w *watcher) list(r root) {
	f, ok := look(r.real)
	if !ok || f.kind != aFolder {
		w.unwell = missing
		delete(w.ids, r.real)
		return
	}
	w.ids[r.real] = f.id
	w.add(r.real, &node{facts: f}, true)
}

// add watches a folder and everything in it. It sets the watch before reading the folder, so that nothing is missed
// in between. If known, the content belongs to the starting point; otherwise everything found is marked.
func (w *watcher) add(dir string, n *node, known bool) {
	if known {
		w.tree.put(dir, n)
		w.count++
	}
	if len(w.watch) >= maxFolders || w.count >= maxEntries {
		w.unwell = tooLarge
		return
	}
	if err := w.fs.Add(dir); err != nil {
		if h, is := limits(err); is {
			w.unwell = h
		}
		return
	}
	w.watch[dir] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // not ours to read
	}
	for _, e := range entries {
		path := dir + separator + e.Name()
		if isSkipped(e.Name()) || w.isOwn(path) {
			continue
		}
		if !known {
			w.note(path)
		}
		switch {
		case e.IsDir():
			f, ok := look(path)
			if ok && f.kind == aFolder {
				w.add(path, &node{facts: f}, known)
			}
		case known:
			if f, ok := look(path); ok {
				w.tree.put(path, &node{facts: f})
				w.count++
			}
		}
	}
}

func (w *watcher) isOwn(path string) bool { return slices.Contains(w.own, path) }

// unwatch ends the watches of a folder and of everything in it.
func (w *watcher) unwatch(dir string) {
	if !w.watch[dir] && !w.tree.top.hasKids(dir) {
		return
	}
	for p := range w.watch {
		if within(p, dir) {
			_ = w.fs.Remove(p) // it may be gone already
			delete(w.watch, p)
		}
	}
}

func (n *node) hasKids(path string) bool { k := n.down(path); return k != nil && len(k.kids) > 0 }

// rootOf returns the root of a path that is watched.
func (w *watcher) rootOf(path string) (root, bool) {
	for _, r := range w.roots {
		if within(path, r.real) {
			return r, true
		}
	}
	return root{}, false
}

// relevant reports whether a path is in a named folder with no excluded folder on the way.
func (w *watcher) relevant(path string) bool {
	r, ok := w.rootOf(path)
	if !ok || slices.ContainsFunc(r.parts(path), isSkipped) {
		return false
	}
	return !slices.ContainsFunc(w.own, func(o string) bool { return within(path, o) })
}

// note marks a path.
func (w *watcher) note(path string) {
	now := w.now()
	if len(w.marks) == 0 {
		w.oldest = now
	}
	m := w.marks[path]
	if m == nil {
		m = &mark{first: now}
		w.marks[path] = m
	}
	m.last, w.latest = now, now
}

// heard handles a notification: it marks the path and updates the watches as folders come and go.
func (w *watcher) heard(ev fsnotify.Event) {
	path := filepath.Clean(ev.Name)
	if ev.Name == "" || !w.relevant(path) {
		return
	}
	if ev.Has(fsnotify.Rename) || ev.Has(fsnotify.Remove) {
		w.unwatch(path) // it would go on under the name that it had
	}
	w.note(path)
	if ev.Has(fsnotify.Create) {
		if f, ok := look(path); ok && f.kind == aFolder {
			w.unwatch(path)
			w.add(path, nil, false)
			w.report()
		}
	}
}

// rebuild starts over after lost or misdirected notifications: everything is looked at again.
func (w *watcher) rebuild() error {
	fs, err := fswatch.New()
	if err != nil {
		return err
	}
	_ = w.fs.Close()
	w.fs, w.watch, w.stale = fs, map[string]bool{}, false
	w.unwell = adapters.Health{}
	for _, r := range w.roots {
		if n := w.tree.at(r.real); n != nil {
			n.each(r.real, func(p string, _ *node) { w.note(p) })
		}
		w.root(r)
	}
	w.report()
	return nil
}

// root looks at a root that is new, back or replaced.
func (w *watcher) root(r root) {
	w.note(r.real)
	f, ok := look(r.real)
	if !ok || f.kind != aFolder {
		delete(w.ids, r.real)
		w.unwell = missing
		return
	}
	w.ids[r.real] = f.id
	w.add(r.real, nil, false)
}

// poll notices what notifications do not report: a named folder that went, came or was replaced, also by a mount.
func (w *watcher) poll() {
	some := false
	for _, r := range w.roots {
		f, ok := look(r.real)
		ok = ok && f.kind == aFolder
		id, had := w.ids[r.real]
		if ok != had || ok && id != f.id || ok && !w.watch[r.real] && w.unwell == (adapters.Health{}) {
			some = true
		}
	}
	if !some {
		return
	}
	w.unwell = adapters.Health{}
	for _, r := range w.roots {
		f, ok := look(r.real)
		ok = ok && f.kind == aFolder
		if id, had := w.ids[r.real]; ok != had || ok && (id != f.id || !w.watch[r.real]) {
			w.unwatch(r.real)
			w.root(r)
		} else if !ok {
			w.unwell = missing
		}
	}
	w.report()
}

// settle compares marked paths that are ready with the disk.
func (w *watcher) settle(ready func(*mark) bool) []change {
	paths := map[string]time.Time{}
	for p, m := range w.marks {
		if ready(m) {
			paths[p] = m.last
		}
	}
	w.join(paths)
	for p := range paths {
		if m := w.marks[p]; m != nil && m.told {
			continue
		}
		delete(w.marks, p)
	}
	changes := slices.DeleteFunc(settle(&w.tree, paths, w.look), w.placeholder)
	for i := range changes {
		c := &changes[i]
		if f, ok := w.look(filepath.Dir(c.path)); ok {
			c.entry = f.mtime
		}
		switch n := w.tree.at(c.path); {
		case c.what == removed:
			w.count -= 1 + c.files
			w.stale = w.stale || c.now.kind == aFolder
		case n != nil:
			c.files = n.files()
		}
		if c.what == created {
			w.count++
		}
		// A watch is tied to the path at which it was set. If folders move while others take their names, the library
		// may continue under the old name.
		w.stale = w.stale || c.what == moved && c.now.kind == aFolder
	}
	return changes
}

// placeholder removes from the listing an empty file that only reserves a download's name: report.csv while
// report.csv.x7Qp.part or report.x7Qp.csv.part exists.
func (w *watcher) placeholder(c change) bool {
	dir := w.tree.at(filepath.Dir(c.path))
	if c.what != created || c.now.kind != aFile || c.now.size > 0 || dir == nil {
		return false
	}
	ext := filepath.Ext(c.path)
	stem := strings.TrimSuffix(filepath.Base(c.path), ext)
	for name := range dir.kids {
		if strings.HasPrefix(name, stem+".") && strings.HasSuffix(name, ".part") {
			w.tree.cut(c.path)
			return true
		}
	}
	return false
}

// join adds the other half of a move of which one half is ready.
func (w *watcher) join(paths map[string]time.Time) {
	if len(paths) == len(w.marks) {
		return
	}
	away := map[identity]bool{}
	for p := range paths {
		if n := w.tree.at(p); n != nil {
			if f, ok := w.look(p); !ok || !stays(n, f) {
				n.each(p, func(_ string, k *node) { away[k.id] = true })
			}
		}
	}
	for p, m := range w.marks {
		if _, in := paths[p]; in || len(away) == 0 {
			continue
		}
		if f, ok := w.look(p); ok && f.id.known() && away[f.id] {
			paths[p] = m.last
		}
	}
}

// temporary reports whether a path is a program's temporary file.
func (w *watcher) temporary(path string) bool {
	r, ok := w.rootOf(path)
	return ok && slices.ContainsFunc(r.parts(path), isTemporary)
}

// report informs the session when the health has changed.
func (w *watcher) report() {
	h := w.unwell
	if h == (adapters.Health{}) {
		h.State = adapters.Ready
	}
	if h != w.health {
		w.health = h
		w.sink.Health(h)
	}
}

var (
	missing = adapters.Health{State: adapters.Degraded, Code: "folder_missing", Reason: "a folder that the session names does not exist",
		Fix: "make the folder, or name another: `showhow learn scope --help`"}
	tooLarge = adapters.Health{State: adapters.Degraded, Code: "too_many_files",
		Reason: "the named folders hold more than can be watched; a part of them is not",
		Fix:    "name a smaller folder"}
	tooFew = adapters.Health{State: adapters.Degraded, Code: "watch_limit",
		Reason: "the system's limit of watched folders is reached; a part of them is not watched",
		Fix:    "sudo sysctl fs.inotify.max_user_watches=524288, or name a smaller folder"}
	noInstance = adapters.Health{State: adapters.Unavailable, Code: "watch_limit",
		Reason: "the system's limit of programs that watch folders is reached",
		Fix:    "sudo sysctl fs.inotify.max_user_instances=1024"}
)

// limits distinguishes the system's own limits from a folder that cannot be watched.
func limits(err error) (adapters.Health, bool) {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.ENOMEM):
		return tooFew, true
	}
	return adapters.Health{}, false
}

// foldsCase reports whether a file system is case-insensitive.
func foldsCase(dir string) bool {
	name := filepath.Base(dir)
	other := strings.ToUpper(name)
	if other == name {
		other = strings.ToLower(name)
	}
	if other == name {
		return false
	}
	a, err := os.Lstat(dir)
	if err != nil {
		return false
	}
	b, err := os.Lstat(filepath.Join(filepath.Dir(dir), other))
	return err == nil && os.SameFile(a, b)
}
