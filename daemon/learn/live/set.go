package live

import (
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/capture"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
)

// Set holds the sessions whose adapters run in this process, with the counts from before.
type Set struct {
	mu       sync.Mutex
	captures map[string]*Capture
}

// Capture is the state of a running capture.
type Capture struct {
	kept     int64 // before this run
	withheld []capture.Withheld
	armed    []string
	Since    time.Time         // capture began or resumed
	Off      state.PauseReason // nothing is kept any more, for this reason, and the store has not recorded it yet
	Owed     bool              // the store refused to record it; the tick tries again
}

// Add records that a session's capture begins.
func (l *Set) Add(sess state.Session, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.captures == nil {
		l.captures = map[string]*Capture{}
	}
	l.captures[sess.LearnSessionID] = &Capture{kept: sess.EventsKept, withheld: slices.Clone(sess.Withheld), Since: now}
}

// Arm records which adapters observe.
func (l *Set) Arm(id string, armed []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.captures[id]; c != nil {
		c.armed = slices.Clone(armed)
	}
}

// Resumed records when a capture resumed; idle time counts from there.
func (l *Set) Resumed(id string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.captures[id]; c != nil {
		c.Since, c.Off, c.Owed = now, "", false
	}
}

// MarkOff records that capture is off and why, before the store does; "" records that the store has done so.
func (l *Set) MarkOff(id string, why state.PauseReason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.captures[id]; c != nil {
		c.Off = why
		c.Owed = c.Owed && why != ""
	}
}

// MarkUnrecorded records that the pause still has to be stored.
func (l *Set) MarkUnrecorded(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.captures[id]; c != nil {
		c.Owed = c.Off != ""
	}
}

// Remove forgets a capture that has ended.
func (l *Set) Remove(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.captures, id)
}

// Get returns the capture of a session; false if none runs.
func (l *Set) Get(id string) (Capture, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.captures[id]; c != nil {
		return *c, true
	}
	return Capture{}, false
}

// Any reports whether anything captures.
func (l *Set) Any() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.captures) > 0
}

// IDs lists the capturing sessions, sorted.
func (l *Set) IDs() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []string{}
	for id := range l.captures {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// overlay replaces a session's counts with those of the running capture.
func (l *Set) overlay(sess *state.Session, c port.Capturer) {
	run, ok := l.Get(sess.LearnSessionID)
	if !ok {
		sess.AdaptersArmed = nil
		return
	}
	counts := c.Counts(sess.LearnSessionID)
	sess.EventsKept = run.kept + counts.Kept
	sess.Withheld = mergeWithheld(run.withheld, counts.Withheld)
	if sess.AdaptersArmed = run.armed; counts.Observing != nil {
		sess.AdaptersArmed = counts.Observing
	}
}

// mergeWithheld adds counters of the same adapter and reason, sorted.
func mergeWithheld(a, b []capture.Withheld) []capture.Withheld {
	out := slices.Clone(a)
	for _, w := range b {
		i := slices.IndexFunc(out, func(o capture.Withheld) bool { return o.Adapter == w.Adapter && o.Reason == w.Reason })
		if i < 0 {
			out = append(out, w)
		} else {
			out[i].Count += w.Count
		}
	}
	slices.SortFunc(out, func(x, y capture.Withheld) int {
		if c := strings.Compare(string(x.Adapter), string(y.Adapter)); c != 0 {
			return c
		}
		return strings.Compare(string(x.Reason), string(y.Reason))
	})
	return out
}
