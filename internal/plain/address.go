package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Misleading says why an e-mail address can look like another one where a person decides about it; "" if it cannot.
func Misleading(address string) (why string) {
	if SpelledLine(address) != address || strings.ContainsFunc(address, unicode.IsSpace) {
		return "holds characters that do not show"
	}
	at := strings.LastIndexByte(address, '@')
	if strings.ContainsFunc(address[at+1:], func(r rune) bool { return r >= utf8.RuneSelf }) {
		return "has a domain that is not ASCII"
	}
	script := ""
	for _, r := range address[:max(at, 0)] {
		if of := scriptOf(r); of != "" && script != "" && of != script {
			return "mixes the letters of several scripts"
		} else if of != "" {
			script = of
		}
	}
	return ""
}

// scriptOf is the script that a letter is of; "" for what several use. Those that one language writes together are one.
func scriptOf(r rune) string {
	switch {
	case !unicode.IsLetter(r) || unicode.Is(unicode.Common, r):
		return ""
	case r < utf8.RuneSelf:
		return "Latin"
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo):
		return "Han"
	}
	for name, t := range unicode.Scripts {
		if unicode.Is(t, r) {
			return name
		}
	}
	return "?"
}
