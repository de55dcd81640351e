package ability

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"showhow/internal/lang"
	"showhow/internal/plain"
)

// words splits a sentence into whole words: Unicode case folded, accents and apostrophes dropped. Scripts written
// without spaces give one word per character.
func words(s string) []string {
	var out []string
	var w strings.Builder
	flush := func() {
		if w.Len() > 0 {
			out = append(out, w.String())
			w.Reset()
		}
	}
	for _, r := range folded(s) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			w.WriteByte(byte(r))
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case plain.Unspaced(r):
			flush()
			out = append(out, string(r))
		case unicode.IsLetter(r), unicode.IsNumber(r):
			w.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return out
}

// folded is the text in comparable form; most text is ASCII and needs no tables.
func folded(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return norm.NFKD.String(cases.Fold().String(s))
		}
	}
	return strings.ToLower(s)
}

func stems(ws []string) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = lang.EnglishStem(w)
	}
	return out
}

// contains reports whether whole contains the words of part in order.
func contains(whole, part []string) bool {
	if len(part) == 0 || len(part) > len(whole) {
		return false
	}
	for i := 0; i+len(part) <= len(whole); i++ {
		j := 0
		for j < len(part) && whole[i+j] == part[j] {
			j++
		}
		if j == len(part) {
			return true
		}
	}
	return false
}
