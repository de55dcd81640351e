package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// page is a page under construction.
type page struct{ Page }

// text adds a text whose letters are 5 points wide and 10 high, at its upper left corner.
func (p *page) text(x, y float64, text string) {
	for w := range strings.FieldsSeq(text) {
		n := float64(len(w)) * 5
		p.Words = append(p.Words, Word{Rect: Rect{x, y, x + n, y + 10}, Text: w})
		x += n + 2.8
	}
}

func (p *page) line(x0, y0, x1, y1 float64) { p.Lines = append(p.Lines, Rect{x0, y0, x1, y1}) }

func (p *page) rows(x, y, width, height float64, ruled bool, rows ...[]string) {
	for i, row := range rows {
		for j, cell := range row {
			p.text(x+float64(j)*width+4, y+float64(i)*height+3, cell)
		}
	}
	if !ruled {
		return
	}
	w, h := float64(len(rows[0]))*width, float64(len(rows))*height
	for i := range len(rows) + 1 {
		p.line(x, y+float64(i)*height, x+w, y+float64(i)*height)
	}
	for j := range len(rows[0]) + 1 {
		p.line(x+float64(j)*width, y, x+float64(j)*width, y+h)
	}
}

func tablesOf(p Page, mode Mode) []Table { out, _ := Find(p, mode); return out }

func said(t Table) string {
	var out []string
	for _, row := range t.Grid() {
		out = append(out, strings.Join(row, "|"))
	}
	return strings.Join(out, "/")
}

func TestRuledAndAligned(t *testing.T) {
	p := &page{}
	p.text(50, 40, "The prices of this year follow below and are in crowns each")
	p.rows(50, 60, 90, 18, true, []string{"item", "one", "ten"}, []string{"paper A4", "3.00", "28.00"}, []string{"ink", "", "9.50"})
	p.text(50, 140, "Nothing is said about the prices of the next year as yet")
	p.rows(50, 200, 90, 15, false, []string{"month", "in", "out"}, []string{"May", "1200", "17"}, []string{"June", "3", "44"})
	got := tablesOf(p.Page, Auto)
	if len(got) != 2 || said(got[0]) != "item|one|ten/paper A4|3.00|28.00/ink||9.50" || !got[0].Ruled ||
		said(got[1]) != "month|in|out/May|1200|17/June|3|44" || got[1].Ruled {
		t.Errorf("%d: %+v", len(got), got)
	}
	if c := got[0].Cells[4]; c.Rect != (Rect{140, 78, 230, 96}) || c.Row != 1 || c.Column != 1 {
		t.Errorf("%+v", c)
	}
	if got := tablesOf(p.Page, Strict); len(got) != 1 || !got[0].Ruled {
		t.Errorf("strict: %+v", got)
	}
	if got := tablesOf(p.Page, Layout); len(got) != 1 || got[0].Rows != 8 || !strings.Contains(said(got[0]), "June|3|44") {
		t.Errorf("layout: %+v", got)
	}
}

func TestACellSpansWhereALineIsMissing(t *testing.T) {
	p := &page{}
	p.rows(0, 0, 60, 20, true, []string{"a", "b", "c"}, []string{"d", "e", "f"}, []string{"g", "h", "i"})
	p.Lines = nil
	for _, y := range []float64{0, 20, 40, 60} {
		p.line(0, y, 180, y)
	}
	p.Lines[2] = Rect{0, 40, 120, 40} // between f and i there is none
	for _, x := range []float64{0, 120, 180} {
		p.line(x, 0, x, 60)
	}
	p.line(60, 20, 60, 60) // between a and b there is none
	got := tablesOf(p.Page, Strict)
	if len(got) != 1 || said(got[0]) != "a b||c/d|e|f\ni/g|h|" {
		t.Fatalf("%+v", got)
	}
	if c := got[0].Cells[0]; c.Columns != 2 || c.Rows != 1 {
		t.Errorf("%+v", c)
	}
}

func TestWhatIsNoTable(t *testing.T) {
	prose := &page{}
	for i := range 20 { // two columns of running text
		prose.text(50, 50+float64(i)*12, "the quick brown fox jumps over it")
		prose.text(300, 50+float64(i)*12, "and the lazy dog lies still there")
	}
	box := &page{}
	box.text(60, 60, "a note in a frame")
	box.Lines = []Rect{{50, 50, 200, 50}, {50, 90, 200, 90}, {50, 50, 50, 90}, {200, 50, 200, 90}}
	drawing := &page{}
	drawing.rows(50, 50, 20, 20, true, []string{"", ""}, []string{"", ""})
	for name, p := range map[string]*page{"prose": prose, "a frame": box, "a drawing": drawing, "nothing": {}} {
		for _, mode := range []Mode{Auto, Strict} {
			if got := tablesOf(p.Page, mode); len(got) != 0 {
				t.Errorf("%s, %s: %+v", name, mode, got)
			}
		}
	}
}

