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

// stem is a word without the ending of its number or tense: orders, exporting and transcribed are order, export and transcrib.
// It brings together forms of one word, never two words; other languages' words mostly stay as they are.
func stem(w string) string {
	if len(w) < 4 || w[len(w)-1] > 'z' || w[len(w)-1] < 'a' {
		return w
	}
	switch {
	case w == "news", strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		w = w[:len(w)-1]
	case strings.HasSuffix(w, "ing") && len(w) > 6:
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ied") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ed") && len(w) > 5:
		w = undouble(w[:len(w)-2])
	}
	if len(w) > 4 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

// undouble takes back the letter that an ending doubled: shipp is ship; ll, ss and zz stay, as in bill, pass and buzz.
func undouble(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeioulsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

func stems(ws []string) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = stem(w)
	}
	return out
}

// content leaves out the words that carry no meaning of their own; the others are stems.
func content(ws []string) []string {
	var out []string
	for _, w := range ws {
		if !stopWords[w] {
			out = append(out, stem(w))
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
