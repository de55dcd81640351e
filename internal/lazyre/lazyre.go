// Package lazyre compiles a package-level regular expression on first use instead of when the program starts: an
// agent's hook and every short command would otherwise pay for expressions that they never evaluate. Forget frees the
// compiled expressions; an idle daemon calls it.
//
// Guaranteed: a Regexp behaves as the regexp.Regexp of the same expression and may be used by several goroutines at
// once; in tests an invalid expression panics at its declaration, so none reaches a release.
//
// Not guaranteed: speed of the first use after New or Forget, 10 to 100 us for a usual expression. Expressions built
// at run time belong to package regexp.
//
// Any package may import it; it imports nothing of ours.
package lazyre

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Regexp is a regular expression that is compiled on first use.
type Regexp struct {
	expr   string
	source func() string // of one whose expression is data
	re     atomic.Pointer[regexp.Regexp]
	sparse bool
	needs  atomic.Pointer[[][]string] // Needs of a sparse one, once a text was tried
}

var (
	mu       sync.Mutex
	compiled []*Regexp // also those of which only the needs are held
)

// inTest: programs built by `go test` have such names.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New declares an expression in the syntax of package regexp.
func New(expr string) *Regexp {
	r := &Regexp{expr: expr}
	if inTest {
		regexp.MustCompile(expr)
	}
	return r
}

// Sparse declares an expression that matches few of the texts that it is tried on. It runs only on texts with the words
// that each of its matches contains.
func Sparse(expr string) *Regexp {
	r := New(expr)
	r.sparse = true
	return r
}

// From declares a sparse expression that is read from data when it is first used. A test of the data compiles it.
func From(source func() string) *Regexp { return &Regexp{source: source, sparse: true} }

// absent reports that a text lacks a word that every match contains.
func (r *Regexp) absent(s string) bool {
	if !r.sparse {
		return false
	}
	sets := r.needs.Load()
	if sets == nil {
		n := Needs(r.String(), 2)
		sets = &n
		mu.Lock()
		if r.needs.Swap(sets) == nil {
			compiled = append(compiled, r)
		}
		mu.Unlock()
	}
	for _, words := range *sets {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) }) {
			return true
		}
	}
	return false
}

// Get returns the compiled expression, for methods that Regexp does not provide.
func (r *Regexp) Get() *regexp.Regexp {
	if re := r.re.Load(); re != nil {
		return re
	}
	re := regexp.MustCompile(r.String())
	mu.Lock()
	defer mu.Unlock()
	if r.re.Swap(re) == nil {
		compiled = append(compiled, r)
	}
	return re
}

// Forget frees every compiled expression. One that is in use at that moment stays until its call returns.
func Forget() {
	mu.Lock()
	defer mu.Unlock()
	for _, r := range compiled {
		r.re.Store(nil)
		r.needs.Store(nil)
	}
	compiled = nil
}

// Held is the number of compiled expressions.
func Held() int {
	mu.Lock()
	defer mu.Unlock()
	return len(compiled)
}

// String returns the source of the expression.
func (r *Regexp) String() string {
	if r.source != nil {
		return r.source()
	}
	return r.expr
}

// The methods of package regexp, under their names.

func (r *Regexp) Match(b []byte) bool            { return r.Get().Match(b) }
func (r *Regexp) MatchString(s string) bool      { return !r.absent(s) && r.Get().MatchString(s) }
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.Get().FindSubmatch(b) }
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.Get().FindAllSubmatch(b, n)
}
func (r *Regexp) ReplaceAll(src, repl []byte) []byte { return r.Get().ReplaceAll(src, repl) }
func (r *Regexp) ReplaceAllFunc(src []byte, repl func([]byte) []byte) []byte {
	return r.Get().ReplaceAllFunc(src, repl)
}
func (r *Regexp) SubexpIndex(name string) int { return r.Get().SubexpIndex(name) }
func (r *Regexp) SubexpNames() []string       { return r.Get().SubexpNames() }

func (r *Regexp) FindString(s string) string {
	if r.absent(s) {
		return ""
	}
	return r.Get().FindString(s)
}

func (r *Regexp) FindStringIndex(s string) []int {
	if r.absent(s) {
		return nil
	}
	return r.Get().FindStringIndex(s)
}

func (r *Regexp) FindStringSubmatch(s string) []string {
	if r.absent(s) {
		return nil
	}
	return r.Get().FindStringSubmatch(s)
}

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	if r.absent(s) {
		return nil
	}
	return r.Get().FindStringSubmatchIndex(s)
}

func (r *Regexp) FindAllString(s string, n int) []string {
	if r.absent(s) {
		return nil
	}
	return r.Get().FindAllString(s, n)
}

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	if r.absent(s) {
		return nil
	}
	return r.Get().FindAllStringIndex(s, n)
}

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	if r.absent(s) {
		return nil
	}
	return r.Get().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if r.absent(s) {
		return nil
	}
	return r.Get().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) ReplaceAllString(s, repl string) string {
	if r.absent(s) {
		return s
	}
	return r.Get().ReplaceAllString(s, repl)
}

func (r *Regexp) ReplaceAllLiteralString(s, repl string) string {
	if r.absent(s) {
		return s
	}
	return r.Get().ReplaceAllLiteralString(s, repl)
}

func (r *Regexp) ReplaceAllStringFunc(s string, repl func(string) string) string {
	if r.absent(s) {
		return s
	}
	return r.Get().ReplaceAllStringFunc(s, repl)
}

func (r *Regexp) Split(s string, n int) []string { return r.Get().Split(s, n) }
