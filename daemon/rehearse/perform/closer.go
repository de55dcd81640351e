package perform

import (
	"context"
	"slices"

	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/workflow"
)

// closer ends the name of the loads of what was opened at an address.
const closer = "\n"

// lookCloser opens an address afresh and then what the work opened there. What cannot be opened again proves nothing.
func (p *reviewer) lookCloser(ctx context.Context, cp workflow.Checkpoint, address string, seen map[string]*proof.Sight, sc *check.Scene,
	r *proof.Review) {
	if p.trail.way.address != address || len(p.trail.way.acts) == 0 || slices.ContainsFunc(p.trail.way.steps, func(id string) bool {
		return !p.guard.OnlyRead(id)
	}) {
		return
	}
	opened, ok := p.peek(ctx, address)
	if !ok || opened.Status >= 400 || page.PathOf(opened.State.URL) != page.PathOf(address) {
		return
	}
	p.guard.SetReviewing(true)
	defer p.guard.SetReviewing(false)
	for _, a := range p.trail.way.acts {
		if _, err := p.tab.browser.Do(ctx, a); err != nil {
			return
		}
	}
	opened, err := p.tab.browser.Read(ctx)
	if err != nil || page.PathOf(opened.State.URL) != page.PathOf(address) {
		return
	}
	opened = p.trail.loaded(address+closer, opened)
	kept, known := p.trail.kept(opened.State, address)
	if !kept {
		return // the setting is gone, and nothing else vouches for it
	}
	p.trail.sights, r.Closer = seen, true
	cp.MoreChecks = slices.DeleteFunc(slices.Clone(cp.MoreChecks), func(c workflow.Check) bool { return c.Kind == "row_count" })
	if cp.Check != nil && cp.Check.Kind == "row_count" {
		cp.Check = nil
	}
	p.reviewChecks(cp, opened, sc, r)
	p.reviewPage(address, opened, r)
	r.Form(opened, address)
	if known != "" {
		r.Facts = append(r.Facts, known)
	}
	r.Closer = false
}
