package browserdom

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"showhow/adapters/browserdom/script"
	"showhow/capture"
)

// tab is one page target.
type tab struct {
	r      *recorder
	id     target.ID
	name   string // tab1, tab2, ...
	opener *tab
	isNew  bool // opened while observing, and not reported yet
	opened time.Time
	cause  string // key of the act that opened it

	top        *doc // its present document
	url, title string
	site       string
	last       *capture.State
	badge      bool

	lastKey string // the last act in it
	lastAt  time.Time

	nav          nav
	leaving      bool // a navigation away from the present document was asked for
	leavingUntil time.Time
	dialog       *capture.DialogInfo
	dialogSite   string
	openedAt     time.Time            // of window.open and the like
	drop         drop                 // that waits for its drag
	inner        map[string]time.Time // frames on their way to another document, and until when that counts
}

// An effect within this time after an act is attributed to it.
const (
	soon  = 1500 * time.Millisecond // a tab that opens or closes
	while = 10 * time.Second        // a navigation or download that the page itself asked for
)

func (t *tab) did(key string, now time.Time) { t.lastKey, t.lastAt = key, now }

// causeWithin is the key of the last act in the tab if it was recent.
func (t *tab) causeWithin(d time.Duration) string {
	if t != nil && t.lastKey != "" && time.Since(t.lastAt) <= d {
		return t.lastKey
	}
	return ""
}

// opened handles a new page target.
func (r *recorder) opened(i target.Info) *tab {
	r.tabCount++
	now := time.Now()
	t := &tab{r: r, id: i.TargetID, name: fmt.Sprintf("tab%d", r.tabCount), isNew: r.known, opened: now, opener: r.tabs[i.OpenerID]}
	r.tabs[t.id] = t
	if !t.isNew {
		return t
	}
	if t.opener != nil {
		t.cause = t.opener.causeWithin(soon)
		return t
	}
	for _, other := range r.tabs { // rel=noopener: the browser does not say who opened it
		if other != t && now.Sub(other.openedAt) < soon {
			t.opener, t.cause = other, other.causeWithin(soon)
		}
	}
	return t
}

// closed handles the end of a page target.
func (r *recorder) closed(t *tab) {
	delete(r.tabs, t.id)
	cause := t.causeWithin(soon)
	if cause == "" {
		cause = t.opener.causeWithin(soon / 3)
	}
	for id, d := range r.docs {
		if d.tab == t {
			d.gone = true
			delete(r.docs, id)
			r.line.gone(d, true)
		}
	}
	r.line.leftBy(t)
	r.line.tabGone(t)
	if r.active == t {
		r.active = nil
	}
	if t.top == nil || t.top.off || t.site == "" || t.isNew {
		return
	}
	r.line.add(&waiting{certain: true, done: true, tab: t, o: capture.Observation{Key: r.key(t, "close"), CauseKey: cause,
		Kind: capture.BrowserDOM, Surface: capture.SurfacePage, OccurredAt: time.Now(), Verb: capture.CloseTab, Origin: r.origin(t.site),
		Window: t.title, Page: t.page(), Before: t.last, Changed: true}})
}

// tabGone releases what waited for another page of a closed tab.
func (l *line) tabGone(t *tab) {
	for _, w := range l.items {
		if w.tab == t {
			w.certain, w.done, w.reload = true, true, false
		}
	}
	t.leaving = false
	l.pump()
}

func (t *tab) page() *capture.Page { return &capture.Page{URL: t.url, Title: t.title, Tab: t.name} }

// key makes a key for an observation that no document reported.
func (r *recorder) key(t *tab, what string) string {
	r.keys++
	return fmt.Sprintf("%s.%s%d", t.name, what, r.keys)
}

// hello handles a document's announcement. Announcements of out-of-process frames come in any order: before that of
// the page around them, and before that of the empty document they replaced.
func (r *recorder) hello(v *view, frame cdp.FrameID, m *script.Message) {
	t := v.tab
	d := r.docs[m.Doc]
	widened := d != nil && !d.gone && !m.Off && t.top == d // the same document, which the scope names again
	if d == nil {
		if r.docs.replaced(v, frame, m.T) {
			return
		}
		r.docCount++
		d = &doc{id: m.Doc, tab: t, view: v, began: m.T, frame: frame, top: m.Top, n: r.docCount, states: map[int]*capture.State{}}
		r.docs[m.Doc] = d
	}
	d.gone, d.off, d.site = false, m.Off, m.Site
	for id, other := range r.docs { // what stood in this frame, or in any frame of the tab's last page, has given way
		ofLast := m.Top && !widened && (other.view == v || other.began < m.T)
		if other != d && other.tab == t && !other.gone && (ofLast || frame != "" && other.frame == frame) {
			other.gone = true
			delete(r.docs, id)
			r.line.gone(other, false)
		}
	}
	if widened {
		t.url, t.title, t.site = t.cleanURL(m.Page.URL), m.Page.Title, d.site
		if m.On {
			r.active = t
		}
	} else if m.Top {
		r.arriving(d, m)
	} else if d.off {
		r.innerCame(t, string(d.frame))
	}
	if g := r.ctl.Gate(); m.Epoch != g.Epoch {
		v.tell("globalThis.showhow && globalThis.showhow.configure(" + r.config(g) + ")")
	}
}

// replaced: another process has taken over the frame since the document began.
func (ds documents) replaced(v *view, frame cdp.FrameID, began int64) bool {
	for _, d := range ds {
		if d.tab == v.tab && d.view != v && frame != "" && d.frame == frame && began < d.began {
			return true
		}
	}
	return false
}

