package table

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Sheet is a page with the tables that were found on it.
type Sheet struct {
	Page   int
	Words  []Word
	Tables []Table
}

// Join joins tables that go on on the next page: nothing but a page's foot and the next page's head stands between them, their columns
// are the same, and the next row had no room. Rows that head the table on each page are there once; what goes on in the next page's
// first row is added to the row that it belongs to. Sheets are in the order of their pages.
func Join(sheets []Sheet) (out []Table) {
	m := marginsOf(sheets)
	open := -1 // the table of the page before that may go on
	for i, s := range sheets {
		for k, t := range s.Tables {
			t.on(s.Page)
			if k == 0 && open >= 0 && sheets[i-1].Page+1 == s.Page {
				before := sheets[i-1].Tables
				if above, below, ok := m.between(i, before[len(before)-1], t); ok && out[open].goesOn(t, before[len(before)-1]) &&
					m.room(i-1, before) < t.need(out[open]) {
					out[open].append(below, sheets[i-1].Page)
					t.prepend(above, s.Page)
					out[open].add(t)
					continue
				}
			}
			out = append(out, t)
			open = len(out) - 1
		}
		if n := len(s.Tables); n == 0 || n > 1 && open < len(out)-1 {
			open = -1
		}
	}
	return out
}

// on notes the page of a table.
func (t *Table) on(page int) {
	t.Page, t.Last = page, page
	t.Cells = slices.Clone(t.Cells)
	for i := range t.Cells {
		t.Cells[i].Page = page
	}
}

// between are the rows between the last table of a page and the first of the next that lie in their columns: single cells at the end
// of a page and at the beginning of one are in no table by themselves. It is false if anything else is there but foot and head.
func (m margins) between(page int, last, first Table) (above, below []laid, ok bool) {
	at, ok := columnsOver(last, first)
	e := &effort{mostWork}
	take := func(page int, is func(Rect) bool) (out []laid, whole bool) {
		for _, l := range m.rows(page, e) {
			if !is(l.Rect) {
				continue
			}
			if first.Ruled || !ok || !e.spend(len(at)) {
				return nil, false
			}
			x := lay(l, at)
			if x.spans {
				return nil, false
			}
			out = append(out, x)
		}
		return out, true
	}
	below, inLast := take(page-1, func(r Rect) bool { return r.Y0 >= last.Y1-near })
	above, inFirst := take(page, func(r Rect) bool { return r.Y1 <= first.Y0+near })
	if len(above) > 0 && heads(above[0], append(above, laid{Rect: first.row(0)})[1]) {
		return nil, nil, false
	}
	return above, below, inLast && inFirst
}

// heads says whether a line is a heading and no row: one cell at the left that is apart from the row below it.
func heads(l, below laid) bool {
	return len(l.cells) == 1 && l.cells[0].Column == 0 && below.Y0-l.Y1 > loose*l.height()
}

