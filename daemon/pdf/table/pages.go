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
			t.Page, t.Last = s.Page, s.Page
			t.Cells = slices.Clone(t.Cells)
			for j := range t.Cells {
				t.Cells[j].Page = s.Page
			}
			if k == 0 && open >= 0 && sheets[i-1].Page+1 == s.Page && m.first(i, t) && m.room(i-1, sheets[i-1].Tables) < t.need(out[open]) &&
				out[open].goesOn(t, sheets[i-1]) {
				out[open].add(t)
			} else {
				out = append(out, t)
				open = len(out) - 1
			}
		}
		if n := len(s.Tables); n == 0 || n > 1 && open < len(out)-1 {
			open = -1
		}
	}
	return out
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

// first says whether nothing but the page's head stands above a table.
func (m margins) first(page int, t Table) bool {
	return !slices.ContainsFunc(m.lines[page], func(l line) bool { return l.Y1 <= t.Y0+near && m.pages[marginOf(l)] < 2 })
}

// room is how much room is between the last table of a page and the page's foot; more than any page has if something else is there.
func (m margins) room(page int, tables []Table) float64 {
	t, foot := tables[len(tables)-1], m.bottom
	for _, l := range m.lines[page] {
		if l.Y0 < t.Y1-near {
			continue
		}
		if m.pages[marginOf(l)] < 2 {
			return math.Inf(1)
		}
		foot = min(foot, l.Y0)
	}
	return foot - t.Y1
}

// need is how much room the first row of a part of a table needs, and what may stay free above a page's foot.
func (t Table) need(of Table) float64 {
	at, height := t.row(of.heads(t)), 0.0
	for _, c := range t.Cells {
		height = max(height, c.height()/float64(1+strings.Count(c.Text, "\n")))
	}
	return at.height() + roomSlack*height
}

// goesOn says whether a table, whose last part stands on a page, has the columns of another.
func (t Table) goesOn(next Table, on Sheet) bool {
	if next.Ruled != t.Ruled || next.Columns != t.Columns || t.Columns < 2 {
		return false
	}
	a, b := on.Tables[len(on.Tables)-1].edges(), next.edges()
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
