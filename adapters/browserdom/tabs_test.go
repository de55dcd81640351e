//go:build unix

package browserdom

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

func TestPersonsNavigation(t *testing.T) {
	srv, host := site(t, map[string]string{"/a": `<h1>A</h1><a id=b href="/b">to b</a>` +
		`<button id=push onclick="history.pushState(1,'','/a2');h.textContent='A2'">Push</button><h1 id=h></h1>`, "/b": `<h1>B</h1>`,
		"/c": "<h1>C</h1>", "/d": `<h1>D</h1><script>history.replaceState(1, "", "#/list?sort=name&filter=")</script>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/a")
	w.find(capture.NewTab, 1)
	to := func(path string) {
		if _, err := cdp.Call(t.Context(), p.s, page.Navigate, page.NavigateParams{URL: srv.URL + path}); err != nil {
			t.Fatal(err)
		}
		p.until(`document.readyState === "complete" && location.pathname === "` + path + `"`)
	}
	to("/c")
	if o := w.find(capture.Navigate, 1); o.Page.URL != srv.URL+"/c" || o.After == nil || o.After.Headings[0] != "C" || o.Before == nil ||
		o.Before.Headings[0] != "A" || o.CauseKey != "" {
		t.Errorf("typed: %+v", o)
	}
	back := func(delta int64) {
		h, err := cdp.Call(t.Context(), p.s, page.GetNavigationHistory, cdp.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cdp.Call(t.Context(), p.s, page.NavigateToHistoryEntry,
			page.NavigateToHistoryEntryParams{EntryID: h.Entries[h.CurrentIndex+delta].ID}); err != nil {
			t.Fatal(err)
		}
	}
	back(-1)
	if o := w.find(capture.Navigate, 2); o.Keys != "History" || o.After == nil || o.After.Headings[0] != "A" {
		t.Errorf("back: %+v after %+v", o, o.After)
	}
	if _, err := cdp.Call(t.Context(), p.s, page.Reload, page.ReloadParams{}); err != nil {
		t.Fatal(err)
	}
	if o := w.find(capture.Navigate, 3); o.Keys != "Reload" || o.After == nil || o.After.Headings[0] != "A" {
		t.Errorf("reload: %+v after %+v", o, o.After)
	}
	p.click("#push")
	if o := w.find(capture.Click, 1); !strings.HasSuffix(o.After.URL, "/a2") || !o.Changed {
		t.Errorf("pushState: %+v", o.After)
	}
	time.Sleep(soon) // pace: a back within it would be taken for the click's effect
	back(-1)
	if o := w.find(capture.Navigate, 4); o.Keys != "History" || o.After == nil || !strings.HasSuffix(o.After.URL, "/a") {
		t.Errorf("back within the document: %+v after %+v", o, o.After)
	}
	p.click("#b")
	if o := w.find(capture.Click, 2); o.After == nil || o.After.Headings[0] != "B" || o.Target.Href != srv.URL+"/b" {
		t.Errorf("link: %+v", o)
	}
	w.verbs(capture.NewTab, capture.Navigate, capture.Navigate, capture.Navigate, capture.Click, capture.Navigate, capture.Click)
	to("/d")
	if o := w.find(capture.Navigate, 5); o.Page.URL != srv.URL+"/d" || !strings.Contains(o.After.URL, "/d#/list") {
		t.Errorf("a page that writes its own route: %+v after %+v", o.Page, o.After)
	}
}

func TestTabsAndPopups(t *testing.T) {
	inWholeBrowser(t)
	srv, host := site(t, map[string]string{"/": `<h1>Home</h1><a id=blank target=_blank href="/other">Other</a>` +
		`<button id=open onclick="window.open('/popup','_blank','width=400,height=300')">Popup</button>`,
		"/other": "<h1>Other</h1>", "/popup": `<h1>Popup</h1><button id=x onclick="window.close()">Close me</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	home := w.find(capture.NewTab, 1)
	p.click("#blank")
	click, other := w.find(capture.Click, 1), w.find(capture.NewTab, 2)
	if other.CauseKey != click.Key || other.Page.Tab == home.Page.Tab || other.After == nil || other.After.Headings[0] != "Other" {
		t.Errorf("new tab: %+v", other)
	}
	if _, err := cdp.Call(t.Context(), p.s, page.BringToFront, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	if o := w.find(capture.SwitchTab, 1); o.Page.Tab != home.Page.Tab {
		t.Errorf("switch: %+v", o)
	}
	p.click("#open")
	click, popup := w.find(capture.Click, 2), w.find(capture.NewTab, 3)
	if popup.CauseKey != click.Key || popup.After == nil || popup.After.Headings[0] != "Popup" {
		t.Errorf("popup: %+v cause %s want %s", popup, popup.CauseKey, click.Key)
	}
	q := shared.hand.lastWith(t, srv.URL+"/popup")
	q.click("#x")
	click, closed := w.find(capture.Click, 3), w.find(capture.CloseTab, 1)
	if closed.CauseKey != click.Key || closed.Page.Tab != popup.Page.Tab || click.Target.Name != "Close me" {
		t.Errorf("close: %+v of %+v", closed, click)
	}
	shared.hand.lastWith(t, srv.URL+"/other").shut()
	if o := w.find(capture.CloseTab, 2); o.Page.Tab != other.Page.Tab {
		t.Errorf("close: %+v", o)
	}
}

func TestDownload(t *testing.T) {
	srv, host := site(t, map[string]string{"/": orders})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1) // the page can be clicked before Chromium tells of its tab
	p.click("#csv")
	click, d := w.find(capture.Click, 1), w.find(capture.Download, 1)
	if d.File == nil || d.File.Name != "orders.csv" || d.File.Ext != ".csv" || d.File.Size != 19 || d.CauseKey != click.Key || !d.Changed {
		t.Errorf("download: %+v file %+v", d, d.File)
	}
	if click.Target.Name != "Export" || click.After == nil {
		t.Errorf("click: %+v", click)
	}
}

func TestItemsAreChosenNotNamed(t *testing.T) {
	srv, host := site(t, map[string]string{"/": orders, "/order/A-1042": "<h1>Order</h1>"})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("tr:nth-child(2) button")
	if o := w.find(capture.Click, 1); o.Target.Name != "Edit" || o.Value == nil || o.Value.Text != "A-1043" || !o.Value.Chosen ||
		o.Target.Landmark.Role != "row" {
		t.Errorf("edit: %+v %+v %+v", o.Target, o.Value, o.Target.Landmark)
	}
	p.click("tr a")
	if o := w.find(capture.Click, 2); o.Target.Role != "link" || o.Value == nil || o.Value.Text != "A-1042" || !o.Value.Chosen {
		t.Errorf("link: %+v %+v", o.Target, o.Value)
	}
	if o := w.Seen()[0]; len(o.After.Tables) != 1 || o.After.Tables[0].Rows != 2 || o.After.Tables[0].Name != "Recent" ||
		len(o.After.Tables[0].Columns) != 2 {
		t.Errorf("table: %+v", o.After.Tables)
	}
}

func TestMenusAreNamed(t *testing.T) {
	people := ""
	for range 9 {
		people += "<li><a href=#p>Grace Hopper</a>"
	}
	srv, host := site(t, map[string]string{
		"/": `<ul id=menu><li><a href="#r">Reports</a><li><a href="#s">Settings</a></ul><ul id=people>` + people + `</ul>
		<ul id=few><li><a href="/people/E-104">Anna Berg</a> E-104<li><a href="/people/E-117">Grace Hopper</a> E-117</ul>
		<div id=card style="cursor:pointer;width:100px">New order</div><p id=body>Somebody's text</p>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("#menu a")
	if o := w.find(capture.Click, 1); o.Target.Name != "Reports" || o.Value != nil {
		t.Errorf("menu: %+v %+v", o.Target, o.Value)
	}
	p.click("#people a")
	if o := w.find(capture.Click, 2); o.Value == nil || o.Value.Text != "Grace Hopper" || !o.Value.Chosen {
		t.Errorf("list: %+v %+v", o.Target, o.Value)
	}
	p.click("#card")
	if o := w.find(capture.Click, 3); o.Target.Text != "New order" || o.Target.Name != "" {
		t.Errorf("card: %+v", o.Target)
	}
	p.click("#body")
	if o := w.find(capture.Click, 4); o.Target.Text != "" || o.Target.Name != "" {
		t.Errorf("body text: %+v", o.Target)
	}
	p.click("#few a")
	if o := w.find(capture.Click, 5); o.Value == nil || o.Value.Text != "Anna Berg" || !o.Value.Chosen {
		t.Errorf("list of things that are kept by number: %+v %+v", o.Target, o.Value)
	}
}

func TestRewrittenDocumentIsStillWatched(t *testing.T) {
	srv, host := site(t, map[string]string{
		"/": `<h1>Old</h1><button onclick="document.open();document.write('<h1>New</h1>` +
			`<button>Second</button>');document.close()">First</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("button")
	w.find(capture.Click, 1)
	p.until("document.querySelector('h1').textContent === 'New'")
	eventually(t, "a click in the new text", func() bool {
		p.click("button")
		for _, o := range w.Seen() {
			if o.Target != nil && o.Target.Name == "Second" {
				return true
			}
		}
		return false
	})
}

func TestFramesAndShadowRoots(t *testing.T) {
	var host2 string
	inner, hostIn := site(t, map[string]string{"/in": `<h2 style="margin:0;font-size:10px">Inner</h2>
		<button id=i style="width:280px;height:90px" onclick="document.body.append('x')">Inside</button>`})
	other := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1)
	host2 = strings.Replace(hostIn, "127.0.0.1", "localhost", 1)
	srv, host := site(t, map[string]string{"/same": `<button id=i onclick="document.body.append('x')">Same site</button>`,
		"/": `<h1>Top</h1><iframe name=far src="` + other + `/in" style="width:300px;height:120px;border:0"></iframe>
		<iframe name=near src="/same" style="width:300px;height:120px;border:0"></iframe><x-open></x-open><div style="height:3000px"></div>` +
			`<x-closed></x-closed>
		<script>for (const mode of ["open","closed"]) customElements.define("x-"+mode, class extends HTMLElement { connectedCallback() {
			this.style.cssText="display:inline-block"; const r=this.attachShadow({mode}); r.innerHTML="<button id=s>In "+mode+"</button>` +
			`"; } })</script>`})
	w := observe(t, Options{}, host, host2)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.click("x-open >>> #s")
	if o := w.find(capture.Click, 1); o.Target.Role != "button" || o.Target.Name != "In open" {
		t.Errorf("open root: %+v", o.Target)
	}
	p.click("x-closed")
	if o := w.find(capture.Click, 2); o.Target.Role != "button" || o.Target.Name != "In closed" {
		t.Errorf("closed root: %+v", o.Target)
	}
	p = reopened(t, p, srv.URL+"/", func(p *sheet) bool {
		x, y := p.at("iframe[name=far]") // the browser needs a moment until it routes input to a new frame
		p.clickAt(x-110, y+10)
		for _, o := range w.Seen() {
			if o.Target != nil && o.Target.Name == "Inside" {
				return o.Origin.Site == host2 && o.Target.Frame == "far" && o.Page.URL == srv.URL+"/"
			}
		}
		return false
	})
	eventually(t, "a click in the near frame", func() bool {
		x, y := p.at("iframe[name=near]")
		p.clickAt(x-110, y-40)
		for _, o := range w.Seen() {
			if o.Target != nil && o.Target.Name == "Same site" {
				return o.Origin.Site == host && o.Target.Frame == "near"
			}
		}
		return false
	})
}

func TestOffScopeFrameIsNotDescribed(t *testing.T) {
	inner, hostIn := site(t, map[string]string{
		"/in": `<h2>canary</h2><button onclick="document.title='canary'" style="width:280px;height:100px">canary</button>`})
	srv, host := site(t, map[string]string{
		"/": `<h1>Top</h1><iframe name=far src="` + strings.Replace(inner.URL, "127.0.0.1", "localhost",
			1) + `/in" style="width:300px;height:120px"></iframe><button id=b>Here</button>`})
	_ = hostIn
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p = reopened(t, p, srv.URL+"/", func(p *sheet) bool {
		p.front()
		p.click("iframe") // the browser needs a moment until it routes input to a new frame
		return w.Withheld(capture.OffScope) > 0
	})
	p.click("#b")
	w.Wait(t, "the click", patience, func(s []adaptertest.Seen) bool { return clicks(s, "Here") > 0 })
	w.flushed()
	for _, o := range w.Seen() {
		switch {
		case o.Verb == capture.NewTab || o.Verb == capture.CloseTab: // of pages that were opened again
		case o.Verb == capture.Click && o.Target.Name == "Here":
		case o.Verb == capture.Click && o.Target.Tag == "iframe": // before the browser routed it into the frame
		default:
			t.Errorf("seen: %+v %+v", o, o.Target)
		}
	}
	if strings.Contains(adaptertest.Everything(w.Seen()), "canary") {
		t.Error("described")
	}
}

func TestPrivateWindowsAndOwnPages(t *testing.T) {
	inWholeBrowser(t)
	srv, host := site(t, map[string]string{"/": buttons})
	own, ownHost := site(t, map[string]string{"/": buttons})
	w := observe(t, Options{Own: func(s string) bool { return s == ownHost }}, host, ownHost)
	c, err := cdp.Call(t.Context(), shared.hand.client.Root(), target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := cdp.Call(t.Context(), shared.hand.client.Root(), target.CreateTarget,
		target.CreateTargetParams{URL: srv.URL + "/", BrowserContextID: c.BrowserContextID})
	if err != nil {
		t.Fatal(err)
	}
	p := shared.hand.sheet(t, res.TargetID)
	p.until("document.querySelector('button')")
	p.click("button")
	p.shut()
	q := shared.hand.open(t, own.URL+"/")
	q.click("button")
	n := shared.hand.open(t, srv.URL+"/")
	n.click("button")
	w.find(capture.Click, 1)
	w.verbs(capture.NewTab, capture.Click)
	if w.Withheld(capture.PrivateData) == 0 {
		t.Error("the private window was not counted")
	}
}
