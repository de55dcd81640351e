//go:build !race

package pdf

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"showhow/daemon/pdf/pdftest"
	"showhow/daemon/wire"
)

func (d *desk) tables(from wire.AcrobatSourceRef, mode string) (wire.PDFTables, error) {
	d.t.Helper()
	r, err := d.s.Tables(d.t.Context(), ada, wire.AcrobatExtractTablesRequest{AcrobatSourceRef: from, TableMode: mode})
	var out wire.PDFTables
	if err == nil {
		err = json.Unmarshal(d.kept[r.OutputRef], &out)
	}
	return out, err
}

// sheet draws a table: as strokes, as thin rectangles, or without lines.
func sheet(p *pdftest.Page, rows [][]string, lines int) {
	const x, y, width, height = 72.0, 700.0, 95.0, 20.0
	w, h := width*float64(len(rows[0])), height*float64(len(rows))
	for i, row := range rows {
		for j, cell := range row {
			p.Text(x+float64(j)*width+5, y-float64(i+1)*height+6, cell)
		}
	}
	rule := func(x1, y1, x2, y2 float64) {
		switch lines {
		case 1:
			p.Line(x1, y1, x2, y2)
		case 2:
			p.Content(fmt.Sprintf("%.2f %.2f %.2f %.2f re f", x1, y1, max(x2-x1, 0.6), min(y2-y1, -0.6)))
		}
	}
	for i := range len(rows) + 1 {
		rule(x, y-float64(i)*height, x+w, y-float64(i)*height)
	}
	for j := range len(rows[0]) + 1 {
		rule(x+float64(j)*width, y, x+float64(j)*width, y-h)
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	rows := [][]string{{"item", "one", "ten"}, {"paper A4", "3.00", "28.00"}, {"=HYPERLINK(1)", "-4", "9.50"}}
	doc := pdftest.New()
	for lines := range 3 {
		p := (&pdftest.Page{}).Text(72, 740, "Prices of this year, in crowns and without tax as always")
		sheet(p, rows, lines)
		doc.Page(p)
	}
	turned := &pdftest.Page{Rotate: 180}
	sheet(turned, rows, 1)
	from := d.give(doc.Page(turned).Bytes())
	out, err := d.tables(from, "")
	if err != nil || len(out.Tables) < 3 {
		t.Fatalf("%+v %v", out, err)
	}
	const want = "item,one,ten\npaper A4,3.00,28.00\n'=HYPERLINK(1),-4,9.50\n"
	for i, x := range out.Tables[:3] {
		if x.CSV != want || x.Page != i+1 || x.Ruled != (i > 0) || x.Rows != 3 || x.Columns != 3 {
			t.Errorf("%d: %+v", i, x)
		}
	}
	if c := out.Tables[1].Cells[4]; c.Text != "3.00" || c.Place != (wire.PDFPlace{X: 167, Y: 112, Width: 95, Height: 20}) {
		t.Errorf("%+v", c)
	}
	strict, err := d.tables(from, "strict")
	if err != nil || len(strict.Tables) < 2 || strict.Tables[0].Page != 2 {
		t.Errorf("%+v %v", strict, err)
	}
	from.PageRange = "2"
	whole, err := d.tables(from, "layout_preserving")
	if err != nil || len(whole.Tables) != 1 || whole.Tables[0].Rows != 4 || !strings.Contains(whole.Tables[0].CSV, "paper A4,3.00,28.00") {
		t.Errorf("%+v %v", whole, err)
	}
}

// Places are those of the page as it is shown: from the upper left corner of its crop box, turned as it is.
func TestATableOnACroppedPage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	rows := [][]string{{"item", "one", "ten"}, {"paper A4", "3.00", "28.00"}, {"ink", "-4", "9.50"}}
	doc := pdftest.New()
	for turn := range 4 {
		for lines := range 2 {
			p := &pdftest.Page{Rotate: 90 * turn, Extra: "/CropBox[40 500 560 740]"}
			sheet(p, rows, lines)
			doc.Page(p)
		}
	}
	out, err := d.tables(d.give(doc.Bytes()), "")
	if err != nil {
		t.Fatal(err)
	}
	places := map[int]wire.PDFPlace{}
	for _, x := range out.Tables {
		if x.Ruled {
			places[x.Page] = x.Place
			for _, c := range x.Cells {
				if (x.Page-1)/2 == 0 && c.Text != rows[c.Row][c.Column] || c.Text == "" {
					t.Errorf("page %d: %+v", x.Page, c)
				}
			}
		}
	}
	want := map[int]wire.PDFPlace{2: {X: 32, Y: 40, Width: 285, Height: 60}, 4: {X: 140, Y: 32, Width: 60, Height: 285},
		6: {X: 203, Y: 140, Width: 285, Height: 60}, 8: {X: 40, Y: 203, Width: 60, Height: 285}}
	if !reflect.DeepEqual(places, want) {
		t.Errorf("%+v", places)
	}
	for _, x := range out.Tables {
		if at := (wire.PDFPlace{X: 37, Y: 46}); x.Page == 1 && (x.CSV != "item,one,ten\npaper A4,3.00,28.00\nink,-4,9.50\n" ||
			x.Place.X != at.X || math.Abs(x.Place.Y-at.Y) > 3) {
			t.Errorf("without lines: %+v", x)
		}
	}
}

