package values

import (
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// vocabulary returns the page's own words: those of its controls, labels and columns, but not what the person typed.
func vocabulary(cols []*align.Column) map[string]bool {
	v := map[string]bool{}
	add := func(s string) {
		for _, w := range plain.Words(page.StripMasks(s)) {
			v[w] = true
		}
	}
	chosen := map[string]bool{} // what the demonstrations chose among siblings: a box's label may be such a choice
	for _, c := range cols {
		for _, a := range c.Acts {
			if a != nil && a.Varies() {
				chosen[a.Name()] = true
			}
		}
	}
	for _, c := range cols {
		for _, a := range c.Acts {
			switch {
			case a == nil:
			case a.Run == nil:
				controlWords(a, chosen, add)
			default:
				for _, round := range a.Run.Rounds {
					if b := round[a.Place]; b != nil {
						controlWords(b, chosen, add)
					}
				}
			}
		}
	}
	return v
}

func controlWords(a *align.Cell, chosen map[string]bool, add func(string)) {
	if t := a.Target; t != nil {
		if !a.IsPick() && t.Role != "link" && !page.ItemRoles[t.Role] {
			add(page.TargetName(t))
		}
		if !chosen[t.Label] {
			add(t.Label)
		}
		add(t.Placeholder)
	}
	for _, t := range a.State().Tables {
		for _, c := range t.Columns {
			add(c)
		}
	}
	for _, f := range a.State().Fields {
		if f.Role != "radio" && !chosen[f.Label] { // its label is one of the values of its group
			add(f.Label)
		}
	}
}
