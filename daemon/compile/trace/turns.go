package trace

import (
	"slices"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// PlainTurns restores the words of controls that turn to another page or month. What has no role is recorded by its text, which
// is masked like anybody's data; these words are the program's. Which page they stood on, under which heading, is another one
// each time. Records belong to the caller and are not changed.
func PlainTurns(records []capture.Record, values map[string]string) []capture.Record {
	out := slices.Clone(records)
	for i := range out {
		t := out[i].Action.Target
		if t == nil || !page.IsClick(out[i].Action.Verb) || t.Name != "" || t.Text == "" {
			continue
		}
		m := page.MaskForm.FindStringSubmatch(t.Text)
		if m == nil || m[0] != t.Text || !lang.Turns(plain.Squeeze(values[m[1]])) {
			continue
		}
		said := *t
		said.Text = plain.Squeeze(values[m[1]])
		said.Locators = slices.Clone(t.Locators)
		for k := range said.Locators {
			if said.Locators[k].Value == t.Text {
				said.Locators[k].Value = said.Text
			}
		}
		if said.Landmark != nil && said.Landmark.Role == "heading" {
			said.Landmark = nil
		}
		out[i].Action.Target = &said
	}
	return out
}
