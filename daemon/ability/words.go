package ability

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// words takes a sentence apart into whole words: Unicode case folded, accents and apostrophes dropped. Scripts that are
// written without blanks give one word per character.
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
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
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

// folded is the text in its comparable form; most text is ASCII and needs no tables.
func folded(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return norm.NFKD.String(cases.Fold().String(s))
		}
	}
	return strings.ToLower(s)
}

// content leaves out the words that carry no meaning of their own.
func content(ws []string) []string {
	var out []string
	for _, w := range ws {
		if !stopWords[w] {
			out = append(out, w)
		}
	}
	return out
}

// contains reports whether part stands in whole, word by word and in order.
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

// overlap counts the distinct words that both have.
func overlap(a, b []string) int {
	in := map[string]bool{}
	for _, w := range b {
		in[w] = true
	}
	n := 0
	for _, w := range a {
		if in[w] {
			in[w] = false
			n++
		}
	}
	return n
}

// stopWords are function words and courtesies. Words that turn a meaning round (not, no, without, off, out, up, down) are not
// among them.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
a an the this that these those there here
i im id ill ive me my mine myself you your yours we us our ours they them their it its he him his she her hers
is are was were be been being am do does did doing done has have had having will would shall should can could may might must
and or but if then than so as because while
of to for in on at by with from into onto about over under between through per via
what which who whom whose when where why how
please kindly thanks thank hello hi hey ok okay just really very also too some any each every all both
want wants wanted need needs needed like lets let get got go going make makes know tell help
now again already still ever
`) {
		m[w] = true
	}
	return m
}()
