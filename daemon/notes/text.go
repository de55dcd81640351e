package notes

import (
	"fmt"
	"strings"
	"unicode"

	"showhow/internal/lang"
	"showhow/internal/plain"
)

// words cuts a text into the index's words.
func words(s string) (out []string) {
	s = lang.Fold(s)
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, s[start:end])
			start = -1
		}
	}
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsNumber(r)
		mark := unicode.IsMark(r)
		switch {
		case mark && start >= 0:
		case letter && plain.Unspaced(r):
			flush(i)
			start = i
		case letter && start >= 0 && !startsUnspaced(s[start:]):
		case letter:
			flush(i)
			start = i
		default:
			flush(i)
		}
	}
	flush(len(s))
	return out
}

func startsUnspaced(s string) bool {
	for _, r := range s {
		return plain.Unspaced(r)
	}
	return false
}

// concealed reports characters that a reader does not see or that show text in another order. Those that scripts need to
// join and break words, and the marks of a direction, are none.
func concealed(r rune) bool {
	switch r {
	case '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u061c', '\u00ad':
		return false
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// visible is a line with the characters written out that a reader would not see, or that a terminal obeys.
func visible(line string) string {
	hidden := func(r rune) bool { return concealed(r) || unicode.IsControl(r) && r != '\t' }
	if !strings.ContainsFunc(line, hidden) {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if hidden(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// indexed is a text as the full-text index takes it: words with blanks between them.
func indexed(s string) string { return strings.Join(words(s), " ") }

// match is the query of the full-text index for what a person typed: every part must occur, the last word of a part may
// go on. "" when nothing of it can be searched.
func match(query string) string {
	var parts []string
	for _, field := range strings.Fields(query) {
		w := words(field)
		if len(w) == 0 {
			continue
		}
		part := `"` + strings.Join(w, " ") + `"`
		if !startsUnspaced(w[len(w)-1]) {
			part += " *"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " AND ")
}

// alike reports whether two titles say the same: most of their words are in both.
func alike(a, b string) bool {
	x, y := words(a), words(b)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	count := map[string]int{}
	for _, w := range x {
		count[w]++
	}
	both := 0
	for _, w := range y {
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	return 4*both >= 3*(len(x)+len(y)-both) // three quarters of all
}

// slug is a file's name made of a title: letters and digits of any script, no name that a system reserves, because an id
// follows.
func slug(title string) string {
	var b strings.Builder
	dash := false
	for _, r := range lang.Fold(title) {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
			dash = b.Len() > 0
			continue
		}
		if b.Len() > 80 {
			break
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "untitled"
	}
	return b.String()
}
