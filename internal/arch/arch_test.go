package arch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

type pkg struct {
	ImportPath string
	Dir        string
	Doc        string
	GoFiles    []string
	Imports    []string
}

// builds are the systems that the program is built for; the window needs a build tag.
var builds = [][]string{{"GOOS=linux", "GOFLAGS=-tags=desktop"}, {"GOOS=darwin"}, {"GOOS=windows"}}

// packagesOfAllBuilds runs the go command once.
var packagesOfAllBuilds = sync.OnceValues(func() ([]pkg, error) {
	all := map[string]pkg{}
	for _, env := range builds {
		cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,GoFiles,Imports", "showhow/...")
		cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, err
		}
		for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
			var p pkg
			if err := dec.Decode(&p); err != nil {
				return nil, err
			}
			known := all[p.ImportPath]
			p.GoFiles, p.Imports = union(known.GoFiles, p.GoFiles), union(known.Imports, p.Imports)
			p.Doc = cmp.Or(p.Doc, known.Doc)
			all[p.ImportPath] = p
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b pkg) int { return strings.Compare(a.ImportPath, b.ImportPath) }), nil
})

func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// listed returns the program's packages, each with its files and imports on all systems.
func listed(t *testing.T) []pkg {
	t.Helper()
	ps, err := packagesOfAllBuilds()
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) < 10 {
		t.Fatalf("only %d packages listed", len(ps))
	}
	return ps
}

func under(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// The daemon is built without cgo: no package outside app may import "C".
func TestNoCgo(t *testing.T) {
	for _, p := range listed(t) {
		if slices.Contains(p.Imports, "C") && !under(p.ImportPath, "showhow/app") {
			t.Errorf("%s uses cgo", p.ImportPath)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range listed(t) {
		if len(p.GoFiles) > 0 && len(strings.Fields(p.Doc)) < 5 {
			t.Errorf("%s has no package comment worth the name", p.ImportPath)
		}
	}
}

// Errors are distinguished by code, never by their text.
func TestNoMatchingOnErrorText(t *testing.T) {
	for _, p := range listed(t) {
		for _, f := range p.GoFiles {
			path := filepath.Join(p.Dir, f)
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ImportsOnly); err != nil {
				t.Error(err)
			}
			if strings.Contains(string(src), "strings.Contains(err.Error()") {
				t.Errorf("%s matches on an error's text", path)
			}
		}
	}
}
