package rehearse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/danger"
	"showhow/daemon/workflow"
)

// effect looks again at what a step claims to have changed, in a tab of its own: what a page shows at once after an act is its
// own word, what it shows when it is opened afresh is what was kept. Success that is contradicted is a failure; success that
// nothing confirms is said to be unverified.
func (p *play) effect(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *scene, round int) {
	if cp.Effect && p.guard != nil {
		defer p.guard.looked()
	}
	if !cp.Effect || s.Surface != onBrowser || s.Verb == capture.Download || onDisk(cp) {
		return
	}
	id := "effect." + cp.CheckpointID
	if round > 1 {
		id += "." + itoa(round)
	}
	label := "it is so when it is looked up again: " + cp.Goal
	r := p.lookUntilKept(ctx, cp, s, sc)
	if err := p.browser.Return(ctx); err != nil {
		p.failed(ctx, id, workflow.Step{Title: label}, err)
		return
	}
	p.secondLook(ctx, id, label, r)
}

// secondLook says what looking again has shown.
func (p *play) secondLook(ctx context.Context, id, label string, r *review) {
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

// lastLook looks again at the end for what was entered or done and that no checkpoint speaks of: where it stands and no form was
// sent for (a page that saves by itself says so nowhere, and neither does one that does not), where a step had the page write
// something to its site, and where the demonstration, a recording made
// elsewhere, says that its last step was done and nothing of what came of it.
func (p *play) lastLook(ctx context.Context, canary bool) {
	s := p.prev
	if p.stopped != "" || ctx.Err() != nil || p.browser == nil || s == nil {
		return
	}
	untold := !canary && p.unwatched(*s)
	if !untold && !slices.ContainsFunc(p.entered, func(e entry) bool { return e.inPlace }) && !p.wroteUnseen() {
		return
	}
	id, label := "effect.end", "what was entered is there when it is looked up again"
	r := p.lookUntilKept(ctx, workflow.Checkpoint{}, *s, &scene{before: p.state, room: p.room, counts: map[string]int{}})
	if err := p.browser.Return(ctx); err != nil {
		p.failed(ctx, id, workflow.Step{Title: label}, err)
		return
	}
	if len(r.entries) == 0 {
		label = "what was done can be seen when it is looked up again"
	}
	if !untold {
		p.secondLook(ctx, id, label, r)
		return
	}
	switch there := r.labels(shown); {
	case ctx.Err() != nil:
	case r.against != "":
		p.stop(id, label, StepFailed, CodeNoEffect, r.against)
		p.keepEvidence(ctx, id)
	case r.removed && r.proof() != "":
		p.pass(id, label, p.clean(r.proof()))
	case there != "" && r.labels(lacking) == "":
		p.pass(id, label, p.clean(fmt.Sprintf("it shows what was entered as %q", there)))
	default:
		p.add(id, label, StepSkipped, CodeUnverified, "the recording does not show what comes of its last step, and the pages show nothing of what was entered: look yourself")
	}
}

// unwatched reports whether the last step changed something and the demonstration does not show what came of it. One that ends in
// the middle of a form, because what sent it was not seen or was cut off, shows nothing of the sort either: with a text, or with a
// choice that the page did nothing upon.
func (p *play) unwatched(s workflow.Step) bool {
	steps := p.req.Draft.Graph.Steps
	if s.Surface == onBrowser && (s.Verb == capture.Type || fills(s.Verb) && idle(s)) && !page.Searches(s) && s.StepID == steps[len(steps)-1].StepID {
		return true
	}
	return s.Surface == onBrowser && s.After == nil && (operates(s.Verb) || fills(s.Verb)) &&
		!slices.ContainsFunc(p.req.Draft.Interpretation.Checkpoints, func(c workflow.Checkpoint) bool { return c.StepID == s.StepID })
}

// idle reports whether the page did nothing upon a step, as far as it was seen, but to show what was entered.
func idle(s workflow.Step) bool {
	b, a := s.Before, s.After
	return b == nil || a == nil || b.URL == a.URL && slices.Equal(b.Headings, a.Headings) && slices.Equal(b.Dialogs, a.Dialogs) && slices.Equal(b.Alerts, a.Alerts) &&
		slices.EqualFunc(b.Tables, a.Tables, func(x, y capture.Table) bool { return x.Name == y.Name && x.Rows == y.Rows && x.Total == y.Total })
}

// wroteUnseen reports whether a step had the page write something to its site, and no checkpoint's effect was looked up since. Some
// pages also ask by such requests: what only finds, opens or types something is not taken for a deed unless the method says so.
func (p *play) wroteUnseen() bool {
	for _, w := range p.guard.wrote() {
		i := slices.IndexFunc(p.req.Draft.Graph.Steps, func(s workflow.Step) bool { return s.StepID == w.step })
		if i < 0 {
			continue
		}
		s := p.req.Draft.Graph.Steps[i]
		led := s.Before != nil && s.After != nil && routeOf(s.Before.URL) != routeOf(s.After.URL)
		switch {
		case s.Verb == capture.Navigate || s.Verb == capture.NewTab || page.Turns(s) || page.Searches(s):
		case w.method != "POST", operates(s.Verb) && roleOf(s) != "link" && (!led || len(p.entered) > 0):
			return true
		}
	}
	return false
}

// editsInPlace reports whether a step enters something into a row, or into a text that is no field of a form.
func editsInPlace(s workflow.Step) bool { return s.Verb == capture.Type && page.InPlace(s.Target) }

// leaves reports whether a step ends with leaving such a text: that is when many a page keeps it. Where keys or an entry of a list that
// came up follow, the cursor stays.
func (p *play) leaves(s workflow.Step) bool {
	if !editsInPlace(s) {
		return false
	}
	steps := p.req.Draft.Graph.Steps
	i := slices.IndexFunc(steps, func(o workflow.Step) bool { return o.StepID == s.StepID })
	if i < 0 || i+1 == len(steps) {
		return true
	}
	next := steps[i+1]
	return next.Verb != capture.Press && next.Verb != capture.Submit && (next.Target == nil || next.Target.Role != "option" && next.Target.Role != "menuitem")
}

// onDisk reports whether a checkpoint's effect is a file: it was looked at itself.
func onDisk(cp workflow.Checkpoint) bool {
	return slices.ContainsFunc(append([]workflow.Check{*cp.Check}, cp.MoreChecks...), func(c workflow.Check) bool { return c.Kind == "file" })
}

// lookUntilKept looks again; what a page keeps by itself, a while after it was entered, is waited for.
func (p *play) lookUntilKept(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *scene) *review {
	seen := p.seenSoFar()
	for began := time.Now(); ; {
		r := p.lookAgain(ctx, cp, s, sc)
		if r.against == "" && r.proof() != "" || time.Since(began) > arrivalTime || !slices.ContainsFunc(p.entered, func(e entry) bool { return e.inPlace }) {
			return r
		}
		select {
		case <-time.After(tillKept):
		case <-ctx.Done():
			return r
		}
		p.sights = seen
		seen = p.seenSoFar()
	}
}

// tillKept is how long nobody looks again: opening a page is work for its site.
const tillKept = 300 * time.Millisecond

// seenSoFar are the sights as they are now.
func (p *play) seenSoFar() map[string]*sight {
	out := map[string]*sight{}
	for at, s := range p.sights {
		out[at] = &sight{rows: s.rows, ever: maps.Clone(s.ever)}
	}
	return out
}

// lookAgain opens the page at hand afresh, then what its frames show when the work was in one, then where the thing was picked, then what a row leads to, then the page that the
// work began at, then the form, then the lists on the way: as far as it is needed to know.
func (p *play) lookAgain(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *scene) *review {
	r := p.review()
	here, seen := p.state.URL, p.seenSoFar()
	if rows, err := p.browser.Rows(ctx); err == nil {
		for _, t := range p.things {
			r.claimed = append(r.claimed, having(rows, t.value)...)
		}
	}
	var frames []string // a page that is opened afresh shows what its frames begin with
	if s.Target != nil && s.Target.Frame != "" {
		frames = p.browser.Frames(ctx)
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
	for _, at := range frames[:min(len(frames), maxFrames)] {
		if !r.settled() {
			p.reviewAt(ctx, at, r)
		}
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
		p.lookCloser(ctx, cp, here, seen, sc, r)
	}
	if !r.settled() {
		p.reviewForms(ctx, r)
	}
	if !r.settled() {
		p.reviewLists(ctx, r)
	}
	return r
}

// maxFrames is how many frames of a page are opened by themselves.
const maxFrames = 3

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

func roleOf(s workflow.Step) string {
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
	p.guard.using()
	p.guard.doing("")
	page, err := p.browser.Peek(ctx, address)
	for began := time.Now(); err == nil && p.stillEmpty(address, page) && time.Since(began) < arrivalTime && ctx.Err() == nil; {
		select { // many a page asks for its rows a while after it rests
		case <-time.After(tillRows):
		case <-ctx.Done():
		}
		page, err = p.browser.Read(ctx)
	}
	return page, err == nil
}

// tillRows is how long nobody looks again for rows.
const tillRows = 100 * time.Millisecond

// stillEmpty reports whether a page shows none of the lists that its address had rows of.
func (p *play) stillEmpty(address string, page Page) bool {
	s := p.sights[address]
	if s == nil || page.Status >= 400 {
		return false
	}
	had := false
	for _, r := range s.rows {
		had = had || r.List != labelled
		if r.List != labelled && slices.ContainsFunc(page.Rows, func(n Row) bool { return n.List == r.List }) {
			return false
		}
	}
	return had
}
