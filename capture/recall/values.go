package recall

import (
	"crypto/rand"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/capture/lexical"
	"showhow/capture/secret"
)

// Values are the values that the person supplied for this learning target.
type Values struct {
	byText   map[string]Value       // folded normal value
	starts   gramSet                // the first four bytes of those that are looked for inside texts
	byStart  map[uint32][]string    // ... and the values by them, longest first
	shingles map[string]secret.Kind // three words in a row of typed texts, folded
	parts    map[string]struct{}    // single words of typed names, folded
	codes    map[string]Value       // short values, folded: see codes.go
	deep     bool                   // the text at hand is a command line
	Blots    blots                  // what only hashes are known of
	chrome   chrome                 // what pages say by themselves
}

type Value struct {
	Kind   capture.ValueKind
	Secret secret.Kind // non-empty: not sealed, replaced by a token
	free   bool        // found inside words, too
}

const (
	MinContained = 4 // runes; a shorter value is masked where it is the whole text, and as codes.go says
	FreeLength   = 8 // runes; from here on also inside a longer word
	shingleWords = 3
	shingleRunes = 10
	maxKnown     = 4000
)

// Init creates the salt of the texts that will be known only by hash.
func (k *Values) Init() { rand.Read(k.Blots.Salt[:]) } // never fails: it ends the program instead

// Add makes a value known. Once secret, it stays secret.
func (k *Values) Add(value string, v Value) {
	value = lexical.Fold(lexical.Normal(value))
	if value == "" || len(k.byText) >= maxKnown {
		return
	}
	if k.byText == nil {
		k.byText, k.shingles, k.byStart = map[string]Value{}, map[string]secret.Kind{}, map[uint32][]string{}
	}
	n := utf8.RuneCountInString(value)
	v.free = n >= FreeLength
	if old, ok := k.byText[value]; ok {
		if old.Secret == "" && v.Secret != "" {
			k.byText[value] = v // once secret, always secret
		}
		return
	}
	k.byText[value] = v
	if n < MinContained {
		k.code(value, v)
		return
	}
	g := gram(value, 0)
	k.starts.add(g)
	all := k.byStart[g]
	i, _ := slices.BinarySearchFunc(all, value, func(a, b string) int { return len(b) - len(a) })
	k.byStart[g] = slices.Insert(all, i, value)
	if v.Kind == capture.KindText || v.Secret != "" {
		for _, run := range windows(lexical.Words(value)) {
			part := value[run[0]:run[1]]
			k.shingles[part] = max(k.shingles[part], v.Secret)
		}
	}
}

// Of is what is known about a whole text.
func (k *Values) Of(text string) (Value, bool) {
	v, ok := k.byText[lexical.Fold(lexical.Normal(text))]
	return v, ok
}

// InCommand calls f, during which texts are treated as those of a command line.
func (k *Values) InCommand(f func()) {
	k.deep = true
	defer func() { k.deep = false }()
	f()
}

// Note records the pages' own texts.
func (k *Values) Note(t *capture.Target, states ...*capture.State) { k.chrome.note(t, states...) }

