package plain

import (
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"
)

var typographic = strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "ð",
	"d", "þ", "th",
	"“", `"`, "”", `"`, "„", `"`, "’", "'", "‘", "'", "–", "-", "—", "-", "…", "...", "→", "->", "×", "x", "\u00a0", " ")

// ASCII converts s to ASCII: diacritics dropped, typographic signs replaced, letters of other scripts transliterated,
// anything else dropped, white space reduced to one blank.
func ASCII(s string) string {
	s = norm.NFC.String(typographic.Replace(s))
	var b strings.Builder
	space := false
	write := func(text string) {
		for _, r := range text {
			switch {
			case unicode.IsSpace(r):
				space = b.Len() > 0
			case r > 0x20 && r < 0x7f:
				if space {
					b.WriteByte(' ')
					space = false
				}
				b.WriteRune(r)
			}
		}
	}
	for _, r := range s {
		if r < unicode.MaxASCII || unicode.IsSpace(r) {
			write(string(r))
		} else {
			write(latin(r))
		}
	}
	return b.String()
}

// latin transliterates a letter: é is e, я is ya; a character that is a word by itself is set off by blanks.
func latin(r rune) string {
	if plainly := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII {
			return r
		}
		return -1
	}, norm.NFD.String(string(r))); plainly != "" {
		return plainly
	}
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return ""
	}
	out := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, unidecode.Unidecode(string(r)))
	if unicode.Is(unicode.Han, r) {
		return " " + out + " "
	}
	return out
}
