package files

import (
	"path/filepath"
	"slices"
	"strings"
)

// root is a folder that the scope names. A folder that is itself a link is watched where it really is, and spoken of as it was
// named.
type root struct {
	path string // as the scope has it
	real string // without links
}

const separator = string(filepath.Separator)

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+separator) }

// rootsOf are the folders to watch, none inside another; what is Showhow's own is left out and counted.
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

// resolve is the path without links, as far as it exists.
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

// shown is a path as a person would: from the named folder on.
func (r root) shown(path string) string {
	return filepath.ToSlash(filepath.Base(r.path) + strings.TrimPrefix(path, r.real))
}

// parts are the names below the named folder.
func (r root) parts(path string) []string {
	rest := strings.Trim(strings.TrimPrefix(path, r.real), separator)
	if rest == "" {
		return nil
	}
	return strings.Split(rest, separator)
}
