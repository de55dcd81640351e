package learn

import (
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/capture"
)

// liveSet knows the sessions whose adapters run in this process, and what was counted for them before.
type liveSet struct {
	mu sync.Mutex
	m  map[string]*liveCapture
}

type liveCapture struct {
	kept     int64 // before this run
	withheld []capture.Withheld
	armed    []string
	since    time.Time   // capture began or resumed
	off      PauseReason // nothing is kept any more, for this reason, and the store does not know it yet
	owed     bool        // the store refused to take that; the tick tries again
}

func (l *liveSet) add(sess Session, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m == nil {
		l.m = map[string]*liveCapture{}
	}
	l.m[sess.LearnSessionID] = &liveCapture{kept: sess.EventsKept, withheld: slices.Clone(sess.Withheld), since: now}
}

func (l *liveSet) arm(id string, armed []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.m[id]; c != nil {
		c.armed = slices.Clone(armed)
	}
}

// resumed notes when capture went on; idleness counts from there.
func (l *liveSet) resumed(id string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.m[id]; c != nil {
		c.since, c.off, c.owed = now, "", false
	}
}

// silenced notes that capture is off before that is recorded; "" that it is recorded.
func (l *liveSet) silenced(id string, why PauseReason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.m[id]; c != nil {
		c.off = why
		c.owed = c.owed && why != ""
	}
}

// owe notes that the pause is still to be recorded.
func (l *liveSet) owe(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.m[id]; c != nil {
		c.owed = c.off != ""
	}
}

func (l *liveSet) remove(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.m, id)
}

func (l *liveSet) get(id string) (liveCapture, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.m[id]; c != nil {
		return *c, true
	}
	return liveCapture{}, false
}

func (l *liveSet) any() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.m) > 0
}

func (l *liveSet) ids() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []string{}
	for id := range l.m {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// overlay replaces a session's counts by those of the running capture.
func (l *liveSet) overlay(sess *Session, c Capturer) {
	run, ok := l.get(sess.LearnSessionID)
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
