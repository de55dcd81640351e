package perform

import (
	"context"
	"errors"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/workflow"
)

// What a page does not show at once: the thing that an input names may be on a further page of its list or in a closed folder. A person
// looks there, and so does a run; the second look goes there again.

// bring brings into sight what a step was not found by, and tells where it was; "" where that is no case for looking, or it is nowhere.
func (p *Performance) bring(ctx context.Context, s workflow.Step, a port.Act, err error) string {
	var nf *port.NotFound
	if !errors.As(err, &nf) || nf.Ambiguous || !page.IsAboutInput(s) || !policy.Operates(s.Verb) || a.Target == nil {
		return ""
	}
	return p.tab.explore(ctx, a.Target)
}

func (p *tab) explore(ctx context.Context, t *capture.Target) string {
	where, _ := p.browser.Explore(ctx, func(ctx context.Context) bool {
		has, err := p.browser.Has(ctx, t)
		return err == nil && has
	})
	return where
}

// asBrought goes on from a page that was opened afresh to the thing that was not in sight on it before: its rows are those among which the
// thing is, or, where it is nowhere any more, those that were there without it.
func (p *reviewer) asBrought(ctx context.Context, address string, seen port.Page) port.Page {
	for _, t := range p.trail.things {
		if !p.trail.brought[t] || check.RouteOf(t.Address) != check.RouteOf(address) || len(proof.Having(seen.Rows, t.Value)) > 0 {
			continue
		}
		where, whole := p.tab.browser.Explore(ctx, func(ctx context.Context) bool {
			rows, err := p.tab.browser.Rows(ctx)
			return err == nil && len(proof.Having(rows, t.Value)) > 0
		})
		now, err := p.tab.browser.Read(ctx)
		switch s := p.trail.sights[address]; {
		case err == nil && where != "":
			return now
		case whole && s != nil:
			seen.Rows = proof.Without(s.Rows, t.Value)
		}
		return seen
	}
	return seen
}
