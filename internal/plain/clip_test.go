package plain

import "testing"

// Lengths count characters, never bytes: a cut inside a character would be invalid text.
func TestClipAndCut(t *testing.T) {
	for _, c := range []struct {
		in        string
		n         int
		clip, cut string
	}{
		{"", 3, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "ab…", "abc"},
		{"größer", 4, "grö…", "größ"},
		{"注文を確認", 2, "注…", "注文"},
	} {
		if got := Clip(c.in, c.n); got != c.clip {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.in, c.n, got, c.clip)
		}
		if got := Cut(c.in, c.n); got != c.cut {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.n, got, c.cut)
		}
	}
}