// Tables with known cells, drawn at random and read by poppler: cell F1 at least .90 with lines, .75 without.
func TestCellsOfDrawnTables(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"12", "3.40", "1,250.00", "paper", "Ada Lovelace", "-7", "n/a", "2026-11-26", "net total", "x", "(5)"}
	for lines := range 2 {
		doc, want, there := pdftest.New(), map[string]int{}, 0
		const pages = 16
		for page := range pages {
			rows := make([][]string, 3+r.IntN(20))
			for i := range rows {
				rows[i] = make([]string, 2+page%4)
				for j := range rows[i] {
					if r.IntN(12) > 0 || j == 0 {
						rows[i][j] = words[r.IntN(len(words))]
						want[fmt.Sprint(page+1, i, j, rows[i][j])]++
						there++
					}
				}
			}
			p := (&pdftest.Page{}).Text(72, 740, "Some words above the table that do not belong to it at all")
			sheet(p, rows, lines)
			doc.Page(p)
		}
		out, err := d.tables(d.give(doc.Bytes()), "auto")
		if err != nil {
			t.Fatal(err)
		}
		hit, found := 0, 0
		for _, x := range out.Tables {
			for _, c := range x.Cells {
				if c.Text == "" {
					continue
				}
				found++
				if k := fmt.Sprint(x.Page, c.Row, c.Column, c.Text); want[k] > 0 {
					want[k]--
					hit++
				}
			}
		}
		f1 := 2 * float64(hit) / float64(found+there)
		t.Logf("lines %v: cell F1 %.3f over %d cells of %d tables", lines == 1, f1, there, pages)
		if f1 < 0.75 || lines == 1 && f1 < 0.90 {
			t.Errorf("%.3f", f1)
		}
	}
}

// Browsers draw the borders of cells as filled shapes with slanted ends; one that leans is no line.
func TestBordersWithSlantedEnds(t *testing.T) {
	for path, line := range map[string]bool{
		"M 33.75 107.25 L 33.75 183 L 34.5 182.25 L 34.5 107.25":            true,
		"M 33.75 107.25 L 33.75 183 L 34.5 182.25 L 34.5 108 Z":             true,
		"M 10 10 L 110 10 L 109 11 L 11 11 Z":                               true,
		"M 10 10 L 110 11.5 L 110 12 L 10 10.5 Z":                           false,
		"M 10 10 L 60 10 L 60 40 L 10 40 Z":                                 false,
		"M 10 10 L 11 40 L 10 70 L 11 70 L 12 40 L 11 10 Z M 200 0 L 200 9": false,
	} {
		got, err := drawn(strings.NewReader(`<svg><path style="stroke:none;fill:black" d="` + path + `"/></svg>`))
		if err != nil || (len(got) == 1) != line {
			t.Errorf("%s: %v %v", path, got, err)
		}
	}
}

func TestHostileDrawings(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := &pdftest.Page{}
	p.Text(72, 700, "a b").Text(272, 700, "c d")
	for i := range 30_000 {
		p.Line(float64(i%600), float64(i/600), float64(i%600)+5, float64(i/600))
	}
	if out, err := d.tables(d.give(pdftest.New().Page(p).Bytes()), "auto"); err != nil {
		t.Errorf("%+v %v", out, err)
	}
	for name, svg := range map[string]string{"nothing": "", "cut": "<svg><path d='M 1", "deep": strings.Repeat("<g>", 1<<16),
		"numbers": `<svg><path style="stroke:red" d="M NaN 1 L 1e300 2 L"/></svg>`,
		"matrix":  `<svg><path d="M 1 1 L 9 1" transform="matrix(1)"/></svg>`} {
		if lines, _ := drawn(strings.NewReader(svg)); len(lines) != 0 {
			t.Errorf("%s: %+v", name, lines)
		}
	}
}
