package perform

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/danger"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// reviewer takes the second look: it opens again what a step claims to have changed.
type reviewer struct {
	*job
	tab    *tab
	trail  *trail
	latest *deed // the last effect that a second look confirmed
}

// effect looks again, in a separate tab, at what a step claims to have changed: what a page shows right after an
// action is only its claim, what it shows when opened afresh was stored. A contradicted success is a failure; an
// unconfirmed one is reported as unverified.
func (p *reviewer) effect(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *check.Scene, round int) {
	if cp.Effect && p.guard != nil {
		defer p.guard.ForgetWrites()
	}
	if !looksAgain(cp, s) {
		return
	}
	id := "effect." + cp.CheckpointID
	if round > 1 {
		id += "." + strconv.Itoa(round)
	}
	label := "it is so when it is looked up again: " + cp.Goal
	done := p.deedNow(ctx, cp, s, sc, label)
	r := p.lookUntilKept(ctx, cp, s, sc)
	if err := p.tab.browser.Return(ctx); err != nil {
		p.tab.failed(ctx, id, workflow.Step{Title: label}, err)
		return
	}
	if p.secondLook(ctx, id, label, r) {
		p.latest = done
	}
}

// secondLook reports what the second look showed, and whether that was the effect.
func (p *reviewer) secondLook(ctx context.Context, id, label string, r *proof.Review) bool {
	switch shown := r.Proof(); {
	case ctx.Err() != nil:
	case r.Against != "":
		p.stop(id, label, record.StepFailed, record.CodeNoEffect, "the page said that it worked, but "+r.Against)
		p.tab.keepEvidence(ctx, id)
	case shown != "":
		p.uncounted, p.counted, p.kept = nil, true, true
		p.Pass(id, label, p.clean(shown))
		return true
	default:
		why := "nothing but the page's own message says so"
		if lacking := r.Labels(proof.Lacking); lacking != "" {
			why += fmt.Sprintf("; what was entered as %q is not shown again", lacking)
		}
		if r.Doubt != "" {
			why += "; " + r.Doubt
		}
		if r.More != "" {
			why = r.More
		}
		p.Add(id, label, record.StepSkipped, record.CodeUnverified, p.clean(why))
	}
	return false
}

// lastLook looks again at the end for entries and actions that no checkpoint covers: a value entered where no form was
// submitted (a page that saves by itself does not say so, and neither does one that does not), a step that made the
// page write to its site, and a recording made elsewhere, whose last step shows nothing of its result.
func (p *reviewer) lastLook(ctx context.Context, canary bool) {
	s := p.tab.prev
	if p.stopped != "" || ctx.Err() != nil || p.tab.browser == nil || s == nil {
		return
	}
	untold := !canary && p.unwatched(*s)
	early := slices.ContainsFunc(p.uncounted, func(u uncounted) bool { return u.code == record.CodeUnverified })
	owed := !untold && !early && !slices.ContainsFunc(p.trail.entered, func(e proof.Entry) bool { return e.InPlace }) && !p.wroteUnseen()
	if owed && (canary || !p.owesDeed(p.Req.Draft.Graph.Steps)) {
		if len(p.uncounted) > 0 && picksThing(*s) {
			p.lookAtThing(ctx, *s)
		}
		return
	}
	if canary { // what would keep an entry is held back: that it is not kept says nothing of the skill
		return
	}
	id, label := "effect.end", "what was entered is there when it is looked up again"
	sc := &check.Scene{Before: p.tab.state, Room: p.room, Counts: map[string]int{}}
	done := p.deedNow(ctx, workflow.Checkpoint{}, *s, sc, label)
	r := p.lookUntilKept(ctx, workflow.Checkpoint{}, *s, sc)
	if err := p.tab.browser.Return(ctx); err != nil {
		p.tab.failed(ctx, id, workflow.Step{Title: label}, err)
		return
	}
	if len(r.Entries) == 0 {
		label = "what was done can be seen when it is looked up again"
	}
	if owed && ctx.Err() == nil && r.Against == "" && !pays(promise(p.Req.Goal), *s, r) {
		return // deedless says that nothing was seen
	}
	if !untold {
		if p.secondLook(ctx, id, label, r) {
			p.latest = done
		}
		return
	}
	switch there := r.Labels(proof.Shown); {
	case ctx.Err() != nil:
	case r.Against != "":
		p.stop(id, label, record.StepFailed, record.CodeNoEffect, r.Against)
		p.tab.keepEvidence(ctx, id)
	case r.Proof() != "" && (r.Removed || r.Altered != "" && !r.Slightly() && picksThing(*s)):
		p.uncounted, p.latest = nil, done
		p.Pass(id, label, p.clean(r.Proof()))
	case there != "" && r.Labels(proof.Lacking) == "":
		p.uncounted, p.latest = nil, done
		p.Pass(id, label, p.clean(fmt.Sprintf("it shows what was entered as %q", there)))
	default:
		p.Add(id, label, record.StepSkipped, record.CodeUnverified,
			"the recording does not show the result of its last step, and the pages do not show what was entered: check it yourself")
	}
}

