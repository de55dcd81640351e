package files

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	created = "created"
	changed = "changed"
	moved   = "moved"
	removed = "removed"
)

// change is a difference between the listing and the disk. The path of a removal, and from, refer to the listing
// before; every other path refers to the listing after.
type change struct {
	what  string
	path  string
	from  string // of a move
	over  bool   // of a move: something was at path before
	now   facts  // the current facts; the last ones if it is gone
	files int    // of a folder: how many files are in it
	at    time.Time
	entry int64 // ns; when an entry of its folder came or went last; 0 if the folder is gone
	more  bool  // it stands for many that are not reported singly; path is their common folder
}

// gone is an entry that is no longer where the listing had it.
type gone struct {
	path string // in the listing before
	n    *node
}

// settle compares the paths with the disk, updates the listing and returns the changes. Applied to the old listing,
// the changes yield the new one: a folder that moved or is gone stands for all its content.
func settle(t *tree, paths map[string]time.Time, look func(string) (facts, bool)) []change {
	s := settling{t: t, look: look, at: paths, is: map[string]facts{}, gone: map[identity]gone{}, away: map[string]*node{}}
	order := slices.Sorted(maps.Keys(paths)) // a folder before its content
	for _, p := range order {                // removals first: a move is one of them and one arrival
		f, ok := look(p)
		if ok {
			s.is[p] = f
		}
		if was := t.at(p); was != nil && !(ok && stays(was, f)) {
			s.leave(p, p, was)
		}
	}
	for _, p := range order {
		if f, ok := s.is[p]; ok {
			s.arrive(p, f, paths[p])
		}
	}
	for _, p := range slices.Sorted(maps.Keys(s.away)) {
		n := s.away[p]
		s.out = append(s.out, change{what: removed, path: p, now: n.facts, files: n.files(), at: s.when(p)})
	}
	return s.out
}

// stays reports whether the listing's entry is still the one at its place, changed or not.
func stays(was *node, f facts) bool {
	return was.kind == f.kind && (f.kind != aFolder || f.id == was.id)
}

type settling struct {
	t    *tree
	look func(string) (facts, bool)
	at   map[string]time.Time
	is   map[string]facts
	gone map[identity]gone // what has left its place, by what it is
	away map[string]*node  // what has left its place, by where that was; the outermost folder only
	out  []change
}

// when is the time at which something was noticed about a path or a folder above it.
func (s *settling) when(path string) time.Time {
	for ; ; path = filepath.Dir(path) {
		if t, ok := s.at[path]; ok || path == filepath.Dir(path) {
			return t
		}
	}
}

// leave removes the entry at a path from the listing; before is its original path.
func (s *settling) leave(path, before string, n *node) {
	s.t.cut(path)
	s.away[before] = n
	n.each(before, func(p string, k *node) {
		if k.id.known() {
			s.gone[k.id] = gone{p, k}
		}
	})
}

// arrive adds what is at a path to the listing.
func (s *settling) arrive(path string, f facts, at time.Time) {
	was := s.t.at(path)
	if was != nil && !f.differs(was.facts) {
		return
	}
	s.parents(path, at)
	if from, ok := s.gone[f.id]; ok && f.same(from.n.facts) {
		s.take(from)
		from.n.facts = f
		s.t.put(path, from.n)
		s.out = append(s.out, change{what: moved, path: path, from: from.path, over: was != nil, now: f, at: at})
		s.inside(path, from, at)
		return
	}
	if was != nil {
		was.facts = f
		s.out = append(s.out, change{what: changed, path: path, now: f, at: at})
		return
	}
	s.t.put(path, &node{facts: f})
	s.out = append(s.out, change{what: created, path: path, now: f, at: at})
}

// inside compares what came along with a moved folder: some of it may be missing, without a notification.
func (s *settling) inside(path string, from gone, at time.Time) {
	if from.n.kind != aFolder {
		return
	}
	type entry struct {
		path, before string
		n            *node
	}
	var all []entry
	from.n.each(path, func(p string, k *node) {
		if k != from.n {
			all = append(all, entry{p, from.path + strings.TrimPrefix(p, path), k})
		}
	})
	for _, e := range all {
		if s.t.at(e.path) != e.n {
			continue // left with its folder
		}
		f, ok := s.look(e.path)
		if !ok || !stays(e.n, f) {
			s.leave(e.path, e.before, e.n)
		}
		if _, later := s.is[e.path]; ok && !later {
			s.arrive(e.path, f, at)
		}
	}
}

// parents adds folders to the listing that no notification named.
func (s *settling) parents(path string, at time.Time) {
	dir := filepath.Dir(path)
	if dir == path || s.t.at(dir) != nil || !s.t.above(dir) {
		return
	}
	if f, ok := s.look(dir); ok && f.kind == aFolder {
		s.arrive(dir, f, at)
	}
}

// take removes a moved entry from what is gone.
func (s *settling) take(g gone) {
	g.n.each(g.path, func(_ string, k *node) { delete(s.gone, k.id) })
	if s.away[g.path] == g.n {
		delete(s.away, g.path)
		return
	}
	for dir := filepath.Dir(g.path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if top := s.away[dir]; top != nil { // it was in a folder that is gone as well
			top.cut(strings.TrimPrefix(g.path, dir))
			return
		}
	}
}

// visible drops temporary files and reports their result: a temporary file that was renamed to its final name is a
// created file, or a changed one if that name existed.
func visible(changes []change, temporary func(path string) bool) []change {
	out := changes[:0]
	for _, c := range changes {
		is, was := temporary(c.path), c.what == moved && temporary(c.from)
		switch {
		case is && (was || c.what != moved):
			continue
		case is:
			c.what, c.path, c.from = removed, c.from, ""
		case was:
			c.what, c.from = created, ""
			if c.over {
				c.what = changed
			}
		}
		out = append(out, c)
	}
	return out
}
