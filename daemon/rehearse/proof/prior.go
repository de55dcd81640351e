package proof

import (
	"strings"
	"unicode"

	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
)

// Prior is where a value could be read before it was entered: in an instruction, a neighbour's row, the header of the
// site. Reading it there again proves nothing.
type Prior struct {
	rows  map[string]int // rows that showed it, by key
	lines map[string]int // lines of text, by what they say beside it; the most that one page had
	alone map[string]int // lines with only the value, by address; only of addresses whose text was seen
}

// PriorOf looks for a value in everything that was seen so far.
func PriorOf(sights map[string]*Sight, value string) Prior {
	out := Prior{rows: map[string]int{}, lines: map[string]int{}, alone: map[string]int{}}
	if strings.TrimSpace(value) == "" {
		return out
	}
	v := patternsOf(value)
	for at, s := range sights {
		for _, r := range s.Rows {
			if v.in(r.Text) {
				out.rows[r.Key()]++
			}
		}
		for key, r := range s.Ever {
			if out.rows[key] == 0 && v.in(r.Text) {
				out.rows[key] = 1
			}
		}
		here, alone := v.lines(s.Text)
		for l, n := range here {
			out.lines[l] = max(out.lines[l], n)
		}
		if s.Text != "" {
			out.alone[at] = alone
		}
	}
	return out
}

// With adds what an address showed before the step under review, if nobody had looked at it before the value was
// entered: a choice that only changes the address's query is shown there at once.
func (s Prior) With(address string, seen *Sight, value string) Prior {
	if _, known := s.alone[address]; known || seen == nil {
		return s
	}
	out := PriorOf(map[string]*Sight{address: seen}, value)
	for _, m := range []struct{ to, from map[string]int }{{out.rows, s.rows}, {out.lines, s.lines}, {out.alone, s.alone}} {
		for k, n := range m.from {
			m.to[k] = max(m.to[k], n)
		}
	}
	return out
}

// Since removes the rows that showed the value before it was entered and show it unchanged.
func (s Prior) Since(rows []port.Row) (out []port.Row) {
	left := map[string]int{}
	for key, n := range s.rows {
		left[key] = n
	}
	for _, r := range rows {
		if left[r.Key()]--; left[r.Key()] < 0 {
			out = append(out, r)
		}
	}
	return out
}

// Come reports whether a page's text contains the value where it did not before: in a line with other text, or alone on
// more lines than before. If that address was not seen before, the most lines on any other page count, because menus
// repeat. A field's label is not a value, nor are the labels of the page's boxes with that name.
func (s Prior) Come(address, text, value, label string, boxes int) bool {
	v := patternsOf(value)
	lines, alone := v.lines(text)
	before, known := s.alone[address]
	for _, n := range s.alone {
		if !known {
			before = max(before, n)
		}
	}
	if alone > before+boxes && !strings.EqualFold(strings.TrimSpace(value), strings.TrimSpace(label)) {
		return true
	}
	for l, n := range lines {
		if n > s.lines[l] {
			return true
		}
	}
	return false
}

// patterns find a value in any form in which a page may write it.
type patterns []supply.Pattern

func patternsOf(value string) (out patterns) {
	for _, f := range forms(value) {
		out = append(out, supply.Bindings{"v": f}.Pattern("{v}"))
	}
	return out
}

func (v patterns) in(text string) bool {
	for _, p := range v {
		if p.In(text) {
			return true
		}
	}
	return false
}

func (v patterns) is(text string) bool {
	for _, p := range v {
		if p.Is(text) {
			return true
		}
	}
	return false
}

// lines returns the lines of a text that hold the value and something else, without their numbers, which may belong to
// a clock or counter, and how many lines are the value alone.
func (v patterns) lines(text string) (out map[string]int, alone int) {
	out = map[string]int{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || !v.in(line):
		case v.is(line):
			alone++
		default:
			out[uncounted(line)]++
		}
	}
	return out, alone
}

// uncounted is a text without its numbers.
func uncounted(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}
