package values

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

func oneWord(s *Study, v *capture.Value) bool {
	text := s.Open(v)
	return v != nil && text != "" && plain.Digits(text) == 0 && !strings.Contains(text, " ")
}

// WordsOfDetails returns the links of single words that pages show beside labels, or offer and show as chosen, and that
// nobody entered. Such a word ("Paid") is the page's own, as in a heading.
func WordsOfDetails(s *Study) map[string]bool {
	out, given := map[string]bool{}, map[string]bool{}
	give := func(v *capture.Value) {
		if v != nil {
			given[v.LinkID] = true
		}
	}
	for _, c := range s.Columns {
		acts := slices.Clone(c.Acts)
		for _, r := range c.Rounds {
			acts = append(acts, r.Act)
		}
		for _, a := range acts {
			if a == nil {
				continue
			}
			give(a.Value)
			for _, st := range []*capture.State{a.StateBefore(), a.State()} {
				for _, f := range st.Fields {
					if f.Value == nil || !f.Value.Chosen || f.Value.Kind != capture.KindChoice {
						give(f.Value)
					} else if oneWord(s, f.Value) { // one of the page's own options
						out[f.Value.LinkID] = true
					}
				}
				for _, f := range st.Details {
					if oneWord(s, f.Value) {
						out[f.Value.LinkID] = true
					}
				}
			}
		}
	}
	for link := range given {
		delete(out, link)
	}
	delete(out, "")
	return out
}

// wordsOfControls takes what a control outside of lists is called, in every demonstration that used it, for the program's word, also where
// a field held the same that nobody filled in.
func wordsOfControls(s *Study) {
	for _, c := range s.Columns {
		first, _ := c.Base()
		if first.Target == nil || first.Varies() || inList(first) || !page.IsClick(first.Verb) {
			continue
		}
		name := strings.ToLower(plain.Squeeze(first.Target.Name))
		if name == "" || page.MaskForm.MatchString(name) || s.given(name) || slices.ContainsFunc(c.Acts, func(a *align.Cell) bool {
			return a != nil && (a.Target == nil || !strings.EqualFold(plain.Squeeze(a.Target.Name), name))
		}) {
			continue
		}
		for _, link := range s.linksOf[name] {
			s.PageWords[link] = true
		}
	}
}
