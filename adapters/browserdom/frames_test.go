//go:build unix

package browserdom

import (
	"slices"
	"strings"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/internal/await"
)

// What an act in one document of a tab does to another document is its outcome, in whichever process that runs.
func TestTheOutcomeIsThatOfTheWholeTab(t *testing.T) {
	_, hostIn := site(t, map[string]string{
		"/far": `<h2>Far</h2><p role=status id=s></p><button onclick="top.postMessage('from far','*')">Tell top</button>
		<form action="/far2"><button>Next step</button></form><script>` +
			`onmessage=e=>s.textContent=e.data</script>`, "/far2": `<h2>Far second</h2>`})
	farHost := strings.Replace(hostIn, "127.0.0.1", "localhost", 1)
	srv, host := site(t, map[string]string{"/near": `<h2>Near</h2><button onclick="parent.s.textContent='from near'">Tell top</button>`,
		"/near2": `<h2>Near second</h2><p role=status>arrived</p>`,
		"/": `<h1>Top</h1><p role=status id=s></p><button id=b onclick="frames[1].postMessage('from top','*')">Tell far</button>` +
			`<a target=near href="/near2">Replace near</a><br>
		<iframe name=near src="/near" style="width:300px;height:120px;border:0"></iframe>` +
			`<iframe name=far src="http://` + farHost + `/far" style="width:300px;height:160px;border:0"></iframe>
		<script>onmessage=e=>s.textContent=e.data</script>`})
	w := observe(t, Options{}, host, farHost)
	p := shared.hand.open(t, srv.URL+"/")
	far := shared.hand.frame(t, "http://"+farHost+"/far")
	far.until(`document.readyState === "complete"`)
	w.find(capture.NewTab, 1)
	before := 0 // clicks until the recorder, too, has seen every frame
	eventually(t, "all frames to be part of what is seen", func() bool {
		p.click("h1")
		before++
		o := w.find(capture.Click, before)
		return o.After != nil && sorted(o.After.Headings) == "Far,Near,Top"
	})
	step := func(n int, name string, alerts, headings string) {
		t.Helper()
		o := w.find(capture.Click, before+n)
		if o.Target.Name != name || o.After == nil || o.Before == nil {
			t.Fatalf("click %d: %+v", n, o)
		}
		if got := sorted(o.After.Alerts); got != alerts {
			t.Errorf("%s: alerts %q, want %q", name, got, alerts)
		}
		if got := sorted(o.After.Headings); got != headings {
			t.Errorf("%s: headings %q, want %q", name, got, headings)
		}
		if !o.Changed || slices.Equal(o.Before.Alerts, o.After.Alerts) && slices.Equal(o.Before.Headings, o.After.Headings) {
			t.Errorf("%s: changed nothing: %+v", name, o.Before)
		}
	}
	x, y := p.at("iframe[name=near]")
	p.clickAt(x-110, y+15)
	step(1, "Tell top", "from near", "Far,Near,Top")
	far.click("button")
	step(2, "Tell top", "from far", "Far,Near,Top")
	p.click("#b")
	step(3, "Tell far", "from far,from top", "Far,Near,Top")
	p.click("a")
	step(4, "Replace near", "arrived,from far,from top", "Far,Near second,Top")
	far.click("form button")
	step(5, "Next step", "arrived,from far", "Far second,Near second,Top")
	for _, o := range w.verbs(append([]capture.Verb{capture.NewTab}, slices.Repeat([]capture.Verb{capture.Click}, before+5)...)...) {
		if o.Page.URL != srv.URL+"/" || o.After.URL != srv.URL+"/" {
			t.Errorf("it happened on %s", o.Page.URL)
		}
	}
}

func sorted(s []string) string { return strings.Join(slices.Sorted(slices.Values(s)), ",") }

// A frame that is removed takes what it showed with it.
func TestARemovedFrameIsNoLongerSeen(t *testing.T) {
	srv, host := site(t, map[string]string{"/in": `<h2>Inner</h2>`,
		"/": `<h1>Top</h1><button onclick="f.remove()">Close</button><iframe id=f src="/in"></iframe>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.until(`frames[0].document.querySelector("h2")`)
	eventually(t, "the frame to be part of what is seen", func() bool {
		p.click("h1")
		seen := w.Seen()
		o := seen[len(seen)-1]
		return o.Verb == capture.Click && slices.Contains(o.After.Headings, "Inner")
	})
	n := len(w.Seen())
	p.click("button")
	eventually(t, "the click", func() bool { return clicks(w.Seen(), "Close") == 1 })
	if o := w.Seen()[len(w.Seen())-1]; !o.Changed || slices.Contains(o.After.Headings, "Inner") || n == 0 {
		t.Errorf("%+v", o.After)
	}
}

// A frame that was in scope before its page is still seen when the page comes into scope.
func TestAFrameAllowedBeforeItsPage(t *testing.T) {
	_, hostIn := site(t, map[string]string{"/in": `<button style="position:fixed;top:0;left:0;width:100px;height:50px">Inside</button>`})
	srv, host := site(t, map[string]string{
		"/": `<h1>Top</h1><button id=b>Outside</button><br><iframe src="http://` + hostIn +
			`/in" style="border:0;width:200px;height:100px"></iframe>`})
	w := observe(t, Options{}, hostIn)
	p := shared.hand.open(t, srv.URL+"/")
	x, y := p.at("iframe")
	inside := func() bool {
		n := clicks(w.Seen(), "Inside")
		p.clickAt(x-80, y-30)
		return await.Within(frameTime, func() bool { return clicks(w.Seen(), "Inside") > n })
	}
	eventually(t, "the frame to be seen", inside)
	w.ctl.Rescope(capture.Scope{Sites: []string{host, hostIn}})
	heard(w.ctl)
	p.click("#b")
	w.Wait(t, "the page", patience, func(s []adaptertest.Seen) bool { return clicks(s, "Outside") == 1 })
	if !inside() {
		t.Errorf("the frame is no longer seen: %s", adaptertest.Describe(w.Seen()))
	}
}
