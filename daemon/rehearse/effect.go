package rehearse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/danger"
)

// effect looks again at what a step claims to have changed, in a tab of its own: what a page shows at once after an act is its
// own word, what it shows when it is opened afresh is what was kept. Success that is contradicted is a failure; success that
// nothing confirms is said to be unverified.
func (p *play) effect(ctx context.Context, cp compile.Checkpoint, s compile.Step, sc *scene, round int) {
	if !cp.Effect || s.Surface != onBrowser || s.Verb == capture.Download || onDisk(cp) {
		return
	}
	id := "effect." + cp.CheckpointID
	if round > 1 {
		id += "." + itoa(round)
	}
	label := "it is so when it is looked up again: " + cp.Goal
	r := p.lookAgain(ctx, cp, s, sc)
	if err := p.browser.Return(ctx); err != nil {
		p.failed(ctx, id, compile.Step{Title: label}, err)
		return
	}
	switch proof := r.proof(); {
	case ctx.Err() != nil:
		return
	case r.against != "":
		p.stop(id, label, StepFailed, CodeNoEffect, "the page said that it worked, but "+r.against)
		p.keepEvidence(ctx, id)
	case proof != "":
		p.pass(id, label, p.clean(proof))
	default:
		why := "nothing but the page's own message says so"
		if lacking := r.labels(lacking); lacking != "" {
			why += fmt.Sprintf("; what was entered as %q is not shown again", lacking)
		}
		p.add(id, label, StepSkipped, CodeUnverified, p.clean(why))
	}
}

// onDisk reports whether a checkpoint's effect is a file: it was looked at itself.
func onDisk(cp compile.Checkpoint) bool {
	return slices.ContainsFunc(append([]compile.Check{*cp.Check}, cp.MoreChecks...), func(c compile.Check) bool { return c.Kind == "file" })
}

// lookAgain opens the page at hand afresh, then where the thing was picked, then what a row leads to, then the page that the
// work began at, then the form, then the lists on the way: as far as it is needed to know.
func (p *play) lookAgain(ctx context.Context, cp compile.Checkpoint, s compile.Step, sc *scene) *review {
	r := p.review()
	here := p.state.URL
	if rows, err := p.browser.Rows(ctx); err == nil {
		for _, t := range p.things {
			r.claimed = append(r.claimed, having(rows, t.value)...)
		}
	}
	page, ok := p.afresh(ctx, here, r)
	if ok && page.Status >= 400 && page.Status != 401 && page.Status != 403 && page.Status != 405 {
		r.no("its page cannot be opened again (HTTP %d)", page.Status)
		return r
	}
	if ok && page.Status < 400 && routeOf(page.State.URL) == routeOf(here) {
		p.reviewChecks(cp, page, sc, r)
		p.reviewPage(here, page, r)
	}
	for _, t := range p.things {
		if !r.settled() && !r.seen(t.address) {
			p.reviewAt(ctx, t.address, r)
		}
	}
	for n := 0; n < maxFollowed && !r.whole() && len(r.leads) > 0; n++ {
		next := r.leads[0]
		r.leads = r.leads[1:]
		p.reviewAt(ctx, next, r)
	}
	if !r.settled() && p.began != "" && sameSite(here, p.began) { // what was made is often listed where the work begins
		p.reviewAt(ctx, p.began, r)
	}
	if !r.settled() && danger.Control(roleOf(s), wordingOf(s, p.supply.bindings), "").Has(danger.Destroys) {
		p.reviewGone(ctx, s, sc, r)
	}
	if !r.settled() {
		p.reviewForms(ctx, r)
	}
	if !r.settled() {
		p.reviewLists(ctx, r)
	}
	return r
}

// maxFollowed is how many links of rows are followed to see the rest of what was entered.
const maxFollowed = 2

// reviewAt opens another page that tells of the effect.
func (p *play) reviewAt(ctx context.Context, address string, r *review) {
	if r.seen(address) {
		return
	}
	page, ok := p.afresh(ctx, address, r)
	if !ok || page.Status >= 400 || routeOf(page.State.URL) != routeOf(address) {
		r.visited = append(r.visited, address)
		return
	}
	p.reviewPage(address, page, r)
}

func roleOf(s compile.Step) string {
	if s.Target == nil {
		return ""
	}
	return s.Target.Role
}

// afresh is a page as one review sees it: opened once.
func (p *play) afresh(ctx context.Context, address string, r *review) (Page, bool) {
	if page, ok := r.pages[address]; ok {
		return page, true
	}
	page, ok := p.peek(ctx, address)
	if ok {
		r.pages[address] = page
	}
	return page, ok
}

// peek opens an address afresh, in the tab aside, which the caller ends; ok is false when nothing can be said from it.
func (p *play) peek(ctx context.Context, address string) (Page, bool) {
	if !strings.HasPrefix(address, "http") {
		return Page{}, false
	}
	p.guard.using("")
	page, err := p.browser.Peek(ctx, address)
	return page, err == nil
}
