package table

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// laid is what a line has in the columns of a table: the cells of it, by column.
type laid struct {
	cells []Cell
	words [][]Word
	spans bool // a cell reaches over several columns
	at    []int
	Rect
}

// in is the cell in a column, or -1.
func (l laid) in(column int) int { return l.at[column] }

// lay puts the chunks of a line into columns. Those in the same column are one cell.
func lay(l line, columns strips) laid {
	out := laid{Rect: l.Rect, at: make([]int, len(columns))}
	for _, c := range l.chunks {
		from, to := columns.reaches(c.Rect)
		if n := len(out.cells) - 1; n >= 0 && out.cells[n].Column+out.cells[n].Columns > from {
			out.cells[n].Rect, out.words[n] = out.cells[n].union(c.Rect), append(out.words[n], c.words...)
			out.cells[n].Columns = max(out.cells[n].Columns, to-out.cells[n].Column+1)
			continue
		}
		out.cells = append(out.cells, Cell{Column: from, Rows: 1, Columns: to - from + 1, Rect: c.Rect})
		out.words = append(out.words, append([]Word(nil), c.words...))
	}
	for j := range out.at {
		out.at[j] = -1
	}
	for i, c := range out.cells {
		out.at[c.Column] = i
		out.spans = out.spans || c.Columns > 1
	}
	return out
}

// widths are how wide a text can be in each column of a table: up to the next column without the gutter, which is the smallest
// gap between two columns. Where a column is aligned at its right, nothing says where it begins, and the one before it is as wide
// as what is in it. The last one is as wide as the widest of the others, but for the page's right edge.
func widths(lines []laid, columns int, edge float64) []float64 {
	left, right, begins := make([]float64, columns), make([]float64, columns), make([]bool, columns)
	for j := range columns {
		left[j], right[j] = math.Inf(1), math.Inf(-1)
		least := math.Inf(1) // of the right edges
		for _, l := range lines {
			if i := l.in(j); i >= 0 && l.cells[i].Columns == 1 {
				c := l.cells[i]
				left[j], right[j], least = min(left[j], c.X0), max(right[j], c.X1), min(least, c.X1)
			}
		}
		begins[j] = right[j]-least > near
	}
	gutter, wide := gutterMost*lines[0].height(), 0.0
	last := 0 // that is known to begin there
	for j := 1; j < columns; j++ {
		gutter = min(gutter, left[j]-right[j-1])
		if begins[j] {
			wide = max(wide, (left[j]-left[last])/float64(j-last))
			last = j
		}
	}
	gutter = max(gutter, 0)
	out := make([]float64, columns)
	for j := range columns {
		limit := right[j]
		if j+1 == columns {
			limit = min(edge, left[j]+wide-gutter)
		} else if begins[j+1] {
			limit = left[j+1] - gutter
		}
		out[j] = max(limit, right[j]) - left[j]
	}
	return out
}

// gutterMost is how wide the gutter between columns is at most, in heights of a line: wider gaps are what texts leave free.
const gutterMost = 2

// seen is what tells whether a line goes on with the row above: the columns that it and the line above have, and whether its
// first word there had room behind what stands above.
type seen struct {
	here, above, room []bool
	far               bool // farther below than lines of a cell are
	row               bool // it cannot go on with the row above
}

func lookAt(lines []laid, columns int, edge float64) []seen {
	wide := widths(lines, columns, edge)
	pitch := math.Inf(1)
	for i := 1; i < len(lines); i++ {
		pitch = min(pitch, lines[i].Y1-lines[i-1].Y1)
	}
	out := make([]seen, len(lines))
	for i, l := range lines {
		s := seen{here: make([]bool, columns), above: make([]bool, columns), room: make([]bool, columns), row: i == 0 || l.spans}
		for j := range columns {
			k := l.in(j)
			s.here[j] = k >= 0
			if i == 0 {
				continue
			}
			m := lines[i-1].in(j)
			s.above[j] = m >= 0
			switch {
			case k >= 0 && m < 0:
				s.row = true
			case k >= 0:
				first, over := l.words[k][0], lines[i-1].cells[m]
				s.room[j] = over.X1-over.X0+blank*first.height()+first.X1-first.X0 <= wide[j] ||
					isNumber(l.words[k]) && isNumber(lines[i-1].words[m])
			}
		}
		if i > 0 && (l.Y1-lines[i-1].Y1 > pitch+near || l.Y0-lines[i-1].Y1 > loose*l.height()) {
			s.far, s.row = true, true
		}
		out[i] = s
	}
	return out
}

// loose is how far below each other lines of a cell may be, in their heights.
const loose = 0.5

// isNumber says whether words are one number, a sum or a date: another below it is not the rest of it.
func isNumber(words []Word) bool {
	return len(words) == 1 && strings.ContainsFunc(words[0].Text, unicode.IsDigit) &&
		!strings.ContainsFunc(words[0].Text, unicode.IsLetter)
}

