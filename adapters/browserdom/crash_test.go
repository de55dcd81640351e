//go:build unix

package browserdom

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"showhow/capture"
)

// crash ends the process behind a tab.
func (p *sheet) crash() { p.s.Send(page.CommandCrash, nil, nil) }

// A crashed page is reported, with the act before it, and the tab is still observed.
func TestACrashedPageIsToldAndTheTabGoesOn(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Fragile</h1><button>Break it</button><button id=b>Again</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.click("button")
	p.crash()
	o, click := w.find(capture.Crash, 1), w.find(capture.Click, 1)
	if o.CauseKey != click.Key || o.Page == nil || o.Page.URL != srv.URL+"/" || o.Before == nil || o.Origin.Site != host {
		t.Errorf("%+v after %+v", o, click)
	}
	if err := p.s.Call(ctxOf(t), page.CommandReload, page.ReloadParams{}, nil); err != nil {
		t.Fatal(err)
	}
	if o := w.find(capture.Navigate, 1); o.Keys != "Reload" || o.After == nil || o.After.Headings[0] != "Fragile" {
		t.Errorf("reload: %+v", o)
	}
	p.until(`document.readyState === "complete"`)
	p.click("#b")
	if o := w.find(capture.Click, 2); o.Target.Name != "Again" || o.Page.Tab != click.Page.Tab {
		t.Errorf("after the crash: %+v", o)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Crash, capture.Navigate, capture.Click)
}

// A crashed frame of another site leaves its page alone.
func TestACrashedFrameLeavesItsPageAlone(t *testing.T) {
	inner, hostIn := site(t, map[string]string{"/in": `<h2>Inner</h2>`})
	far := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1)
	srv, host := site(t, map[string]string{"/": `<h1>Top</h1><iframe src="` + far + `/in"></iframe><button>Here</button>`})
	w := observe(t, Options{}, host, strings.Replace(hostIn, "127.0.0.1", "localhost", 1))
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	f := shared.hand.frame(t, far+"/in")
	f.until(`document.readyState === "complete"`)
	eventually(t, "the recorder to know the frame", func() (known bool) {
		w.inside(func(r *recorder) {
			for _, d := range r.docs {
				known = known || !d.top && d.settled && strings.HasPrefix(d.site, "localhost:")
			}
		})
		return known
	})
	f.crash()
	if o := w.find(capture.Crash, 1); !strings.HasPrefix(o.Origin.Site, "localhost:") || o.Page.URL != srv.URL+"/" {
		t.Errorf("%+v", o)
	}
	p.click("button")
	w.find(capture.Click, 1)
	w.verbs(capture.NewTab, capture.Crash, capture.Click)
}

// A crash out of scope is withheld.
func TestACrashOffScopeIsWithheld(t *testing.T) {
	srv, _ := site(t, map[string]string{"/": `<h1>canary</h1>`})
	_, host := site(t, map[string]string{"/": `<h1>In</h1>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.crash()
	eventually(t, "a withheld crash", func() bool { return w.Withheld(capture.OffScope) > 0 })
	w.flushed()
	if len(w.Seen()) > 0 {
		t.Errorf("%+v", w.Seen())
	}
}
