// Package control holds what each kind that shares one recorder wants (browser_dom, browser_snapshot or both), and
// hands each its share of what the recorder saw.
//
// Guarantees: a pause or a narrower scope holds from the moment it was set, whatever the pages still report. Safe for
// concurrent use. It knows the recorder only as Pages; only package browserdom imports it.
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

// Part is a kind that uses a recorder.
type Part struct {
	Kind   capture.Kind
	Sink   adapters.Sink
	Scope  capture.Scope
	Salt   capture.Salt
	paused bool
	at     time.Time // since when it is paused
	pauses []span    // that are over; only ever replaced
	Late   time.Duration
}

// span is a pause that is over.
type span struct{ from, to time.Time }

// during reports whether something occurred in a pause that is over. A page that was busy all the while tells of it later.
func during(pauses []span, occurred time.Time) bool {
	return slices.ContainsFunc(pauses, func(s span) bool { return occurred.After(s.from) && occurred.Before(s.to) })
}

// open reports whether something that occurred at that time may still be reported to the part.
func (p *Part) open(occurred, now time.Time) bool {
	return p != nil && !during(p.pauses, occurred) && (!p.paused || !occurred.After(p.at) && now.Sub(p.at) <= p.Late)
}

// Control combines what the parts of a recorder want, and routes what it saw to them.
type Control struct {
	mu    sync.Mutex
	dom   *Part // browser_dom, nil when it takes no part
	snap  *Part // browser_snapshot, likewise
	epoch int
	r     Pages
}

// Pages is the recorder as a Control sees it.
type Pages interface {
	// Reconfigure sends the pages the current wishes. It does not wait.
	Reconfigure()
	// SettleIn waits until the pages have them.
	SettleIn(ctx context.Context) error
}

// Set sets the controlled recorder; nil detaches it.
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

// Add adds a part, unless there is one of its kind.
func (c *Control) Add(p *Part) (ok bool) {
	c.change(func() {
		if slot := c.slot(p.Kind); *slot == nil {
			*slot, ok = p, true
		}
	})
	return ok
}

func (c *Control) Remove(p *Part) { c.change(func() { *c.slot(p.Kind) = nil }) }

// change changes what the parts want and reconfigures the pages.
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

// Gate is the recorder's configuration: browser_dom's wishes, or browser_snapshot's if it runs alone.
type Gate struct {
	Scope  capture.Scope
	Salt   capture.Salt
	Paused bool
	Epoch  int
	At     time.Time // since when it is paused
	pauses []span
	Acts   bool // acts are wanted
	States bool // states of pages are wanted now
	Flush  bool // something is paused: unfinished acts are reported first
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
	return Gate{Scope: lead.Scope, Salt: lead.Salt, Paused: lead.paused, Epoch: c.epoch, At: lead.at, pauses: lead.pauses, Acts: c.dom != nil,
		States: c.snap != nil && !c.snap.paused, Flush: lead.paused || c.snap != nil && c.snap.paused}
}

// Missed reports whether something occurred in a pause that is over.
func (g Gate) Missed(occurred time.Time) bool { return during(g.pauses, occurred) }

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

// Emit implements adapters.Sink. An act goes to browser_dom, with the page's states if browser_snapshot may see them.
// A change of a page goes to browser_snapshot; so does every change made by an act if browser_snapshot runs alone.
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

// pageChange is what browser_snapshot reports of an observation: what the page looked like, not what was done.
func pageChange(o capture.Observation) capture.Observation {
	return capture.Observation{Key: o.Key, CauseKey: o.CauseKey, Kind: capture.BrowserSnapshot, Origin: o.Origin, OccurredAt: o.OccurredAt,
		Verb: capture.PageChange, Surface: o.Surface, Window: o.Window, Page: o.Page, Before: o.Before, After: o.After, Changed: true}
}

// Bare is what browser_dom alone reports of a page's state.
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

// Of returns the handle by which a session controls one part.
func (c *Control) Of(p *Part) Handle { return Handle{c, p} }

// Handle implements adapters.Control for one part.
type Handle struct {
	c *Control
	p *Part
}

// Pause implements adapters.Control.
func (x Handle) Pause() {
	x.c.change(func() {
		if !x.p.paused {
			x.p.paused, x.p.at = true, time.Now()
		}
	})
}

// Resume implements adapters.Control.
func (x Handle) Resume() {
	x.c.change(func() {
		if x.p.paused {
			x.p.paused, x.p.pauses = false, append(slices.Clip(x.p.pauses), span{x.p.at, time.Now()})
		}
	})
}

// Rescope implements adapters.Control.
func (x Handle) Rescope(s capture.Scope) {
	n := Normal(s)
	x.c.change(func() { x.p.Scope = n })
}

// Normal returns the scope in the normal form that capture compares; an invalid scope admits nothing.
func Normal(s capture.Scope) capture.Scope {
	n, err := scope.Normalise(s)
	if err != nil {
		return capture.Scope{}
	}
	return n
}

// Settle waits until the pages know of the last change.
func (x Handle) Settle(ctx context.Context) { x.c.Settle(ctx) }
