package capturing

import (
	"sync"
	"sync/atomic"
	"time"

	"showhow/adapters"
)

// Seen is what this daemon remembers of an adapter after a session. It lives in memory only.
type Seen struct {
	At        time.Time // when the adapter last began to observe, delivered something or reported its health; zero for never
	ErrorCode string    // adapters.Health.Code of the last time that it was not ready; empty: it always was
}

// record collects one adapter's Seen. at is written for every observation, so it takes no lock.
type record struct {
	at   atomic.Int64 // Unix milliseconds, 0: never
	code atomic.Pointer[string]
}

func (r *record) alive(now time.Time) { r.at.Store(now.UnixMilli()) }

func (r *record) unready(h adapters.Health) {
	if h.State != adapters.Ready && h.Code != "" {
		r.code.Store(&h.Code)
	}
}

// records are those of all adapters, by adapter id.
type records struct {
	mu   sync.Mutex
	byID map[string]*record
}

func (r *records) of(id string) *record {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID = map[string]*record{}
	}
	if r.byID[id] == nil {
		r.byID[id] = &record{}
	}
	return r.byID[id]
}

// Seen returns what is remembered of the adapter with this id.
func (c *Capturer) Seen(id string) (out Seen) {
	r := c.seen.of(id)
	if ms := r.at.Load(); ms != 0 {
		out.At = time.UnixMilli(ms)
	}
	if code := r.code.Load(); code != nil {
		out.ErrorCode = *code
	}
	return out
}
