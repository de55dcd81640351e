package perform

import (
	"slices"
	"testing"

	"showhow/daemon/rehearse/port"
)

func TestAnotherRow(t *testing.T) {
	orders := []port.Row{
		{List: "orders", Cells: []string{"A-1041", "Contoso", "Open"}, Links: []port.Link{{Name: "A-1041"}}},
		{List: "orders", Cells: []string{"A-1042", "Fabrikam", "Open"}, Links: []port.Link{{Name: "A-1042"}}},
		{List: "orders", Cells: []string{"A-1043", "Fabrikam", "Sent"}, Links: []port.Link{{Name: "A-1043"}}},
		{List: "notes", Cells: []string{"B-7", "x", "y"}},
		{List: "people", Links: []port.Link{{Name: "Amina"}, {Name: "Edit"}}},
		{List: "people", Links: []port.Link{{Name: "Boris"}, {Name: "Edit"}}},
	}
	for shown, want := range map[string][]string{
		"A-1042": {"A-1043", "A-1041"}, "a-1041": {"A-1042", "A-1043"}, "Amina": {"Boris"},
		"Contoso": nil, "Open": {"Sent"}, // a word that stands twice names no row
		"A-0900": {"A-1041", "A-1042", "A-1043"}, "Zoe": nil, "": nil,
	} {
		if got := otherRows(orders, shown); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", shown, got, want)
		}
	}
}
