package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/capture"
	"showhow/capture/lexical"
)

// Short values: a room "D21", a size "XL7". They are too short to be searched for inside words, but a code of letters
// and digits is distinctive enough to be recognised as a word of its own, also between the punctuation inside a
// longer word: room-D21.csv. In command lines, which contain only the person's own words, this holds for any typed
// value of three characters, and for numbers of two digits that are not part of a date, an address or a version.

// code makes a short value known; the caller has folded it.
func (k *Values) code(value string, v Value) {
	n := utf8.RuneCountInString(value)
	if n < 2 || n >= MinContained || v.Kind == capture.KindBoolean {
		return
	}
	if k.codes == nil {
		k.codes = map[string]Value{}
	}
	k.codes[value] = v
}

// short finds short values among the words of a text.
func (k *Values) short(low string, ws [][2]int) []Match {
	out := k.signed(low, ws)
	for i, w := range ws {
		word := low[w[0]:w[1]]
		if v, ok := k.codes[word]; ok && (mixed(word) || k.deep && v.Kind != capture.KindChoice && alone(low, ws, i)) {
			out = append(out, Match{w[0], w[1], v})
		}
	}
	return out
}

// signed finds codes joined by a punctuation character: "R-2" is two words and one code.
func (k *Values) signed(low string, ws [][2]int) []Match {
	var out []Match
	for i := 0; len(k.codes) > 0 && i < len(ws); i++ {
		for j := i + 1; j < len(ws) && ws[j][1]-ws[i][0] < 4*MinContained; j++ {
			code := low[ws[i][0]:ws[j][1]]
			if v, ok := k.codes[code]; ok && mixed(code) && !strings.ContainsAny(code, " \t") {
				out = append(out, Match{ws[i][0], ws[j][1], v})
			}
		}
	}
	return out
}

// mixed: letters and digits.
func mixed(word string) bool {
	return lexical.HasDigit(word) && strings.IndexFunc(word, unicode.IsLetter) >= 0
}

// alone reports whether a short word of a command line is meaningful by itself: three letters, or a number that is
// not joined to another by a single punctuation character.
func alone(low string, ws [][2]int, i int) bool {
	w := ws[i]
	if !lexical.IsNumeric(low[w[0]:w[1]]) {
		return utf8.RuneCountInString(low[w[0]:w[1]]) >= 3
	}
	beside := func(j int) bool {
		if j < 0 || j >= len(ws) {
			return false
		}
		a, b := ws[min(i, j)], ws[max(i, j)]
		return b[0]-a[1] == 1 && low[a[1]] != ' ' && low[a[1]] != '\t' && lexical.HasDigit(low[ws[j][0]:ws[j][1]])
	}
	return !beside(i-1) && !beside(i+1)
}
