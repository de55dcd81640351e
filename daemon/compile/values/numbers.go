package values

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// hideIssuedNumbers hides numbers that an application assigned wherever its pages repeat them: the 5 of /tickets/5 in
// "Ticket 5: Heating is cold". Nobody supplied them and they differ the next time, so one example is enough. Numbers
// that all demonstrations share, or that a control or an earlier page showed before, stay.
func hideIssuedNumbers(s *Study) {
	given := make([]map[string]bool, len(s.In.Traces))
	for t := range given {
		given[t] = issuedIn(s, t)
	}
	for t, words := range given {
		for _, c := range s.Columns {
			if a := c.Acts[t]; a != nil {
				for _, text := range pageTexts(a) {
					hideNumbers(s, t, text, words)
				}
			}
		}
	}
}

// issuedIn returns the words with numbers that an application assigned in a trace.
func issuedIn(s *Study, t int) map[string]bool {
	out, seen := map[string]bool{}, map[string]bool{}
	for _, c := range s.Columns {
		a := c.Acts[t]
		if a == nil || a.Surface != workflow.OnBrowser {
			continue
		}
		if a.Target != nil && !a.IsPick() {
			for _, w := range page.WordsWithDigits(page.TargetName(a.Target)) {
				seen[w] = true
			}
		}
		for _, text := range page.ShownTexts(a.StateBefore()) {
			for _, w := range page.WordsWithDigits(text) {
				seen[w] = true
			}
		}
		for _, w := range newNumbers(s, c, a) {
			if !seen[w] && !isSupplied(s, t, w) && !inEveryTrace(s, c, w) {
				out[w] = true
			}
		}
	}
	return out
}

// newNumbers returns the words with a number that appeared with an act: in the address, if one identifies a thing, and
// after a form was sent also in headings and dialogs.
func newNumbers(s *Study, c *align.Column, a *align.Cell) []string {
	var out []string
	parts := strings.Split(page.PathOf(a.URL()), "/")
	for i, p := range parts {
		if p = strings.ToLower(p); plain.Digits(p) > 0 && page.NamesThing(parts, i) && !strings.Contains(p, "[[") {
			out = append(out, p)
		}
	}
	if a.Verb != capture.Submit {
		return out
	}
	for _, text := range append(page.FreshHeadings(a.StateBefore().Headings, a.State().Headings), page.Fresh(a.StateBefore().Dialogs,
		a.State().Dialogs)...) {
		ws := plain.Words(page.StripMasks(page.CountForm.ReplaceAllString(text, "")))
		for i, w := range ws {
			if plain.Digits(w) > 0 && !(i > 0 && (page.CountedParts.Has(ws[i-1]) || ws[i-1] == "of")) && !(i+1 < len(ws) && ws[i+1] == "of") {
				out = append(out, w)
			}
		}
	}
	return out
}

// isSupplied reports whether a word is a known value or part of one.
func isSupplied(s *Study, t int, w string) bool {
	return slices.ContainsFunc(s.Params, func(p *Param) bool {
		return t < len(p.Texts) && slices.Contains(plain.Words(p.Texts[t]), w) ||
			slices.ContainsFunc(p.Rounds, func(r string) bool { return slices.Contains(plain.Words(r), w) })
	})
}

// inEveryTrace reports whether each of several demonstrations showed the word at this point.
func inEveryTrace(s *Study, c *align.Column, w string) bool {
	if len(s.In.Traces) < 2 || c.Missing() > 0 {
		return false
	}
	return !slices.ContainsFunc(c.Acts, func(a *align.Cell) bool {
		return !slices.ContainsFunc(append(page.ShownTexts(a.State()), page.PathOf(a.URL())),
			func(text string) bool { return slices.Contains(page.WordsWithDigits(text), w) })
	})
}

// hideNumbers generalises the given words in a text, each together with the word before it: a small number alone may
// mean something else elsewhere.
func hideNumbers(s *Study, t int, text string, given map[string]bool) {
	g := s.Gens[t]
	for _, stretch := range page.MaskForm.Split(text, -1) {
		ws := strings.Fields(stretch)
		for i, w := range ws {
			core := strings.Trim(w, ".,;:!?()\"'#")
			switch {
			case !given[strings.ToLower(core)]:
			case i > 0 && len(plain.Words(ws[i-1])) == 1:
				g.Add(ws[i-1]+" "+strings.TrimRight(w, ".,;:!?()\"'"), ws[i-1]+" "+page.AnyRef)
			case len(core) >= 3:
				g.Add(core, page.AnyRef)
			case !inCommands(s, t, core):
				g.AddShort(core, page.AnyRef)
			}
		}
	}
}

func inCommands(s *Study, t int, w string) bool {
	return slices.ContainsFunc(s.Columns, func(c *align.Column) bool {
		a := c.Acts[t]
		return a != nil && a.Command != nil && slices.Contains(plain.Words(a.Command.Line), strings.ToLower(w))
	})
}

// pageTexts returns all texts of an act's pages that may name a thing.
func pageTexts(a *align.Cell) []string {
	if a.Surface != workflow.OnBrowser {
		return nil
	}
	out := slices.Concat(page.ShownTexts(a.StateBefore()), page.ShownTexts(a.State()))
	if a.Page != nil {
		out = append(out, a.Page.Title)
	}
	for _, t := range []*capture.Target{a.Target, a.Drop} {
		if t != nil && t.Landmark != nil {
			out = append(out, t.Landmark.Name)
		}
	}
	return out
}
