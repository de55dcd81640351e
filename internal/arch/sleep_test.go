package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A test must not sleep until something has happened: it waits for the condition. Nor may it sleep to show that
// nothing happens; it waits for something that comes later in order. A loop with a deadline in its condition may
// sleep between two looks (as internal/await does); any other sleep states its reason on its line:
//
//	// pace: WHAT     a person, a device or a server that takes its time, or the gap between two of its acts
//	// clock: WHAT    synctest's clock advances
//	// bench: WHAT    in a benchmark
//	// poll:          a loop that checks the time elsewhere than in its condition
//	// quiet: WHY     only in adapters/adaptertest, whose contract states times
var sleepReason = regexp.MustCompile(`^// (pace|clock|bench|poll|quiet):(.*)$`)

// isSleep reports whether a node sleeps: time.Sleep, or a bare <-time.After.
func isSleep(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		u, ok := n.X.(*ast.UnaryExpr)
		return ok && u.Op == token.ARROW && isTime(u.X, "After")
	case *ast.CallExpr:
		return isTime(n, "Sleep")
	}
	return false
}

// isTime reports whether e calls a function of package time with one of these names.
func isTime(e ast.Expr, names ...string) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(names, s.Sel.Name) {
		return false
	}
	p, ok := s.X.(*ast.Ident)
	return ok && p.Name == "time"
}

// looksAtClock reports whether anything below one of the nodes reads the clock.
func looksAtClock(nodes ...ast.Node) (looks bool) {
	for _, n := range nodes {
		if n == nil {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && isTime(e, "Now", "Since", "Until") {
				looks = true
			}
			return !looks
		})
	}
	return looks
}

// sleeps lists, by line, what is wrong with a file's sleeps.
func sleeps(fset *token.FileSet, path string, f *ast.File) map[int]string {
	comments := map[int]string{}
	for _, g := range f.Comments {
		for _, c := range g.List {
			comments[fset.Position(c.Pos()).Line] = c.Text
		}
	}
	fake := slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` })
	wrong := map[int]string{}
	var around []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		if !isSleep(n) {
			return true
		}
		if _, ok := around[max(0, len(around)-2)].(*ast.CommClause); ok {
			return true // one case of a select: it waits for the others
		}
		polls, head := false, false
		for i, a := range around {
			if loop, ok := a.(*ast.ForStmt); ok {
				polls = polls || looksAtClock(loop)
				inHead := i+1 < len(around) && around[i+1] == loop.Post
				head = head || inHead && loop.Init != nil && looksAtClock(loop.Init)
			}
		}
		line := fset.Position(n.Pos()).Line
		m := sleepReason.FindStringSubmatch(comments[line])
		switch {
		case head:
		case m == nil:
			wrong[line] = "sleeps and does not say why: wait for the condition (internal/await), or for something that comes after it"
		case m[1] == "poll" && !polls:
			wrong[line] = "polls without a deadline"
		case m[1] == "clock" && !fake:
			wrong[line] = "has no clock of synctest"
		case m[1] == "bench" && !strings.Contains(filepath.Base(path), "bench"):
			wrong[line] = "is no benchmark"
		case m[1] == "quiet" && !under(filepath.ToSlash(filepath.Dir(path)), "adapters/adaptertest"):
			wrong[line] = "waits until nothing happens: wait for something that comes later in order"
		case m[1] != "poll" && len(strings.Fields(m[2])) == 0:
			wrong[line] = "names a reason and does not give it"
		}
		return true
	})
	return wrong
}

// TestSleepsHaveReasons reads all tests and packages that only tests import.
func TestSleepsHaveReasons(t *testing.T) {
	for _, path := range tracked(t, ".go") {
		src, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing"` }) &&
			!strings.HasSuffix(path, "_test.go") || under(path, "internal/await") {
			continue
		}
		for line, what := range sleeps(fset, path, f) {
			t.Errorf("%s:%d %s", path, line, what)
		}
	}
}

// The check can fail, and accepts what it should.
func TestSleepsAreRecognised(t *testing.T) {
	for body, want := range map[string]string{
		"time.Sleep(1)":                                                      "sleeps",
		"<-time.After(1)":                                                    "sleeps",
		"for !ok() {\n time.Sleep(1)\n }":                                    "sleeps",
		"time.Sleep(1) // long enough":                                       "sleeps",
		"time.Sleep(1) // pace:":                                             "names",
		"time.Sleep(1) // pace: a hand's":                                    "",
		"time.Sleep(1) // bench: a round":                                    "is no",
		"time.Sleep(1) // clock: synctest's":                                 "has no",
		"time.Sleep(1) // quiet: a while":                                    "waits",
		"for !ok() {\n time.Sleep(1) // poll:\n }":                           "polls",
		"for !ok() && time.Now().Before(end) {\n time.Sleep(1) // poll:\n }": "",
		"for end := time.Now().Add(9); !ok(); time.Sleep(1) {\n if time.Now().After(end) {\n return }\n }": "",
		"for end := time.Now().Add(9); !ok(); f(end) {\n time.Sleep(1)\n }":                                "sleeps",
		"select {\n case <-c:\n case <-time.After(1):\n }":                                                 "",
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x_test.go", fmt.Sprintf("package x\nfunc f() {\n%s\n}", body), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, what := range sleeps(fset, "x_test.go", f) {
			got = what
		}
		if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
