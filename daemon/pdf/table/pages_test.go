package table

import (
	"fmt"
	"strings"
	"testing"
)

// Tables go on on the next page.
func TestATableGoesOnOnTheNextPage(t *testing.T) {
	const bottom, two = 700, "item|one|ten/ink|3|28/pens|4|30 & item|one|ten/lead|5|31"
	sheet := func(n int, y float64, ruled bool, more []Word, rows ...[]string) Sheet {
		p := &page{}
		p.rows(50, y, 90, 18, ruled, rows...)
		p.text(50, 20, fmt.Sprint("A report, page ", n))
		p.text(50, bottom, fmt.Sprint("foot ", n))
		p.Words = append(p.Words, more...)
		return Sheet{Page: n, Words: p.Words, Tables: tablesOf(p.Page, Auto)}
	}
	head, a, b, c, d := []string{"item", "one", "ten"}, []string{"ink", "3", "28"}, []string{"pens", "4", "30"}, []string{"lead", "5", "31"},
		[]string{"glue", "6", "32"}
	heading := (&page{})
	heading.text(50, 45, "Another heading")
	lone, ends := &page{}, &page{}
	lone.text(144, 63, "of them")
	ends.text(54, 669, "paper")
	for name, x := range map[string]struct {
		sheets []Sheet
		want   string
	}{
		"its head is there again": {[]Sheet{sheet(1, 630, true, nil, head, a, b), sheet(2, 60, true, nil, head, c, d)},
			"item|one|ten/ink|3|28/pens|4|30/lead|5|31/glue|6|32"},
		"without lines": {[]Sheet{sheet(1, 630, false, nil, head, a, b), sheet(2, 60, false, nil, c, d, a)},
			"item|one|ten/ink|3|28/pens|4|30/lead|5|31/glue|6|32/ink|3|28"},
		"over three pages": {[]Sheet{sheet(1, 630, true, nil, head, a, b), sheet(2, 630, true, nil, head, c, d),
			sheet(3, 60, true, nil, head, b)},
			"item|one|ten/ink|3|28/pens|4|30/lead|5|31/glue|6|32/pens|4|30"},
		"a row breaks": {[]Sheet{sheet(1, 610, true, nil, head, a, b, []string{"paper", "7", "of A4"}),
			sheet(2, 60, true, nil, head, []string{"", "", "size"}, c)}, "item|one|ten/ink|3|28/pens|4|30/paper|7|of A4\nsize/lead|5|31"},
		"a row breaks in its first cell": {[]Sheet{sheet(1, 610, true, nil, head, a, b, []string{"paper of", "7", "8"}),
			sheet(2, 60, true, nil, head, []string{"A4 size", "", ""}, c)}, "item|one|ten/ink|3|28/pens|4|30/paper of\nA4 size|7|8/lead|5|31"},
		"cells that are often empty": {[]Sheet{sheet(1, 610, true, nil, head, a, []string{"pens", "", ""}, []string{"paper", "", "8"}),
			sheet(2, 60, true, nil, head, []string{"A4", "", ""}, c)}, "item|one|ten/ink|3|28/pens||/paper||8/A4||/lead|5|31"},
		"a part begins with a cell": {[]Sheet{sheet(1, 612, false, nil, head, a, b, []string{"paper", "7", "8"}),
			sheet(2, 78, false, lone.Words, c, d, a)}, "item|one|ten/ink|3|28/pens|4|30/paper|7\nof them|8/lead|5|31/glue|6|32/ink|3|28"},
		"a part ends with a cell": {[]Sheet{sheet(1, 612, false, ends.Words, head, a, b), sheet(2, 60, false, nil, c, d, a)},
			"item|one|ten/ink|3|28/pens|4|30/paper||/lead|5|31/glue|6|32/ink|3|28"},
		"a heading stands above one without lines": {[]Sheet{sheet(1, 630, false, nil, head, a, b),
			sheet(2, 78, false, heading.Words, head, c, d)}, "item|one|ten/ink|3|28/pens|4|30 & item|one|ten/lead|5|31/glue|6|32"},
		"there was room":         {[]Sheet{sheet(1, 200, true, nil, head, a, b), sheet(2, 60, true, nil, head, c)}, two},
		"a heading stands above": {[]Sheet{sheet(1, 630, true, nil, head, a, b), sheet(2, 70, true, heading.Words, head, c)}, two},
		"other columns": {[]Sheet{sheet(1, 630, true, nil, head, a, b), sheet(2, 60, true, nil, head[:2], c[:2], d[:2])},
			"item|one|ten/ink|3|28/pens|4|30 & item|one/lead|5/glue|6"},
		"a page is left out": {[]Sheet{sheet(1, 630, true, nil, head, a, b), sheet(3, 60, true, nil, head, c)}, two},
	} {
		var got []string
		for _, t := range Join(x.sheets) {
			got = append(got, said(t))
		}
		if strings.Join(got, " & ") != x.want {
			t.Errorf("%s: %s", name, strings.Join(got, " & "))
		}
	}
	joined := Join([]Sheet{sheet(4, 630, true, nil, head, a, b), sheet(5, 60, true, nil, head, c)})
	if x := joined[0]; x.Page != 4 || x.Last != 5 || x.Rows != 4 || x.Cells[9].Page != 5 || x.Cells[8].Page != 4 || x.Y0 != 630 {
		t.Errorf("%+v", x)
	}
}
