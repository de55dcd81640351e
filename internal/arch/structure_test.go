package arch

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"
)

// owed are the packages and types that still exceed a limit, with their measured value: it may only shrink, and an
// entry that is no longer needed fails the test.
var owed = map[string]int{}

const (
	maxKnot    = 15  // files of one package that need each other in a circle
	maxMethods = 40  // methods of one type
	maxLines   = 600 // lines of one file
	maxColumns = 140 // runes of one line; a tab counts as one
)

// TestStructure keeps a package's files readable one after another: no large cycle of files that use each other's
// symbols, methods or fields, and no type that does everything.
func TestStructure(t *testing.T) {
	// Without NeedDeps the libraries' types come from compiled export data, and only ours are checked.
	ps, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedImports,
	}, "showhow/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		for _, e := range p.Errors {
			t.Fatalf("%s: %v", p.PkgPath, e)
		}
		if k := largestKnot(needs(p)); exceeds(t, p.PkgPath, len(k), maxKnot) {
			t.Errorf("%s: %d files form a knot (at most %d): each needs symbols of the others: %s",
				p.PkgPath, len(k), maxKnot, strings.Join(k, " "))
		}
		for name, n := range methods(p) {
			if exceeds(t, p.PkgPath+"."+name, n, maxMethods) {
				t.Errorf("%s.%s has %d methods (at most %d): give parts of its state to types of their own", p.PkgPath, name, n, maxMethods)
			}
		}
	}
}

// exceeds reports whether n is over the limit, or over what is owed.
func exceeds(t *testing.T, what string, n, limit int) bool {
	debt, owes := owed[what]
	if owes && n < debt {
		t.Errorf("%s owed %d and is down to %d: change the list", what, debt, n)
	}
	return n > max(limit, debt)
}

// needs returns, for each file of p, the files whose package-level symbols, methods or fields it uses.
func needs(p *packages.Package) map[string][]string {
	out := map[string][]string{}
	file := func(n interface{ Pos() token.Pos }) string { return filepath.Base(p.Fset.Position(n.Pos()).Filename) }
	for _, f := range p.Syntax {
		from := file(f)
		out[from] = nil
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := p.TypesInfo.Uses[id]
			if o == nil || o.Pkg() != p.Types || !o.Pos().IsValid() {
				return true
			}
			if v, isVar := o.(*types.Var); isVar && !v.IsField() && o.Parent() != p.Types.Scope() {
				return true // a parameter or local variable
			}
			if to := file(o); to != from && !slices.Contains(out[from], to) {
				out[from] = append(out[from], to)
			}
			return true
		})
	}
	return out
}

// largestKnot returns the largest strongly connected component of a graph (Tarjan).
func largestKnot(g map[string][]string) []string {
	index, low, onStack := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack, largest []string
	var visit func(string)
	visit = func(v string) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, onStack[v] = append(stack, v), true
		for _, w := range g[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		at := slices.Index(stack, v)
		knot := slices.Clone(stack[at:])
		stack = stack[:at]
		for _, w := range knot {
			onStack[w] = false
		}
		if len(knot) > len(largest) {
			slices.Sort(knot)
			largest = knot
		}
	}
	for v := range g {
		if index[v] == 0 {
			visit(v)
		}
	}
	return largest
}

func TestLargestKnot(t *testing.T) {
	g := map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}}
	if k := largestKnot(g); !slices.Equal(k, []string{"a", "b", "c"}) {
		t.Fatalf("knot %v", k)
	}
}

// methods counts the methods declared on each type of p; those of embedded types are counted where they are declared.
func methods(p *packages.Package) map[string]int {
	out := map[string]int{}
	for _, name := range p.Types.Scope().Names() {
		if tn, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if named, ok := tn.Type().(*types.Named); ok {
				out[name] = named.NumMethods()
			}
		}
	}
	return out
}

var structTag = regexp.MustCompile("`[a-z]+:\"")

// TestFilesFitTheEye: a file can be read as a whole, a line without scrolling. Struct tags and generated files are
// exempt.
func TestFilesFitTheEye(t *testing.T) {
	for _, path := range tracked(t, ".go", ".ts", ".tsx", ".js", ".css") {
		src, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(src[:min(len(src), 200)], []byte("Code generated")) {
			continue
		}
		lines := bytes.Split(src, []byte("\n"))
		if exceeds(t, path, len(lines)-1, maxLines) {
			t.Errorf("%s has %d lines (at most %d)", path, len(lines)-1, maxLines)
		}
		for i, l := range lines {
			if utf8.RuneCount(l) > maxColumns && !structTag.Match(l) {
				t.Errorf("%s:%d is %d columns wide (at most %d)", path, i+1, utf8.RuneCount(l), maxColumns)
			}
		}
	}
}

// tracked lists the files of the repository with one of these extensions, relative to its root.
func tracked(t *testing.T, endings ...string) []string {
	t.Helper()
	top, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "ls-files")
	cmd.Dir = strings.TrimSpace(string(top))
	list, err := cmd.Output()
	if err != nil {
		t.Skip("not a git checkout: ", err)
	}
	var out []string
	for f := range strings.Lines(string(list)) {
		if f = strings.TrimSpace(f); slices.Contains(endings, filepath.Ext(f)) {
			out = append(out, f)
		}
	}
	if len(out) < 100 {
		t.Fatalf("only %d files are tracked", len(out))
	}
	return out
}
