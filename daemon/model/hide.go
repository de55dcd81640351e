package model

import (
	"fmt"
	"regexp"
	"showhow/internal/lazyre"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// exact matches what no rewording may touch and the model need not see: quotations, commands, addresses, files,
// numbers.
var exact = lazyre.New("\"[^\"]*\"|“[^”]*”|`[^`]*`" + `|\b[a-z][a-z0-9+.-]*://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|` +
	`(?:[\w-]+\.)+[A-Za-z]\w*(?:[:/]\S*)?|[~.]*/[\w./*-]+|(?:\B--?\w[\w-]*)|[#$€£%]?\b\d[\d.,:/%-]*`)

// inputRef matches an input in a text. Its name comes from the field's label and is shown.
var inputRef = lazyre.New(`\{[^{}\s]*\}`)

// token matches an input or a mark, which must come back unchanged, in the same order.
var token = lazyre.New(`\{[^{}\s]*\}|\[\[\d+\]\]`)

// hidden is a text as the model sees it.
type hidden struct {
	Text
	shown string
	spans []string // what the marks stand for
}

// hide replaces with marks what the model need not see.
func hide(t Text, values *regexp.Regexp) hidden {
	h := hidden{Text: t}
	mark := func(s string) string {
		h.spans = append(h.spans, s)
		return fmt.Sprintf("[[%d]]", len(h.spans))
	}
	// The text between inputs is searched, so that an input is never cut; a quotation around one is found first.
	rest := t.Text
	var b strings.Builder
	for rest != "" {
		at := first(rest, exact.Get(), values, inputRef.Get())
		if at == nil {
			break
		}
		b.WriteString(rest[:at[0]])
		if s := rest[at[0]:at[1]]; inputRef.FindString(s) == s {
			b.WriteString(s)
		} else {
			b.WriteString(mark(s))
		}
		rest = rest[at[1]:]
	}
	h.shown = b.String() + rest
	return h
}

// first is the earliest match of any rule, the longest of those that start together.
func first(s string, rules ...*regexp.Regexp) []int {
	var at []int
	for _, r := range rules {
		if r == nil {
			continue
		}
		if m := r.FindStringIndex(s); m != nil && m[1] > m[0] && (at == nil || m[0] < at[0] || m[0] == at[0] && m[1] > at[1]) {
			at = m
		}
	}
	return at
}

// restore replaces the marks with what they stand for.
func (h hidden) restore(said string) string {
	n := 0
	return token.ReplaceAllStringFunc(said, func(s string) string {
		if strings.HasPrefix(s, "{") {
			return s
		}
		n++
		return h.spans[n-1]
	})
}

// anyOf matches any of the values as whole words, the longest first. nil matches nothing.
func anyOf(values []string) *regexp.Regexp {
	var parts []string
	for _, v := range values {
		if v = strings.TrimSpace(v); utf8.RuneCountInString(v) < 2 {
			continue
		}
		p := regexp.QuoteMeta(v)
		if r, _ := utf8.DecodeRuneInString(v); wordly(r) {
			p = `\b` + p
		}
		if r, _ := utf8.DecodeLastRuneInString(v); wordly(r) {
			p += `\b`
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return nil
	}
	slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) })
	return regexp.MustCompile(`(?i)` + strings.Join(parts, "|"))
}

// wordly reports whether \b works next to a letter.
func wordly(r rune) bool { return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
