package table

import (
	"cmp"
	"slices"
)

// farBelow is how far below a line, in its heights, the next row of a table without lines may be.
const farBelow = 2.2

// aligned finds tables without lines: rows of chunks one below the other that leave the same gaps free.
func aligned(lines []line) (out []Table) {
	for i := 0; i < len(lines); {
		end := i
		for j := i; j < len(lines) && !far(lines, j, i); j++ {
			if len(lines[j].chunks) < 2 {
				if j == i || j+1 >= len(lines) || len(lines[j+1].chunks) < 2 { // one alone is a row that has only one cell, or goes on
					break
				}
				continue
			}
			if len(columnsOf(lines[i:j+1])) < 2 {
				break
			}
			end = j + 1
		}
		if t, ok := grid(lines[i:end]); ok && isTable(t, lines[i:end]) {
			out = append(out, t)
			i = end
			continue
		}
		i++
	}
	return out
}

func far(lines []line, j, first int) bool {
	return j > first && lines[j].Y0-lines[j-1].Y1 > farBelow*lines[j-1].height()
}

// columnsOf are the strips between the gaps that all lines with several chunks leave free.
func columnsOf(lines []line) []stroke {
	var all []stroke
	for _, l := range lines {
		if len(l.chunks) < 2 {
			continue
		}
		for _, c := range l.chunks {
			all = append(all, stroke{0, c.X0, c.X1})
		}
	}
	slices.SortFunc(all, func(a, b stroke) int { return cmp.Compare(a.from, b.from) })
	var out []stroke
	for _, s := range all {
		if n := len(out) - 1; n >= 0 && s.from < out[n].to {
			out[n].to = max(out[n].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// grid puts lines into columns. A chunk that reaches over several spans them.
func grid(lines []line) (t Table, ok bool) {
	if len(lines) == 0 {
		return t, false
	}
	columns := columnsOf(lines)
	if len(columns) == 0 {
		columns = []stroke{{0, lines[0].X0, lines[0].X1}}
	}
	if len(columns)*len(lines) > mostCells {
		return t, false
	}
	t = Table{Rect: lines[0].Rect, Rows: len(lines), Columns: len(columns)}
	for row, l := range lines {
		t.Rect = t.union(l.Rect)
		var cells []Cell
		var words [][]Word
		for _, c := range l.chunks {
			from, to := reaches(columns, c.Rect)
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
func reaches(columns []stroke, at Rect) (from, to int) {
	from = -1
	nearest, gap := 0, -1.0
	for i, c := range columns {
		if at.X0 < c.to && c.from < at.X1 {
			if from < 0 {
				from = i
			}
			to = i
		}
		if d := max(c.from-at.X1, at.X0-c.to); gap < 0 || d < gap {
			nearest, gap = i, d
		}
	}
	if from < 0 {
		return nearest, nearest
	}
	return from, to
}

// isTable tells a table from columns of running text: it has several rows, most of its cells, and few words in each.
func isTable(t Table, lines []line) bool {
	words, full := 0, 0
	for _, l := range lines {
		for _, c := range l.chunks {
			words += len(c.words)
			full++
		}
	}
	switch {
	case t.Columns < 2 || t.Rows < 2 || t.Columns == 2 && t.Rows < 3:
		return false
	case full*2 < t.Rows*t.Columns:
		return false
	}
	return float64(words)/float64(full) <= 4.5
}