// pays reports whether a look shows the deed that a goal promises, where no step was seen to do one: of what is to be removed nothing is
// left, and anything else has changed in more than its numbers after a step that picked it.
func pays(promised string, s workflow.Step, r *proof.Review) bool {
	if r.Proof() == "" || promised == "delete" {
		return r.Removed
	}
	return r.Removed || r.Altered != "" && r.Firm && picksThing(s)
}

// lookAtThing looks at the object of the last step when its page showed no other change: the object's row may have
// changed. If that shows nothing, it is not reported a second time.
func (p *reviewer) lookAtThing(ctx context.Context, s workflow.Step) {
	sc := &check.Scene{Before: p.tab.state, Room: p.room, Counts: map[string]int{}}
	id, label := "effect.end", "what was done can be seen when it is looked up again"
	done := p.deedNow(ctx, workflow.Checkpoint{}, s, sc, label)
	r := p.lookAgain(ctx, workflow.Checkpoint{}, s, sc)
	if err := p.tab.browser.Return(ctx); err != nil {
		p.tab.failed(ctx, id, workflow.Step{Title: label}, err)
		return
	}
	if r.Against != "" || r.Proof() != "" && !r.Slightly() {
		if p.secondLook(ctx, id, label, r) {
			p.latest = done
		}
	}
}

// unwatched reports whether the last step changed something and the demonstration does not show the result. A
// demonstration that ends in the middle of a form, because the submission was not seen or was cut off, shows no result
// either: with a text, or with a choice that the page did not react to.
func (p *job) unwatched(s workflow.Step) bool {
	steps := p.Req.Draft.Graph.Steps
	if s.Surface == policy.OnBrowser && (s.Verb == capture.Type || policy.Fills(s.Verb) && idle(s)) && !page.Searches(s) &&
		s.StepID == steps[len(steps)-1].StepID {
		return true
	}
	untold := s.After == nil || s.StepID == steps[len(steps)-1].StepID && picksThing(s) && idle(s)
	return s.Surface == policy.OnBrowser && untold && (policy.Operates(s.Verb) || policy.Fills(s.Verb)) &&
		!slices.ContainsFunc(p.Req.Draft.Interpretation.Checkpoints, func(c workflow.Checkpoint) bool { return c.StepID == s.StepID })
}

// idle reports whether the page, as far as observed, only showed what was entered.
func idle(s workflow.Step) bool {
	b, a := s.Before, s.After
	return b == nil || a == nil || b.URL == a.URL && slices.Equal(b.Headings, a.Headings) && slices.Equal(b.Dialogs, a.Dialogs) &&
		slices.Equal(b.Alerts, a.Alerts) &&
		slices.EqualFunc(b.Tables, a.Tables, func(x, y capture.Table) bool { return x.Name == y.Name && x.Rows == y.Rows && x.Total == y.Total })
}

// wroteUnseen reports whether a step made the page write to its site, and no checkpoint's effect was looked up since.
// Some pages also query with such requests: a step that only finds, opens or types counts only if the method proves a
// change.
func (p *reviewer) wroteUnseen() bool {
	for _, w := range p.guard.Writes() {
		i := slices.IndexFunc(p.Req.Draft.Graph.Steps, func(s workflow.Step) bool { return s.StepID == w.Step })
		if i < 0 {
			continue
		}
		s := p.Req.Draft.Graph.Steps[i]
		led := s.Before != nil && s.After != nil && page.PathOf(s.Before.URL) != page.PathOf(s.After.URL)
		switch {
		case s.Verb == capture.Navigate || s.Verb == capture.NewTab || !picksThing(s) && (page.Turns(s) || page.Searches(s)):
		case w.Method != "POST", policy.Operates(s.Verb) && roleOf(s) != "link" && (!led || len(p.trail.entered) > 0):
			return true
		}
	}
	return false
}