// Pages that ask for much work are bounded: columns of prose, where each line begins a table that is none, and many small
// nets of lines among many words.
func TestWorkIsBounded(t *testing.T) {
	prose := &page{}
	for i := range 3000 {
		prose.text(50, 50+float64(i)*12, "six words are on each side")
		prose.text(300, 50+float64(i)*12, "which is too many for cells")
	}
	wide := &page{}
	for i := range 30_000 {
		wide.text(float64(i)*40, 50, "x")
	}
	nets := &page{}
	for i := range 3000 {
		x := float64(i) * 100
		for _, y := range []float64{0, 10, 20} {
			nets.line(x, y, x+20, y)
		}
		nets.line(x, 0, x, 20)
		nets.line(x+20, 0, x+20, 20)
	}
	for i := range 15_000 {
		nets.text(float64(i)*20, 5, "x y")
	}
	for name, p := range map[string]*page{"prose": prose, "a wide line": wide, "nets": nets} {
		for _, mode := range []Mode{Auto, Layout} {
			// What exceeds the bound on work is told; prose and a wide line stay within it, however long.
			if _, whole := Find(p.Page, mode); whole != (name != "nets" || mode != Auto) {
				t.Errorf("%s, %s: whole %v", name, mode, whole)
			}
		}
	}
}

// Random tables are found again: cell F1 at least .90 with lines and .75 without.
func TestRandomTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		return [...]string{"12", "3.40", "1,250.00", "paper", "Ada L", "-7", "n/a", "2026-11-26", "net total", "x"}[r.IntN(10)]
	}
	for _, ruled := range []bool{true, false} {
		var hit, found, there int
		for range 200 {
			p := &page{}
			columns, y := 2+r.IntN(5), 60.0
			want := map[string]int{}
			rows := make([][]string, 3+r.IntN(12))
			for i := range rows {
				for j := range columns {
					cell := word()
					if r.IntN(12) == 0 && j > 0 {
						cell = ""
					}
					rows[i] = append(rows[i], cell)
					if cell != "" {
						want[fmt.Sprint(i, j, cell)]++
						there++
					}
				}
			}
			p.text(50, 30, "a line of text above the table that is no part of it")
			p.rows(40, y, 65+float64(r.IntN(30)), 14+float64(r.IntN(10)), ruled, rows...)
			for _, got := range tablesOf(p.Page, Auto) {
				for _, c := range got.Cells {
					if c.Text == "" {
						continue
					}
					found++
					if k := fmt.Sprint(c.Row, c.Column, c.Text); want[k] > 0 {
						want[k]--
						hit++
					}
				}
			}
		}
		f1 := 2 * float64(hit) / float64(found+there)
		t.Logf("ruled %v: cell F1 %.3f over %d cells of 200 tables", ruled, f1, there)
		if f1 < 0.90 && ruled || f1 < 0.75 {
			t.Errorf("ruled %v: %.3f", ruled, f1)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add(uint64(1), 30, 30)
	f.Fuzz(func(t *testing.T, seed uint64, words, lines int) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := Page{}
		for range min(max(words, 0), 300) {
			x, y := r.NormFloat64()*300, r.NormFloat64()*300
			p.Words = append(p.Words, Word{Rect: Rect{x, y, x + r.Float64()*40, y + r.Float64()*20}, Text: "w", Order: len(p.Words) + 1})
		}
		for range min(max(lines, 0), 300) {
			x, y := r.Float64()*600, r.Float64()*600
			if r.IntN(2) == 0 {
				p.Lines = append(p.Lines, Rect{x, y, x + r.Float64()*300, y})
			} else {
				p.Lines = append(p.Lines, Rect{x, y, x, y + r.Float64()*300})
			}
		}
		for _, mode := range []Mode{Auto, Strict, Layout} {
			n := 0
			for _, got := range Join([]Sheet{{1, p.Words, tablesOf(p, mode)}, {2, p.Words, tablesOf(p, mode)}}) {
				for _, c := range got.Cells {
					if c.Row < 0 || c.Column < 0 || c.Row >= got.Rows || c.Column >= got.Columns {
						t.Fatalf("%s, joined: %+v of %d by %d", mode, c, got.Rows, got.Columns)
					}
				}
			}
			for _, got := range tablesOf(p, mode) {
				for _, c := range got.Cells {
					n += strings.Count(c.Text, "w")
					if c.Row < 0 || c.Column < 0 || c.Row >= got.Rows || c.Column >= got.Columns {
						t.Fatalf("%s: %+v of %d by %d", mode, c, got.Rows, got.Columns)
					}
				}
				if !slices.IsSortedFunc(got.Cells, func(a, b Cell) int { return a.Row - b.Row }) {
					t.Fatal("not by rows")
				}
			}
			if n > len(p.Words) {
				t.Fatalf("%s: %d words of %d", mode, n, len(p.Words))
			}
		}
	})
}
