// Package table finds tables on a page by its words and lines. Places are in points from the page's upper left corner.
//
// Guarantees: pure functions; the work is bounded whatever a page holds; every word is in at most one cell.
//
// Not guaranteed: that what looks like a table to a person is found, or that what is found is one. A table without lines is
// guessed from the gaps between its words, and which of its lines are one row from what its rows have in common.
//
// Package pdf calls it. Test it with words and lines.
package table

import (
	"cmp"
	"slices"
	"strings"
)

// Rect is a place on a page.
type Rect struct{ X0, Y0, X1, Y1 float64 }

func (r Rect) union(o Rect) Rect {
	return Rect{min(r.X0, o.X0), min(r.Y0, o.Y0), max(r.X1, o.X1), max(r.Y1, o.Y1)}
}

func (r Rect) middle() (x, y float64) { return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2 }

func (r Rect) has(x, y float64) bool { return r.X0 <= x && x <= r.X1 && r.Y0 <= y && y <= r.Y1 }

func (r Rect) height() float64 { return r.Y1 - r.Y0 }

// Word is a word of a page. Order is its place in the order in which the page's content writes words; 0 if it is not known.
type Word struct {
	Rect
	Text  string
	Order int
}

// Page is what tables are made of. Lines are horizontal or vertical: thin rectangles.
type Page struct {
	Words []Word
	Lines []Rect
}

// Cell is a cell; Rows and Columns are how many it spans.
type Cell struct {
	Row, Column, Rows, Columns int
	Rect
	Text string
	Page int // of a table that was joined
}

// Table is a table with its cells by row and column. Places that another cell spans have none.
type Table struct {
	Rect
	Ruled         bool // by lines
	Rows, Columns int
	Cells         []Cell
	Page, Last    int // its first page and its last, once it was joined
}

// Mode says what counts as a table.
type Mode string

// The modes: Strict takes only what has lines, Auto also what is aligned, Layout the page as one table.
const (
	Auto   Mode = "auto"
	Strict Mode = "strict"
	Layout Mode = "layout_preserving"
)

// Find finds the tables of a page, from top to bottom. whole is false if the page holds so much that some were not looked for.
func Find(p Page, mode Mode) (out []Table, whole bool) {
	e := &effort{mostWork}
	if mode == Layout {
		if t, ok := grid(linesOf(p.Words), e); ok {
			out = append(out, t)
		}
		return out, len(out) > 0 || len(p.Words) == 0
	}
	out, rest := ruled(p, e)
	if mode == Auto {
		var told []Table
		told, rest = orderedEither(rest, e)
		out = append(out, told...)
		out = append(out, aligned(linesOf(rest), e)...)
	}
	slices.SortStableFunc(out, func(a, b Table) int { return cmp.Or(cmp.Compare(a.Y0, b.Y0), cmp.Compare(a.X0, b.X0)) })
	return out, !e.over()
}

// Grid is the table's text by rows and columns.
func (t Table) Grid() [][]string {
	out := make([][]string, t.Rows)
	for i := range out {
		out[i] = make([]string, t.Columns)
	}
	for _, c := range t.Cells {
		out[c.Row][c.Column] = c.Text
	}
	return out
}

// line is a row of words at one height, cut into chunks where the gaps are wide.
type line struct {
	Rect
	chunks []chunk
}

type chunk struct {
	Rect
	words []Word
}

// wideGap is the gap between words, as a part of their height, that separates columns. A blank is about a quarter.
const wideGap = 0.7

// linesOf puts words into lines, from top to bottom.
func linesOf(words []Word) (out []line) {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b Word) int { return cmp.Compare(a.Y0+a.Y1, b.Y0+b.Y1) })
	var rows [][]Word
	var at Rect
	for _, w := range words {
		_, y := w.middle()
		if len(rows) > 0 && y < at.Y1-0.3*at.height() {
			rows[len(rows)-1] = append(rows[len(rows)-1], w)
			continue
		}
		rows, at = append(rows, []Word{w}), w.Rect
	}
	for _, row := range rows {
		slices.SortStableFunc(row, func(a, b Word) int { return cmp.Compare(a.X0, b.X0) })
		l := line{Rect: row[0].Rect, chunks: chunksOf(row)}
		for _, c := range l.chunks {
			l.Rect = l.union(c.Rect)
		}
		out = append(out, l)
	}
	return out
}

// chunksOf cuts a line, whose words go from left to right, where its gaps are wide.
func chunksOf(words []Word) (out []chunk) {
	stretched := stretches(words)
	for i, w := range words {
		n := len(out) - 1
		if n < 0 || !stretched[i] && w.X0-out[n].X1 > wideGap*w.height() {
			out = append(out, chunk{w.Rect, []Word{w}})
			continue
		}
		out[n].Rect, out[n].words = out[n].union(w.Rect), append(out[n].words, w)
	}
	return out
}

// Blanks of a line that is stretched to its column's width are alike, and not wider than this, in heights.
const (
	alike      = 0.6 // points
	stretchMax = 3
)

// stretches says of each word of a line whether the gap before it is a blank of a text that is stretched: several such gaps are alike
// one after the other, whatever the width of the words between them. Columns whose gaps are alike have words that are.
func stretches(words []Word) []bool {
	out := make([]bool, len(words))
	gap := func(i int) float64 { return words[i].X0 - words[i-1].X1 }
	for i := 1; i < len(words); {
		k := i + 1
		least, most := words[i-1].X1-words[i-1].X0, words[i-1].X1-words[i-1].X0
		for ; k < len(words) && abs(gap(k)-gap(i)) <= alike; k++ {
			w := words[k-1].X1 - words[k-1].X0
			least, most = min(least, w), max(most, w)
		}
		if k-i > 1 && most-least > near && gap(i) <= stretchMax*words[i].height() {
			for ; i < k; i++ {
				out[i] = true
			}
		}
		i = max(i, k)
	}
	return out
}

// textOf is the text of a cell: its words in lines.
func textOf(words []Word) string {
	var b strings.Builder
	for i, l := range linesOf(words) {
		if i > 0 {
			b.WriteByte('\n')
		}
		for n, w := range inReadingOrder(l.all()) {
			if n > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w.Text)
		}
	}
	return b.String()
}
