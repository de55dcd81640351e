package live

import (
	"slices"
	"sync"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// LeaseTime is how long an indicator counts after its last renewal (decisions A8).
const LeaseTime = 5 * time.Second

// Lease tracks which indicators show a person that capture is on.
type Lease struct {
	mu       sync.Mutex
	seen     map[string]time.Time
	starting int       // captures that are being begun: nothing can show them yet
	until    time.Time // grace: a capture has just begun and its indicators are about to appear
	ready    time.Time // when an indicator last announced that it would show a paused capture
}

func (l *Lease) renew(kind string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil {
		l.seen = map[string]time.Time{}
	}
	l.seen[kind] = now
}

// Begin notes that a capture is starting, which takes as long as its adapters do: a browser may have to start first.
func (l *Lease) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.starting++
}

// Begun notes that the capture has started or failed to, and until when it may run without an indicator.
func (l *Lease) Begun(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.starting--
	l.until = until
}

// indicators lists the live indicators.
func (l *Lease) indicators(now time.Time) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []string{}
	for k, t := range l.seen {
		if now.Sub(t) < LeaseTime {
			out = append(out, k)
		} else {
			delete(l.seen, k)
		}
	}
	slices.Sort(out)
	return out
}

// Held reports whether capture may go on.
func (l *Lease) Held(now time.Time) bool {
	l.mu.Lock()
	given := l.starting > 0 || now.Before(l.until)
	l.mu.Unlock()
	return given || len(l.indicators(now)) > 0
}

// CouldBeHeld reports whether an indicator is ready to show a capture that is paused.
func (l *Lease) CouldBeHeld(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.ready.IsZero() && now.Sub(l.ready) < LeaseTime
}

// CouldIndicate notes that an indicator is ready to show the person that capture is on, once it is resumed: the page
// was opened at last.
func (s *Monitor) CouldIndicate() {
	s.lease.mu.Lock()
	defer s.lease.mu.Unlock()
	s.lease.ready = s.d.Now()
}

// RenewIndicator notes that a person can see right now, through this indicator, that capture is on. The adapters'
// Indicate and the heartbeat of window, tray and terminal call it; it touches memory only.
func (s *Monitor) RenewIndicator(kind string) wire.LeaseResponse {
	now := s.d.Now()
	s.lease.renew(kind, now)
	return wire.LeaseResponse{Indicators: s.lease.indicators(now), ExpiresAt: clock.At(now.Add(LeaseTime)).Ptr()}
}
