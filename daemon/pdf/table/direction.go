package table

import (
	"slices"
	"strings"
	"unicode"
)

// fromRight says whether a letter belongs to a script that is written from right to left.
func fromRight(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic)
}

func fromLeft(r rune) bool { return unicode.IsLetter(r) && !fromRight(r) }

// Logical turns a word, whose letters stand as a page shows them from left to right, into the order in which they are read: what is
// written from right to left is turned around, but for numbers and other scripts in it.
func Logical(word string) string {
	if !strings.ContainsFunc(word, fromRight) {
		return word
	}
	out := []rune(word)
	slices.Reverse(out)
	keeps := func(r rune) bool { return fromLeft(r) || unicode.IsDigit(r) }
	for i := 0; i < len(out); i++ {
		if !keeps(out[i]) {
			continue
		}
		end := i
		for k := i; k < len(out) && (keeps(out[k]) || strings.ContainsRune(".,:/-", out[k])); k++ {
			if keeps(out[k]) {
				end = k
			}
		}
		slices.Reverse(out[i : end+1])
		i = end
	}
	return string(out)
}

// inReadingOrder puts the words of a line, which go from left to right, into the order in which they are read, if most of them are of
// a script that is written from right to left.
func inReadingOrder(words []Word) []Word {
	right := 0
	for _, w := range words {
		switch {
		case strings.ContainsFunc(w.Text, fromRight):
			right++
		case strings.ContainsFunc(w.Text, fromLeft):
			right--
		}
	}
	if right <= 0 {
		return words
	}
	out := slices.Clone(words)
	slices.Reverse(out)
	for i := 0; i < len(out); i++ {
		k := i
		for k < len(out) && strings.ContainsFunc(out[k].Text, fromLeft) && !strings.ContainsFunc(out[k].Text, fromRight) {
			k++
		}
		slices.Reverse(out[i:k])
		i = max(i, k)
	}
	return out
}

// orderedEither is ordered, also for a page that is written from right to left: its rows go on leftwards.
func orderedEither(words []Word, e *effort) (out []Table, rest []Word) {
	right := 0
	for _, w := range words {
		if strings.ContainsFunc(w.Text, fromRight) {
			right++
		}
	}
	if right*2 <= len(words) {
		return ordered(words, e)
	}
	out, rest = ordered(mirrored(words), e)
	for i := range out {
		t := &out[i]
		t.Rect = t.mirrored()
		in := make([][]Word, len(t.Cells))
		for k := range t.Cells {
			c := &t.Cells[k]
			c.Rect, c.Column = c.mirrored(), t.Columns-c.Column-c.Columns
		}
		for _, w := range words {
			x, y := w.middle()
			if !t.has(x, y) || !e.spend(len(in)) {
				continue
			}
			if k := slices.IndexFunc(t.Cells, func(c Cell) bool { return c.has(x, y) }); k >= 0 {
				in[k] = append(in[k], w)
			}
		}
		for k := range t.Cells {
			t.Cells[k].Text = textOf(in[k])
		}
		sortCells(t.Cells)
	}
	return out, mirrored(rest)
}

func (r Rect) mirrored() Rect { return Rect{-r.X1, r.Y0, -r.X0, r.Y1} }

func mirrored(words []Word) []Word {
	out := slices.Clone(words)
	for i := range out {
		out[i].Rect = out[i].mirrored()
	}
	return out
}
