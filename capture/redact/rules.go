package redact

import (
	"cmp"
	"strings"

	"showhow/capture/secret"
	"showhow/internal/lang"
)

// rule is one of our own: a declaration with its examples.
type rule struct {
	name   string
	kind   secret.Kind
	hints  []string // lower case; the pattern is tried only on a text that holds one of them. None: always
	digits int      // ... and only on a text with that many digits
	run    int      // ... and with so long a word
	re     string   // RE2; the first group that matched is the secret, else the whole match. Runs on the text as it is
	place  bool     // it begins with a program's name, which counts only where a program stands
	keep   func(text string, start, end int) bool
	fit    func(text string, start, end int) (int, int) // narrows the match; an empty span means no match

	// A pattern with longNames makes two rules, one with these names (programNames if there are none) and one, called by its own hints,
	// with what means the concept (a password if there is none) in other languages than English. words are the hits of that one.
	names   string
	concept lang.Concept
	loans   []string // English words that other languages use for the concept as well
	words   []string

	// hits: « and » surround each secret. misses: texts that this rule leaves alone.
	hits   []string
	misses []string
}

type compiled struct {
	rule
	re  *pattern
	one bool // the secret is one word or one quoted text
}

// Building blocks of the patterns. NUL stands for what is already replaced and is never matched as a value.
const (
	// value is one shell word or quoted text.
	value = `((?:"(?:\\.|[^"\\\x00])*"|'[^'\x00]*'|\\.|[^\s\x00"'|;&<>\\])+|["'][^\s\x00"']+)`
	// loose is a value in JSON, YAML or prose, where a closing quote ends it.
	loose = `(?:"((?:\\.|[^"\\\x00])+)"|'([^'\x00]+)'|` + value + `)`
	// rest spans from a program's name to a flag within one simple command.
	rest = `\b[^\n|;&]*?`
)

// ownRules are all our declarations.
func ownRules() []compiled {
	var out []compiled
	for _, list := range [][]rule{contextRules, webRules, programRules, storeRules, fileRules, configRules, spokenRules,
		personalRules, identityRules, shapeRules} {
		for _, r := range list {
			words := r
			r.re = strings.ReplaceAll(r.re, longNames, cmp.Or(r.names, programNames))
			r.re = strings.ReplaceAll(r.re, copulas, `\b(?:is|was)\b`)
			one := strings.Contains(r.re, value)
			out = append(out, compiled{r, newPattern(r.re), one})
			if words.re != r.re {
				concept := cmp.Or(r.concept, lang.Secret)
				words.name, words.hints, words.hits = r.name+"-in-words", append(beginnings(concept), r.loans...), r.words
				out = append(out, compiled{words, newPatternOf(words.re, concept, r.loans), one})
			}
		}
	}
	return out
}

// features of a text decide cheaply which patterns are worth trying.
type features struct {
	digits int
	run    int // the longest stretch of letters, digits and + / _ - =
}

func measure(s string) (f features) {
	run := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			f.digits++
			run++
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '+', c == '/', c == '_', c == '-', c == '=':
			run++
		default:
			run = 0
		}
		f.run = max(f.run, run)
	}
	return f
}

// scan appends what the rule finds; the caller has seen one of its hints.
func (c *compiled) scan(text string, f features, found []Span) []Span {
	if f.digits < c.digits || f.run < c.run {
		return found
	}
	for _, m := range c.matches(text) {
		start, end := secretGroup(m, 0)
		start, end = unquote(text, start, end)
		if c.one {
			end = closed(text, start, end)
		}
		if c.fit != nil {
			start, end = c.fit(text, start, end)
		}
		if strings.Trim(text[start:end], "\x00 \t\n") == "" {
			continue
		}
		if c.keep != nil && c.keep(text, start, end) {
			continue
		}
		found = append(found, Span{Start: start, End: end, Kind: c.kind})
	}
	return found
}

// matches are those of the pattern; a false match of a program's name does not hide one behind it.
func (c *compiled) matches(text string) (all [][]int) {
	re := c.re.get()
	if !c.place {
		return re.FindAllStringSubmatchIndex(text, -1)
	}
	for from := 0; from < len(text); {
		m := re.FindStringSubmatchIndex(text[from:])
		if m == nil {
			break
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += from
			}
		}
		if runs(text, m[0]) {
			all, from = append(all, m), m[1]
			continue
		}
		next := strings.IndexAny(text[m[0]+1:], " \t\n")
		if next < 0 {
			break
		}
		from = m[0] + 1 + next
	}
	return all
}

// closed ends a value where the quotation closes that it began in: -H 'X-Token: abc' | jq '.[]' has one argument before the pipe.
func closed(text string, start, end int) int {
	if start >= end || !strings.ContainsAny(text[start:end], `"'`) {
		return end
	}
	if text[start] == '"' || text[start] == '\'' {
		return end
	}
	if q := openQuote(text, start); q != 0 {
		for i := start; i < end; i++ {
			if text[i] == '\\' {
				i++
			} else if text[i] == q {
				return i
			}
		}
	}
	return end
}

// openQuote is the quote that is open at a place of its line, 0 for none. An apostrophe within a word opens nothing.
func openQuote(text string, at int) (open byte) {
	for i := max(strings.LastIndexByte(text[:at], '\n')+1, at-4096); i < at; i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case open != 0 && c == open:
			open = 0
		case open == 0 && (c == '"' || c == '\'') && (i == 0 || !isAlnum(text[i-1])):
			open = c
		}
	}
	return open
}

// unquote keeps the quotes around a value in place, so that the line keeps its shape.
func unquote(text string, start, end int) (int, int) {
	if end-start >= 2 && (text[start] == '"' || text[start] == '\'') && text[end-1] == text[start] {
		return start + 1, end - 1
	}
	return start, end
}
