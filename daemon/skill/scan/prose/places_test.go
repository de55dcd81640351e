package prose

import (
	"testing"

	"pgregory.net/rapid"
)

// TestHasPlace: what is looked for first finds all that the expression finds.
func TestHasPlace(t *testing.T) {
	part := rapid.SampledFrom([]string{"tides", ".", "com", "co", "c", "@", "me", " ", "1", "12", "-", "_", "/", "https://", "example", "é",
		",", "\n"})
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for _, p := range rapid.SliceOfN(part, 0, 12).Draw(t, "parts") {
			s += p
		}
		if barePlace.MatchString(s) && !hasPlace(s) {
			t.Fatalf("%q holds an address", s)
		}
	})
	for _, s := range []string{"a sentence. another one", "see table.md", "v1.x", "e.g.this"} {
		if hasPlace(s) {
			t.Errorf("%q holds none", s)
		}
	}
}
