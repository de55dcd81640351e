package browserdom

import (
	"time"

	"showhow/capture"
)

// crashed records that the process behind a tab, or behind a frame of it, crashed. The last act may have been the
// cause; observation continues with whatever the tab shows next.
func (r *recorder) crashed(v *view) {
	t := v.tab
	whole := v.s.Info().Type == "page"
	site, known := t.site, whole && t.top != nil && !t.top.off && t.site != "" // a frame that nothing is known of is not described
	for id, d := range r.docs {
		if d.tab != t || !whole && !v.holds(d) {
			continue
		}
		if !whole {
			site, known = d.site, !d.off
		}
		d.gone = true
		delete(r.docs, id)
		r.line.gone(d, true)
	}
	clear(v.contexts)
	if whole {
		t.nav, t.leaving, t.badge, t.dialog = nav{}, false, false, nil
		r.line.tabGone(t)
	}
	now := time.Now()
	if !known || !r.admits(r.ctl.Gate(), site) {
		r.withhold(capture.OffScope, 1)
		return
	}
	r.line.add(&waiting{certain: true, done: true, tab: t, o: capture.Observation{Key: r.key(t, "crash"), CauseKey: t.causeWithin(while),
		Kind: capture.BrowserDOM, Surface: capture.SurfacePage, OccurredAt: now, Verb: capture.Crash, Origin: r.origin(site),
		Window: t.title, Page: t.page(), Before: t.last, Changed: true}})
}
