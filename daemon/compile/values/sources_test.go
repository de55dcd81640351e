package values

import "testing"

// The words around a value that two demonstrations share are whole words: that two names end or begin alike is chance.
func TestSharedWordsAreWhole(t *testing.T) {
	for _, c := range []struct{ a, b, end, beginning string }{
		{"the email by Quarn and forward it to ", "the email by Rhoan and forward it to ", " and forward it to ", "the email by "},
		{"Total: ", "Total: ", "Total: ", "Total: "},
		{"Order 17", "Order 27", "", "Order "},
		{"for Ann, by ", "for Jan, by ", ", by ", "for "},
		{"注文番号は", "この番号は", "番号は", ""},
		{"", "x", "", ""},
	} {
		if got := commonEnd(c.a, c.b); got != c.end {
			t.Errorf("%q and %q end with %q", c.a, c.b, got)
		}
		if got := commonBeginning(c.a, c.b); got != c.beginning {
			t.Errorf("%q and %q begin with %q", c.a, c.b, got)
		}
	}
}
