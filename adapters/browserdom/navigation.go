package browserdom

import (
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"

	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/capture"
)

// nav is what is known about a tab's pending navigation.
type nav struct {
	requested bool // the page asked for it: a link, a form, a script
	started   bool
	kind      page.FrameStartedNavigatingNavigationType
	begun     time.Time
	asked     string // address
}

// take returns what is known and resets it.
func (n *nav) take() nav {
	out := *n
	*n = nav{}
	return out
}

// byPerson: requested in the browser's own window: address bar, bookmark, back, forward, reload.
func (n nav) byPerson() bool { return n.started && !n.requested }

// at is the time of the navigation: when it began, else the new document's own.
func (n nav) at(us int64) time.Time {
	if n.started {
		return n.begun
	}
	return script.Moment(us)
}

// keys says how the person requested it, as one of the browser's own commands; "" for an address.
func (n nav) keys(*tab) string {
	switch n.kind {
	case page.FrameStartedNavigatingNavigationTypeReload, page.FrameStartedNavigatingNavigationTypeReloadBypassingCache:
		return "Reload"
	case page.FrameStartedNavigatingNavigationTypeHistoryDifferentDocument, page.FrameStartedNavigatingNavigationTypeHistorySameDocument:
		return "History"
	}
	return ""
}

// onTheWay bounds how long a requested navigation holds back the outcome of the act that requested it.
const onTheWay = 2 * time.Second

// navigation handles the navigation events of a tab's frames.
func (r *recorder) navigation(t *tab, method string, params jsonv2.Value) {
	switch method {
	case page.FrameRequestedNavigation.Method:
		var e page.EventFrameRequestedNavigation
		if browser.Decode(params, &e) != nil {
			return
		}
		if e.Disposition != page.ClientNavigationDispositionCurrentTab {
			t.openedAt = time.Now()
			return
		}
		if t.isTop(string(e.FrameID)) {
			t.nav.requested = true
			t.leaving, t.leavingUntil = true, time.Now().Add(onTheWay)
		} else {
			t.innerLeaves(string(e.FrameID))
		}
	case page.WindowOpen.Method:
		t.openedAt = time.Now()
	case page.FrameStartedNavigating.Method:
		var e page.EventFrameStartedNavigating
		if browser.Decode(params, &e) == nil && t.isTop(string(e.FrameID)) &&
			e.NavigationType != page.FrameStartedNavigatingNavigationTypeSameDocument {
			t.nav.started, t.nav.kind, t.nav.begun, t.nav.asked = true, e.NavigationType, time.Now(), t.cleanURL(e.URL)
		}
	case page.FrameStoppedLoading.Method:
		var e page.EventFrameStoppedLoading
		if browser.Decode(params, &e) != nil {
			return
		}
		if t.isTop(string(e.FrameID)) {
			r.stayed(t)
		} else if d := r.docs.inFrame(t, string(e.FrameID)); d == nil || d.settled {
			r.innerCame(t, string(e.FrameID)) // no document, or one that has reported its state: nothing more comes
		}
	case page.FrameDetached.Method:
		var e page.EventFrameDetached
		if browser.Decode(params, &e) == nil && e.Reason == page.FrameDetachedReasonRemove {
			r.frameGone(t, e.FrameID)
			r.innerCame(t, string(e.FrameID))
		}
	case page.NavigatedWithinDocument.Method:
		r.within(t, params)
	case page.JavascriptDialogOpening.Method:
		r.dialogOpens(t, params)
	case page.JavascriptDialogClosed.Method:
		r.dialogCloses(t, params)
	}
}

// inFrame is the document in scope that a frame shows.
func (ds documents) inFrame(t *tab, frame string) *doc {
	for _, d := range ds {
		if d.tab == t && string(d.frame) == frame && !d.off {
			return d
		}
	}
	return nil
}

// isTop: a page target's top frame has the target's id.
func (t *tab) isTop(frame string) bool { return frame == string(t.id) }

