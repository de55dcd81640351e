package perform

import (
	"context"
	"maps"
	"slices"

	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/workflow"
)

// A page may keep what was done in the browser: a list of what is still to be sent, a copy of what its site told. Opened afresh there, it
// shows the deed whatever its site has kept. Only a page whose site was never told anything has no other place for it.

// holds remembers what the browser holds, until something is entered or ticked: what a page stores from then on may be the effect.
func (p *trail) holds(ctx context.Context) {
	b, ok := p.tab.browser.(port.Forgetful)
	if !ok || len(p.entered)+len(p.set) > 0 && p.stored != nil {
		return
	}
	if now, err := b.Stored(ctx); err == nil {
		p.stored = now
	}
}

// lookElsewhere looks once more at an effect that a look in the run's browser has proved, in one that holds nothing of it. If the pages
// show there what they showed before the step, and nothing of the effect, the site has not kept it.
func (p *reviewer) lookElsewhere(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *check.Scene,
	before map[string]*proof.Sight, r *proof.Review) {
	b, ok := p.tab.browser.(port.Forgetful)
	if !ok || !p.trail.wrote || p.trail.stored == nil || r.Against != "" || r.Proof() == "" {
		return
	}
	if forgets, err := b.Forget(ctx, p.trail.stored, p.trail.refused); err != nil || !forgets {
		return
	}
	after := p.trail.sights
	defer func() { p.trail.sights = after }()
	p.trail.sights = maps.Clone(before)
	for at, s := range before {
		p.trail.sights[at] = &proof.Sight{Rows: s.Rows, Ever: maps.Clone(s.Ever), Text: s.Text, Came: s.Came}
	}
	fresh := p.lookHere(ctx, cp, s, sc)
	if ctx.Err() != nil || fresh.Against == "" && fresh.Proof() != "" || !p.comparable(before, r, fresh) {
		return
	}
	r.Here, r.More = true, "only the browser in which it was done shows it: what its site has kept is as it was"
}

// comparable reports whether a page shows elsewhere what it showed before the step, so that what it does not show there has not been kept:
// rows of a list that has others in the run's browser or, if the site refused something, a page without lists.
func (p *reviewer) comparable(before map[string]*proof.Sight, here, fresh *proof.Review) bool {
	for at, now := range fresh.Pages {
		was, ours := before[at], here.Pages[at]
		if was == nil || now.Status >= 400 || page.PathOf(now.State.URL) != page.PathOf(at) {
			continue
		}
		if len(was.Rows) == 0 && p.trail.refused && slices.Equal(now.State.Headings, ours.State.Headings) {
			return true
		}
		for _, r := range now.Rows {
			if proof.Contain(was.Rows, r) && differs(r.List, ours.Rows, now.Rows) {
				return true
			}
		}
	}
	return false
}

// differs reports whether a list has other rows in one look than in another.
func differs(list string, a, b []port.Row) bool {
	lacks := func(x, y []port.Row) bool {
		return slices.ContainsFunc(x, func(r port.Row) bool { return r.List == list && !proof.Contain(y, r) })
	}
	return lacks(a, b) || lacks(b, a)
}
