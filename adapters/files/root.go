package files

import (
	"path/filepath"
	"slices"
	"strings"
)

// root is a folder that the scope names. A folder that is itself a link is watched at its real place and reported by
// the name given.
type root struct {
	path string // as the scope has it
	real string // without links
}

const separator = string(filepath.Separator)

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+separator) }

// rootsOf returns the folders to watch, none inside another; Showhow's own are excluded and counted.
func rootsOf(folders, own []string) (roots []root, refused int) {
	for _, f := range folders {
		r := root{path: filepath.Clean(f), real: resolve(f)}
		if slices.ContainsFunc(own, func(o string) bool { return within(r.real, o) }) {
			refused++
			continue
		}
		roots = append(roots, r)
	}
	slices.SortFunc(roots, func(a, b root) int { return strings.Compare(a.real, b.real) })
	roots = slices.CompactFunc(roots, func(outer, r root) bool { return within(r.real, outer.real) })
	return roots, refused
}

// resolve resolves links in the part of the path that exists.
func resolve(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolve(dir), filepath.Base(path))
	}
	return path
}

// named is a path as the scope would write it.
func (r root) named(path string) string { return r.path + strings.TrimPrefix(path, r.real) }

// shown is a path as a person would write it: starting with the named folder.
func (r root) shown(path string) string {
	return filepath.ToSlash(filepath.Base(r.path) + strings.TrimPrefix(path, r.real))
}

// parts are the path elements below the named folder.
func (r root) parts(path string) []string {
	rest := strings.Trim(strings.TrimPrefix(path, r.real), separator)
	if rest == "" {
		return nil
	}
	return strings.Split(rest, separator)
}
