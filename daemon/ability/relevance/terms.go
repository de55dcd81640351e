package relevance

import (
	"unicode"
	"unicode/utf8"

	"showhow/internal/lang"
)

// token is a word as it is written, folded, and its stem.
type token struct{ word, stem string }

// tokens takes a text apart. Scripts that are written without blanks give one token per character; neighbours make words of them.
func tokens(text string) []token {
	var out []token
	add := func(w string) { out = append(out, token{w, lang.EnglishStem(w)}) }
	for _, w := range lang.Words(text) {
		at := 0
		for i, r := range w {
			if !unblanked(r) {
				continue
			}
			if at < i {
				add(w[at:i])
			}
			at = i + utf8.RuneLen(r)
			add(w[i:at])
		}
		if at < len(w) {
			add(w[at:])
		}
	}
	return out
}

func unblanked(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// trigrams are the distinct sequences of three characters of a word with its beginning and end marked, as hashes.
func trigrams(word string, out []uint32) []uint32 {
	out = out[:0]
	a, b := rune('^'), rune(-1)
	add := func(c rune) {
		if b >= 0 {
			h := (uint32(a)*16777619^uint32(b))*16777619 ^ uint32(c)
			for _, x := range out {
				if x == h {
					return
				}
			}
			out = append(out, h)
			a = b
		}
		b = c
	}
	for _, r := range word {
		add(r)
	}
	add('$')
	return out
}
