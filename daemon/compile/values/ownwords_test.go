package values

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/template"
	"showhow/daemon/compile/trace"
)

// A value that is not a common word of pages stays hidden even where it stood before, and the name of a thing is linked.
func TestValueThatStoodBefore(t *testing.T) {
	b := &template.History{Open: func(s string) string { return s }, Shown: map[string]int{}, Given: map[string]int{},
		Common: map[string]bool{}}
	recordTexts(b, &align.Cell{Act: &trace.Act{Page: &capture.Page{URL: "https://a.example/people/lovelace/new"},
		Before: &capture.State{Headings: []string{"New person Lovelace", "Archive"}}}}, 0)
	b.RecordGiven("Lovelace", 2)
	b.RecordGiven("new", 2)
	b.RecordGiven("Archive", 2)
	for _, c := range []struct {
		value, text string
		own         bool
	}{
		{"lovelace", "New person Lovelace", false},
		{"lovelace", "https://a.example/people/lovelace/new", false},
		{"new", "New person Lovelace", true},
		{"new", "https://a.example/people/lovelace/new?tag=new", true},
		{"new", "The tag new is there", false}, // it came later
		{"new", "new", false},
		{"archive", "Archive", false},
	} {
		if own := b.OwnWord(c.value, c.text); own != c.own {
			t.Errorf("%q in %q: %v", c.value, c.text, own)
		}
	}
}
