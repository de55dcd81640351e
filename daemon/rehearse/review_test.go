package rehearse

import (
	"testing"

	"showhow/capture"
)

// labelledRows are what a page says of one thing: "label: value" each.
func labelledRows(pairs ...string) (out []Row) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, Row{List: labelled, Text: pairs[i] + " " + pairs[i+1], Columns: pairs[i : i+1], Cells: pairs[i+1 : i+2]})
	}
	return out
}

// What was entered is looked for in the place that is called like its field; a place that only shares a word may be another thing's,
// and then a row that has come since counts, too.
func TestWhereAnEntryIsFound(t *testing.T) {
	book := func(more ...string) []Row {
		return labelledRows(append([]string{"Number", "B-2005", "Shelf", "A4"}, more...)...)
	}
	for _, c := range []struct {
		name, label, value string
		before, now        []Row
		want               bool
	}{
		{"a new row", "Member number", "M-305", book(), book("Lent to", "M-305"), true},
		{"nothing new", "Member number", "M-305", book(), book(), false},
		{"an old row", "Member number", "M-305", book("Keeper", "M-305"), book("Keeper", "M-305"), false},
		{"its own place is as it was", "Number", "M-305", book(), book("Lent to", "M-305"), false},
		{"its own place", "Shelf", "B7", book(), labelledRows("Number", "B-2005", "Shelf", "B7"), true},
		{"another value came", "Member number", "M-305", book(), book("Lent to", "M-306"), false},
	} {
		p := &play{supply: &supply{bindings: bindings{}}, entered: []entry{{label: c.label, value: c.value}}}
		at := "https://x.example/books/B-2005"
		p.state = capture.State{URL: at}
		p.remember(at, c.before)
		p.things = []thing{{"book", "Harbour", at}}
		r := p.review()
		p.reviewPage(at, Page{State: capture.State{URL: at, Headings: []string{"Harbour"}}, Rows: c.now}, r)
		if got := r.entries[0].shown; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
