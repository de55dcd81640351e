package table

import (
	"cmp"
	"maps"
	"slices"
)

// Bounds of what is looked at.
const (
	mostLines = 20_000
	mostCells = 40_000
	mostWork  = 40_000_000 // looks at a line or a word, for a page
	near      = 2.5        // points within which lines count as touching, or as one
)

// effort is the work that is left for a page: what a page asks for may not grow with what it holds.
type effort struct{ left int }

// spend takes work, and says whether there was as much.
func (e *effort) spend(n int) bool {
	if n > e.left {
		e.left = -1
	} else {
		e.left -= n
	}
	return e.left >= 0
}

func (e *effort) over() bool { return e.left < 0 }

// stroke is a line: at is its y (horizontal) or x, from and to its ends.
type stroke struct{ at, from, to float64 }

// strokes splits lines by direction and joins those that continue each other.
func strokes(lines []Rect) (across, down []stroke) {
	for _, l := range lines {
		if w, h := l.X1-l.X0, l.Y1-l.Y0; w >= h {
			across = append(across, stroke{(l.Y0 + l.Y1) / 2, l.X0, l.X1})
		} else {
			down = append(down, stroke{(l.X0 + l.X1) / 2, l.Y0, l.Y1})
		}
	}
	return joined(across), joined(down)
}

func joined(all []stroke) (out []stroke) {
	marks := places(all)
	for i := range all {
		all[i].at = marks[index(marks, all[i].at)]
	}
	slices.SortFunc(all, func(a, b stroke) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from)) })
	for _, s := range all {
		if n := len(out) - 1; n >= 0 && out[n].at == s.at && s.from <= out[n].to+near {
			out[n].to = max(out[n].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// places are the distinct positions of strokes, rising.
func places(all []stroke) (out []float64) {
	at := make([]float64, 0, len(all))
	for _, s := range all {
		at = append(at, s.at)
	}
	slices.Sort(at)
	for _, x := range at {
		if len(out) == 0 || x-out[len(out)-1] > near {
			out = append(out, x)
		}
	}
	return out
}

// index is the nearest position at or before x, within near.
func index(marks []float64, x float64) int {
	i, found := slices.BinarySearch(marks, x)
	if !found && i > 0 {
		i--
	}
	return i
}

// sets is a union-find.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) of(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(a, b int) { s[s.of(a)] = s.of(b) }

// ruled finds the tables that lines make, and the words outside of them.
func ruled(p Page, e *effort) (out []Table, rest []Word) {
	if len(p.Lines) > mostLines {
		e.left = -1
		return nil, p.Words
	}
	across, down := strokes(p.Lines)
	if !e.spend(len(across) * len(down)) {
		return nil, p.Words
	}
	s := newSets(len(across) + len(down))
	for i, h := range across {
		for j, v := range down {
			if v.at >= h.from-near && v.at <= h.to+near && h.at >= v.from-near && h.at <= v.to+near {
				s.join(i, len(across)+j)
			}
		}
	}
	type net struct{ across, down []stroke }
	nets := map[int]*net{}
	get := func(i int) *net {
		if nets[s.of(i)] == nil {
			nets[s.of(i)] = &net{}
		}
		return nets[s.of(i)]
	}
	for i, h := range across {
		get(i).across = append(get(i).across, h)
	}
	for j, v := range down {
		n := get(len(across) + j)
		n.down = append(n.down, v)
	}
	rest = p.Words
	for _, key := range slices.Sorted(maps.Keys(nets)) {
		n := nets[key]
		var t Table
		var ok bool
		if t, rest, ok = fromNet(n.across, n.down, rest, e); ok {
			out = append(out, t)
		}
	}
	return out, rest
}

// fromNet makes a table of lines that cross, and takes its words out of words.
func fromNet(across, down []stroke, words []Word, e *effort) (Table, []Word, bool) {
	xs, ys := places(down), places(across)
	rows, columns := len(ys)-1, len(xs)-1
	if rows < 1 || columns < 1 || rows*columns < 2 || rows*columns > mostCells ||
		!e.spend(rows*columns*(len(across)+len(down))+8*len(words)) {
		return Table{}, words, false
	}
	s := newSets(rows * columns)
	between := func(all []stroke, at, a, b float64) bool { // a line at this place, over the middle of a and b
		m := (a + b) / 2
		return slices.ContainsFunc(all, func(l stroke) bool { return abs(l.at-at) <= near && l.from <= m && m <= l.to })
	}
	for i := range rows {
		for j := range columns {
			if j+1 < columns && !between(down, xs[j+1], ys[i], ys[i+1]) {
				s.join(i*columns+j, i*columns+j+1)
			}
			if i+1 < rows && !between(across, ys[i+1], xs[j], xs[j+1]) {
				s.join(i*columns+j, (i+1)*columns+j)
			}
		}
	}
	cells := map[int]*Cell{}
	for i := range rows {
		for j := range columns {
			at := Rect{xs[j], ys[i], xs[j+1], ys[i+1]}
			c := cells[s.of(i*columns+j)]
			if c == nil {
				cells[s.of(i*columns+j)] = &Cell{Row: i, Column: j, Rows: 1, Columns: 1, Rect: at}
				continue
			}
			c.Rect = c.union(at)
			c.Column, c.Rows = min(c.Column, j), max(c.Rows, i-c.Row+1)
			c.Columns = max(c.Columns, j-c.Column+1)
		}
	}
	if len(cells) < 2 {
		return Table{}, words, false
	}
	t := Table{Rect: Rect{xs[0], ys[0], xs[columns], ys[rows]}, Ruled: true, Rows: rows, Columns: columns}
	inside := map[*Cell][]Word{}
	var rest []Word
	for _, w := range words {
		x, y := w.middle()
		if !t.has(x, y) {
			rest = append(rest, w)
			continue
		}
		i, j := min(index(ys, y), rows-1), min(index(xs, x), columns-1)
		c := cells[s.of(i*columns+j)]
		inside[c] = append(inside[c], w)
	}
	for _, c := range cells {
		c.Text = textOf(inside[c])
		t.Cells = append(t.Cells, *c)
	}
	sortCells(t.Cells)
	return t, rest, len(rest) < len(words) // a table without a word is a drawing
}

func sortCells(cells []Cell) {
	slices.SortFunc(cells, func(a, b Cell) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column)) })
}

func abs(x float64) float64 { return max(x, -x) }
