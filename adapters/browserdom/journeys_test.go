//go:build unix

package browserdom

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// back goes one entry back or forward in the tab's history, as the browser's buttons do.
func (p *sheet) back(delta int64) {
	p.t.Helper()
	h, err := cdp.Call(ctxOf(p.t), p.s, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := cdp.Call(ctxOf(p.t), p.s, page.NavigateToHistoryEntry,
		page.NavigateToHistoryEntryParams{EntryID: h.Entries[h.CurrentIndex+delta].ID}); err != nil {
		p.t.Fatal(err)
	}
}

// A page restored from the back/forward cache is the earlier document, and is observed again.
func TestAPageFromTheCacheIsWatchedAgain(t *testing.T) {
	srv, host := site(t, map[string]string{
		"/a": `<h1>A</h1><label>Note <input id=n></label><button id=x onclick="h.textContent='done'">Do</button><h2 id=h></h2><a href="/b">On</a>
		<script>addEventListener("pageshow", e => document.documentElement.dataset.cached = e.persisted)</script>`, "/b": `<h1>B</h1>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/a")
	w.find(capture.NewTab, 1)
	p.write("#n", "kept")
	p.click("a")
	p.until(`location.pathname === "/b" && document.readyState === "complete"`)
	p.back(-1)
	p.until(`location.pathname === "/a"`)
	var cached string
	if err := p.eval("document.documentElement.dataset.cached", &cached); err != nil || cached != "true" {
		t.Logf("the page was loaded anew (%q, %v)", cached, err)
	}
	if o := w.find(capture.Navigate, 1); o.Keys != "History" || o.After == nil || o.After.Headings[0] != "A" {
		t.Errorf("back: %+v", o)
	}
	p.click("#x")
	if o := w.find(capture.Click, 3); o.Target.Name != "Do" || o.After == nil || len(o.After.Headings) != 2 || !o.Changed {
		t.Errorf("after coming back: %+v %+v", o, o.After)
	}
	p.back(1)
	p.until(`location.pathname === "/b"`)
	if o := w.find(capture.Navigate, 2); o.Keys != "History" || o.After == nil || o.After.Headings[0] != "B" {
		t.Errorf("forward: %+v", o)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Type, capture.Click, capture.Navigate, capture.Click, capture.Navigate)
}

// A tab that leaves the scope reports nothing while it is elsewhere, and is the same tab when it returns.
func TestATabLeavesTheScopeAndReturns(t *testing.T) {
	off, _ := site(t, map[string]string{"/": `<h1>canary elsewhere</h1><input id=i><button>canary</button>`})
	srv, host := site(t, map[string]string{"/": `<h1>Here</h1><a href="` + off.URL + `/">Away</a><button>Do</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("a")
	p.until(`document.querySelector("#i")`)
	p.write("#i", "canary")
	p.click("button")
	if _, err := cdp.Call(ctxOf(t), p.s, page.Navigate, page.NavigateParams{URL: srv.URL + "/"}); err != nil {
		t.Fatal(err)
	}
	p.until(`document.querySelector("a")`)
	p.click("button")
	away, again := w.find(capture.Click, 1), w.find(capture.Click, 2)
	if away.Target.Name != "Away" || !away.Changed || away.After != nil || again.Target.Name != "Do" || again.Page.Tab != away.Page.Tab {
		t.Errorf("%+v\n%+v", away, again)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Navigate, capture.Click)
	if w.Withheld(capture.OffScope) < 2 || strings.Contains(adaptertest.Everything(w.Seen()), "canary") {
		t.Errorf("withheld %d\n%s", w.Withheld(capture.OffScope), adaptertest.Everything(w.Seen()))
	}
}

// A window whose opener the browser hides is still the effect of the click that opened it.
func TestWindowsWithoutOpener(t *testing.T) {
	srv, host := site(t, map[string]string{
		"/": `<button onclick="window.open('/one','_blank','noopener')">One</button><a target=_blank rel="noopener noreferrer" href="/two">` +
			`Two</a>`,
		"/one": `<h1>One</h1>`, "/two": `<h1>Two</h1>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, c := range []struct{ selector, path, heading string }{{"button", "/one", "One"}, {"a", "/two", "Two"}} {
		p.click(c.selector)
		click, opened := w.find(capture.Click, i+1), w.find(capture.NewTab, i+2)
		if opened.CauseKey != click.Key || opened.After == nil || opened.After.Headings[0] != c.heading {
			t.Errorf("%s: %+v caused by %s, want %s", c.path, opened, opened.CauseKey, click.Key)
		}
		shared.hand.lastWith(t, srv.URL+c.path).shut()
		if o := w.find(capture.CloseTab, i+1); o.Page.Tab != opened.Page.Tab {
			t.Errorf("closed: %+v", o)
		}
	}
	w.verbs(capture.NewTab, capture.Click, capture.NewTab, capture.CloseTab, capture.Click, capture.NewTab, capture.CloseTab)
}

// A page served by a service worker, without the network, is a page like any other.
func TestAPageFromAServiceWorker(t *testing.T) {
	gone := false
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case r.URL.Path == "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(`oninstall=()=>skipWaiting();onactivate=e=>e.waitUntil(clients.claim());
				onfetch=e=>{if(new URL(e.request.url).pathname==="/app")e.respondWith(new Response("<h1>Offline</h1>` +
				`<button onclick=\"fetch('/app').then(r=>r.text()).then(()=>h.textContent='answered')\">Ask</button><h2 id=h></h2>` +
				`",{headers:{"Content-Type":"text/html"}}))}`))
		case r.URL.Path == "/app" || gone:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<h1>Setup</h1><a href="/app">App</a>` +
				`<script>navigator.serviceWorker.register("/sw.js").then(()=>navigator.serviceWorker.ready).then(()=>document.title="ready")</script>`))
		}
	}))
	t.Cleanup(srv.Close)
	w := observe(t, Options{}, strings.TrimPrefix(srv.URL, "http://"))
	p := shared.hand.open(t, srv.URL+"/")
	p.until(`document.title === "ready" && navigator.serviceWorker.controller`)
	p.click("a")
	p.until(`document.querySelector("h1").textContent === "Offline"`)
	p.click("button")
	if o := w.find(capture.Click, 1); o.After == nil || o.After.Headings[0] != "Offline" {
		t.Errorf("the way in: %+v", o.After)
	}
	if o := w.find(capture.Click, 2); o.Target.Name != "Ask" || len(o.After.Headings) != 2 || o.After.Headings[1] != "answered" {
		t.Errorf("in it: %+v", o.After)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Click)
	_ = p.eval(`navigator.serviceWorker.getRegistrations().then(all => Promise.all(all.map(r => r.unregister())))`, nil)
}

// Fields in a frame of another site, by mouse and keyboard.
func TestWorkInAFarFrame(t *testing.T) {
	_, hostIn := site(t, map[string]string{
		"/in": `<label>Card holder <input id=i></label><select aria-label=Month><option>Jan<option>Feb</select><button>Pay</button>`})
	farHost := strings.Replace(hostIn, "127.0.0.1", "localhost", 1)
	srv, host := site(t, map[string]string{
		"/": `<h1>Shop</h1><iframe name=pay src="http://` + farHost + `/in" style="width:400px;height:300px"></iframe>`})
	w := observe(t, Options{}, host, farHost)
	top := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	f, of := (*sheet)(nil), (*sheet)(nil)
	reopened(t, top, srv.URL+"/", func(top *sheet) bool { // the browser needs a moment until it routes input to a new frame
		if of != top {
			f, of = shared.hand.frame(t, "http://"+farHost+"/in"), top
		}
		top.front()
		f.click("#i")
		var here bool
		return f.eval(`document.activeElement.id === "i"`, &here) == nil && here
	})
	f.keys("Ada")
	f.focus("select")
	f.down()
	f.click("button")
	if o := w.find(capture.Type, 1); o.Value.Text != "Ada" || o.Target.Label != "Card holder" || o.Target.Frame != "pay" ||
		o.Origin.Site != farHost || o.Page.URL != srv.URL+"/" {
		t.Errorf("%+v %+v", o, o.Target)
	}
	if o := w.find(capture.Select, 1); o.Value.Text != "Feb" || o.Target.Name != "Month" {
		t.Errorf("%+v %+v", o.Value, o.Target)
	}
	w.Wait(t, "the button", patience, func(s []adaptertest.Seen) bool { return clicks(s, "Pay") == 1 })
}
