package terminal

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/internal/filetime"
)

// maxFiles bounds a look at a folder; a folder with more entries is skipped.
const maxFiles = 200

// tick is how much too early fish, which rounds to milliseconds, may report the end of a command. The other shells
// report it once the command has ended, and a file's time is that of the kernel's last tick, never later than the
// change.
const tick = 5 * time.Millisecond

type fileState struct {
	size    int64
	mtime   int64 // ns
	changed time.Time
}

// same reports whether a file is as it was.
func (s fileState) same(o fileState) bool { return s.size == o.size && s.mtime == o.mtime }

// listing is the regular files directly in one folder.
type listing struct {
	dir   string
	files map[string]fileState
	ok    bool      // the folder was read and is small enough
	moved time.Time // when an entry was last added, renamed or removed
}

func list(dir string) listing {
	l := listing{dir: dir}
	if !filepath.IsAbs(dir) {
		return l
	}
	f, err := os.Open(dir)
	if err != nil {
		return l
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil {
		l.moved = fi.ModTime()
	}
	entries, err := f.ReadDir(maxFiles + 1)
	if len(entries) > maxFiles || (err != nil && len(entries) > 0) {
		return l
	}
	l.files, l.ok = make(map[string]fileState, len(entries)), true
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if fi, err := e.Info(); err == nil {
			l.files[e.Name()] = fileState{fi.Size(), fi.ModTime().UnixNano(), filetime.Changed(fi)}
		}
	}
	return l
}

// until removes from a listing what happened after the command had ended: by the next command, if lines come quickly
// or the look came late. A removed file keeps no time of its own: the removal is this command's if its line names the
// file, or if the folder has not changed since. A file that the next command created within the kernel's tick (4 ms)
// is attributed to this one.
func (l listing) until(end time.Time, line string, before listing) listing {
	if !l.ok || !before.ok || l.dir != before.dir {
		return l
	}
	l.files = maps.Clone(l.files)
	for name, s := range l.files {
		old, there := before.files[name]
		switch {
		case !s.changed.After(end) || there && old.same(s):
		case there:
			l.files[name] = old
		default:
			delete(l.files, name)
		}
	}
	for name, old := range before.files {
		if _, there := l.files[name]; !there && l.moved.After(end) && !strings.Contains(line, name) {
			l.files[name] = old
		}
	}
	return l
}

// effects returns the files that a command replaced or removed, and those that it created or changed.
func effects(before, after listing) (was, is []capture.File) {
	if !before.ok || !after.ok || before.dir != after.dir {
		return nil, nil
	}
	for name, s := range before.files {
		if now, there := after.files[name]; !there || !now.same(s) {
			was = append(was, file(name, s))
		}
	}
	for name, s := range after.files {
		if old, there := before.files[name]; !there || !old.same(s) {
			is = append(is, file(name, s))
		}
	}
	byName := func(a, b capture.File) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(was, byName)
	slices.SortFunc(is, byName)
	return was, is
}

func file(name string, s fileState) capture.File {
	return capture.File{Name: name, Ext: strings.ToLower(filepath.Ext(name)), Size: s.size}
}
