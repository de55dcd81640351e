package browserdom

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/capture"
)

// A person sees a tab, not its documents: the state before and after an act is that of the top document with its
// frames in scope, whichever process they run in.

// glanceTime bounds how long the outcome of an act waits for the state of the tab's other documents.
const glanceTime = 300 * time.Millisecond

// parts are the documents of a tab whose state is known, the top one first, frames in order of arrival.
func (t *tab) parts() []*doc {
	var out []*doc
	for _, d := range t.r.docs {
		if d.tab == t && !d.gone && !d.off && d.last != nil {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b *doc) int {
		if a.top != b.top {
			return cmp.Compare(btoi(b.top), btoi(a.top))
		}
		return cmp.Compare(a.n, b.n)
	})
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// whole is the tab's state, with s as the state of document d.
func (t *tab) whole(d *doc, s *capture.State) *capture.State {
	parts := t.parts()
	if s == nil || len(parts) == 0 || len(parts) == 1 && parts[0] == d {
		return s
	}
	var out capture.State
	for i, p := range parts {
		if p == d {
			continue
		}
		if i == 0 && p.top {
			out = *p.last
			join(&out, s)
			out.Focus = cmp.Or(s.Focus, out.Focus)
		} else if i == 0 || out.URL == "" && parts[0] == d {
			out = *s
			join(&out, p.last)
		} else {
			join(&out, p.last)
		}
	}
	return &out
}

// join adds what a frame shows. Slices are shared with other states, so appending copies.
func join(s *capture.State, frame *capture.State) {
	s.Headings = slices.Concat(s.Headings, frame.Headings)
	s.Dialogs = slices.Concat(s.Dialogs, frame.Dialogs)
	s.Alerts = slices.Concat(s.Alerts, frame.Alerts)
	s.Invalid = slices.Concat(s.Invalid, frame.Invalid)
	s.Tables = slices.Concat(s.Tables, frame.Tables)
	s.Fields = slices.Concat(s.Fields, frame.Fields)
	s.Details = slices.Concat(s.Details, frame.Details)
}

// glance asks the tab's other documents for their current state and then runs f.
func (r *recorder) glance(d *doc, f func()) {
	asked, over := 0, false
	finish := func() {
		if !over {
			over = true
			f()
		}
	}
	for _, other := range r.docs {
		// one without a state of its own is included in another's
		if other.tab != d.tab || other == d || other.gone || other.off || other.last == nil {
			continue
		}
		v, context := r.sessions.home(other)
		if v == nil {
			continue
		}
		asked++
		p := runtime.EvaluateParams{Expression: "globalThis.showhow ? globalThis.showhow.glance() : ''", UniqueContextID: context,
			ReturnByValue: new(true), AwaitPromise: new(true), Silent: new(true)}
		v.s.Send(runtime.CommandEvaluate, p, func(raw jsonv2.Value, err error) {
			ref := stateIn(raw, err)
			r.client.Do(func() {
				if !other.gone {
					other.state(ref)
				}
				if asked--; asked == 0 {
					finish()
				}
			})
		})
	}
	if asked == 0 {
		finish()
		return
	}
	time.AfterFunc(glanceTime, func() { r.client.Do(finish) })
}

// stateIn decodes the answer to glance.
func stateIn(raw jsonv2.Value, err error) *script.StateRef {
	var res runtime.EvaluateResult
	var text string
	var ref script.StateRef
	if err != nil || browser.Decode(raw, &res) != nil || res.Result == nil ||
		json.Unmarshal(res.Result.Value, &text) != nil || json.Unmarshal([]byte(text), &ref) != nil {
		return nil
	}
	return &ref
}

// innerLeaves: a frame is navigating to another document, which may be an act's real outcome.
func (t *tab) innerLeaves(frame string) {
	if t.inner == nil {
		t.inner = map[string]time.Time{}
	}
	t.inner[frame] = time.Now().Add(onTheWay)
}

// innerCame: a frame shows its document, or has stayed where it was. It is the outcome of acts in the document it
// replaced, and part of the outcome of the last act.
func (r *recorder) innerCame(t *tab, frame string) {
	_, awaited := t.inner[frame]
	delete(t.inner, frame)
	var last *waiting
	for _, w := range r.line.items {
		if w.tab != t || w.doc == nil {
			continue
		}
		if w.reload && !w.doc.top && string(w.doc.frame) == frame {
			w.o.After, w.done, w.reload = t.last, true, false
		}
		last = w
	}
	if awaited && last != nil && last.done && !last.reload && t.last != nil {
		last.o.After = t.last
	}
	r.line.pump()
}

// heldUntil is how long an act waits at most for a navigation of the tab, or of a frame in it.
func (w *waiting) heldUntil() time.Time {
	var until time.Time
	if w.doc == nil {
		return until
	}
	if w.doc.top && w.tab.leaving {
		until = w.tab.leavingUntil
	}
	for _, at := range w.tab.inner {
		until = later(until, at)
	}
	return until
}
