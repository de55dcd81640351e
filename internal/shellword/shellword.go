// Package shellword returns the text of a word of a shell line, as the shell would interpret it: without quotes and
// escapes. What is only known at run time (a variable, a substitution) is not guessed, and a pattern stays as
// written.
package shellword

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Text is the word's text. known is false if a part of it is only known at run time; text is then the rest of it.
func Text(w *syntax.Word) (text string, known bool) {
	if w == nil {
		return "", false
	}
	var b strings.Builder
	known = true
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
			known = known && !(p.Dollar && strings.Contains(p.Value, `\`)) // $'\x72m'
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if lit, ok := q.(*syntax.Lit); ok {
					b.WriteString(unescape(lit.Value, "$`\"\\\n"))
				} else {
					known = false
				}
			}
		default:
			known = false
		}
	}
	return b.String(), known
}

// unescape removes the backslashes that precede one of these characters; "" stands for every character.
func unescape(s, before string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (before == "" || strings.IndexByte(before, s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue // the line goes on
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
