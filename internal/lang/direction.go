package lang

import "strings"

// Signs are controls whose whole name is a symbol that pages forward or back.
type Signs struct{}

// Arrows are the symbols that page forward or back: › and ‹, chevron_right.
var Arrows Signs

// Has reports whether a control's whole name is such a symbol.
func (Signs) Has(name string) bool {
	for on, back := range arrows.table() {
		if name == on || name == back {
			return true
		}
	}
	return false
}

var arrows = TableOf("arrows")

// Opposite is the name of the control for the opposite direction: "previous month" for "Next month". It is in lower
// case, and "" if unknown.
func Opposite(name string) string {
	low := strings.ToLower(name)
	at, n, by := 0, 0, ""
	consider := func(from, to string) {
		for i := 0; from != "" && i < len(low); {
			k := strings.Index(low[i:], from)
			if k < 0 {
				return
			}
			if k += i; len(from) > n && standsAlone(low, k, k+len(from)) {
				at, n, by = k, len(from), to
			}
			i = k + len(from)
		}
	}
	for _, l := range Languages() {
		on, back := l.Phrases(Forward), l.Phrases(Backward)
		for i := range min(len(on), len(back)) {
			consider(strings.ToLower(on[i]), strings.ToLower(back[i]))
			consider(strings.ToLower(back[i]), strings.ToLower(on[i]))
		}
	}
	if n == 0 {
		for on, back := range arrows.table() {
			consider(on, back)
			consider(back, on)
		}
	}
	if n == 0 {
		return ""
	}
	return low[:at] + by + low[at+n:]
}

// standsAlone reports whether s[from:to] is not part of a longer word, in scripts with blanks.
func standsAlone(s string, from, to int) bool {
	letter := func(b byte) bool { return 'a' <= b && b <= 'z' }
	return !(from > 0 && letter(s[from-1]) && letter(s[from])) && !(to < len(s) && letter(s[to]) && letter(s[to-1]))
}

var backwards = Exactly(Backward, "deed.back")

// Turns reports whether a control's whole name means next, back or more: "Next", "Zurück", "›".
func Turns(name string) bool { return turning.Is(name) || Arrows.Has(strings.ToLower(name)) }

var turning = Exactly(Forward, Backward, "deed.expand")

// LeadsOn reports whether a control's whole name means next or more.
func LeadsOn(name string) bool {
	if forwards.Is(name) {
		return true
	}
	_, ok := arrows.table()[strings.ToLower(strings.TrimSpace(name))]
	return ok
}

var forwards = Exactly(Forward, "deed.expand")

// LeadsBack reports whether a control's name means back: "Previous month", "‹", "chevron_left".
func LeadsBack(name string) bool {
	if backwards.In(name) {
		return true
	}
	low := strings.ToLower(name)
	for _, back := range arrows.table() {
		if strings.Contains(low, back) {
			return true
		}
	}
	return strings.Contains(low, "left") || strings.Contains(low, "before")
}
