package player

import (
	"context"
	"sync"
	"time"
)

// delay keeps back what an act asks its site to do until the page, which has no answer yet, has been read: whatever it shows then did not
// come from the site. A navigation is not kept back: Chromium answers nothing about a page that is on its way to another one, and what it
// shows goes with it. Its fields belong to Player.mu.
type delay struct {
	wants   func(Request) bool
	read    func(context.Context)
	waiting []func() // what lets the requests go on
	over    bool     // nothing is kept back any more
	timer   *time.Timer
}

// holdTime is how long a request is kept back at most, whatever the page does: one that waits for its answer may stand still.
const holdTime = time.Second

// holds keeps a request back where the act at hand wants that; letGo sends it on.
func (p *tracker) holds(r Request, send func()) (held bool) {
	p.locked(func() {
		h := p.act.delay
		if h == nil || h.over || r.Aside || r.Navigation || !h.wants(r) {
			return
		}
		held = true
		h.waiting = append(h.waiting, send)
		if h.timer == nil {
			h.timer = time.AfterFunc(holdTime, func() { h.letGo(&p.mu) })
		}
		p.changed()
	})
	return held
}

// letGo sends on what was kept back. Nothing is kept back for that act again.
func (h *delay) letGo(mu *sync.Mutex) {
	if h == nil {
		return
	}
	mu.Lock()
	waiting := h.waiting
	h.waiting, h.over = nil, true
	if h.timer != nil {
		h.timer.Stop()
	}
	mu.Unlock()
	for _, send := range waiting {
		send()
	}
}

// holding is what keeps a request back now, nil where nothing is. The caller holds mu.
func (d *doing) holding() *delay {
	if h := d.delay; h != nil && len(h.waiting) > 0 {
		return h
	}
	return nil
}

// readHeld reads the page while a request of it waits, and lets the request go; false where none waits.
func (p *reader) readHeld(ctx context.Context, t *tab) bool {
	var h *delay
	p.locked(func() { h = p.act.holding() })
	if h == nil || t == nil {
		return false
	}
	defer h.letGo(&p.mu)
	bound, cancel := context.WithTimeout(ctx, holdTime)
	defer cancel()
	p.watch(bound, t, quiet)
	h.read(bound)
	return true
}