// gram is the four bytes of s at position i.
func gram(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// gramSet is a filter: it quickly rules out that four bytes begin a known value.
type gramSet [1024]uint64

func slot(g uint32) uint32           { return g * 2654435761 >> 16 }
func (s *gramSet) add(g uint32)      { s[slot(g)/64] |= 1 << (slot(g) % 64) }
func (s *gramSet) has(g uint32) bool { return s[slot(g)/64]&(1<<(slot(g)%64)) != 0 }

// Match is a place where a known value, or a part of one, occurs again.
type Match struct {
	Start, End int
	Value      Value
}

// Find returns the matches in s, in order and without overlap; s contains no masks.
func (k *Values) Find(s string) []Match {
	if s == "" || k.empty() {
		return nil
	}
	low := lexical.Fold(s)
	trimmed := strings.TrimSpace(low)
	if v, ok := k.byText[trimmed]; ok {
		at := strings.Index(low, trimmed)
		if v.Secret == "" {
			v.Secret = k.Blots.secret(low)
		}
		return []Match{{at, at + len(trimmed), v}}
	}
	out := k.inside(low)
	if len(k.shingles)+len(k.parts)+len(k.codes) > 0 || !k.Blots.empty() {
		ws := lexical.Words(low)
		out = append(out, k.short(low, ws)...)
		out = append(out, k.runs(low, ws)...)
		out = append(out, k.names(low, ws)...)
		out = append(out, k.Blots.find(low, ws)...)
	}
	return longest(out)
}

func (k *Values) empty() bool { return len(k.byText) == 0 && k.Blots.empty() }

// inside finds whole values within a text.
func (k *Values) inside(low string) []Match {
	if len(k.byStart) == 0 {
		return nil
	}
	var out []Match
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
				out = append(out, Match{i, end, v})
				break
			}
		}
	}
	return out
}

// longest keeps the longer of two overlapping matches, ordered by position.
func longest(ms []Match) []Match {
	if len(ms) < 2 {
		return ms
	}
	slices.SortStableFunc(ms, func(a, b Match) int { return (b.End - b.Start) - (a.End - a.Start) })
	out := ms[:0:0]
	for _, m := range ms {
		if !overlaps(out, m.Start, m.End) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Match) int { return a.Start - b.Start })
	return out
}

// runs finds three or more consecutive words of a typed text: a title that shows its beginning, an alert that quotes
// it.
func (k *Values) runs(low string, ws [][2]int) []Match {
	if len(k.shingles) == 0 {
		return nil
	}
	var out []Match
	for _, run := range windows(ws) {
		secret, ok := k.shingles[low[run[0]:run[1]]]
		if !ok {
			continue
		}
		if n := len(out); n > 0 && run[0] < out[n-1].End {
			out[n-1].End = run[1]
			out[n-1].Value.Secret = max(out[n-1].Value.Secret, secret)
		} else {
			out = append(out, Match{run[0], run[1], Value{Kind: capture.KindText, Secret: secret}})
		}
	}
	for i := range out {
		out[i].End = cutOff(low, out[i].End)
	}
	return out
}

// cutOff includes the half word before an ellipsis: a truncated title.
func cutOff(s string, end int) int {
	rest := s[end:]
	word := strings.TrimLeftFunc(rest, func(r rune) bool { return r == ' ' || lexical.IsWord(r) })
	if strings.HasPrefix(word, "…") || strings.HasPrefix(word, "...") {
		return len(s) - len(word)
	}
	return end
}

func overlaps(ms []Match, start, end int) bool {
	return slices.ContainsFunc(ms, func(m Match) bool { return start < m.End && m.Start < end })
}

// windows are the ranges of three words that are long enough to be distinctive.
func windows(ws [][2]int) [][2]int {
	var out [][2]int
	for i := 0; i+shingleWords <= len(ws); i++ {
		if a, b := ws[i][0], ws[i+shingleWords-1][1]; b-a >= shingleRunes {
			out = append(out, [2]int{a, b})
		}
	}
	return out
}

// Replace applies fn to the matches in every range of s that is not a mask or token.
func (k *Values) Replace(s string, fn func(m Match, text string) (string, bool)) string {
	if k.empty() {
		return s
	}
	var b strings.Builder
	at := 0
	for _, part := range secret.Readable(s) {
		for _, m := range k.Find(s[part[0]:part[1]]) {
			start, end := part[0]+m.Start, part[0]+m.End
			if out, ok := fn(m, s[start:end]); ok {
				b.WriteString(s[at:start])
				b.WriteString(out)
				at = end
			}
		}
	}
	if at == 0 {
		return s
	}
	b.WriteString(s[at:])
	return b.String()
}
