package capture

import (
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture/lexical"
	"showhow/capture/redact"
)

// known are the values that the person supplied for this learning target: wherever one comes back in a text, a mask takes
// its place. Memory only.
type known struct {
	byText   map[string]knownValue  // folded normal value
	starts   gramSet                // the first four bytes of those that are looked for inside texts
	byStart  map[uint32][]string    // ... and the values by them, longest first
	shingles map[string]redact.Kind // three words in a row of typed texts, folded
	parts    map[string]struct{}    // single words of typed names, folded
	codes    map[string]knownValue  // short values, folded: see codes.go
	deep     bool                   // the text at hand is a command line
	blots    blots                  // what only hashes are known of
}

type knownValue struct {
	kind   ValueKind
	secret redact.Kind // non-empty: not sealed, replaced by a token
	free   bool        // found inside words, too
}

const (
	minContained = 4 // runes; a shorter value is masked where it is the whole text, and as codes.go says
	freeLength   = 8 // runes; from here on also inside a longer word
	shingleWords = 3
	shingleRunes = 10
	maxKnown     = 4000
)

func (k *known) add(value string, v knownValue) {
	value = lexical.Fold(lexical.Normal(value))
	if value == "" || len(k.byText) >= maxKnown {
		return
	}
	if k.byText == nil {
		k.byText, k.shingles, k.byStart = map[string]knownValue{}, map[string]redact.Kind{}, map[uint32][]string{}
	}
	n := utf8.RuneCountInString(value)
	v.free = n >= freeLength
	if old, ok := k.byText[value]; ok {
		if old.secret == "" && v.secret != "" {
			k.byText[value] = v // once secret, always secret
		}
		return
	}
	k.byText[value] = v
	if n < minContained {
		k.code(value, v)
		return
	}
	g := gram(value, 0)
	k.starts.add(g)
	all := k.byStart[g]
	i, _ := slices.BinarySearchFunc(all, value, func(a, b string) int { return len(b) - len(a) })
	k.byStart[g] = slices.Insert(all, i, value)
	if v.kind == KindText || v.secret != "" {
		for _, run := range windows(lexical.Words(value)) {
			part := value[run[0]:run[1]]
			k.shingles[part] = max(k.shingles[part], v.secret)
		}
	}
}

// gram is the four bytes of s at position i.
func gram(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// gramSet says quickly that four bytes begin no known value.
type gramSet [1024]uint64

func slot(g uint32) uint32           { return g * 2654435761 >> 16 }
func (s *gramSet) add(g uint32)      { s[slot(g)/64] |= 1 << (slot(g) % 64) }
func (s *gramSet) has(g uint32) bool { return s[slot(g)/64]&(1<<(slot(g)%64)) != 0 }

// match is a place where a known value, or a part of one, comes back.
type match struct {
	start, end int
	value      knownValue
}

// find returns the matches in s, in order and without overlap; s is a stretch without masks.
func (k *known) find(s string) []match {
	if s == "" || k.empty() {
		return nil
	}
	low := lexical.Fold(s)
	trimmed := strings.TrimSpace(low)
	if v, ok := k.byText[trimmed]; ok {
		at := strings.Index(low, trimmed)
		if v.secret == "" {
			v.secret = k.blots.secret(low)
		}
		return []match{{at, at + len(trimmed), v}}
	}
	out := k.inside(low)
	if len(k.shingles)+len(k.parts)+len(k.codes) > 0 || !k.blots.empty() {
		ws := lexical.Words(low)
		out = append(out, k.short(low, ws)...)
		out = append(out, k.runs(low, ws)...)
		out = append(out, k.names(low, ws)...)
		out = append(out, k.blots.find(low, ws)...)
	}
	return longest(out)
}

func (k *known) empty() bool { return len(k.byText) == 0 && k.blots.empty() }

// inside finds whole values within a text.
func (k *known) inside(low string) []match {
	if len(k.byStart) == 0 {
		return nil
	}
	var out []match
	for i := 0; i+4 <= len(low); i++ {
		g := gram(low, i)
		if !k.starts.has(g) {
			continue
		}
		for _, value := range k.byStart[g] {
			if !strings.HasPrefix(low[i:], value) {
				continue
			}
			v, end := k.byText[value], i+len(value)
			if v.free || lexical.WholeWord(low, i, end) {
				out = append(out, match{i, end, v})
				break
			}
		}
	}
	return out
}

// longest keeps the longer of two that overlap, in order of place.
func longest(ms []match) []match {
	if len(ms) < 2 {
		return ms
	}
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

// runs finds three or more words in a row of a typed text: a title that shows its beginning, an alert that quotes it.
func (k *known) runs(low string, ws [][2]int) []match {
	if len(k.shingles) == 0 {
		return nil
	}
	var out []match
	for _, run := range windows(ws) {
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
	word := strings.TrimLeftFunc(rest, func(r rune) bool { return r == ' ' || lexical.IsWord(r) })
	if strings.HasPrefix(word, "…") || strings.HasPrefix(word, "...") {
		return len(s) - len(word)
	}
	return end
}

func overlaps(ms []match, start, end int) bool {
	return slices.ContainsFunc(ms, func(m match) bool { return start < m.end && m.start < end })
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
