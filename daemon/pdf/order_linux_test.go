//go:build !race

package pdf

import (
	"testing"

	"showhow/daemon/pdf/pdftest"
)

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
