package values

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// Several check boxes that belong to one question ("Contains": Celery, Eggs, Milk) are one value: the list of those that
// were ticked. Those that were unticked form a separate list, because all other boxes keep their state.

// ToUntick ends the label of a list of boxes to untick.
const ToUntick = " to untick"

// generaliseRepeats generalises labels that a later message or heading repeats. Elsewhere they are words of the page.
func generaliseRepeats(s *Study, t int, c *align.Column, labels []string) {
	for _, later := range s.Columns[slices.Index(s.Columns, c):] {
		if later.Acts[t] == nil {
			continue
		}
		st := later.Acts[t].State()
		for _, told := range slices.Concat(st.Alerts, st.Headings, st.Dialogs) {
			for _, label := range labels {
				if strings.Contains(strings.ToLower(told), strings.ToLower(label)) {
					s.Gens[t].Add(label, page.AnyRef)
				}
			}
		}
	}
}

// ticksMany returns the template of a list of boxes. A demonstration that filled in the same form without touching the
// group chose none.
func ticksMany(s *Study, c *align.Column, a *align.Cell) string {
	p := &Param{Param: workflow.Param{Label: page.Clean(a.Name()), Kind: capture.KindChoice, List: true, Required: true,
		Options: page.Options(a.Target)}, Source: "chosen"}
	if p.Label == "" {
		p.Label = labelFromGoal(s, a)
	}
	if a.Verb == capture.Uncheck {
		p.Label += ToUntick
	}
	called := func(a *align.Cell) string { return s.Open(a.Value) }
	p.Texts = s.each(c, called)
	s.inRounds(c, p, called)
	tmpl := s.add(c, p)
	for t := range p.Texts {
		generaliseRepeats(s, t, c, workflow.SplitChoices(p.Texts[t], p.Options))
	}
	for t := range p.Texts {
		if p.Texts[t] == "" && passes(s, t, a) {
			p.Required, p.Varied, p.Settled, p.Role = false, true, true, workflow.RoleInput
		}
	}
	return tmpl
}