// stayed: nothing is loading any more. If the tab was about to navigate, it did not: a download, or an empty answer.
func (r *recorder) stayed(t *tab) {
	if t.leaving {
		t.leaving = false
		r.line.pump()
	}
}

// within handles a same-document navigation: pushState, a fragment, or back and forward among those.
func (r *recorder) within(t *tab, params jsonv2.Value) {
	var e page.EventNavigatedWithinDocument
	if browser.Decode(params, &e) != nil || !t.isTop(string(e.FrameID)) || t.top == nil || t.top.off {
		return
	}
	before := t.last
	t.url = t.cleanURL(e.URL)
	n := t.nav
	if !n.started || n.kind != page.FrameStartedNavigatingNavigationTypeHistorySameDocument {
		return // the page's own doing: it shows in the outcome of the act that led to it
	}
	t.nav = nav{}
	if n.requested || t.causeWithin(soon) != "" || r.refuse(t.top, n.begun, time.Now()) != "" {
		return
	}
	r.line.add(&waiting{tab: t, doc: t.top, certain: true, reload: true, o: capture.Observation{Key: r.key(t, "nav"),
		Kind: capture.BrowserDOM, Surface: capture.SurfacePage, OccurredAt: n.begun, Verb: capture.Navigate, Keys: n.keys(t),
		Origin: r.origin(t.site), Window: t.title, Page: t.page(), Before: before, Changed: true}})
	for _, v := range r.sessions {
		if v.tab == t {
			v.tell("globalThis.showhow && globalThis.showhow.look()")
		}
	}
}

// dialogOpens handles a native dialog: alert, confirm, prompt, or the question before unloading.
func (r *recorder) dialogOpens(t *tab, params jsonv2.Value) {
	var e page.EventJavascriptDialogOpening
	if browser.Decode(params, &e) != nil {
		return
	}
	t.dialog, t.dialogSite = &capture.DialogInfo{Type: string(e.Type)}, browser.Site(e.URL)
	if r.admits(r.ctl.Gate(), t.dialogSite) {
		t.dialog.Message = e.Message
	}
	if t.badge {
		r.keepIndicating(t, t.dialog)
	}
}

// keepIndicating continues the indication for a page that a dialog has stopped: its badge is still on screen, but its
// timers do not run.
func (r *recorder) keepIndicating(t *tab, d *capture.DialogInfo) {
	r.indicate()
	time.AfterFunc(time.Second, func() {
		r.client.Do(func() {
			if t.dialog == d && r.tabs[t.id] == t && !r.ended {
				r.keepIndicating(t, d)
			}
		})
	})
}

func (r *recorder) dialogCloses(t *tab, params jsonv2.Value) {
	var e page.EventJavascriptDialogClosed
	d := t.dialog
	t.dialog = nil
	if browser.Decode(params, &e) != nil || d == nil {
		return
	}
	now := time.Now()
	if t.top == nil || !r.admits(r.ctl.Gate(), t.dialogSite) {
		r.withhold(capture.OffScope, 1)
		return
	}
	d.Accepted = e.Result
	o := capture.Observation{Key: r.key(t, "dialog"), CauseKey: t.causeWithin(time.Hour), Kind: capture.BrowserDOM,
		Surface:    capture.SurfacePage,
		OccurredAt: now, Verb: capture.Dialog, Origin: r.origin(t.dialogSite), Window: t.title, Page: t.page(), Dialog: d, Changed: true}
	if e.Result && e.UserInput != "" && d.Type == string(page.DialogTypePrompt) {
		o.Value = &capture.RawValue{Text: e.UserInput, FieldName: d.Message}
	}
	r.line.extend(o.CauseKey, now)
	r.line.add(&waiting{tab: t, certain: true, done: true, o: o})
}

// extend restarts the outcome timeout of an act that a dialog held up.
func (l *line) extend(key string, now time.Time) {
	if w := l.find(key); w != nil {
		w.deadline = later(w.deadline, now.Add(maxHold))
	}
}
