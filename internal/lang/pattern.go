package lang

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Pattern is the source of a regular expression, to be used with (?i), that finds the words of a concept in any
// language as labels, programs and files write them: inflected, with or without diacritics, the words of a phrase
// separate, joined, or connected by _ or -. A long word is also found inside a compound: Benutzerpasswort. The
// expression has no capturing group, and Pattern keeps nothing in memory. Words of the languages in without are
// excluded, even if another language has them, too.
func Pattern(c Concept, without ...string) string {
	var all []string
	for _, f := range forms(c, without) {
		p := turkish.Replace(strings.Join(f.words, `[ _'’-]?`))
		switch {
		case !f.blanks:
		case f.letters < inflected:
			p = f.start() + p + `(?:[^\p{L}]|$)`
		case f.letters < compounded:
			p = f.start() + p + `\p{L}{0,5}`
		default:
			p += `\p{L}{0,5}`
		}
		all = append(all, p)
	}
	return `(?:` + strings.Join(all, "|") + `)`
}

// turkish: in Turkish, I is the capital of ı, and İ that of i.
var turkish = strings.NewReplacer("i", "[iİı]", "ı", "[iİı]")

// Beginnings are the first words, in lower case, of every form that Pattern finds: a text without any of them cannot
// match.
func Beginnings(c Concept, without ...string) (out []string) {
	for _, f := range forms(c, without) {
		out = append(out, f.words[0])
	}
	return out
}

// Single returns the single words of some concepts in every language, in lower case and in all spellings. The caller
// keeps them; nothing else stays in memory.
func Single(concepts ...Concept) map[string]bool {
	out := map[string]bool{}
	for _, code := range codes {
		text := read(code)
		for _, c := range concepts {
			for _, phrase := range list(strings.ReplaceAll(entry(text, string(c)), "|", ",")) {
				for _, spelled := range append(Spellings(strings.ToLower(phrase)), Fold(phrase)) {
					if !strings.ContainsAny(spelled, " '’") {
						out[spelled] = true
					}
				}
			}
		}
	}
	return out
}

// EnglishOnce is a list of data/english.txt for a caller that keeps it: nothing else stays in memory.
func EnglishOnce(name string) []string {
	if words := list(entry(read("english"), name)); len(words) > 0 {
		return words
	}
	panic("lang: data/english.txt has no " + name)
}

// start matches the beginning of a word. Where RE2 can, it checks that no letter precedes without consuming a
// character.
func (f form) start() string {
	if f.words[0][0] < utf8.RuneSelf {
		return `(?:\b|_)`
	}
	return `(?:^|[^\p{L}])`
}

const (
	// From inflected letters on a word may have another ending; from compounded on it is recognised inside a
	// compound.
	inflected, compounded = 5, 6
)

type form struct {
	words   []string
	letters int // of all of them
	blanks  bool
}

// forms are the spellings of a concept's phrases; a last word that may have another ending is without its last vowel.
func forms(c Concept, without []string) (out []form) {
	seen := map[string]bool{}
	for _, code := range slices.Concat(without, codes) {
		text := read(code)
		blanks := entry(text, "script") == "spaced"
		for _, phrase := range list(strings.ReplaceAll(entry(text, string(c)), "|", ",")) {
			for _, spelled := range append(Spellings(strings.ToLower(phrase)), Fold(phrase)) {
				f := form{words: strings.FieldsFunc(spelled, func(r rune) bool { return !inWord(r) }), blanks: blanks}
				key := strings.Join(f.words, " ")
				if key == "" || seen[key] {
					continue
				}
				seen[key] = true
				last := &f.words[len(f.words)-1]
				f.letters = utf8.RuneCountInString(strings.Join(f.words, ""))
				if cut := strings.TrimRight(*last, vowels); blanks && utf8.RuneCountInString(cut) >= inflected-1 {
					*last = cut
				}
				if !slices.Contains(without, code) {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// vowels are the letters, and similar signs, that end words which are inflected by replacing the ending.
const vowels = "aeiouyаеиоуыьюя"
