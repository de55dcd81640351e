package folder

import (
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"showhow/internal/regular"
)

// ignored knows what git leaves out during one walk of the folder, which comes to a folder before what is in it.
type ignored struct {
	f     *Folder
	rules []gitignore.Pattern // later ones count more
	dirs  map[string]bool     // folders that are left out
	keep  map[string]bool     // folders with something in the commit
}

func newIgnored(f *Folder, was map[string]file) *ignored {
	g := &ignored{f: f, dirs: map[string]bool{}, keep: map[string]bool{}}
	for p := range was {
		for dir := path.Dir(p); dir != "." && !g.keep[dir]; dir = path.Dir(dir) {
			g.keep[dir] = true
		}
	}
	g.read(".git/info/exclude", nil)
	g.read(".gitignore", nil)
	return g
}

// read adds the rules of a file, which are about what is below at.
func (g *ignored) read(name string, at []string) {
	data, err := regular.ReadIn(g.f.root, name, MaxFile)
	if err != nil {
		return
	}
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" && line[0] != '#' {
			g.rules = append(g.rules, gitignore.ParsePattern(line, at))
		}
	}
}

// dir is whether the walk can leave out a folder. In a folder that is ignored, rules can bring nothing back.
func (g *ignored) dir(p string) (skip bool) {
	parts := strings.Split(p, "/")
	if g.dirs[path.Dir(p)] || g.match(parts, true) {
		g.dirs[p] = true
		return !g.keep[p]
	}
	g.read(p+"/.gitignore", parts)
	return false
}

// file is whether a file is left out that is not in the commit.
func (g *ignored) file(p string) bool {
	return g.dirs[path.Dir(p)] || g.match(strings.Split(p, "/"), false)
}

func (g *ignored) match(parts []string, isDir bool) bool {
	return len(g.rules) > 0 && gitignore.NewMatcher(g.rules).Match(parts, isDir)
}
