package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"showhow/internal/lang"
)

// Natural-language words are data of internal/lang. These files contain lists of their own, for the reason given; an
// entry that is no longer needed fails the test as well.
var wordListsAllowed = map[string]string{
	"daemon/danger/files.go": "options of shell programs, not words of pages",
}

var (
	listSplit = regexp.MustCompile(`[\s,|;()]+`)
	oneWord   = regexp.MustCompile(`^\p{L}[\p{L}'_-]*$`)
	notForAll = regexp.MustCompile(`%[sdqv]|[.!?:]( |$)|\{[a-z_]+\}|^[A-Z]`)
)

// knownWords are the single words of lang's data: English ones, and those that only other languages have.
var knownWords = sync.OnceValue(func() (known struct{ english, elsewhere map[string]bool }) {
	known.english, known.elsewhere = map[string]bool{}, map[string]bool{}
	for _, l := range lang.Languages() {
		for _, c := range l.Concepts() {
			for _, p := range l.Phrases(c) {
				ws := lang.Words(p)
				if l.Code == "en" && c != lang.Stop && c != lang.Prepositions {
					for _, w := range ws {
						known.english[w] = true
					}
				} else if l.Code != "en" && len(ws) == 1 && len([]rune(ws[0])) > 3 {
					known.elsewhere[ws[0]] = true
				}
			}
		}
	}
	for _, loan := range loanwords {
		delete(known.elsewhere, loan)
	}
	for w := range known.english {
		delete(known.elsewhere, w)
	}
	return known
})

// loanwords are names of programs and formats that are words in other languages.
var loanwords = strings.Fields(
	"kopia poste data mode page pages note serie table index local stat hold detail fine moment once piece side sure")

// When a list or set of English words counts as a word list: so many words, and half of them known as words of pages.
// Two words that only other languages have are enough anywhere.
const (
	listedKnown  = 7
	foreignWords = 2
)

// wordList returns why the words of a literal are a list of natural-language words, "" if they are not.
func wordList(words []string, set bool) string {
	seen, known, foreign := 0, 0, map[string]bool{}
	for _, w := range words {
		if w = strings.Trim(w, "()?:\\^$*+[]"); !oneWord.MatchString(w) {
			continue
		}
		seen++
		folded := lang.Fold(w)
		if knownWords().english[folded] {
			known++
		}
		if knownWords().elsewhere[folded] {
			foreign[folded] = true
		}
	}
	switch {
	case len(foreign) >= foreignWords:
		return fmt.Sprintf("words of other languages, %v", slices.Sorted(maps.Keys(foreign)))
	case set && known >= listedKnown && known*2 >= seen:
		return fmt.Sprintf("%d words of pages in a list of %d", known, seen)
	}
	return ""
}

// sentence reports whether a text is meant for people.
func sentence(s string) bool {
	if notForAll.MatchString(s) && !strings.Contains(s, "|") {
		return true
	}
	ws := strings.Fields(strings.ToLower(s))
	n := 0
	for _, w := range ws {
		if slices.Contains([]string{"the", "a", "an", "is", "of", "and", "it", "its", "was"}, w) {
			n++
		}
	}
	return n*8 >= len(ws) && len(ws) > 0 && !strings.Contains(s, "|")
}

// setMaker matches the functions that build a set of words.
var setMaker = regexp.MustCompile(`(?i)set(of)?$|^listed$`)

func called(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func isBool(e ast.Expr) bool { i, ok := e.(*ast.Ident); return ok && i.Name == "bool" }

// elements are the strings among a literal's elements or keys.
func elements(all []ast.Expr, text func(ast.Expr) (string, bool)) (out []string) {
	for _, e := range all {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Key
		}
		if s, ok := text(e); ok && !strings.Contains(s, " ") {
			out = append(out, s)
		}
	}
	return out
}

// wordLists are the word lists of one Go file, by line.
func wordLists(fset *token.FileSet, f *ast.File) map[int]string {
	found := map[int]string{}
	text := func(e ast.Expr) (string, bool) {
		l, ok := e.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(l.Value)
		return s, err == nil
	}
	report := func(at token.Pos, words []string, set bool) {
		if why := wordList(words, set); why != "" {
			found[fset.Position(at).Line] = why
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			return false // tags
		case *ast.BasicLit:
			if s, ok := text(n); ok && !sentence(s) {
				report(n.Pos(), listSplit.Split(s, -1), false)
			}
		case *ast.CallExpr:
			if !setMaker.MatchString(called(n)) {
				return true
			}
			var ws []string
			for _, a := range n.Args {
				ast.Inspect(a, func(n ast.Node) bool {
					if e, ok := n.(ast.Expr); ok {
						s, _ := text(e)
						ws = append(ws, strings.Fields(s)...)
					}
					return true
				})
			}
			report(n.Pos(), ws, true)
		case *ast.CompositeLit:
			keys := elements(n.Elts, text)
			m, ok := n.Type.(*ast.MapType)
			report(n.Pos(), keys, ok && isBool(m.Value))
		case *ast.CaseClause:
			report(n.Pos(), elements(n.List, text), true)
		}
		return true
	})
	return found
}

func TestWordListsAreInLang(t *testing.T) {
	root := "../.."
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || name == "testdata" || name == "build" || name == "bin" || strings.HasPrefix(name, ".") &&
				rel != "." || rel == "internal/lang" || rel == "bench" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		for line, why := range wordLists(fset, f) {
			allowed := false
			for at := range wordListsAllowed {
				if under(rel, at) {
					used[at], allowed = true, true
				}
			}
			if !allowed {
				t.Errorf("%s:%d: %s: words belong into internal/lang", rel, line, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for at, why := range wordListsAllowed {
		if !used[at] {
			t.Errorf("%s (%s) has no word list any more: take it off", at, why)
		}
	}
}

// The test can fail: it recognises lists of the kinds that were once spread over the tree, but not names of roles and
// programs, nor sentences.
func TestWordListsAreRecognised(t *testing.T) {
	for src, want := range map[string]bool{
		`package x; var a = set("cancel close discard dismiss abort back undo reset")`:                           true,
		`package x; var a = set("fehler ungültig falsch")`:                                                       true,
		`package x; var a = map[string]bool{"löschen": true, "entfernen": true}`:                                 true,
		"package x; var a = re(`(?:^|x)(?:kennwort|pflichtfeld|erforderlich|required)`)":                         true,
		`package x; func f(w string) { switch w { case "suche", "suchen", "löschen", "speichern": } }`:           true,
		`package x; var a = set("textbox searchbox combobox listbox option spinbutton slider tab columnheader")`: false,
		`package x; var a = "Send the order, then close the window and delete what is left of it."`:              false,
		`package x; var a = set("cat wc gzip gunzip bzip2 xz zstd rm head tail sort md5sum")`:                    false,
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(wordLists(fset, f)) > 0; got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}
