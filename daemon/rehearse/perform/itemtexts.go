package perform

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// Texts of the item that a step picks appear elsewhere later: in the heading under which it opens, in the dialog that asks about
// it. A run reads them in the item's row or card, of the very element that it is about to act upon, before it does.

// readItem makes an action read the texts of its item that the demonstration read there.
func (p *Performance) readItem(s workflow.Step, a *port.Act, sc *check.Scene) {
	var names []string
	for _, in := range p.supply.Params {
		_, bound := p.supply.Bindings[in.Name]
		if bound || !in.FromItem() || s.ParamID != in.Read.ItemOf && !p.names(s, in.Read.ItemOf) {
			continue
		}
		names, a.ItemPaths = append(names, in.Name), append(a.ItemPaths, in.Read.Path)
	}
	if len(names) == 0 {
		return
	}
	a.OnItem = func(ctx context.Context, texts []string) {
		for i, name := range names {
			if i < len(texts) && strings.TrimSpace(texts[i]) != "" {
				p.bindName(name, strings.TrimSpace(texts[i]))
			}
		}
		if so, err := p.checks.already(ctx, s); err == nil { // its checks can be evaluated only now
			sc.Already = so
		}
	}
}

// names reports whether a step names the value of a parameter.
func (p *Performance) names(s workflow.Step, param string) bool {
	name := p.supply.Name(param)
	return name != "" && slices.Contains(supply.NamesIn(s), name)
}
