package find

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// grade says how two wordings relate, worst first.
type grade int

const (
	conflict  grade = iota - 1 // they say different things
	unrelated                  // nothing is known
	partly                     // one says more than the other
	counted                    // the same but for a number at its end
	related                    // near in meaning
	synonym                    // the same thing in other words
	same                       // but for case, punctuation and marks
	exact
)

// compare grades how well a found text matches the wanted one.
func compare(want, have string) grade {
	switch {
	case want == have:
		return exact
	case want == "" || have == "":
		return unrelated
	}
	if p := pattern(want); p != nil {
		if p.MatchString(plain(have)) {
			return same
		}
		return unrelated
	}
	a, b := plain(want), plain(have)
	if a == b && a != "" {
		return same
	}
	if cut, ok := strings.CutSuffix(want, "…"); ok && len(cut) > 40 && strings.HasPrefix(have, cut) {
		return same
	}
	return words().compare(a, b)
}

var (
	anyText  = lazyre.New(`\{\*\}|\[\[[^\]]*\]\]`)
	inParens = lazyre.New(`[(（]([^()（）]{1,30})[)）]`)
	shortNot = lazyre.New(`(?i)n['’]t\b`)
	noLetter = lazyre.New(`[^\p{L}\p{M}\p{N}@]+`)
)

// plain normalises a text: it drops case, diacritics, punctuation, "(required)" and "(3)".
func plain(s string) string {
	s = inParens.ReplaceAllStringFunc(lang.Fold(s), func(group string) string {
		inner := strings.Trim(group, "()（）")
		if isNumber(strings.TrimSuffix(inner, "+")) || required.Is(inner) {
			return " "
		}
		return group
	})
	return strings.TrimSpace(noLetter.ReplaceAllString(shortNot.ReplaceAllString(s, " not"), " "))
}

var required = lang.Exactly(lang.Required, lang.Optional)

// pattern compiles a wording with wildcards; nil if it has none.
func pattern(s string) *regexp.Regexp {
	if !anyText.MatchString(s) {
		return nil
	}
	var b strings.Builder
	b.WriteString("^")
	at := 0
	for _, m := range anyText.FindAllStringIndex(s, -1) {
		b.WriteString(literal(s[at:m[0]]))
		b.WriteString(".*")
		at = m[1]
	}
	b.WriteString(literal(s[at:]))
	b.WriteString("$")
	return regexp.MustCompile(b.String())
}

func literal(s string) string {
	p := plain(s)
	if p == "" {
		return ""
	}
	return ` ?` + regexp.QuoteMeta(p) + ` ?`
}

// says reports whether a wording carries meaning: "{*}" alone does not.
func says(s string) bool {
	return strings.IndexFunc(anyText.ReplaceAllString(s, ""), func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r > 0x2000
	}) >= 0
}

// compare relates two plain texts.
func (x *lexicon) compare(a, b string) grade {
	left, right := x.units(a), x.units(b)
	if negations(left) != negations(right) {
		return conflict
	}
	if x.share(x.whole(a), x.whole(b)) {
		return synonym
	}
	matched, near := x.pair(left, right)
	switch {
	case len(left) == 0 || len(right) == 0:
		return unrelated
	case matched == len(left) && matched == len(right):
		return synonym
	case numbersDiffer(left, right):
		if matched == len(left)-1 && matched == len(right)-1 && isNumber(left[len(left)-1].text) && isNumber(right[len(right)-1].text) {
			return counted
		}
		return conflict
	case x.differ(left, right):
		return conflict
	case near == len(left) && near == len(right):
		return related
	case matched > 0 && (matched == len(left) || matched == len(right)):
		if one, other := len(left), len(right); max(one, other) > 2*min(one, other)+1 {
			return unrelated // a word in a sentence
		}
		return partly
	}
	return unrelated
}

// pair counts the units that both sides share: with the same meaning, and with a similar one.
func (x *lexicon) pair(left, right []unit) (matched, near int) {
	used := make([]bool, len(right))
	find := func(l unit, fits func(unit, unit) bool) bool {
		for i, r := range right {
			if !used[i] && fits(l, r) {
				used[i] = true
				return true
			}
		}
		return false
	}
	var rest []unit
	for _, l := range left {
		if find(l, x.alike) {
			matched++
		} else {
			rest = append(rest, l)
		}
	}
	near = matched
	for _, l := range rest {
		if find(l, x.nearly) {
			near++
		}
	}
	return matched, near
}

func (x *lexicon) alike(a, b unit) bool {
	return a.text == b.text || lang.Stem(a.text) == lang.Stem(b.text) || x.share(a.concepts, b.concepts)
}

func (x *lexicon) nearly(a, b unit) bool {
	for _, c := range a.concepts {
		for _, d := range b.concepts {
			if slices.Contains(x.concepts[c].near, d) || slices.Contains(x.concepts[d].near, c) {
				return true
			}
		}
	}
	return false
}

// differ reports whether both sides name actions, or known things, and share none.
func (x *lexicon) differ(left, right []unit) bool {
	for _, deed := range []bool{true, false} {
		a, knownA := x.named(left, deed)
		b, knownB := x.named(right, deed)
		if len(a) == 0 || len(b) == 0 || !knownA || !knownB {
			continue
		}
		matched, near := x.pair(a, b)
		if near == 0 || (!deed && matched == 0 && near == 0) {
			return true
		}
	}
	return false
}

// named returns the units that name actions (or things) and whether all others are known words as
// well.
func (x *lexicon) named(us []unit, deeds bool) (out []unit, known bool) {
	known = true
	for _, u := range us {
		if len(u.concepts) == 0 {
			if !deeds {
				known = false
			}
			continue
		}
		for _, c := range u.concepts {
			if x.concepts[c].deed == deeds {
				out = append(out, u)
				break
			}
		}
	}
	return out, known
}

func (x *lexicon) share(a, b []int) bool {
	return slices.ContainsFunc(a, func(c int) bool { return slices.Contains(b, c) })
}

func negations(us []unit) (n int) {
	for i, u := range us {
		if negating.Has(u.text) && i < len(us)-1 { // "order no" is a number
			n++
		}
	}
	return n % 2
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func numbersDiffer(a, b []unit) bool {
	count := func(us []unit) (out []string) {
		for _, u := range us {
			if isNumber(u.text) {
				out = append(out, u.text)
			}
		}
		return out
	}
	left, right := count(a), count(b)
	return len(left) > 0 && len(right) > 0 && !slices.Equal(left, right)
}