// arriving handles a tab's new top document: the outcome of an act, a page the person asked for, or a new tab's
// first.
func (r *recorder) arriving(d *doc, m *script.Message) {
	t := d.tab
	before := t.last
	first := t.top == nil
	t.top, t.leaving, t.badge, t.last, t.inner = d, false, false, nil, nil
	n := t.nav.take()
	if d.off {
		t.url, t.title, t.site = "", "", ""
		if !first && n.byPerson() {
			r.withhold(capture.OffScope, 1)
		}
		t.isNew = t.isNew && m.Page == nil && first // a new tab's first page may still follow
		r.line.arrived(t, nil)
		return
	}
	t.url, t.title, t.site = t.cleanURL(m.Page.URL), m.Page.Title, d.site
	if m.On {
		r.active = t
	}
	w := &waiting{tab: t, doc: d, certain: true, reload: true, deadline: time.Now().Add(maxLoad), asked: cmp.Or(n.asked, t.url),
		o: capture.Observation{Kind: capture.BrowserDOM, Surface: capture.SurfacePage, OccurredAt: n.at(m.T), Origin: r.origin(d.site),
			Before: before, Changed: true}}
	w.shows(t)
	switch {
	case t.isNew && t.url == "about:blank":
		return // its page follows
	case t.isNew:
		t.isNew = false
		w.o.Verb, w.o.CauseKey, w.o.OccurredAt, w.o.Before = capture.NewTab, t.cause, t.opened, nil
	case first, r.line.expects(t, d, n.byPerson()): // was open before; or the outcome of an act
		return
	case n.byPerson():
		w.o.Verb, w.o.Keys = capture.Navigate, n.keys(t)
	case t.causeWithin(while) != "":
		w.o.Verb, w.o.CauseKey = capture.Navigate, t.lastKey
	default:
		return // the page went there by itself
	}
	w.o.Key = r.key(t, "nav")
	if r.refuse(d, w.o.OccurredAt, time.Now()) == "" {
		r.line.add(w)
	}
}

// expects: an act waits for the tab's next page, and that is d. Not so if the person left that page for d before it
// had settled; then nobody saw where the act led.
func (l *line) expects(t *tab, d *doc, byPerson bool) (any bool) {
	for _, w := range l.items {
		switch {
		case w.tab != t || !w.reload:
		case w.page != nil && byPerson:
			w.done, w.reload = true, false
		default:
			w.page = d
			any = true
		}
	}
	l.pump()
	return any
}

// shows: the tab shows the page that was waited for. Many a page writes a route into its address while it loads: the person asked for
// none, and what such a route says may be gone the next time.
func (w *waiting) shows(t *tab) {
	w.o.Page, w.o.Window = t.page(), t.title
	asked, _, _ := strings.Cut(w.asked, "#")
	if is, _, _ := strings.Cut(t.url, "#"); asked == is && w.asked != "" {
		w.o.Page.URL = w.asked
	}
}

// overtaken: the person acts in the tab's new page before it has settled. The acts that led to it get what the person
// had seen of it by then as their outcome; the next settled page is the outcome of the new act.
func (l *line) overtaken(t *tab, d *doc, seen *capture.State) {
	if t.top == nil || !t.top.top || d.tab != t {
		return
	}
	for _, w := range l.items {
		if w.tab != t || !w.reload || w.page != t.top && w.doc != t.top {
			continue
		}
		w.o.After, w.done, w.reload = seen, true, false
		if w.doc == t.top {
			w.shows(t)
		}
	}
	l.pump()
}

// filled: a new tab's first page replaced the empty document in the same window, script included, so nothing
// announced it.
func (r *recorder) filled(d *doc, m *script.Message) {
	if t := d.tab; t.isNew && d.top && t.top == d && !d.off && t.url == "about:blank" && m.Page != nil && m.Page.URL != "about:blank" {
		r.arriving(d, m)
	}
}

// loaded handles the state of a new document once it has settled.
func (r *recorder) loaded(d *doc, m *script.Message) {
	t := d.tab
	r.filled(d, m)
	if !d.top {
		d.state(m.After)
		d.settled = true
		r.innerCame(t, string(d.frame))
		return
	}
	t.url, t.title = t.cleanURL(m.Page.URL), m.Page.Title
	s := d.state(m.After)
	for _, w := range r.line.items {
		if w.tab == t && w.doc == d && w.reload {
			w.shows(t)
		}
	}
	r.line.arrived(t, s)
}

// visible handles a tab that came to the front or left it. A tab that comes forward because another closes was not
// switched to; the close may be reported later, so a switch is held for a moment.
func (r *recorder) visible(t *tab, on bool) {
	if !on {
		t.badge = false
		return
	}
	from := r.active
	r.active = t
	now := time.Now()
	if from == nil || from == t || t.isNew || t.top == nil || t.top.off || r.refuse(t.top, now, now) != "" {
		return
	}
	r.line.add(&waiting{tab: t, from: from, certain: true, deadline: now.Add(closing), o: capture.Observation{Key: r.key(t, "switch"),
		Kind: capture.BrowserDOM, Surface: capture.SurfacePage, OccurredAt: now, Verb: capture.SwitchTab, Origin: r.origin(t.site),
		Window: t.title, Page: t.page(), After: t.last}})
}

// closing is how much later than the change to the front a tab's close may be reported.
const closing = 250 * time.Millisecond

// leftBy drops the switches away from a tab that has closed.
func (l *line) leftBy(t *tab) {
	for _, w := range l.items {
		w.dropped = w.dropped || w.from == t
	}
}
