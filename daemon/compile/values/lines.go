package values

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// wordsOfLines takes what a place is called in which a field was filled in, or the heading above a control, for the program's word: it is
// the same in every demonstration, and they were about other things. What was picked or entered anywhere is no such word.
func (s *Study) wordsOfLines() {
	if len(s.In.Traces) < 2 {
		return
	}
	given, varied := s.worked()
	if !varied {
		return
	}
	for _, c := range s.Columns {
		said, links := "", []string{}
		for _, a := range c.Acts {
			place := placeSaid(a)
			text := s.OpenText(place)
			if text == "" || said != "" && text != said || given[strings.ToLower(text)] {
				links = nil
				break
			}
			said = text
			if m := page.MaskForm.FindStringSubmatch(place); m != nil && m[0] == place {
				links = append(links, m[1])
			} else if m == nil { // a field shows the same
				links = append(links, s.linksOf[strings.ToLower(text)]...)
			}
		}
		for _, link := range links {
			s.lineWords[link] = true
			for _, g := range s.Gens {
				g.Links[link] = plain.Squeeze(s.In.Values[link])
			}
		}
	}
}

// worked are the values that were entered, and what was picked, in lower case; and whether any of it differed between demonstrations.
func (s *Study) worked() (out map[string]bool, varied bool) {
	out = map[string]bool{}
	for _, c := range s.Columns {
		first := ""
		for _, a := range c.Acts {
			var texts []string
			switch {
			case a == nil || opensField(a):
			case a.Supplies():
				texts = []string{s.Open(a.Value)}
			case a.IsPick():
				for _, raw := range picks(a) {
					texts = append(texts, s.OpenText(raw))
				}
			}
			for i, text := range texts {
				text = strings.ToLower(text)
				out[text] = true
				if i == 0 && first != "" && text != first {
					varied = true
				} else if i == 0 {
					first = text
				}
			}
		}
	}
	return out, varied
}

// placeSaid is the line of a table or list in which an act fills a field in, or the heading above what it operates.
func placeSaid(a *align.Cell) string {
	if a == nil || a.Target == nil || a.Target.Landmark == nil {
		return ""
	}
	switch l := a.Target.Landmark; {
	case page.ItemRoles[l.Role] && (a.Fills() && !a.Ticks() || opensField(a)), l.Role == "heading" && !a.IsPick():
		return plain.Squeeze(l.Name)
	}
	return ""
}

// opensField reports whether an act opens the list of a field.
func opensField(a *align.Cell) bool { return a.Role() == "combobox" && page.IsClick(a.Verb) }

// lineCalled is the line's word where a field has no name that is shown, or one that the field of another line has as well.
func (s *Study) lineCalled(a *align.Cell) string {
	t := a.Target
	if t == nil || t.Label != "" || t.Landmark == nil || !page.ItemRoles[t.Landmark.Role] || t.Name != "" && !sharesName(s, t) {
		return ""
	}
	if m := page.MaskForm.FindStringSubmatch(t.Landmark.Name); m != nil && s.lineWords[m[1]] {
		return page.Clean(s.OpenText(t.Landmark.Name))
	}
	return ""
}

// sharesName reports whether the field of another line is called the same.
func sharesName(s *Study, t *capture.Target) bool {
	return slices.ContainsFunc(s.Columns, func(c *align.Column) bool {
		o, _ := c.Base()
		return o.Target != nil && o.Target.Name == t.Name && o.Target.Landmark != nil && page.ItemRoles[o.Target.Landmark.Role] &&
			o.Target.Landmark.Name != t.Landmark.Name
	})
}
