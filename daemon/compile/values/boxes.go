package values

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// Several check boxes that a person takes for one question ("Contains": Celery, Eggs, Milk) are one value: the list of those that
// were ticked. What was unticked is a list of its own, because the other boxes stay as they are.

// ToUntick ends the label of what is taken out of a group.
const ToUntick = " to untick"

// saidAgain makes labels that a later message or heading repeats stand for anything there. Elsewhere they are words of the page.
func saidAgain(s *Study, t int, c *align.Column, labels []string) {
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

// ticksMany is the template of a list of boxes. A demonstration that filled in the same form and left the group alone chose none.
func ticksMany(s *Study, c *align.Column, a *align.Cell) string {
	p := &Param{Param: workflow.Param{Label: page.Clean(a.Name()), Kind: capture.KindChoice, List: true, Required: true,
		Options: page.Options(a.Target)}, Source: "chosen"}
	if p.Label == "" {
		p.Label = calledByGoal(s, a)
	}
	if a.Verb == capture.Uncheck {
		p.Label += ToUntick
	}
	called := func(a *align.Cell) string { return s.Open(a.Value) }
	p.Texts = s.each(c, called)
	s.inRounds(c, p, called)
	tmpl := s.add(c, p)
	for t := range p.Texts {
		saidAgain(s, t, c, workflow.SplitChoices(p.Texts[t], p.Options))
	}
	for t := range p.Texts {
		if p.Texts[t] == "" && passes(s, t, a) {
			p.Required, p.Varied, p.Settled, p.Role = false, true, true, workflow.RoleInput
		}
	}
	return tmpl
}
