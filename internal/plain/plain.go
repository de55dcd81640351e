package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Squeeze reduces all white space to single blanks.
func Squeeze(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c < ' ' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return s
}

// WordRune reports whether r can be part of a word.
func WordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Unspaced reports whether r is a letter of a script that is written without blanks between words.
func Unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}

// Words returns the runs of letters and digits of s, lower-cased.
func Words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !WordRune(r) })
}

// Digits counts the digits of s.
func Digits(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// Letters counts the letters of s.
func Letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// Clip shortens s to n characters, the last of which is then an ellipsis. n is at least 1.
func Clip(s string, n int) string {
	if Cut(s, n) != s {
		return Cut(s, n-1) + "…"
	}
	return s
}

// Cut shortens s to its first n characters. It reads no further than that, however long s is.
func Cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return string([]rune(s[:i]))
		}
		n--
	}
	return s
}

// CutBytes shortens s to at most n bytes, never inside a character.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// UpperFirst is s with its first letter in upper case.
func UpperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// LowerFirst lowercases the first letter unless the first word looks like a name (CSV, iPhone, PR).
func LowerFirst(s string) string {
	first, _, _ := strings.Cut(s, " ")
	for i, r := range first {
		if i > 0 && unicode.IsUpper(r) {
			return s
		}
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || first == "I" {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// SetOf returns the set of some texts.
func SetOf(all ...string) map[string]bool {
	out := make(map[string]bool, len(all))
	for _, s := range all {
		out[s] = true
	}
	return out
}

// Set returns the set of the words of some texts.
func Set(texts ...string) map[string]bool {
	m := map[string]bool{}
	for _, s := range texts {
		for w := range strings.FieldsSeq(s) {
			m[w] = true
		}
	}
	return m
}

// Number is a whole number in digits, 0 for any other text.
func Number(s string) int {
	n := 0
	for _, r := range s {
		if r < '0' || r > '9' || n > 1e6 {
			return 0
		}
		n = n*10 + int(r-'0')
	}
	return n
}