// picksThing reports whether a step's control belongs to the one object that an input names: it does not search.
func picksThing(s workflow.Step) bool {
	t := s.Target
	return t != nil && policy.Operates(s.Verb) && t.Role != "option" && (supply.HoleForm.MatchString(t.Name) ||
		t.Landmark != nil && (t.Landmark.Role == "row" || t.Landmark.Role == "listitem") && supply.HoleForm.MatchString(t.Landmark.Name))
}

// onDisk reports whether a checkpoint's effect is a file: the check looked at it directly.
func onDisk(cp workflow.Checkpoint) bool {
	return slices.ContainsFunc(cp.Checks(), func(c workflow.Check) bool { return c.Kind == "file" })
}

// lookUntilKept looks again, and waits for pages that save by themselves some time after the entry.
func (p *reviewer) lookUntilKept(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *check.Scene) *proof.Review {
	seen := p.trail.seenSoFar()
	for began := time.Now(); ; {
		r := p.lookAgain(ctx, cp, s, sc)
		late := r.Here || slices.ContainsFunc(p.trail.entered, func(e proof.Entry) bool { return e.InPlace })
		if r.Against == "" && r.Proof() != "" || time.Since(began) > arrivalTime || !late {
			return r
		}
		select {
		case <-time.After(savePoll):
		case <-ctx.Done():
			return r
		}
		p.trail.sights = seen
		seen = p.trail.seenSoFar()
	}
}

// savePoll is the interval between looks at a page that saves by itself: opening it is work for its site.
const savePoll = 300 * time.Millisecond

// lookAgain looks at what a step claims to have changed.
func (p *reviewer) lookAgain(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *check.Scene) *proof.Review {
	seen := p.trail.seenSoFar()
	r := p.lookHere(ctx, cp, s, sc)
	p.lookElsewhere(ctx, cp, s, sc, seen, r)
	return r
}

// lookHere looks again in the run's own browser. What differs from one look to the next with nothing done varies by itself, and a page may
// show by chance at one load what it never kept: a result counts when enough looks have it and nothing varies, or after the last look.
func (p *reviewer) lookHere(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *check.Scene) *proof.Review {
	seen := p.trail.seenSoFar()
	p.trail.loads = nil
	for n, anew := 1, false; ; n++ {
		r := p.lookOnce(ctx, cp, s, sc)
		switch {
		case ctx.Err() != nil, p.enough(r, n, anew):
			return r
		case n == 1 && crowded(r) && !anew:
			select {
			case <-time.After(restTime):
			case <-ctx.Done():
			}
		case n == 2 && p.trail.vary() && !anew: // its site may still have been at work: the looks so far do not count
			p.trail.loads, n, anew = nil, 0, true
		}
		p.trail.sights = seen
		seen = p.trail.seenSoFar()
	}
}

// enough reports whether the n-th look is the last one; anew says that looks before them did not count.
func (p *reviewer) enough(r *proof.Review, n int, anew bool) bool {
	claimed := r.At != p.tab.state.URL || r.ClaimsAll() // the page at hand may be a load of its own, or just not know of it
	switch {
	case n == proof.MaxLoads:
		return true
	case n == 1:
		return !crowded(r) && !r.Settled()
	case p.trail.vary() || !claimed:
		return false
	case anew || r.Proof() != "":
		return n >= proof.MinLoads
	}
	return true
}

// crowded reports whether what a look found may be the work of others on the page, who may have ended a moment later.
func crowded(r *proof.Review) bool { return r.Crowded != "" && (r.Against != "" || r.Proof() == "") }

// restTime is how long to wait before looking whether a page changes by itself.
const restTime = time.Second

