package player

import (
	"context"
	"os"
	"path/filepath"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	"showhow/browser"
)

// save is a download in progress.
type save struct {
	name, path string
	size       int64
	over, ok   bool
}

// download records what the browser reports about downloads.
func (p *tracker) download(of browser.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if of.Method == cdpbrowser.DownloadWillBegin.Method {
		var e cdpbrowser.EventDownloadWillBegin
		if browser.Decode(of.Params, &e) == nil {
			s := &save{name: filepath.Base(e.SuggestedFilename)}
			p.saves[e.GUID] = s
			p.act.saves = append(p.act.saves, s)
			p.changed()
		}
		return
	}
	var e cdpbrowser.EventDownloadProgress
	if browser.Decode(of.Params, &e) != nil || e.State == cdpbrowser.DownloadProgressStateInProgress {
		return
	}
	s := p.saves[e.GUID]
	if s == nil {
		return
	}
	delete(p.saves, e.GUID)
	s.over, s.ok, s.size = true, e.State == cdpbrowser.DownloadProgressStateCompleted, int64(e.ReceivedBytes)
	if s.path = e.FilePath; s.path == "" {
		s.path = filepath.Join(p.o.Downloads, s.name)
	}
	p.changed()
}

// How long an act waits at most for the downloads that it started, and for an announced one to
// start.
const (
	saveTime  = 60 * time.Second
	beginTime = 3 * time.Second
)

// saved waits for the act's downloads.
func (p *tracker) saved(ctx context.Context) (out []File) {
	_ = p.until(ctx, saveTime, func() bool { // one that is not complete in time does not count
		if len(p.act.saves) == 0 && !p.act.saving.IsZero() && time.Since(p.act.saving) < beginTime {
			return false
		}
		for _, s := range p.act.saves {
			if !s.over {
				return false
			}
		}
		return true
	})
	p.locked(func() {
		for _, s := range p.act.saves {
			if !s.ok {
				continue
			}
			if st, err := os.Stat(s.path); err == nil {
				out = append(out, File{Name: s.name, Path: s.path, Size: st.Size()})
			}
		}
	})
	return out
}
