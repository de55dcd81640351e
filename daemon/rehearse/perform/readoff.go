package perform

import (
	"context"
	"strings"

	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// readOff fills a step's missing values from the page, at the place where the demonstrations showed them.
func (p *tab) readOff(ctx context.Context, s workflow.Step) error {
	teller, ok := p.browser.(port.Teller)
	if !ok {
		return nil
	}
	for _, name := range supply.NamesIn(s) {
		for _, in := range p.supply.Params {
			if in.Name != name || in.Read == nil || in.Read.Document != nil || in.FromItem() {
				continue
			}
			if _, bound := p.supply.Bindings[name]; bound {
				continue
			}
			text, err := teller.TextAt(ctx, *in.Read)
			if err != nil {
				return err
			}
			if text = strings.TrimSpace(text); text == "" {
				continue // the step reports what it lacks
			}
			p.bindName(name, text)
			p.Pass("value."+name, "the "+strings.ReplaceAll(name, "_", " ")+" that the page shows", "read where it was read in the demonstration")
		}
	}
	return nil
}
