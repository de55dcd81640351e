package table

import (
	"slices"
	"sort"
)

// farBelow is how far below a line, in its heights, the next row of a table without lines may be.
const farBelow = 2.2

// aligned finds tables without lines: rows of chunks one below the other that leave the same gaps free.
func aligned(lines []line, e *effort) (out []Table) {
	for i := 0; i < len(lines) && !e.over(); {
		if end := longest(lines[i:], e); end > 0 {
			if t, ok := grid(lines[i:i+end], e); ok {
				out = append(out, t)
				i += end
				continue
			}
		}
		i++
	}
	return out
}

// longest is how many of the lines, from the first on, make a table: as many as leave gaps free. 0 if they make none.
func longest(lines []line, e *effort) int {
	var at strips
	var all, size extent // of the lines so far, and up to the end
	end := 0
	for j := 0; j < len(lines) && !far(lines, j, 0) && e.spend(len(lines[j].chunks)+1); j++ {
		all.add(lines[j])
		if len(lines[j].chunks) < 2 {
			if j == 0 || j+1 >= len(lines) || len(lines[j+1].chunks) < 2 { // one alone is a row that has only one cell, or goes on
				break
			}
			continue
		}
		if at.add(lines[j], e); len(at) < 2 {
			break
		}
		all.columns = len(at)
		end, size = j+1, all
	}
	if !size.isTable() {
		return 0
	}
	return end
}

func far(lines []line, j, first int) bool {
	return j > first && lines[j].Y0-lines[j-1].Y1 > farBelow*lines[j-1].height()
}

// strips are the places between the gaps that all lines with several chunks leave free, from left to right.
type strips []stroke

// add adds the chunks of a line; those that touch become one strip.
func (s *strips) add(l line, e *effort) {
	for _, c := range l.chunks {
		i := sort.Search(len(*s), func(i int) bool { return (*s)[i].to > c.X0 }) // the first that does not end before it
		at, k := stroke{0, c.X0, c.X1}, i
		for ; k < len(*s) && (*s)[k].from < c.X1; k++ {
			at.from, at.to = min(at.from, (*s)[k].from), max(at.to, (*s)[k].to)
		}
		e.spend((len(*s) - i) / 8) // they move
		*s = slices.Replace(*s, i, k, at)
	}
}

func columnsOf(lines []line, e *effort) (out strips) {
	for _, l := range lines {
		if len(l.chunks) > 1 {
			out.add(l, e)
		}
	}
	return out.joined(lines, e)
}

// joined joins neighbours of which no line has both: what is aligned at one side in some rows and at the other in others, such
// as numbers below their heading, is one column.
func (s strips) joined(lines []line, e *effort) (out strips) {
	if len(s) < 3 { // two are no table when they are one
		return s
	}
	at := make([][]bool, len(s)) // by strip: the lines that have it
	for i := range at {
		at[i] = make([]bool, len(lines))
	}
	if e.spend(len(s) * len(lines) / 8); e.over() {
		return s
	}
	for row, l := range lines {
		for _, c := range l.chunks {
			from, to := s.reaches(c.Rect)
			for i := from; i <= to; i++ {
				at[i][row] = true
			}
		}
	}
	for i := 0; i < len(s); i++ {
		if n := len(out) - 1; n >= 0 {
			apart := true
			for row := range lines {
				apart = apart && !(at[n][row] && at[i][row])
			}
			if apart {
				out[n].to = s[i].to
				for row := range lines {
					at[n][row] = at[n][row] || at[i][row]
				}
				continue
			}
		}
		out = append(out, s[i])
		at[len(out)-1] = at[i]
	}
	return out
}

// grid puts lines into columns. A chunk that reaches over several spans them.
func grid(lines []line, e *effort) (t Table, ok bool) {
	if len(lines) == 0 {
		return t, false
	}
	columns := columnsOf(lines, e)
	if len(columns) == 0 {
		columns = strips{{0, lines[0].X0, lines[0].X1}}
	}
	if e.over() || len(columns)*len(lines) > mostCells {
		return t, false
	}
	t = Table{Rect: lines[0].Rect, Rows: len(lines), Columns: len(columns)}
	for row, l := range lines {
		t.Rect = t.union(l.Rect)
		var cells []Cell
		var words [][]Word
		for _, c := range l.chunks {
			from, to := columns.reaches(c.Rect)
			if n := len(cells) - 1; n >= 0 && cells[n].Column+cells[n].Columns > from { // in the same column: one cell
				cells[n].Rect, words[n] = cells[n].union(c.Rect), append(words[n], c.words...)
				cells[n].Columns = max(cells[n].Columns, to-cells[n].Column+1)
				continue
			}
			cells = append(cells, Cell{Row: row, Column: from, Rows: 1, Columns: to - from + 1, Rect: c.Rect})
			words = append(words, c.words)
		}
		for i := range cells {
			cells[i].Text = textOf(words[i])
		}
		t.Cells = append(t.Cells, cells...)
	}
	return t, true
}

// reaches are the first and the last column that a place touches; the nearest one if it touches none.
func (s strips) reaches(at Rect) (from, to int) {
	from = sort.Search(len(s), func(i int) bool { return s[i].to > at.X0 })
	to = sort.Search(len(s), func(i int) bool { return s[i].from >= at.X1 }) - 1
	switch {
	case from <= to:
		return from, to
	case from == len(s) || from > 0 && at.X0-s[from-1].to <= s[from].from-at.X1: // it is between from-1 and from
		from--
	}
	return from, from
}

// extent is what lines have between them.
type extent struct{ rows, columns, words, chunks int }

func (x *extent) add(l line) {
	x.rows++
	x.chunks += len(l.chunks)
	for _, c := range l.chunks {
		x.words += len(c.words)
	}
}

// isTable tells a table from columns of running text: it has several rows, most of its cells, and few words in each.
func (x extent) isTable() bool {
	switch {
	case x.columns < 2 || x.rows < 2 || x.columns == 2 && x.rows < 3:
		return false
	case x.chunks*2 < x.rows*x.columns || x.columns*x.rows > mostCells:
		return false
	}
	return float64(x.words)/float64(x.chunks) <= 4.5
}

// ReadsByRows says whether the words of a page are read row by row: nothing stands beside anything, or what does is a table and
// not columns of running text.
func ReadsByRows(words []Word) bool {
	lines := linesOf(words)
	several, beside := 0, 0 // lines of several chunks, and those of columns of running text
	for _, l := range lines {
		long := 0
		for _, c := range l.chunks {
			if len(c.words) >= longChunk {
				long++
			}
		}
		if len(l.chunks) > 1 {
			several++
		}
		if long > 1 {
			beside++
		}
	}
	return several == 0 || beside*4 < len(lines) && len(aligned(lines, &effort{mostWork})) > 0
}

// longChunk is how many words running text has in a line of a column, at least.
const longChunk = 4
