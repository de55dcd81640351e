package values

import (
	"testing"

	"showhow/internal/plain"
)

// The common words of several box names are the page's word for selecting; of a single name only a known word is.
func TestAround(t *testing.T) {
	for _, c := range []struct {
		names         []string
		before, after string
	}{
		{[]string{"Select A-1042", "Select A-1043", "Select B-7"}, "Select ", ""},
		{[]string{"Row 4 of orders", "Row 17 of orders"}, "Row ", " of orders"},
		{[]string{"Select A-1042", "Select A-1042", ""}, "Select ", ""},
		{[]string{"A-1042 north"}, "", ""},
		{[]string{"Ada Winther", "Ada Marsh"}, "", ""}, // a name is nobody's word for choosing
		{[]string{"Ada", "Boris"}, "", ""},
		{nil, "", ""},
	} {
		if before, after := around(c.names, func(w string) bool { return plain.Set("Select Row of orders")[w] }); before != c.before ||
			after != c.after {
			t.Errorf("%q: %q, %q", c.names, before, after)
		}
	}
}
