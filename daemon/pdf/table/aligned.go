package table

import (
	"slices"
	"sort"
)

// farBelow is how far below a line, in its heights, the next row of a table without lines may be.
const farBelow = 2.2

// aligned finds tables without lines: rows of chunks one below the other that leave the same gaps free.
func aligned(lines []line, e *effort) (out []Table) {
	edge := 0.0
	for _, l := range lines {
		edge = max(edge, l.X1)
	}
	for i := 0; i < len(lines) && !e.over(); {
		if end := longest(lines[i:], e, prose); end > 0 {
			if t, n := unruled(lines[i:i+end], edge, e); n > 0 {
				out = append(out, t)
				i += n
				continue
			}
		}
		i++
	}
	return out
}

// longest is how many of the lines, from the first on, may make a table: as many as leave gaps free. 0 if they make none, or what
// says so of the lines and the places between their gaps.
func longest(lines []line, e *effort, none func([]line, strips) bool) int {
	var at strips
	end := 0
	for j := 0; j < len(lines) && !far(lines, j, 0) && e.spend(len(lines[j].chunks)+1); j++ {
		if len(lines[j].chunks) < 2 {
			if j == 0 || !at.below(lines[j-1], lines[j]) && (j+1 >= len(lines) || len(lines[j+1].chunks) < 2) {
				break // one alone is a row that has only one cell, several go on in the cell above
			}
		} else if at.add(lines[j], e); len(at) < 2 {
			at = stripsOf(lines[:end], e) // without it
			break
		}
		end = j + 1
	}
	if end < 2 || none(lines[:end], at) {
		return 0
	}
	return end
}

// below says whether a line with one chunk stays in a strip that the line above has.
func (s strips) below(above, l line) bool {
	from, to := s.reaches(l.chunks[0].Rect)
	if from != to {
		return false
	}
	for _, c := range above.chunks {
		if a, b := s.reaches(c.Rect); a <= from && from <= b {
			return true
		}
	}
	return false
}

// unruled makes a table of lines and says how many of them it has: 0 if they are none. One cell alone is no last row.
func unruled(lines []line, edge float64, e *effort) (t Table, n int) {
	at, columns, ok := layAll(lines, e)
	if !ok {
		return t, 0
	}
	on := wrapped(at, columns, edge, e)
	n = len(at)
	for i := n - 1; i > 0; i-- {
		if !on[i] {
			if len(at[i].cells) > 1 {
				break
			}
			n = i
		}
	}
	t = rowsOf(at[:n], on, columns)
	if e.over() || !isTable(t) {
		return t, 0
	}
	return t, n
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

func columnsOf(lines []line, e *effort) strips { return stripsOf(lines, e).joined(lines, e) }

func stripsOf(lines []line, e *effort) (out strips) {
	for _, l := range lines {
		if len(l.chunks) > 1 {
			out.add(l, e)
		}
	}
	return out
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

// grid puts lines into columns, each as a row. A chunk that reaches over several spans them.
func grid(lines []line, e *effort) (t Table, ok bool) {
	at, columns, ok := layAll(lines, e)
	if !ok {
		return t, false
	}
	return rowsOf(at, make([]bool, len(at)), columns), true
}

func layAll(lines []line, e *effort) (out []laid, columns int, ok bool) {
	if len(lines) == 0 {
		return nil, 0, false
	}
	at := columnsOf(lines, e)
	if len(at) == 0 {
		at = strips{{0, lines[0].X0, lines[0].X1}}
	}
	if e.over() || len(at)*len(lines) > mostCells {
		return nil, 0, false
	}
	for _, l := range lines {
		e.spend(len(l.chunks))
		out = append(out, lay(l, at))
	}
	return out, len(at), !e.over()
}

// rowsOf makes a table of lines, of which some go on with the row above.
func rowsOf(lines []laid, on []bool, columns int) Table {
	t := Table{Rect: lines[0].Rect, Columns: columns}
	var cells []Cell // of the row
	var words [][]Word
	end := func() {
		for i := range cells {
			cells[i].Text = textOf(words[i])
		}
		t.Cells = append(t.Cells, cells...)
	}
	for i, l := range lines {
		t.Rect = t.union(l.Rect)
		if !on[i] {
			end()
			cells, words = l.cells, l.words
			for k := range cells {
				cells[k].Row = t.Rows
			}
			t.Rows++
			continue
		}
		for k, c := range l.cells { // the row has a cell in its column
			for m := range cells {
				if cells[m].Column == c.Column {
					cells[m].Rect, words[m] = cells[m].union(c.Rect), append(words[m], l.words[k]...)
				}
			}
		}
	}
	end()
	return t
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

// isTable tells a table from what stands beside each other by chance: it has several rows and most of its cells.
func isTable(t Table) bool {
	switch {
	case t.Columns < 2 || t.Rows < 2 || t.Columns == 2 && t.Rows < 3:
		return false
	}
	return len(t.Cells)*2 >= t.Rows*t.Columns && inColumns(t)
}

// inColumns says whether most cells begin, end or have their middle where others of their column have it, or begin as far from the
// beginning of their row. Running text that is stretched over its lines leaves gaps, too, but not so. Everything begins where the
// first column does.
func inColumns(t Table) bool {
	places := map[int][4][]float64{}
	row, begins := -1, 0.0
	for _, c := range t.Cells {
		if c.Row != row {
			row, begins = c.Row, c.X0
		}
		if c.Column == 0 || c.Columns > 1 {
			continue
		}
		x, _ := c.middle()
		at := places[c.Column]
		for i, v := range [...]float64{c.X0, c.X1, x, c.X0 - begins} {
			at[i] = append(at[i], v)
		}
		places[c.Column] = at
	}
	in, all := 0, 0
	for _, at := range places {
		if n := len(at[0]); n > 1 {
			all += n
			in += max(together(at[0]), together(at[1]), together(at[2]), together(at[3]))
		}
	}
	return in*2 > all
}

// together is how many of the places are one, at most; 0 if none is that of another.
func together(at []float64) (most int) {
	slices.Sort(at)
	first := 0
	for i, x := range at {
		for x-at[first] > near {
			first++
		}
		most = max(most, i-first+1)
	}
	if most == 1 {
		return 0
	}
	return most
}

// Beside says whether anything of a page stands beside anything else, or all of it line below line.
func Beside(words []Word) bool {
	return slices.ContainsFunc(linesOf(words), func(l line) bool { return len(l.chunks) > 1 })
}

// ReadsByRows says whether the words of a page are read row by row: nothing stands beside anything, or what does is a table and
// not columns of running text.
func ReadsByRows(words []Word) bool {
	lines := linesOf(words)
	several, beside := 0, 0 // lines of several chunks, and those of columns of running text
	for _, l := range lines {
		if len(l.chunks) > 1 {
			several++
		}
		if l.proseBeside() {
			beside++
		}
	}
	return several == 0 || beside*4 < len(lines) && len(aligned(lines, &effort{mostWork})) > 0
}

// longChunk is how many words running text has in a line of a column, at least.
const longChunk = 4
