// Package lexical folds texts and finds words in them by byte offsets: a range in the folded text is the same range
// of the text itself.
//
// Guarantees: Fold never changes the number of bytes. It is a leaf; any package under capture may import it. It knows
// no language; the meaning of words is the business of internal/lang.
package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normal is the form in which values are compared and sealed: NFC, without surrounding white space.
func Normal(value string) string { return strings.TrimSpace(norm.NFC.String(value)) }

// Fold lowercases each rune whose lower case takes the same number of bytes, so that offsets stay valid.
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}

// isFolded reports whether a text is lower-case ASCII, as most texts are.
func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// IsWord reports whether a rune is part of a word.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// IsNumeric reports whether a text is ASCII digits and nothing else.
func IsNumeric(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// HasDigit reports whether a text has an ASCII digit.
func HasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// Words returns the byte ranges of runs of letters and digits.
func Words(s string) [][2]int {
	var out [][2]int
	start := -1
	for i, r := range s {
		if IsWord(r) {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			out = append(out, [2]int{start, i})
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, [2]int{start, len(s)})
	}
	return out
}

// WholeWord reports whether s[start:end] is neither preceded nor followed by a part of a word.
func WholeWord(s string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, _ := utf8.DecodeRuneInString(s[end:])
	return (start == 0 || !IsWord(before)) && (end == len(s) || !IsWord(after))
}
