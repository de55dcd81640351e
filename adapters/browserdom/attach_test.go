//go:build linux

package browserdom

import (
	"net/url"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
	"showhow/browser/browsertest"
	"showhow/capture"
)

// A browser that the person started is observed with the tabs that were open before, except private ones and those
// out of scope, and is left as it was.
func TestAttachedBrowserWithTabsOpen(t *testing.T) {
	startShared(t)
	srv, host := site(t, map[string]string{"/": orders})
	off, _ := site(t, map[string]string{"/": orders})
	q, p := shared.hand.open(t, off.URL+"/"), shared.hand.open(t, srv.URL+"/")
	p.write("[name=q]", "typed before")
	u, err := url.Parse(shared.m.Running().DebugURL())
	if err != nil {
		t.Fatal(err)
	}
	m := browser.NewManager(browser.Options{})
	defer m.Close()
	b, err := m.Attach(t.Context(), browser.AttachOptions{Address: u.Port(), Match: func(s string) bool { return s == host }})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("watched", func(t *testing.T) {
		w := observeWith(t, New(Options{Browser: m}), host)
		q.click("#plus")
		p.click("#plus")
		p.write("[name=q]", " and after")
		p.click("[name=late]")
		click, typed := w.find(capture.Click, 1), w.find(capture.Type, 1)
		if click.Target.Name != "Add one" || click.Page.URL != srv.URL+"/" || click.After == nil || !click.Changed ||
			click.Origin.App != b.Family() {
			t.Errorf("%+v", click)
		}
		if typed.Value.Text != "typed before and after" {
			t.Errorf("%+v", typed.Value)
		}
		eventually(t, "the badge", func() bool { return w.Indicated("browser_badge") > 0 })
	})
	m.Detach()
	eventually(t, "the page to be as it was", func() bool {
		var n int
		return p.eval(`document.querySelectorAll("[aria-label^='Showhow']").length`, &n) == nil && n == 0
	})
}

// Headed: there focus, visibility and input go through the desktop's own code.
func TestInAWindow(t *testing.T) {
	startShared(t) // skips without a browser
	browsertest.Display(t)
	m := browser.NewManager(browser.Options{Headless: new(false), NoSandbox: true, Port: true})
	defer m.Close()
	b, err := m.Browser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if b.Headless() {
		t.Fatal("it has no window")
	}
	h, err := newHand(b.DebugURL())
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	srv, host := site(t, map[string]string{"/": orders + `<a id=pop target=_blank href="/pop">Open</a>`,
		"/pop": `<h1>Pop</h1><button>There</button>`, "/found": `<h1>Found</h1>`})
	w := observeWith(t, New(Options{Browser: m}), host)
	res, err := cdp.Call(t.Context(), h.client.Root(), target.CreateTarget, target.CreateTargetParams{URL: srv.URL + "/"})
	if err != nil {
		t.Fatal(err)
	}
	p := h.sheet(t, res.TargetID)
	p.observed()
	p.until(`performance.getEntriesByType("paint").length > 0`) // before that a window takes no input
	w.find(capture.NewTab, 1)
	p.write("[name=q]", "Miller")
	p.tab()
	p.down()
	p.click("[name=late]")
	p.click("form button")
	p.until(`location.pathname === "/found"`)
	if o := w.find(capture.Click, 2); o.Target.Name != "Search" || o.After == nil || o.After.Headings[0] != "Found" {
		t.Errorf("search: %+v", o)
	}
	eventually(t, "the badge", func() bool { return w.Indicated("browser_badge") > 0 })
	if o := w.find(capture.Select, 1); o.Value.Text != "Open" {
		t.Errorf("select: %+v", o.Value)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Type, capture.Select, capture.Check, capture.Click)
}
