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

// What a page shows of a picked item once it is open belongs to that item: the heading of a message, the name of the dialog that
// asks whether to delete it. Two demonstrations that pick different items show by themselves that it varies. In one
// demonstration it is known from the item's own texts in its row or card (capture/clean). A run reads the text at the same path
// of the item that it picks.

const sourceItem = "item" // the Source of a text of a picked item

// mentions makes parameters of the texts of the item that a column picks, if pages show them afterwards.
func (s *Study) mentions(c *align.Column, a *align.Cell) {
	pick := s.paramOf(s.Bindings[c.ID].Pick)
	if pick == nil || len(s.Gens) > 1 || len(c.Rounds) > 0 {
		return
	}
	events := a.Events()
	for _, r := range s.In.Traces[0].Records {
		for _, m := range r.Action.Mentions {
			text := s.OpenText(m.Text)
			if !slices.Contains(events, m.EventID) || text == "" || s.known(text) != nil || strings.EqualFold(text, pick.Texts[0]) ||
				s.given(text) || s.shownBefore(text, c) || s.isButton(text) {
				continue
			}
			s.adopt(c, &Param{Param: workflow.Param{Kind: capture.KindText, Read: &capture.Source{Path: m.Path, ItemOf: pick.ParamID}},
				Source: sourceItem, where: m.Path, Settled: true, Texts: []string{text}})
		}
	}
}

// paramOf returns the parameter that a template consists of, or nil.
func (s *Study) paramOf(tmpl string) *Param {
	for _, p := range s.Params {
		if tmpl == page.Ref(p.ParamID) && len(p.Texts) > 0 {
			return p
		}
	}
	return nil
}

// shownBefore reports whether the pages showed a text, alone or within others, before a column's action: then it is their own.
func (s *Study) shownBefore(text string, c *align.Column) bool {
	text = page.TextKey(text)
	at := 2 * slices.Index(s.Columns, c)
	for shown, when := range s.Gens[0].History.Shown {
		if when < at && strings.Contains(" "+shown+" ", " "+text+" ") {
			return true
		}
	}
	return false
}

// isButton reports whether a button has a text as its name. What opens under the name of its button is the application's, although
// the item may have the same text.
func (s *Study) isButton(text string) bool {
	if ws := plain.Words(text); len(ws) == 1 && s.Gens[0].Words[ws[0]] {
		return true
	}
	for _, c := range s.Columns {
		a, _ := c.Base()
		if a.Target != nil && a.Role() != "link" && !a.IsPick() && !a.Fills() &&
			strings.EqualFold(plain.Squeeze(s.OpenText(page.TargetName(a.Target))), text) {
			return true
		}
	}
	return false
}

// labelMentions labels texts of items after the parameters that pick the items.
func labelMentions(params []*Param) {
	for _, p := range params {
		if p.Source == sourceItem {
			p.Label = strings.TrimSpace(picking(params, p).Label + " title")
		}
	}
}

// settleMentions decides the roles of texts of items: each has that of the parameter that picks its item.
func settleMentions(params []*Param) {
	for _, p := range params {
		if p.Source != sourceItem {
			continue
		}
		switch q := picking(params, p); q.Role {
		case workflow.RoleConstant:
			p.Read = nil
			p.fix(plain.Squeeze(p.Texts[0]), true)
		case workflow.RoleDropped:
			p.Role = workflow.RoleDropped
		default:
			p.Role, p.Derived = workflow.RoleInput, "the text beside {"+q.Name+"} under which it opens"
		}
	}
}

// picking returns the parameter that picks the item of which p is a text.
func picking(params []*Param, p *Param) *Param {
	return params[slices.IndexFunc(params, func(q *Param) bool { return q.ParamID == p.Read.ItemOf })]
}
