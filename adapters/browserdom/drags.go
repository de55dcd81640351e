package browserdom

import (
	"time"

	"showhow/adapters/browserdom/script"
	"showhow/capture"
)

// maxDrag bounds how long a drag may take; what follows it waits, so that the order is kept.
const maxDrag = time.Minute

// drop is where something dragged from another frame of the tab was dropped.
type drop struct {
	place *capture.Target
	at    time.Time
}

// hold notes that the pointer moves with its button down: perhaps a drag, which takes as long as the person wants.
func (l *line) hold(key string) {
	if w := l.find(key); w != nil {
		w.o.Verb, w.o.Keys = capture.Drag, ""
		w.deadline = later(w.deadline, time.Now().Add(maxDrag))
		l.pump()
	}
}

// dropped takes the half of a drag that another document has seen. The halves come in any order.
func (r *recorder) dropped(d *doc, m *script.Message) {
	if now := time.Now(); r.refuse(d, now, now) != "" {
		return
	}
	t := d.tab
	t.drop = drop{place: t.target(m.Target), at: time.Now()}
	for _, w := range r.line.items {
		if w.tab == t && w.doc != d && w.o.Verb == capture.Drag && w.o.Drop == nil {
			t.joinDrop(w)
		}
	}
}

// joinDrop completes a drag that ended outside its own document.
func (t *tab) joinDrop(w *waiting) {
	if w.o.Drop == nil && time.Since(t.drop.at) < soon {
		w.o.Drop, t.drop = t.drop.place, drop{}
	}
}
