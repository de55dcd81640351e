package values

import (
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/template"
)

// learnHistories tells every trace's generaliser when its pages first showed which texts.
func learnHistories(s *Study) {
	for t, g := range s.Gens {
		b := &template.History{Open: s.OpenText, Shown: map[string]int{}, Given: map[string]int{}, Common: map[string]bool{}}
		for i, c := range s.Columns {
			if a := c.Acts[t]; a != nil {
				recordTexts(b, a, 2*i)
			}
			for _, r := range c.Rounds {
				if r.Act != nil && r.Trace == t {
					b.RecordGiven(s.Open(r.Act.Value), 2*i)
				}
			}
			if a := c.Acts[t]; a != nil && (a.Supplies() || a.From != nil) {
				b.RecordGiven(s.Open(a.Value), 2*i)
			}
		}
		for _, c := range s.Columns {
			for text, n := range alikeIn(s, c) {
				if n == len(s.In.Traces) && n > 1 {
					b.Common[text] = true
				}
			}
		}
		g.History = b
	}
}

// alikeIn counts, for each text that a step shows, the demonstrations that show it.
func alikeIn(s *Study, c *align.Column) map[string]int {
	out := map[string]int{}
	for _, a := range c.Acts {
		if a == nil {
			return nil
		}
		seen := map[string]bool{}
		for _, text := range append(ownTexts(a), append(page.StateTexts(a.StateBefore()), page.StateTexts(a.State())...)...) {
			if k := page.TextKey(s.OpenText(text)); k != "" && !seen[k] {
				seen[k] = true
				out[k]++
			}
		}
	}
	return out
}

func recordTexts(b *template.History, a *align.Cell, at int) {
	see := func(texts []string, at int) {
		for _, text := range texts {
			k := page.TextKey(b.Open(text))
			if _, ok := b.Shown[k]; !ok && k != "" {
				b.Shown[k] = at
			}
		}
	}
	see(ownTexts(a), at)
	see(page.StateTexts(a.StateBefore()), at)
	see(page.StateTexts(a.State()), at+1)
}

// ownTexts returns the texts of a control and of its page, without names of one thing among many.
func ownTexts(a *align.Cell) []string {
	var out []string
	if a.Page != nil {
		out = append(out, a.Page.URL, a.Page.Title)
	}
	if t := a.Target; t != nil {
		out = append(out, t.Href)
		if !a.IsPick() {
			out = append(out, t.Name, t.Label, t.Text)
			if t.Landmark != nil {
				out = append(out, t.Landmark.Name)
			}
		} else {
			out = append(out, page.TargetName(t))
		}
	}
	return out
}