// lookOnce opens afresh, until the result is known: the current page, its frames when the work was in one, the page
// where the object was picked, the pages that a row links to, the page at which the work began, the form, and the
// lists on the way.
func (p *reviewer) lookOnce(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *check.Scene) *proof.Review {
	r := p.review(s)
	here, seen := p.tab.state.URL, p.trail.seenSoFar()
	r.Live = p.trail.live
	for _, t := range p.trail.things {
		r.Claimed = append(r.Claimed, proof.Having(r.Live.Rows, t.Value)...)
	}
	opened, ok := p.afresh(ctx, here, r)
	// The answer to a form may be no page of its own: its address lacks what the form sent.
	if ok && opened.Status >= 400 && opened.Status != 401 && opened.Status != 403 && opened.Status != 405 && p.trail.sights[here] != nil {
		r.Contradict("its page cannot be opened again (HTTP %d)", opened.Status)
		return r
	}
	if ok && opened.Status < 400 && page.PathOf(opened.State.URL) == page.PathOf(here) {
		p.reviewChecks(cp, opened, sc, r)
		p.reviewPage(here, opened, r)
	}
	for _, at := range p.trail.frames[:min(len(p.trail.frames), maxFrames)] {
		if !r.Settled() {
			p.reviewAt(ctx, at, r)
		}
	}
	for _, t := range p.trail.things {
		if !r.Settled() && !r.Seen(t.Address) {
			p.reviewAt(ctx, t.Address, r)
		}
	}
	for n := 0; n < maxFollowed && !r.Whole() && len(r.Leads) > 0; n++ {
		next := r.Leads[0]
		r.Leads = r.Leads[1:]
		p.reviewAt(ctx, next, r)
	}
	if !r.Settled() && p.trail.began != "" && proof.SameSite(here, p.trail.began) { // a new object is often listed where the work begins
		p.reviewAt(ctx, p.trail.began, r)
	}
	if !r.Settled() && danger.Control(roleOf(s), wordingOf(s, p.supply.Bindings), "").Has(danger.Destroys) {
		p.reviewGone(ctx, s, sc, r)
	}
	if !r.Settled() {
		p.lookCloser(ctx, cp, here, seen, sc, r)
	}
	if !r.Settled() {
		p.reviewForms(ctx, r)
	}
	if !r.Settled() {
		p.reviewLists(ctx, r)
	}
	return r
}

// maxFrames bounds how many frames of a page are opened separately.
const maxFrames = 3

// maxFollowed bounds how many links of rows are followed to find the rest of what was entered.
const maxFollowed = 2

// reviewAt opens another page that may show the effect.
func (p *reviewer) reviewAt(ctx context.Context, address string, r *proof.Review) {
	if r.Seen(address) {
		return
	}
	opened, ok := p.afresh(ctx, address, r)
	if !ok || opened.Status >= 400 || page.PathOf(opened.State.URL) != page.PathOf(address) {
		r.Visited = append(r.Visited, address)
		return
	}
	p.reviewPage(address, opened, r)
}

func roleOf(s workflow.Step) string {
	if s.Target == nil {
		return ""
	}
	return s.Target.Role
}

// afresh returns a page as one review sees it, opened once.
func (p *reviewer) afresh(ctx context.Context, address string, r *proof.Review) (port.Page, bool) {
	if page, ok := r.Pages[address]; ok {
		return page, true
	}
	page, ok := p.peek(ctx, address)
	if ok {
		page = p.trail.loaded(address, page)
		r.Pages[address] = page
	}
	return page, ok
}

// peek opens an address afresh, in a separate tab that the caller closes; ok is false when it allows no conclusion.
func (p *reviewer) peek(ctx context.Context, address string) (port.Page, bool) {
	if !strings.HasPrefix(address, "http") {
		return port.Page{}, false
	}
	p.guard.UseControl()
	p.guard.BeginStep("", false)
	page, err := p.tab.browser.Peek(ctx, address)
	page, err = p.tab.filled(ctx, page, err, func(page port.Page) bool { return p.stillEmpty(address, page) || p.unfilled(address, page) })
	if err == nil && page.Status < 400 {
		page = p.asBrought(ctx, address, page)
	}
	return page, err == nil
}

// unfilled reports whether a page shows neither a thing of the work, which stood in a list there from the beginning, nor what stood beside
// it: the list has not got its rows yet, whatever else is shown already.
func (p *reviewer) unfilled(address string, page port.Page) bool {
	s := p.trail.sights[address]
	if s == nil || page.Status >= 400 {
		return false
	}
	c := p.trail.since(address, page.Rows, nil)
	return slices.ContainsFunc(p.trail.things, func(t proof.Thing) bool {
		return !t.Popup && len(proof.Having(s.Came, t.Value)) > 0 && vanished(c, t, p.trail.things)
	})
}

// stillEmpty reports whether a page shows none of the lists that had rows at its address.
func (p *reviewer) stillEmpty(address string, page port.Page) bool {
	s := p.trail.sights[address]
	if s == nil || page.Status >= 400 {
		return false
	}
	had := false
	for _, r := range s.Rows {
		had = had || r.List != proof.Labelled
		if r.List != proof.Labelled && slices.ContainsFunc(page.Rows, func(n port.Row) bool { return n.List == r.List }) {
			return false
		}
	}
	return had
}
