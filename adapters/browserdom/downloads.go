package browserdom

import (
	"path/filepath"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
	"showhow/capture"
)

// saving is a download in progress.
type saving struct {
	tab   *tab
	name  string
	begun time.Time
	cause string
}

// downloads are those in progress. They belong to the recorder's goroutine.
type downloads struct {
	r     *recorder
	saves map[string]*saving
}

// watch subscribes to the browser's download events at its root session. The returned function ends that.
func (d *downloads) watch() (end func()) {
	r := d.r
	events, cancel := r.b.Root().Events(cdpbrowser.DownloadWillBegin.Method, cdpbrowser.DownloadProgress.Method)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range events {
			r.client.Do(func() { d.take(e) })
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

func (d *downloads) take(of browser.Event) {
	if of.Method == cdpbrowser.DownloadWillBegin.Method {
		var e cdpbrowser.EventDownloadWillBegin
		if browser.Decode(of.Params, &e) == nil {
			d.begin(&e)
		}
		return
	}
	var e cdpbrowser.EventDownloadProgress
	if browser.Decode(of.Params, &e) != nil || e.State == cdpbrowser.DownloadProgressStateInProgress {
		return
	}
	s := d.saves[e.GUID] // nil for a private or closed tab
	delete(d.saves, e.GUID)
	if s != nil && e.State == cdpbrowser.DownloadProgressStateCompleted {
		d.end(s, &e)
	}
}

func (d *downloads) begin(e *cdpbrowser.EventDownloadWillBegin) {
	r := d.r
	t := r.tabs[target.ID(e.FrameID)]
	if t == nil {
		t = r.sessions.tabOfFrame(string(e.FrameID))
	}
	if t == nil {
		return // a private or closed tab
	}
	r.stayed(t)
	from := t
	if t.top == nil && t.opener != nil {
		from = t.opener // a tab that was opened for the download alone
	}
	d.saves[e.GUID] = &saving{tab: from, name: filepath.Base(e.SuggestedFilename), begun: time.Now(), cause: from.causeWithin(while)}
}

func (d *downloads) end(s *saving, e *cdpbrowser.EventDownloadProgress) {
	r := d.r
	t := s.tab
	if t.top == nil || r.refuse(t.top, s.begun, time.Now()) != "" {
		r.withhold(capture.OffScope, 1)
		return
	}
	name := s.name
	path := name
	if e.FilePath != "" {
		path = filepath.Base(e.FilePath)
	}
	f := &capture.File{Name: name, Path: path, Ext: strings.ToLower(filepath.Ext(path)), Size: int64(e.ReceivedBytes)}
	r.line.add(&waiting{tab: t, certain: true, done: true, o: capture.Observation{Key: r.key(t, "save"), CauseKey: s.cause,
		Kind: capture.BrowserDOM, Surface: capture.SurfacePage, OccurredAt: s.begun, Verb: capture.Download, Origin: r.origin(t.site),
		Window: t.title, Page: t.page(), File: f, Before: t.last, After: withFile(t.last, *f), Changed: true}})
}

func withFile(s *capture.State, f capture.File) *capture.State {
	out := capture.State{}
	if s != nil {
		out = *s
	}
	out.Files = []capture.File{f}
	return &out
}
