package browserdom

import (
	"context"
	"slices"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/capture/scope"
)

// part is a kind that takes part in a recorder.
type part struct {
	kind   capture.Kind
	sink   adapters.Sink
	scope  capture.Scope
	salt   capture.Salt
	paused bool
	at     time.Time // of its last change
	late   time.Duration
}

// open says whether something that occurred then may still be told to the part.
func (p *part) open(occurred, now time.Time) bool {
	return p != nil && (!p.paused || !occurred.After(p.at) && now.Sub(p.at) <= p.late)
}

// control is what the parts of a recorder want, and the way of what it saw to them.
type control struct {
	mu    sync.Mutex
	dom   *part // browser_dom, nil when it takes no part
	snap  *part // browser_snapshot, likewise
	epoch int
	r     *recorder
}

func (c *control) set(r *recorder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.r = r
}

func (c *control) recorder() *recorder {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.r
}

func (c *control) slot(k capture.Kind) **part {
	if k == capture.BrowserSnapshot {
		return &c.snap
	}
	return &c.dom
}

// add takes a part in, unless one of its kind is there.
func (c *control) add(p *part) (ok bool) {
	c.change(func() {
		if slot := c.slot(p.kind); *slot == nil {
			*slot, ok = p, true
		}
	})
	return ok
}

func (c *control) remove(p *part) { c.change(func() { *c.slot(p.kind) = nil }) }

// change changes what the parts want and tells the pages.
func (c *control) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	c.epoch++
	if r := c.r; r != nil {
		r.client.Do(r.reconfigure)
	}
}

// settle waits until the pages know what is wanted, so that nothing after it is missed.
func (c *control) settle(ctx context.Context) {
	if r := c.recorder(); r != nil {
		_ = r.settleIn(ctx) // a browser that has gone meanwhile is the hub's business
	}
}

// gate is what the recorder judges by: browser_dom's wishes, or browser_snapshot's when it takes part alone.
type gate struct {
	scope  capture.Scope
	salt   capture.Salt
	paused bool
	epoch  int
	at     time.Time
	acts   bool // acts are wanted
	states bool // states of pages are wanted now
	flush  bool // something is paused: what is half known is told first
}

func (c *control) gate() gate {
	c.mu.Lock()
	defer c.mu.Unlock()
	lead := c.dom
	if lead == nil {
		lead = c.snap
	}
	if lead == nil {
		return gate{paused: true, epoch: c.epoch}
	}
	return gate{scope: lead.scope, salt: lead.salt, paused: lead.paused, epoch: c.epoch, at: lead.at, acts: c.dom != nil,
		states: c.snap != nil && !c.snap.paused, flush: lead.paused || c.snap != nil && c.snap.paused}
}

func (c *control) parts() (dom, snap *part) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dom != nil {
		dom = new(*c.dom)
	}
	if c.snap != nil {
		snap = new(*c.snap)
	}
	return dom, snap
}

// Emit implements adapters.Sink: an act goes to browser_dom, with what the page looked like if browser_snapshot may see that;
// a change of a page, and where browser_snapshot is alone every change that an act made, goes to that.
func (c *control) Emit(o capture.Observation) {
	dom, snap := c.parts()
	if snap != nil {
		ok, _ := scope.Allows(snap.scope, o.Origin)
		if !ok || !snap.open(o.OccurredAt, time.Now()) {
			snap = nil
		}
	}
	switch {
	case o.Kind == capture.BrowserSnapshot || dom == nil:
		if snap != nil && o.Changed && o.After != nil {
			snap.sink.Emit(pageChange(o))
		}
	case snap == nil:
		o.Before, o.After = bare(o.Before), bare(o.After)
		fallthrough
	default:
		dom.sink.Emit(o)
	}
}

// pageChange is what browser_snapshot tells of an observation: what the page looked like, not what was done.
func pageChange(o capture.Observation) capture.Observation {
	return capture.Observation{Key: o.Key, CauseKey: o.CauseKey, Kind: capture.BrowserSnapshot, Origin: o.Origin, OccurredAt: o.OccurredAt,
		Verb: capture.PageChange, Surface: o.Surface, Window: o.Window, Page: o.Page, Before: o.Before, After: o.After, Changed: true}
}

// bare is what browser_dom alone tells of a page's state.
func bare(s *capture.State) *capture.State {
	if s == nil {
		return nil
	}
	return &capture.State{URL: s.URL, Title: s.Title, Files: s.Files}
}

// Withhold implements adapters.Sink. What is dropped is counted once.
func (c *control) Withhold(_ capture.Kind, why capture.WithheldReason, n int64) {
	if dom, snap := c.parts(); dom != nil {
		dom.sink.Withhold(capture.BrowserDOM, why, n)
	} else if snap != nil {
		snap.sink.Withhold(capture.BrowserSnapshot, why, n)
	}
}

// Blot implements adapters.Blotter.
func (c *control) Blot(known []capture.Blot) {
	dom, snap := c.parts()
	for _, p := range []*part{dom, snap} {
		if p == nil {
			continue
		}
		if b, ok := p.sink.(adapters.Blotter); ok {
			b.Blot(known)
		}
	}
}

// Indicate implements adapters.Sink.
func (c *control) Indicate(indicator string) {
	dom, snap := c.parts()
	for _, p := range []*part{dom, snap} {
		if p != nil && !p.paused {
			p.sink.Indicate(indicator)
			return
		}
	}
}

// Health implements adapters.Sink.
func (c *control) Health(h adapters.Health) {
	dom, snap := c.parts()
	for _, p := range slices.DeleteFunc([]*part{dom, snap}, func(p *part) bool { return p == nil }) {
		p.sink.Health(h)
	}
}

// partControl implements adapters.Control for one part.
type partControl struct {
	c *control
	p *part
}

func (x partControl) change(f func()) {
	x.c.change(func() {
		f()
		x.p.at = time.Now()
	})
}

// Pause implements adapters.Control.
func (x partControl) Pause() { x.change(func() { x.p.paused = true }) }

// Resume implements adapters.Control.
func (x partControl) Resume() { x.change(func() { x.p.paused = false }) }

// Rescope implements adapters.Control.
func (x partControl) Rescope(s capture.Scope) {
	n := normal(s)
	x.change(func() { x.p.scope = n })
}

// normal is the scope in the form that capture compares; one that is not valid admits nothing.
func normal(s capture.Scope) capture.Scope {
	n, err := scope.Normalise(s)
	if err != nil {
		return capture.Scope{}
	}
	return n
}
