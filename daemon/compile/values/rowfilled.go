package values

import (
	"slices"
	"strings"

	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// rowFilled returns the template of the row in which a field that every row has is filled in, such as the number beside a
// plus and a minus, or in which one of several things that every row has is picked. The row is somebody's data: which one it is may differ
// each time, as that of a box to tick may. A row that has the name of its field, or the same one in every demonstration, is a line of a
// form.
func rowFilled(s *Study, c *align.Column, a *align.Cell) string {
	rowOf := func(a *align.Cell) string {
		if t := a.Target; t != nil && t.Landmark != nil && page.ItemRoles[t.Landmark.Role] && page.MaskForm.MatchString(t.Landmark.Name) {
			return s.OpenText(t.Landmark.Name)
		}
		return ""
	}
	row := rowOf(a)
	if row == "" || strings.EqualFold(row, page.Clean(s.OpenText(a.Name()))) {
		return ""
	}
	raw := a.Target.Landmark.Name
	mask := page.MaskForm.FindStringSubmatch(raw)
	if s.lineWords[mask[1]] {
		return ""
	}
	if p := s.known(row); p != nil {
		return page.Ref(p.ParamID)
	}
	p := &Param{Param: workflow.Param{Label: rowLabel(s, a, raw), Kind: page.KindOf(row), Required: true}, Source: "picked", where: "row",
		Texts: s.each(c, rowOf)}
	s.inRounds(c, p, rowOf)
	if mask[0] == raw {
		p.LinkID = mask[1]
	}
	return s.settle(c, p)
}

// rowLabel names the kind of what a row is about: by its table's first column, or as pickLabel does, unless what is picked in it has that
// name.
func rowLabel(s *Study, a *align.Cell, raw string) string {
	if isWeekday(s.OpenText(raw)) {
		return "day"
	}
	for _, t := range a.StateBefore().Tables {
		if len(t.Columns) > 1 && a.Target.Placeholder != "" && slices.Index(t.Columns, a.Target.Placeholder) > 0 {
			if ws := plain.Words(t.Columns[0]); len(ws) > 0 && len(ws) <= 3 {
				return strings.Join(ws, " ")
			}
		}
	}
	label := pickLabel(s, a, raw)
	if a.Varies() && slices.ContainsFunc(s.Params, func(p *Param) bool { return p.Act == a && p.Label == label }) {
		return "row"
	}
	return label
}
