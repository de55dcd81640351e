package browserdom

import (
	"reflect"
	"slices"
	"time"

	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/capture"
)

// How long an observation may wait for its outcome, how much longer if its page is being replaced by a new one, and how long
// if its page says nothing because it is at work: it answers when it has done what it was asked for.
const (
	maxHold = 2200 * time.Millisecond
	maxLoad = 4 * time.Second
	maxWork = 10 * time.Second
)

// line is the queue of observations that wait for their outcome. They leave in order of arrival, so that an effect
// follows its cause.
type line struct {
	guard *guard
	items []*waiting
	timer *time.Timer
	armed time.Time
}

// waiting is an observation whose outcome is not known yet.
type waiting struct {
	o        capture.Observation
	doc      *doc // nil if no document reported it
	tab      *tab
	from     *tab      // of a switch: the tab that was in front
	asked    string    // the address that its tab was led to
	certain  bool      // what it was is known
	done     bool      // its outcome is known
	reload   bool      // its page is gone: the next page of the tab is the outcome
	page     *doc      // ... this one, which has not settled yet
	counting bool      // its page is still counting what its locators find
	looking  bool      // the accessibility tree is still asked what its target is
	dropped  bool      // it was nothing after all
	heard    time.Time // when the page reported it, or what counts as that
	deadline time.Time
}

func (l *line) init(g *guard, client *browser.Client) {
	l.guard = g
	l.timer = time.AfterFunc(time.Hour, func() { client.Do(l.pump) })
	l.timer.Stop()
}

func (l *line) stop() { l.timer.Stop() }

func (l *line) add(w *waiting) {
	if w.heard.IsZero() {
		w.heard = time.Now()
	}
	if w.deadline.IsZero() {
		w.deadline = time.Now().Add(maxHold)
	}
	l.items = append(l.items, w)
	l.pump()
}

func (l *line) find(key string) *waiting {
	for _, w := range l.items {
		if w.o.Key == key {
			return w
		}
	}
	return nil
}

// verdict records what an act turned out to be.
func (l *line) verdict(d *doc, m *script.Message) {
	w := l.find(m.ID)
	if w == nil {
		return
	}
	w.certain = true
	if m.Kind == "not" {
		w.dropped = true
	} else {
		w.o.Verb = m.Verb
		if m.Keys != "" {
			w.o.Keys = m.Keys
		}
		if value := m.Value.Raw(); value != nil {
			w.o.Value = value
		}
		if m.Target != nil {
			w.o.Target = d.tab.target(m.Target)
		}
		if m.Verb == capture.Drag {
			if m.Drop != nil {
				w.o.Drop = d.tab.target(m.Drop)
			}
			d.tab.joinDrop(w)
			w.deadline = later(w.deadline, time.Now().Add(maxHold))
		}
	}
	l.pump()
}

// after sets the state that some acts led to. While their tab is navigating, the next page is the outcome.
func (l *line) after(ids []string, s *capture.State) {
	for _, w := range l.items {
		if slices.Contains(ids, w.o.Key) && !w.reload {
			w.o.After = s
			w.done = true
		}
	}
	l.pump()
}

// ended: acts after which the field that they were done in was gone. That is a change, also where no state tells of the field.
func (l *line) ended(ids []string) {
	for _, w := range l.items {
		w.o.Changed = w.o.Changed || slices.Contains(ids, w.o.Key)
	}
}

// marked: acts that marked the entry of a list that they were done to.
func (l *line) marked(ids []string) {
	for _, w := range l.items {
		if w.o.Target != nil && slices.Contains(ids, w.o.Key) {
			w.o.Target.Marks = true
		}
	}
}

// gone: a document was replaced. The acts in it led to the tab's next page, or to its end.
func (l *line) gone(d *doc, closed bool) {
	for _, w := range l.items {
		if w.doc == d {
			w.counting, w.looking = false, false
		}
		if w.doc != d || w.done && !w.tab.leaving {
			continue
		}
		w.certain = true
		w.o.Changed = true
		if closed {
			w.done, w.reload = true, false
		} else if !w.reload {
			w.done, w.reload = false, true
			w.deadline = later(w.deadline, time.Now().Add(maxLoad))
		}
	}
	l.pump()
}

// arrived: the tab's next page has settled.
func (l *line) arrived(t *tab, s *capture.State) bool {
	any := false
	for _, w := range l.items {
		if w.tab == t && w.reload {
			w.o.After, w.done, w.reload = s, true, false
			any = true
		}
	}
	l.pump()
	return any
}

// pump emits what is ready at the front of the queue.
func (l *line) pump() {
	now := time.Now()
	for len(l.items) > 0 {
		w := l.items[0]
		open := !w.certain || !w.done || w.counting || w.looking || w.held(now)
		if !w.dropped && (now.Before(w.deadline) && open || now.Before(w.workUntil())) {
			l.rearm(w.wake(now))
			return
		}
		l.items = l.items[1:]
		l.emit(w)
	}
}

// held: the tab is navigating to another page, which may be the act's real outcome.
func (w *waiting) held(now time.Time) bool { return now.Before(w.heldUntil()) }

func (w *waiting) wake(now time.Time) time.Time {
	if until := w.heldUntil(); w.certain && w.done && now.Before(until) && until.Before(w.deadline) {
		return until
	}
	return later(w.deadline, w.workUntil())
}

// workUntil is how long an act waits at most for a page that is there and has yet to say what became of it.
func (w *waiting) workUntil() time.Time {
	if w.doc == nil || w.done || w.reload || w.doc.gone || w.doc.off {
		return time.Time{}
	}
	return w.heard.Add(maxWork)
}

func (l *line) rearm(at time.Time) {
	if !l.armed.Equal(at) {
		l.armed = at
		l.timer.Reset(max(time.Until(at), time.Millisecond))
	}
}

// flush emits everything as far as it is known.
func (l *line) flush() {
	items := l.items
	l.items = nil
	for _, w := range items {
		l.emit(w)
	}
}

func (l *line) emit(w *waiting) {
	if w.dropped {
		return
	}
	l.guard.emit(w.o, w.heard)
}

// changed compares what a person could see; a change of focus alone does not count.
func changed(a, b *capture.State) bool {
	if a == nil || b == nil || a == b {
		return false
	}
	x, y := *a, *b
	x.Focus, y.Focus = "", ""
	return !reflect.DeepEqual(x, y)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
