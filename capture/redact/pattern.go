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

// pattern is an expression that is compiled when a text first needs it. Most rules are never needed during a session,
// and what was compiled is freed with the rules. An invalid expression panics; a test compiles them all.
type pattern struct {
	source  string
	concept lang.Concept // whose words in other languages than English stand for longNames; "" for none
	loans   []string     // English words that stand for it there, too
	once    sync.Once
	re      *regexp.Regexp
}

func newPattern(source string) *pattern { return &pattern{source: source} }

func newPatternOf(source string, words lang.Concept, loans []string) *pattern {
	return &pattern{source: source, concept: words, loans: loans}
}

// englishLists are the placeholders in patterns for lists of internal/lang.
var englishLists = []string{"secrets.mixed", "calls.login", "calls.connect"}

func listed(source string) string {
	for _, name := range englishLists {
		if at := "{" + name + "}"; strings.Contains(source, at) {
			source = strings.ReplaceAll(source, at, strings.Join(lang.EnglishOnce(name), "|"))
		}
		if at := "{" + capital(name) + "}"; strings.Contains(source, at) { // within names in camel case
			words := lang.EnglishOnce(name)
			for i, w := range words {
				words[i] = capital(w)
			}
			source = strings.ReplaceAll(source, at, strings.Join(words, "|"))
		}
	}
	return source
}

func capital(w string) string { return strings.ToUpper(w[:1]) + w[1:] }

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() {
		source := listed(p.source)
		if p.concept != "" {
			names := lang.Pattern(p.concept, "en")
			for _, w := range p.loans {
				names += `|\b` + w + `\b`
			}
			source = strings.ReplaceAll(source, longNames, names)
			source = strings.ReplaceAll(source, copulas, lang.Pattern(lang.Copula, "en"))
		}
		p.re = regexp.MustCompile(source)
	})
	return p.re
}

// beginnings are the beginnings of a concept's words in languages other than English, with only ASCII letters folded,
// as in the texts.
func beginnings(c lang.Concept) (out []string) {
	for _, w := range lang.Beginnings(c, "en") {
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
