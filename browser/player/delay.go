package player

import (
	"context"
	"sync"
	"time"
)

// delay holds back the requests of an act until the page, which has no answer yet, has been read:
// whatever it shows then did not come from the site. Navigations are not held back: while one is
// pending, Chromium answers no questions about the page, and what the page shows goes away with it.
// Its fields are guarded by Player.mu.
type delay struct {
	wants   func(Request) bool
	read    func(context.Context)
	waiting []func() // what lets the requests go on
	over    bool     // nothing is kept back any more
	timer   *time.Timer
}

// holdTime is the longest that a request is held back, whatever the page does: a page that waits
// for its answer may be frozen.
const holdTime = time.Second

// letGo sends the requests held back. None is held back for that act again.
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
