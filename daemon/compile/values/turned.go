package values

import (
	"cmp"
	"slices"

	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// turnedTo finds what pages were turned for, if nothing else says it: demonstrations turned a different number of times, and what they then
// did stands under another heading in each. That heading names the thing.
func (s *Study) turnedTo(c *align.Column) {
	heading := func(a *align.Cell) string {
		if a.Target == nil || a.Target.Landmark == nil || a.Target.Landmark.Role != "heading" {
			return ""
		}
		return s.OpenText(a.Target.Landmark.Name)
	}
	a, _ := c.Base()
	if len(c.Acts) < 2 || c.Missing() > 0 || a.IsPick() || heading(a) == "" || !s.turnedBefore(c) {
		return
	}
	p := &Param{Param: workflow.Param{Label: cmp.Or(goalNoun(s), cmp.Or(goalSingular(s), "item")), Kind: page.KindOf(heading(a)),
		Required: true}, Source: "picked", where: "heading", Texts: s.each(c, heading)}
	if s.judge(p); p.Varied && !slices.Contains(p.Texts, "") && s.known(p.Texts[0]) == nil {
		s.settle(c, p)
	}
}

// turnedBefore reports whether the column before c turned pages, and not as often in every demonstration.
func (s *Study) turnedBefore(c *align.Column) bool {
	i := slices.Index(s.Columns, c)
	if i < 1 {
		return false
	}
	before := s.Columns[i-1]
	return !slices.ContainsFunc(before.Acts, func(a *align.Cell) bool {
		return a != nil && !(page.IsClick(a.Verb) && page.LeadsFurther(a.Target))
	}) && (before.Missing() > 0 || before.TimesDiffer())
}
