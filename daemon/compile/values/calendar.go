package values

import (
	"cmp"
	"slices"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// A day picked in a calendar on a page is only part of a date: the month shown above it gives the rest. The control that
// turns months, or pages of a list, is used until the target is in view, not as often as in the demonstration.

// pickedDay returns the template of a day that was picked in a calendar whose month is known in every demonstration, or
// "". The parameter is the whole date.
func pickedDay(s *Study, c *align.Column, a *align.Cell) string {
	dayOf := func(a *align.Cell) string {
		d, ok := dateShown(s, a)
		if !ok {
			return ""
		}
		return d.Format("2006-01-02")
	}
	p := &Param{Param: workflow.Param{Label: cmp.Or(askedFor(a.From), "date"), Kind: capture.KindDate, Required: true}, Source: "picked",
		Texts: s.each(c, dayOf)}
	for t, act := range c.Acts {
		if act != nil && p.Texts[t] == "" {
			return ""
		}
	}
	s.inRounds(c, p, dayOf)
	tmpl := s.settle(c, p)
	ids := page.RefsOf(tmpl)
	if len(ids) != 1 || tmpl != page.Ref(ids[0]) {
		return tmpl
	}
	day := page.JoinRef(ids[0], workflow.PartDay)
	for t, act := range c.Acts {
		if act != nil && act.Value != nil && act.Value.LinkID != "" {
			s.Gens[t].Links[act.Value.LinkID] = day
		}
	}
	for _, r := range c.Rounds {
		if r.Act != nil && r.Act.Value != nil && r.Act.Value.LinkID != "" {
			s.Gens[r.Trace].Links[r.Act.Value.LinkID] = day
		}
	}
	return day
}

// dateShown returns the date of a day in a calendar on the page.
func dateShown(s *Study, a *align.Cell) (d time.Time, ok bool) {
	if a.Target == nil || a.Value == nil || !a.Value.Chosen || page.ItemRoles[a.Role()] && a.Role() != "gridcell" && a.Role() != "cell" {
		return d, false
	}
	day := s.OpenText(page.TargetName(a.Target))
	if !dayForm.MatchString(day) {
		return d, false
	}
	var shown []string
	if l := a.Target.Landmark; l != nil {
		shown = append(shown, l.Name)
	}
	for _, text := range slices.Concat(shown, a.StateBefore().Dialogs, a.StateBefore().Headings) {
		if m, ok := page.MonthShown(s.OpenText(text)); ok {
			d = m.AddDate(0, 0, plain.Number(day)-1)
			return d, d.Month() == m.Month()
		}
	}
	return d, false
}
