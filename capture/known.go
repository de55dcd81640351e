package capture

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/capture/redact"
)

// known are the values that the person supplied for this learning target: wherever one comes back in a text, a mask takes
// its place. Memory only.
type known struct {
	byText   map[string]knownValue  // folded normal value
	ordered  []string               // folded, of minContained runes or more, longest first
	shingles map[string]redact.Kind // three words in a row of typed texts, folded
}

type knownValue struct {
	kind   ValueKind
	secret redact.Kind // non-empty: not sealed, replaced by a token
}

const (
	minContained = 4 // runes; a shorter value is masked only where it is the whole text
	freeLength   = 8 // runes; from here on also inside a longer word
	shingleWords = 3
	shingleRunes = 10
	maxKnown     = 4000
)

func (k *known) add(value string, v knownValue) {
	value = fold(normal(value))
	if value == "" || len(k.byText) >= maxKnown {
		return
	}
	if k.byText == nil {
		k.byText, k.shingles = map[string]knownValue{}, map[string]redact.Kind{}
	}
	if old, ok := k.byText[value]; ok {
		if old.secret == "" && v.secret != "" {
			k.byText[value] = v // once secret, always secret
		}
		return
	}
	k.byText[value] = v
	if utf8.RuneCountInString(value) < minContained {
		return
	}
	i, _ := slices.BinarySearchFunc(k.ordered, value, func(a, b string) int { return len(b) - len(a) })
	k.ordered = slices.Insert(k.ordered, i, value)
	if v.kind == KindText || v.secret != "" {
		for _, run := range windows(words(value)) {
			part := value[run[0]:run[1]]
			k.shingles[part] = max(k.shingles[part], v.secret)
		}
	}
}

// match is a place where a known value, or a part of one, comes back.
type match struct {
	start, end int
	value      knownValue
}

// find returns the matches in s, in order and without overlap; s is a stretch without masks.
func (k *known) find(s string) []match {
	if len(k.byText) == 0 || s == "" {
		return nil
	}
	low := fold(s)
	trimmed := strings.TrimSpace(low)
	if v, ok := k.byText[trimmed]; ok {
		at := strings.Index(low, trimmed)
		return []match{{at, at + len(trimmed), v}}
	}
	var out []match
	for _, value := range k.ordered {
		if len(value) > len(low) {
			continue
		}
		for at := 0; ; {
			i := strings.Index(low[at:], value)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(value)
			at = end
			if (utf8.RuneCountInString(value) >= freeLength || wholeWord(low, start, end)) && !overlaps(out, start, end) {
				out = append(out, match{start, end, k.byText[value]})
			}
		}
	}
	return longest(append(out, k.parts(low)...))
}

// longest keeps the longer of two that overlap, in order of place.
func longest(ms []match) []match {
	slices.SortStableFunc(ms, func(a, b match) int { return (b.end - b.start) - (a.end - a.start) })
	out := ms[:0:0]
	for _, m := range ms {
		if !overlaps(out, m.start, m.end) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b match) int { return a.start - b.start })
	return out
}

// parts finds runs of three or more words of a typed text: a title that shows its beginning, an alert that quotes it.
func (k *known) parts(low string) []match {
	if len(k.shingles) == 0 {
		return nil
	}
	var out []match
	for _, run := range windows(words(low)) {
		secret, ok := k.shingles[low[run[0]:run[1]]]
		if !ok {
			continue
		}
		if n := len(out); n > 0 && run[0] < out[n-1].end {
			out[n-1].end = run[1]
			out[n-1].value.secret = max(out[n-1].value.secret, secret)
		} else {
			out = append(out, match{run[0], run[1], knownValue{kind: KindText, secret: secret}})
		}
	}
	for i := range out {
		out[i].end = cutOff(low, out[i].end)
	}
	return out
}

// cutOff takes in the half word before an ellipsis: a title that was cut short.
func cutOff(s string, end int) int {
	rest := s[end:]
	word := strings.TrimLeftFunc(rest, func(r rune) bool { return r == ' ' || isWord(r) })
	if strings.HasPrefix(word, "…") || strings.HasPrefix(word, "...") {
		return len(s) - len(word)
	}
	return end
}

func overlaps(ms []match, start, end int) bool {
	return slices.ContainsFunc(ms, func(m match) bool { return start < m.end && m.start < end })
}

func wholeWord(s string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, _ := utf8.DecodeRuneInString(s[end:])
	return (start == 0 || !isWord(before)) && (end == len(s) || !isWord(after))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// words are the byte ranges of letters and digits in a row.
func words(s string) [][2]int {
	var out [][2]int
	start := -1
	for i, r := range s {
		if isWord(r) {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			out = append(out, [2]int{start, i})
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, [2]int{start, len(s)})
	}
	return out
}

// windows are the stretches of three words that are long enough to mean something.
func windows(ws [][2]int) [][2]int {
	var out [][2]int
	for i := 0; i+shingleWords <= len(ws); i++ {
		if a, b := ws[i][0], ws[i+shingleWords-1][1]; b-a >= shingleRunes {
			out = append(out, [2]int{a, b})
		}
	}
	return out
}

// fold lowers each rune whose lower case takes the same number of bytes, so that offsets stay.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}
