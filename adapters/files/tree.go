package files

import (
	"path/filepath"
	"strings"
)

// identity identifies a file whatever its name. born distinguishes a reused inode number.
type identity struct {
	dev, ino uint64
	born     int64 // ns; 0 where the file system does not say
}

func (i identity) known() bool { return i.ino != 0 }

type kind byte

const (
	aFile kind = iota + 1
	aFolder
	aLink
)

// facts is what the listing knows about a path.
type facts struct {
	kind
	id    identity
	size  int64
	mtime int64 // ns
}

// same reports whether f, seen later and elsewhere, is the file of g. Without a birth time the inode number may have
// been reused: then the file must also be unmodified.
func (f facts) same(g facts) bool {
	return f.kind == g.kind && f.id.known() && f.id == g.id && (f.id.born != 0 || f.kind == aFolder || f.size == g.size && f.mtime == g.mtime)
}

// differs reports whether the content at a path has changed between g and f.
func (f facts) differs(g facts) bool {
	return f.kind != aFolder && (f.size != g.size || f.mtime != g.mtime || f.id != g.id)
}

// node is an entry of the listing. One without a kind only leads to a named folder.
type node struct {
	facts
	kids map[string]*node
}

// files counts the non-folders below n.
func (n *node) files() (count int) {
	for _, k := range n.kids {
		if k.kind != aFolder {
			count++
		}
		count += k.files()
	}
	return count
}

// each calls f for n and everything below it, a folder before its content.
func (n *node) each(path string, f func(path string, n *node)) {
	f(path, n)
	for name, k := range n.kids {
		k.each(path+string(filepath.Separator)+name, f)
	}
}

func split(path string) []string {
	return strings.Split(strings.Trim(filepath.Clean(path), string(filepath.Separator)), string(filepath.Separator))
}

// down follows a path below n.
func (n *node) down(path string) *node {
	for _, name := range split(path) {
		if n = n.kids[name]; n == nil {
			return nil
		}
	}
	return n
}

// cut removes the entry of a path below n, with its content.
func (n *node) cut(path string) {
	parts := split(path)
	for _, name := range parts[:len(parts)-1] {
		if n = n.kids[name]; n == nil {
			return
		}
	}
	delete(n.kids, parts[len(parts)-1])
}

// put sets the entry of a path below n.
func (n *node) put(path string, entry *node) {
	parts := split(path)
	for i, name := range parts {
		if n.kids == nil {
			n.kids = map[string]*node{}
		}
		if i == len(parts)-1 {
			n.kids[name] = entry
			return
		}
		if n.kids[name] == nil {
			n.kids[name] = &node{}
		}
		n = n.kids[name]
	}
}

// tree is the listing of every named folder, by absolute path.
type tree struct{ top node }

// at returns the entry of a path, nil when the listing has none.
func (t *tree) at(path string) *node {
	if n := t.top.down(path); n != nil && n.kind != 0 {
		return n
	}
	return nil
}

func (t *tree) cut(path string)          { t.top.cut(path) }
func (t *tree) put(path string, n *node) { t.top.put(path, n) }

// above reports whether the listing has a folder above the path.
func (t *tree) above(path string) bool {
	for dir := filepath.Dir(path); dir != path; path, dir = dir, filepath.Dir(dir) {
		if t.at(dir) != nil {
			return true
		}
	}
	return false
}
