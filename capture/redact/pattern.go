package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"showhow/internal/lang"
)

// pattern is an expression that is compiled when a text first calls for it. Most rules are never called during a session, and
// what was compiled goes with the rules. An expression that does not compile panics; a test compiles them all.
type pattern struct {
	source string
	once   sync.Once
	re     *regexp.Regexp
}

func newPattern(source string) *pattern { return &pattern{source: source} }

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(strings.ReplaceAll(p.source, longNames, passwordWords())) })
	return p.re
}

var passwordWords = sync.OnceValue(func() string { return lang.Pattern(lang.Secret, "en") })

// passwordHints are the beginnings of the words that mean a password, as texts have them of which only ASCII letters were folded.
func passwordHints() (out []string) {
	for _, w := range lang.Beginnings(lang.Secret, "en") {
		first, size := utf8.DecodeRuneInString(w)
		for _, written := range []string{w, string(unicode.ToUpper(first)) + w[size:], strings.ToUpper(w),
			strings.ToUpperSpecial(unicode.TurkishCase, w)} {
			if h := lowerASCII(written); !slices.Contains(out, h) {
				out = append(out, h)
			}
		}
	}
	return out
}