// columnsOver are the places of the columns that two parts of a table have; false if they are not apart.
func columnsOver(a, b Table) (out strips, ok bool) {
	x, y := a.edges(), b.edges()
	if len(x) != len(y) {
		return nil, false
	}
	for j := range x {
		s := stroke{0, min(x[j].X0, y[j].X0), max(x[j].X1, y[j].X1)}
		if s.from > s.to || j > 0 && s.from < out[j-1].to {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// append adds rows at the end of a table.
func (t *Table) append(rows []laid, page int) {
	for _, r := range rows {
		t.put(r, t.Rows, page)
		t.Rows++
	}
}

// prepend adds rows before those of a table.
func (t *Table) prepend(rows []laid, page int) {
	for i := range t.Cells {
		t.Cells[i].Row += len(rows)
	}
	t.Rows += len(rows)
	for i, r := range rows {
		t.put(r, i, page)
	}
	sortCells(t.Cells)
}

func (t *Table) put(r laid, row, page int) {
	for i, c := range r.cells {
		c.Row, c.Page, c.Text = row, page, textOf(r.words[i])
		t.Cells = append(t.Cells, c)
	}
	if page == t.Page {
		t.Rect = t.union(r.Rect)
	}
}

// margins are the lines of pages, and which of them are heads and feet: they stand on several pages at the same height, but for digits.
type margins struct {
	lines  [][]line
	bottom float64 // of the lowest word of any page
	pages  map[margin]int
}

type margin struct {
	y    int
	text string
}

func marginOf(l line) margin {
	var b strings.Builder
	for _, w := range l.all() {
		for _, r := range w.Text {
			if !unicode.IsDigit(r) {
				b.WriteRune(r)
			}
		}
	}
	return margin{int(math.Round(l.Y0)), b.String()}
}

func marginsOf(sheets []Sheet) margins {
	m := margins{pages: map[margin]int{}}
	for _, s := range sheets {
		lines := linesOf(s.Words)
		m.lines = append(m.lines, lines)
		for _, l := range lines {
			m.bottom = max(m.bottom, l.Y1)
			m.pages[marginOf(l)]++
		}
	}
	return m
}

// rows are the rows of a page between its head and its foot: by the order of its content, if that is known, or its lines.
func (m margins) rows(page int, e *effort) (out []line) {
	var words []Word
	for _, l := range m.lines[page] {
		if m.pages[marginOf(l)] < 2 {
			out, words = append(out, l), append(words, l.all()...)
		}
	}
	runs := runsOf(words)
	if runs == nil {
		return out
	}
	out = nil
	for _, r := range rowsInOrder(runs, e) {
		out = append(out, r.cells(runs))
	}
	return centred(out)
}

// room is how much room is between the last table of a page and the page's foot.
func (m margins) room(page int, tables []Table) float64 {
	t, foot, end := tables[len(tables)-1], m.bottom, 0.0
	for _, l := range m.lines[page] {
		switch {
		case l.Y0 < t.Y1-near:
		case m.pages[marginOf(l)] < 2:
			end = max(end, l.Y1)
		default:
			foot = min(foot, l.Y0)
		}
	}
	return foot - max(t.Y1, end)
}

// need is how much room the first row of a part of a table needs, and what may stay free above a page's foot.
func (t Table) need(of Table) float64 {
	at, height := t.row(of.heads(t)), 0.0
	for _, c := range t.Cells {
		height = max(height, c.height()/float64(1+strings.Count(c.Text, "\n")))
	}
	return at.height() + roomSlack*height
}

// goesOn says whether a table, of which last is the part before, has the columns of another.
func (t Table) goesOn(next, last Table) bool {
	if next.Ruled != t.Ruled || next.Columns != t.Columns || t.Columns < 2 {
		return false
	}
	a, b := last.edges(), next.edges()
	for j := range a {
		if math.IsInf(a[j].X0, 0) || math.IsInf(b[j].X0, 0) { // only cells that span it
			continue
		}
		if t.Ruled && abs(a[j].X0-b[j].X0) > near || min(a[j].X1, b[j].X1)-max(a[j].X0, b[j].X0) < -near {
			return false
		}
	}
	return true
}

// roomSlack is how much free space, in lines, may stay above a page's foot.
const roomSlack = 4

// row is the place of a row; nothing if it has no cell.
func (t Table) row(i int) (at Rect) {
	for _, c := range t.Cells {
		if c.Row != i {
			continue
		}
		if at.Y1 == 0 {
			at = c.Rect
		}
		at = at.union(c.Rect)
	}
	return at
}

// edges are how far the cells of each column reach.
func (t Table) edges() []Rect {
	out := make([]Rect, t.Columns)
	for j := range out {
		out[j] = Rect{X0: math.Inf(1), X1: math.Inf(-1)}
	}
	for _, c := range t.Cells {
		if c.Columns == 1 {
			out[c.Column].X0, out[c.Column].X1 = min(out[c.Column].X0, c.X0), max(out[c.Column].X1, c.X1)
		}
	}
	return out
}

// heads is how many rows at the top of a part are those of the table. One row of its own stays.
func (t Table) heads(next Table) (n int) {
	a, b := t.Grid(), next.Grid()
	for n+1 < len(b) && n < len(a) && slices.Equal(a[n], b[n]) {
		n++
	}
	return n
}

// add adds the part of a table that is on the next page.
func (t *Table) add(next Table) {
	heads := t.heads(next)
	shift := t.Rows - heads
	rest := t.broken(next, heads)
	if rest {
		shift--
	}
	for _, c := range next.Cells {
		if c.Row < heads {
			continue
		}
		if rest && c.Row == heads {
			for k := range t.Cells {
				if o := &t.Cells[k]; c.Text != "" && o.Column == c.Column && o.Row+o.Rows == t.Rows {
					o.Text += "\n" + c.Text
				}
			}
			continue
		}
		c.Row += shift
		t.Cells = append(t.Cells, c)
	}
	t.Rows, t.Last = next.Rows+shift, next.Last
}

// broken says whether the first row of a part is the rest of the table's last one: it lacks a cell that the last row has, as have the
// rows of this table, and has none that the last row lacks.
func (t *Table) broken(next Table, first int) bool {
	a, b := t.Grid(), next.Grid()[first]
	last, lacks := a[len(a)-1], false
	for j, text := range b {
		if text != "" && last[j] == "" {
			return false
		}
		if text == "" && last[j] != "" {
			without := 0
			for _, row := range a {
				if row[j] == "" {
					without++
				}
			}
			lacks = lacks || without*4 < len(a)
		}
	}
	return lacks
}
