package browserdom

import (
	"time"

	"showhow/adapters/browserdom/script"
	"showhow/capture"
)

// looker is the document that a digest describes: the outermost one of an origin includes its frames.
func (d *doc) looker(ref *script.StateRef) *doc {
	if ref == nil {
		return nil
	}
	if ref.Doc != "" {
		return d.tab.r.docs[ref.Doc]
	}
	return d
}

// digest returns a known digest, or stores a new one.
func (d *doc) digest(ref *script.StateRef) *capture.State {
	from := d.looker(ref)
	if from == nil {
		return nil
	}
	if ref.State != nil {
		if len(from.states) > 200 {
			clear(from.states)
		}
		from.states[ref.N] = from.tab.state(ref.State)
	}
	s := from.states[ref.N]
	if s != nil {
		from.last = s
	}
	return s
}

// state is the tab's state with a digest that a document sent.
func (d *doc) state(ref *script.StateRef) *capture.State {
	s := d.digest(ref)
	if s == nil {
		return nil
	}
	d.tab.last = d.tab.whole(d.looker(ref), s)
	return d.tab.last
}

// outcome sets the state that some acts led to. Documents that look for themselves are asked for their current state
// first.
func (r *recorder) outcome(d *doc, m *script.Message) {
	r.line.ended(m.Ended)
	r.line.marked(m.Marks)
	s, from := d.digest(m.After), d.looker(m.After)
	if s == nil {
		r.line.after(m.IDs, nil)
		return
	}
	r.glance(from, func() {
		d.tab.last = d.tab.whole(from, s)
		r.line.after(m.IDs, d.tab.last)
	})
}

// changed handles what a page shows by itself: caused by the last act in its tab, however long ago.
func (r *recorder) changed(d *doc, m *script.Message) {
	t := d.tab
	before := t.last
	after := d.state(m.After)
	occurred, now := script.Moment(m.T), time.Now()
	if after == nil || before == nil || m.Page == nil || r.refuse(d, occurred, now) != "" {
		return
	}
	if d.top {
		t.url, t.title = t.cleanURL(m.Page.URL), m.Page.Title
	}
	r.line.add(&waiting{certain: true, done: true, tab: t, o: capture.Observation{Key: r.key(t, "change"), CauseKey: t.lastKey,
		Kind: capture.BrowserSnapshot, Surface: capture.SurfacePage, OccurredAt: occurred, Verb: capture.PageChange, Origin: r.origin(d.site),
		Window: t.title, Page: r.pageOf(d, m.Page), Before: before, After: after, Changed: true}})
}
