package compile

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// minted makes numbers that an application gave out stand for anything wherever its pages repeat them: the 5 of /tickets/5 in
// "Ticket 5: Heating is cold". Nobody supplied them and the next time they are others, so one example is enough to know. What the
// demonstrations have in common, and what a page's own controls or an earlier page said before, stays as it is.
func (s *study) minted() {
	given := make([]map[string]bool, len(s.in.Traces))
	for t := range given {
		given[t] = s.mintedIn(t)
	}
	for t, words := range given {
		for _, c := range s.cols {
			if a := c.acts[t]; a != nil {
				for _, text := range pageTexts(a) {
					s.hideMinted(t, text, words)
				}
			}
		}
	}
}

// mintedIn are the words of a trace that an application gave out.
func (s *study) mintedIn(t int) map[string]bool {
	out, seen := map[string]bool{}, map[string]bool{}
	for _, c := range s.cols {
		a := c.acts[t]
		if a == nil || a.surface != workflow.OnBrowser {
			continue
		}
		if a.target != nil && !dataLike(a) {
			for _, w := range numbered(targetName(a.target)) {
				seen[w] = true
			}
		}
		for _, text := range shownBy(a.stateBefore()) {
			for _, w := range numbered(text) {
				seen[w] = true
			}
		}
		for _, w := range s.newNumbers(c, a) {
			if !seen[w] && !s.isSupplied(t, w) && !s.everywhere(c, w) {
				out[w] = true
			}
		}
	}
	return out
}

// newNumbers are the words with a number that an act brought up: in the address, where one names a thing, and after a form was
// sent in headings and dialogs.
func (s *study) newNumbers(c *column, a *act) []string {
	var out []string
	parts := strings.Split(pathOf(a.url()), "/")
	for i, p := range parts {
		if p = strings.ToLower(p); plain.Digits(p) > 0 && thingIn(parts, i) && !strings.Contains(p, "[[") {
			out = append(out, p)
		}
	}
	if a.verb != capture.Submit {
		return out
	}
	for _, text := range append(freshHeadings(a.stateBefore().Headings, a.state().Headings), fresh(a.stateBefore().Dialogs, a.state().Dialogs)...) {
		ws := plain.Words(stripMasks(countForm.ReplaceAllString(text, "")))
		for i, w := range ws {
			if plain.Digits(w) > 0 && !(i > 0 && (countedParts[ws[i-1]] || ws[i-1] == "of")) && !(i+1 < len(ws) && ws[i+1] == "of") {
				out = append(out, w)
			}
		}
	}
	return out
}

// isSupplied reports whether a word is, or is part of, a value that is known.
func (s *study) isSupplied(t int, w string) bool {
	return slices.ContainsFunc(s.params, func(p *param) bool {
		return t < len(p.texts) && slices.Contains(plain.Words(p.texts[t]), w) || slices.ContainsFunc(p.rounds, func(r string) bool { return slices.Contains(plain.Words(r), w) })
	})
}

// everywhere reports whether every one of several demonstrations showed the word at this point.
func (s *study) everywhere(c *column, w string) bool {
	if len(s.in.Traces) < 2 || c.missing() > 0 {
		return false
	}
	return !slices.ContainsFunc(c.acts, func(a *act) bool {
		return !slices.ContainsFunc(append(shownBy(a.state()), pathOf(a.url())), func(text string) bool { return slices.Contains(numbered(text), w) })
	})
}

// hideMinted makes given words of a text stand for anything, each together with the word before it: a small number alone may be
// something else elsewhere.
func (s *study) hideMinted(t int, text string, given map[string]bool) {
	g := s.gens[t]
	for _, stretch := range maskForm.Split(text, -1) {
		ws := strings.Fields(stretch)
		for i, w := range ws {
			core := strings.Trim(w, ".,;:!?()\"'#")
			switch {
			case !given[strings.ToLower(core)]:
			case i > 0 && len(plain.Words(ws[i-1])) == 1:
				g.add(ws[i-1]+" "+strings.TrimRight(w, ".,;:!?()\"'"), ws[i-1]+" "+anyRef)
			case len(core) >= 3:
				g.add(core, anyRef)
			case !s.inCommands(t, core):
				g.short(core, anyRef)
			}
		}
	}
}

func (s *study) inCommands(t int, w string) bool {
	return slices.ContainsFunc(s.cols, func(c *column) bool {
		a := c.acts[t]
		return a != nil && a.command != nil && slices.Contains(plain.Words(a.command.Line), strings.ToLower(w))
	})
}

// shownBy are the readable texts of a state that say what a page is about.
func shownBy(st *capture.State) []string {
	return slices.Concat(st.Headings, st.Dialogs, st.Alerts, []string{st.Title})
}

// pageTexts are all texts of an act's pages in which a thing may be named.
func pageTexts(a *act) []string {
	if a.surface != workflow.OnBrowser {
		return nil
	}
	out := slices.Concat(shownBy(a.stateBefore()), shownBy(a.state()))
	if a.page != nil {
		out = append(out, a.page.Title)
	}
	for _, t := range []*capture.Target{a.target, a.drop} {
		if t != nil && t.Landmark != nil {
			out = append(out, t.Landmark.Name)
		}
	}
	return out
}

// numbered are the words of a text that have a digit.
func numbered(text string) []string {
	return slices.DeleteFunc(plain.Words(stripMasks(text)), func(w string) bool { return plain.Digits(w) == 0 })
}
