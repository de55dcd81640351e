package browserdom

import (
	"path/filepath"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	"showhow/browser"
	"showhow/capture"
)

// saving is a download under way.
type saving struct {
	tab   *tab
	name  string
	begun time.Time
	cause string
}

// watchDownloads listens where the browser announces downloads: at its root session.
func (r *recorder) watchDownloads() {
	events, cancel := r.b.Root().Events(cdpbrowser.DownloadWillBegin.Method, cdpbrowser.DownloadProgress.Method)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range events {
			r.client.Do(func() { r.download(e) })
		}
	}()
	r.unsubscribe = append(r.unsubscribe, func() {
		cancel()
		<-done
	})
}

func (r *recorder) download(of browser.Event) {
	if of.Method == cdpbrowser.DownloadWillBegin.Method {
		var e cdpbrowser.EventDownloadWillBegin
		if browser.Decode(of.Params, &e) == nil {
			r.saveBegins(&e)
		}
		return
	}
	var e cdpbrowser.EventDownloadProgress
	if browser.Decode(of.Params, &e) != nil || e.State == cdpbrowser.DownloadProgressStateInProgress {
		return
	}
	s := r.saves[e.GUID] // none: of a private tab, or one that is gone
	delete(r.saves, e.GUID)
	if s != nil && e.State == cdpbrowser.DownloadProgressStateCompleted {
		r.saved(s, &e)
	}
}

func (r *recorder) saveBegins(e *cdpbrowser.EventDownloadWillBegin) {
	t := r.tabOfFrame(string(e.FrameID))
	if t == nil {
		return // private, or a tab that is gone
	}
	r.stayed(t)
	from := t
	if t.top == nil && t.opener != nil {
		from = t.opener // a tab that was opened for the download alone
	}
	r.saves[e.GUID] = &saving{tab: from, name: filepath.Base(e.SuggestedFilename), begun: time.Now(), cause: from.causeWithin(while)}
}

func (r *recorder) tabOfFrame(frame string) *tab {
	for _, t := range r.tabs {
		if t.isTop(frame) {
			return t
		}
	}
	for _, v := range r.sessions {
		for _, c := range v.contexts {
			if string(c.frame) == frame {
				return v.tab
			}
		}
	}
	return nil
}

func (r *recorder) saved(s *saving, e *cdpbrowser.EventDownloadProgress) {
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