// lacks says whether a line has fewer columns than another.
func (s seen) lacks(o seen) bool {
	for j := range s.here {
		if o.here[j] && !s.here[j] {
			return true
		}
	}
	return false
}

// rowsApart says whether most lines that can only begin a row are farther below than lines of a cell are.
func rowsApart(lines []seen) bool {
	n := 0
	for _, s := range lines[1:] {
		switch {
		case s.far:
			n++
		case s.row:
			n--
		}
	}
	return n > 0
}

// blank is the width of a blank, as a part of the height of a word.
const blank = 0.25

// share counts how often something was so, and starts with a guess.
type share struct{ yes, all float64 }

func (s *share) add(yes bool, n float64) {
	s.all += n
	if yes {
		s.yes += n
	}
}

// log is the logarithm of the probability that it is so.
func (s share) log(yes bool) float64 {
	if yes {
		return math.Log(s.yes / s.all)
	}
	return math.Log(1 - s.yes/s.all)
}

// habit is what the lines of a table that begin a row have in common, and those that go on with one, by column.
type habit struct {
	goes          share   // lines that go on
	fills, wraps  []share // a row has the column; a line that goes on has it if the line above does
	tight         []share // a row's first word had no room behind what stands above, by chance
	broken, close share   // a line that goes on had room; a row is as close to the line above as lines of a cell are
}

// habits learns from lines and what they were taken for. Of twenty lines of a cell, one ends before it must, until the table shows
// otherwise.
func habits(lines []seen, on []bool, columns int) habit {
	h := habit{goes: share{1, 3}, broken: share{1, 20}, close: share{19, 20}}
	for range columns {
		h.fills, h.wraps, h.tight = append(h.fills, share{1, 2}), append(h.wraps, share{1, 3}), append(h.tight, share{1, 2})
	}
	for i := 1; i < len(lines); i++ {
		h.count(lines[i], on[i], 1)
	}
	return h
}

// count adds a line and what it was taken for, or takes it away.
func (h *habit) count(s seen, on bool, n float64) {
	h.goes.add(on, n)
	if !on {
		h.close.add(!s.far, n)
	}
	for j := range s.here {
		both := s.here[j] && s.above[j]
		switch {
		case on && s.above[j]:
			h.wraps[j].add(s.here[j], n)
			if both {
				h.broken.add(s.room[j], n)
			}
		case !on:
			h.fills[j].add(s.here[j], n)
			if both {
				h.tight[j].add(!s.room[j], n)
			}
		}
	}
}

// likely are the logarithms of how likely it is that a line goes on with the row above, and that it begins one.
func (h habit) likely(s seen) (on, row float64) {
	on, row = h.goes.log(true), h.goes.log(false)+h.close.log(!s.far)
	for j := range s.here {
		row += h.fills[j].log(s.here[j])
		if !s.above[j] {
			continue
		}
		on += h.wraps[j].log(s.here[j])
		if s.here[j] {
			on += h.broken.log(s.room[j])
			row += h.tight[j].log(!s.room[j])
		}
	}
	return on, row
}

// mostRounds bounds how often the lines of a table are taken anew by what was learnt of them.
const mostRounds = 8

// wrapped says of each line whether it goes on with the row above, because its cells are wrapped. No single measure tells that:
// what a row and what a wrapped line look like is learnt from the table, beginning with the lines that can only be the one. Where
// rows are apart it is learnt also from the guess that every line that is not, goes on; the likelier of the two stands.
func wrapped(lines []laid, columns int, edge float64, e *effort) []bool {
	if !e.spend((mostRounds + 2) * len(lines) * columns / 2) {
		return make([]bool, len(lines))
	}
	all := lookAt(lines, columns, edge)
	few, many := make([]bool, len(lines)), make([]bool, len(lines))
	first, apart := 0, rowsApart(all)
	for i, s := range all {
		many[i] = !s.row
		if few[i] = !s.row && s.lacks(all[first]) && (apart || !slices.Contains(s.room, true)); !few[i] {
			first = i
		}
	}
	likely := settle(all, few, columns)
	if apart && settle(all, many, columns) > likely {
		return many
	}
	return few
}

// settle takes the lines anew by what was learnt of them until nothing changes, and says how likely it is what they are taken for.
func settle(all []seen, on []bool, columns int) (likely float64) {
	for range mostRounds {
		h, same := habits(all, on, columns), true
		likely = 0
		for i, s := range all[1:] {
			i++
			h.count(s, on[i], -1) // it is no witness for itself
			goes, row := h.likely(s)
			now := !s.row && goes > row
			h.count(s, on[i], 1)
			if now {
				likely += goes
			} else {
				likely += row
			}
			same = same && now == on[i]
			on[i] = now
		}
		if same {
			break
		}
	}
	return likely
}
