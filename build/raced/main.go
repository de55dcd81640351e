// Command raced prints which of the packages given are tested under the race detector; with -not, which are not.
//
// A package is tested under it if its code or its tests can run two things at once: if they start a goroutine or a test server, use a
// channel, a lock or an atomic value, or run tests in parallel. Elsewhere the detector finds nothing and takes four times as long.
// Packages that are exceptions stand in build/unraced.txt, with the reason.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

const module = "showhow"

func main() {
	not := flag.Bool("not", false, "print the packages that are tested without the race detector")
	flag.Parse()
	excepted, err := exceptions("build/unraced.txt")
	for _, p := range flag.Args() {
		if err != nil {
			break
		}
		raced := !excepted[p]
		if raced {
			raced, err = concurrent("." + strings.TrimPrefix(p, module))
		}
		if err == nil && raced != *not {
			fmt.Println(p)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "raced:", err)
		os.Exit(1)
	}
}

// exceptions reads the packages at the beginning of a file's lines, without the comments.
func exceptions(file string) (map[string]bool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) > 0 && f[0] != "#" {
			out[f[0]] = true
		}
	}
	return out, nil
}

// concurrent reports whether a folder's package, its tests included, can run two things at once.
func concurrent(dir string) (bool, error) {
	p, err := build.ImportDir(dir, 0)
	if _, empty := err.(*build.NoGoError); err != nil && !empty {
		return false, err
	}
	for _, files := range [][]string{p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles} {
		for _, f := range files {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f), nil, parser.SkipObjectResolution)
			if err != nil {
				return false, err
			}
			if runsAtOnce(file) {
				return true, nil
			}
		}
	}
	return false, nil
}

// runsAtOnce reports whether a file starts something beside itself, or guards something against it.
func runsAtOnce(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
			found = true
		case *ast.ImportSpec:
			switch strings.Trim(n.Path.Value, `"`) {
			case "sync/atomic", "golang.org/x/sync/errgroup", "net/http/httptest":
				found = true
			}
		case *ast.SelectorExpr:
			switch name := n.Sel.Name; name {
			case "Go", "AfterFunc", "Parallel", "RunParallel", "Serve", "ListenAndServe":
				found = true
			default:
				of, ok := n.X.(*ast.Ident)
				found = found || ok && of.Name == "sync" && !strings.HasPrefix(name, "Once") // what is made once is the library's to guard
			}
		}
		return !found
	})
	return found
}
