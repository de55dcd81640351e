// Package control holds what the kinds that take part in one recorder want (browser_dom, browser_snapshot or both), and hands
// each its share of what the recorder saw.
//
// Guarantees: a pause or a narrower scope holds from the moment it was set, whatever the pages still tell. Safe for concurrent
// use. It knows the recorder as Pages alone; only package browserdom imports it.
package control

import (
	"context"
	"slices"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/capture/scope"
)

// Part is a kind that takes part in a recorder.
type Part struct {
	Kind   capture.Kind
	Sink   adapters.Sink
	Scope  capture.Scope
	Salt   capture.Salt
	paused bool
	at     time.Time // of its last change
	Late   time.Duration
}

// open says whether something that occurred then may still be told to the part.
func (p *Part) open(occurred, now time.Time) bool {
	return p != nil && (!p.paused || !occurred.After(p.at) && now.Sub(p.at) <= p.Late)
}

// Control is what the parts of a recorder want, and the way of what it saw to them.
type Control struct {
	mu    sync.Mutex
	dom   *Part // browser_dom, nil when it takes no part
	snap  *Part // browser_snapshot, likewise
	epoch int
	r     Pages
}

// Pages is the recorder, as far as a control knows it.
type Pages interface {
	// Reconfigure tells the pages what is wanted now. It does not wait.
	Reconfigure()
	// SettleIn waits until they know.
	SettleIn(ctx context.Context) error
}

// Set sets the recorder that is controlled; nil detaches it.
func (c *Control) Set(r Pages) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.r = r
}

func (c *Control) slot(k capture.Kind) **Part {
	if k == capture.BrowserSnapshot {
		return &c.snap
	}
	return &c.dom
}

// Add takes a part in, unless one of its kind is there.
func (c *Control) Add(p *Part) (ok bool) {
	c.change(func() {
		if slot := c.slot(p.Kind); *slot == nil {
			*slot, ok = p, true
		}
	})
	return ok
}

func (c *Control) Remove(p *Part) { c.change(func() { *c.slot(p.Kind) = nil }) }

// change changes what the parts want and tells the pages.
func (c *Control) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	c.epoch++
	if r := c.r; r != nil {
		r.Reconfigure()
	}
}

// Settle waits until the pages know what is wanted, so that nothing after it is missed.
func (c *Control) Settle(ctx context.Context) {
	c.mu.Lock()
	r := c.r
	c.mu.Unlock()
	if r != nil {
		_ = r.SettleIn(ctx) // a browser that has gone meanwhile is the hub's business
	}
}

// Gate is what the recorder judges by: browser_dom's wishes, or browser_snapshot's when it takes part alone.
type Gate struct {
	Scope  capture.Scope
	Salt   capture.Salt
	Paused bool
	Epoch  int
	At     time.Time
	Acts   bool // acts are wanted
	States bool // states of pages are wanted now
	Flush  bool // something is paused: what is half known is told first
}

func (c *Control) Gate() Gate {
	c.mu.Lock()
	defer c.mu.Unlock()
	lead := c.dom
	if lead == nil {
		lead = c.snap
	}
	if lead == nil {
		return Gate{Paused: true, Epoch: c.epoch}
	}
	return Gate{Scope: lead.Scope, Salt: lead.Salt, Paused: lead.paused, Epoch: c.epoch, At: lead.at, Acts: c.dom != nil,
		States: c.snap != nil && !c.snap.paused, Flush: lead.paused || c.snap != nil && c.snap.paused}
}

func (c *Control) parts() (dom, snap *Part) {
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
func (c *Control) Emit(o capture.Observation) {
	dom, snap := c.parts()
	if snap != nil {
		ok, _ := scope.Allows(snap.Scope, o.Origin)
		if !ok || !snap.open(o.OccurredAt, time.Now()) {
			snap = nil
		}
	}
	switch {
	case o.Kind == capture.BrowserSnapshot || dom == nil:
		if snap != nil && o.Changed && o.After != nil {
			snap.Sink.Emit(pageChange(o))
		}
	case snap == nil:
		o.Before, o.After = Bare(o.Before), Bare(o.After)
		fallthrough
	default:
		dom.Sink.Emit(o)
	}
}

// pageChange is what browser_snapshot tells of an observation: what the page looked like, not what was done.
func pageChange(o capture.Observation) capture.Observation {
	return capture.Observation{Key: o.Key, CauseKey: o.CauseKey, Kind: capture.BrowserSnapshot, Origin: o.Origin, OccurredAt: o.OccurredAt,
		Verb: capture.PageChange, Surface: o.Surface, Window: o.Window, Page: o.Page, Before: o.Before, After: o.After, Changed: true}
}

// Bare is what browser_dom alone tells of a page's state.
func Bare(s *capture.State) *capture.State {
	if s == nil {
		return nil
	}
	return &capture.State{URL: s.URL, Title: s.Title, Files: s.Files}
}

// Withhold implements adapters.Sink. What is dropped is counted once.
func (c *Control) Withhold(_ capture.Kind, why capture.WithheldReason, n int64) {
	if dom, snap := c.parts(); dom != nil {
		dom.Sink.Withhold(capture.BrowserDOM, why, n)
	} else if snap != nil {
		snap.Sink.Withhold(capture.BrowserSnapshot, why, n)
	}
}

// Blot implements adapters.Blotter.
func (c *Control) Blot(known []capture.Blot) {
	dom, snap := c.parts()
	for _, p := range []*Part{dom, snap} {
		if p == nil {
			continue
		}
		if b, ok := p.Sink.(adapters.Blotter); ok {
			b.Blot(known)
		}
	}
}

// Indicate implements adapters.Sink.
func (c *Control) Indicate(indicator string) {
	dom, snap := c.parts()
	for _, p := range []*Part{dom, snap} {
		if p != nil && !p.paused {
			p.Sink.Indicate(indicator)
			return
		}
	}
}

// CouldIndicate implements adapters.Standby.
func (c *Control) CouldIndicate(indicator string) {
	dom, snap := c.parts()
	for _, p := range []*Part{dom, snap} {
		if p == nil {
			continue
		}
		if s, ok := p.Sink.(adapters.Standby); ok {
			s.CouldIndicate(indicator)
			return
		}
	}
}

// Health implements adapters.Sink.
func (c *Control) Health(h adapters.Health) {
	dom, snap := c.parts()
	for _, p := range slices.DeleteFunc([]*Part{dom, snap}, func(p *Part) bool { return p == nil }) {
		p.Sink.Health(h)
	}
}

// Of returns the handle by which a session steers one part.
func (c *Control) Of(p *Part) Handle { return Handle{c, p} }

// Handle implements adapters.Control for one part.
type Handle struct {
	c *Control
	p *Part
}

func (x Handle) change(f func()) {
	x.c.change(func() {
		f()
		x.p.at = time.Now()
	})
}

// Pause implements adapters.Control.
func (x Handle) Pause() { x.change(func() { x.p.paused = true }) }

// Resume implements adapters.Control.
func (x Handle) Resume() { x.change(func() { x.p.paused = false }) }

// Rescope implements adapters.Control.
func (x Handle) Rescope(s capture.Scope) {
	n := Normal(s)
	x.change(func() { x.p.Scope = n })
}

// Normal is the scope in the form that capture compares; one that is not valid admits nothing.
func Normal(s capture.Scope) capture.Scope {
	n, err := scope.Normalise(s)
	if err != nil {
		return capture.Scope{}
	}
	return n
}

// Settle waits until the pages know of the last change.
func (x Handle) Settle(ctx context.Context) { x.c.Settle(ctx) }
