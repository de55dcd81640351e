package page

import (
	"testing"

	"showhow/capture"
)

// When two lists look the same, nobody can say which of them changed.
func TestListsThatAreAlike(t *testing.T) {
	list := func(name string, rows int) capture.Table { return capture.Table{Name: name, Rows: rows} }
	was := &capture.State{Tables: []capture.Table{list("Rights", 4), list("Rights", 1), list("Bookings", 3)}}
	is := &capture.State{Tables: []capture.Table{list("Rights", 3), list("Rights", 2), list("Bookings", 2)}}
	if got := RowChanges(was, is); len(got) != 1 || got[0].Table.Name != "Bookings" {
		t.Errorf("%+v", got)
	}
}
