package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold normalises a text for comparison: NFKC, lower case, without the diacritics of Latin, Greek, Cyrillic, Arabic
// and Hebrew letters, and with letters that have no decomposition (ß, ø, ł, ı) replaced by plain ones. Marks that
// make another letter, as in Japanese and Hindi, stay.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	strips := false
	for _, r := range norm.NFD.String(strings.ToLower(norm.NFKC.String(s))) {
		if unicode.Is(unicode.Mn, r) {
			if !strips {
				b.WriteRune(r)
			}
			continue
		}
		strips = unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew)
		if plain, ok := plainLetters[r]; ok {
			b.WriteString(plain)
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// plainLetters are letters without a decomposition, and characters that only control the display of a text.
var plainLetters = map[rune]string{'ß': "ss", 'ø': "o", 'æ': "ae", 'œ': "oe", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", '’': "'",
	'ـ':      "",
	'\u00ad': "", '\u200b': "", '\u200c': "", '\u200d': "", '\ufeff': ""}

// twoLetters are the spellings of people who cannot type a letter: Loeschen for Löschen.
var twoLetters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "å", "aa", "ø", "oe", "Ä", "ae", "Ö", "oe", "Ü", "ue", "Å", "aa", "Ø",
	"oe")

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// inWord reports whether a character is part of a word.
func inWord(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' ||
		r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) || 'A' <= r && r <= 'Z'
}

// Words returns the folded words of a text: its runs of letters and digits.
func Words(s string) []string {
	return strings.FieldsFunc(Fold(s), func(r rune) bool { return !inWord(r) })
}

// shortestStem is the minimum length of a stem in characters: shorter ones match too many other words.
const shortestStem = 4

// Stem removes the ending of a plural or another form of a word of unknown language, so that two forms of it compare
// equal: orders and order, Bestellungen and Bestellung. The result need not be a word.
func Stem(word string) string {
	for _, end := range []string{"es", "en", "s", "n", "e"} {
		if cut, ok := strings.CutSuffix(word, end); ok && len(cut) >= shortestStem && !strings.HasSuffix(cut, "s") {
			return cut
		}
	}
	return word
}

// EnglishStem removes the endings of number and tense from an English word: orders, exporting and transcribed become
// order, export and transcrib. Words of other languages mostly stay unchanged.
func EnglishStem(w string) string {
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

// undouble removes the letter that an ending doubled: shipp becomes ship; ll, ss and zz stay, as in bill, pass and
// buzz.
func undouble(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeioulsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}
