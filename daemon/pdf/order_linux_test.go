//go:build !race

package pdf

import (
	"fmt"
	"strings"
	"testing"

	"showhow/daemon/pdf/pdftest"
)

// A page whose content is written cell by cell is read so: text and tables.
func TestAPageIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := (&pdftest.Page{}).Text(72, 740, "Who does what")
	for i, cell := range []string{"who", "what", "Ada", "writes programs", "Grace", "writes compilers"} {
		x, y := 72+150*float64(i%2), 700-30*float64(i/2)
		p.Text(x, y, cell)
		if i > 1 && i%2 == 1 {
			p.Text(x, y-13, "and reads")
		} else if i > 1 {
			p.Text(x, y-13, "Lovelace")
		}
	}
	from := d.give(pdftest.New().Page(p).Bytes())
	out, _, err := d.text(from)
	if err != nil || strings.Join(strings.Fields(out.Pages[0].Text), " ") !=
		"Who does what who what Ada Lovelace writes programs and reads Grace Lovelace writes compilers and reads" {
		t.Errorf("%+v %v", out, err)
	}
	found, err := d.tables(from, "")
	const csv = "who,what\n\"Ada\nLovelace\",\"writes programs\nand reads\"\n\"Grace\nLovelace\",\"writes compilers\nand reads\"\n"
	if err != nil || len(found.Tables) != 1 || found.Tables[0].CSV != csv {
		t.Errorf("%+v %v", found, err)
	}
}

// What is written twice at one place, to look bold, is one text.
func TestWhatIsWrittenTwiceIsReadOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := &pdftest.Page{}
	for i, cell := range []string{"who", "what", "Ada", "programs", "Grace", "compilers"} {
		x, y := 72+150*float64(i%2), 700-20*float64(i/2)
		p.Text(x, y, cell).Text(x+0.2, y, cell)
	}
	out, _, err := d.text(d.give(pdftest.New().Page(p).Bytes()))
	if err != nil || strings.Count(out.Pages[0].Text, "Ada") != 1 {
		t.Errorf("%+v %v", out, err)
	}
}

// A table that goes on on the next page is one, and its cells say where they are; layout_preserving gives each page as it is.
func TestATableOverPages(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	doc := pdftest.New()
	for n, y := range []float64{140, 700} {
		p := (&pdftest.Page{}).Text(72, 760, fmt.Sprint("A report, page ", n+1)).Text(72, 40, fmt.Sprint("foot ", n+1))
		for i := range 4 {
			row := y - 20*float64(i)
			p.Line(72, row, 262, row)
			if i < 3 {
				cells := [][]string{{"item", "price"}, {fmt.Sprint("thing ", 2*n), "9.50"}, {fmt.Sprint("thing ", 2*n+1), "12.00"}}[i]
				p.Text(77, row-14, cells[0]).Text(172, row-14, cells[1])
			}
		}
		for _, x := range []float64{72, 167, 262} {
			p.Line(x, y, x, y-60)
		}
		doc.Page(p)
	}
	from := d.give(doc.Bytes())
	out, err := d.tables(from, "")
	if err != nil || len(out.Tables) != 1 {
		t.Fatalf("%+v %v", out, err)
	}
	x := out.Tables[0]
	if x.CSV != "item,price\nthing 0,9.50\nthing 1,12.00\nthing 2,9.50\nthing 3,12.00\n" || x.Page != 1 || x.LastPage != 2 || x.Rows != 5 {
		t.Errorf("%+v", x)
	}
	if first, last := x.Cells[0], x.Cells[9]; first.Page != 0 || last.Page != 2 || last.Row != 4 || last.Place.Y != 132 {
		t.Errorf("%+v %+v", first, last)
	}
	if out, err := d.tables(from, "layout_preserving"); err != nil || len(out.Tables) != 2 {
		t.Errorf("%+v %v", out, err)
	}
}

// The letters of a script that goes from right to left are where a page shows them; a table has them as they are read.
func TestATableWithWordsFromTheRight(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	doc := pdftest.New().Means(map[byte]string{'a': "05D0", 'b': "05D1", 'c': "05D2"})
	p := &pdftest.Page{}
	for i, cell := range []string{"1", "cba", "2", "ab cb", "3", "bca"} {
		p.Text(72+150*float64(i%2), 700-20*float64(i/2), cell)
	}
	out, err := d.tables(d.give(doc.Page(p).Bytes()), "")
	if err != nil || len(out.Tables) != 1 || out.Tables[0].CSV != "1,אבג\n2,בג בא\n3,אגב\n" {
		t.Errorf("%+v %v", out, err)
	}
}
