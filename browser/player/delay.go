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
