package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks that look like those around a quotation, and marks two of which look like one of them.
const (
	doubles = "“”\"„‟″‶‴⁗〝〞〟＂˝ʺ˶ˮ״❝❞❠🙶🙷🙸"
	singles = "'‘’‚‛′‵`´ʹʼˊˋ＇׳❛❜"
)

// Quoted is text of somebody else's in a line of ours that a person decides about: between “ ”, of which none stands in it, on
// one line, of at most n characters. What does not show is spelled, blanks are single. A mark that would end the quotation is
// a ' and, where that would be read as something else, spelled: after a digit (5"), and beside another mark.
func Quoted(s string, n int) string {
	var b strings.Builder
	last := ' '
	for _, r := range Squeeze(SpelledLine(s)) {
		double := strings.ContainsRune(doubles, r)
		switch {
		case !double && !strings.ContainsRune(singles, r):
			b.WriteRune(r)
		case strings.ContainsRune(doubles+singles, last), double && unicode.IsDigit(last):
			fmt.Fprintf(&b, `\u{%x}`, r)
		case double:
			b.WriteByte('\'')
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return "“" + Clip(b.String(), n) + "”"
}

// Listed joins texts with commas, as many as are at most n characters together, and at least one; the rest is counted.
func Listed(all []string, n int) string {
	var b strings.Builder
	for i, s := range all {
		if n -= utf8.RuneCountInString(s) + 2; i > 0 {
			if n < 0 {
				return fmt.Sprintf("%s and %d more", b.String(), len(all)-i)
			}
			b.WriteString(", ")
		}
		b.WriteString(s)
	}
	return b.String()
}
