//go:build unix

package browserdom

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/adapters/browserdom/control"
	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/capture"
	"showhow/internal/await"
)

// traps are pages that go away under the pointer.
var traps = map[string]string{
	"/down":   `<h1>Down</h1><button style="width:300px;height:200px" onmousedown="location='/down?'+Math.random()">Down</button>`,
	"/click":  `<h1>Click</h1><button style="width:300px;height:200px" onclick="location='/click?'+Math.random()">Click</button>`,
	"/link":   `<h1>Link</h1><a style="display:block;width:300px;height:200px" href="/link">Link</a>`,
	"/form":   `<h1>Form</h1><form action="/form"><button name=b value=1 style="width:300px;height:200px">Form</button></form>`,
	"/gone":   `<h1>Gone</h1><div id=d><button style="width:300px;height:200px" onpointerdown="d.innerHTML=d.innerHTML">Gone</button></div>`,
	"/opener": `<h1>Opener</h1><button id=open onclick="open('/self','_blank','width=400,height=400')">Open</button>`,
	"/self":   `<h1>Self</h1><button id=self style="width:300px;height:200px" onmousedown="window.close()">Self</button>`,
}

func clicks(seen []adaptertest.Seen, name string) int {
	n := 0
	for _, o := range seen {
		if o.Verb == capture.Click && o.Target != nil && o.Target.Name == name {
			n++
		}
	}
	return n
}

func TestNoClickIsLostWhenThePageGoesAway(t *testing.T) {
	srv, host := site(t, traps)
	w := observe(t, Options{}, host)
	for path, name := range map[string]string{"/down": "Down", "/click": "Click", "/link": "Link", "/form": "Form", "/gone": "Gone"} {
		p := shared.hand.open(t, srv.URL+path)
		const n = 4
		for i := range n {
			x, y := p.at("button, a")
			p.clickAt(x, y)
			if path != "/gone" {
				eventually(t, "the next page", func() bool { return clicks(w.Seen(), name) > i })
				p.until("document.readyState === 'complete' && performance.now() > 60")
			}
		}
		w.Wait(t, name, patience, func(s []adaptertest.Seen) bool { return clicks(s, name) >= n })
		if got := clicks(w.Seen(), name); got != n {
			t.Errorf("%s: %d of %d", path, got, n)
		}
	}
	for _, o := range w.Seen() {
		if o.Verb == capture.Click && o.Target.Name != "Gone" && (o.After == nil || !o.Changed) {
			t.Errorf("%s has no outcome: %+v", o.Target.Name, o.After)
		}
		if o.Verb == capture.Navigate {
			t.Errorf("a click's navigation was reported by itself: %+v", o)
		}
	}
}

// A page that is rewritten under the pointer: the next click comes before anybody outside could know.
func TestNoClickIsLostOnARewrittenPage(t *testing.T) {
	const place = ` style='position:fixed;left:0;top:0;width:300px;height:200px'`
	srv, host := site(t, map[string]string{
		"/": `<button` + place + ` onclick="document.open();document.write(&quot;<h1>New</h1><button` + place +
			`>Second</button>&quot;);document.close()">First</button>`})
	w := observe(t, Options{}, host)
	for n := 1; n <= 5; n++ {
		p := shared.hand.open(t, srv.URL+"/")
		// Chromium does not pause a tab that opens with its page: on a busy machine it takes input before the
		// recorder is attached.
		w.find(capture.NewTab, n)
		p.burst("button", 2)
		w.Wait(t, "the second click", patience, func(s []adaptertest.Seen) bool { return clicks(s, "Second") == n })
		if got := clicks(w.Seen(), "First"); got != n {
			t.Errorf("the first click was seen %d times of %d", got, n)
		}
	}
}

func TestWindowThatClosesItselfOnMousedown(t *testing.T) {
	srv, host := site(t, traps)
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/opener")
	for n := 1; n <= 3; n++ {
		p.click("#open")
		q := shared.hand.lastWith(t, srv.URL+"/self")
		x, y := q.at("#self")
		q.press(x, y)
		w.find(capture.CloseTab, n)
		if got := clicks(w.Seen(), "Self"); got != n {
			t.Errorf("%d clicks of %d", got, n)
		}
	}
}

func TestHundredRapidClicks(t *testing.T) {
	srv, host := site(t, map[string]string{
		"/": `<h1>Fast</h1><button onclick="n.textContent=++c">Fast</button><p role=status id=n></p><script>c=0</script>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.burst("button", 100)
	w.Wait(t, "100 clicks", patience, func(s []adaptertest.Seen) bool { return clicks(s, "Fast") >= 100 })
	var n int
	if err := p.eval("c", &n); err != nil || n != 100 {
		t.Errorf("the page saw %d: %v", n, err)
	}
	seen := w.Seen()
	if got := clicks(seen, "Fast"); got != 100 {
		t.Errorf("%d clicks", got)
	}
	for i := 2; i < len(seen); i++ {
		if seen[i].OccurredAt.Before(seen[i-1].OccurredAt) {
			t.Fatalf("out of order at %d", i)
		}
	}
}

func TestBadgeIndicatesWhileItIsSeen(t *testing.T) {
	srv, host := site(t, map[string]string{"/": buttons + `<a href="/ask" onclick="return confirm('?')">Ask</a>`})
	off, _ := site(t, map[string]string{"/": buttons})
	w := observe(t, Options{}, host)
	badge := func(p *sheet) (n int) {
		_ = p.eval(`document.querySelectorAll("[aria-label^='Showhow is']").length`, &n)
		return n
	}
	q := shared.hand.open(t, off.URL+"/")
	if badge(q) != 0 || w.Indicated("browser_badge") != 0 {
		t.Error("a badge out of scope")
	}
	p := shared.hand.open(t, srv.URL+"/")
	eventually(t, "the badge", func() bool { return badge(p) == 1 && w.Indicated("browser_badge") > 0 })
	for _, o := range w.Seen() {
		if strings.Contains(adaptertest.Everything([]adaptertest.Seen{o}), "Showhow") {
			t.Error("the badge is in what was seen")
		}
	}
	w.ctl.Pause()
	eventually(t, "the badge to say so", func() bool {
		var text string
		_ = p.eval(`document.querySelector("[aria-label^='Showhow is']").ariaLabel`, &text)
		return text == "Showhow is paused"
	})
	n := w.Indicated("browser_badge")
	w.inside((*recorder).indicate) // as at every beat
	if w.Indicated("browser_badge") != n {
		t.Error("indicated while paused")
	}
	eventually(t, "the badge to say that it could show it", func() bool {
		return w.Indicated("paused browser_badge") > 2
	})
	w.ctl.Resume()
	eventually(t, "the badge again", func() bool { return w.Indicated("browser_badge") > n })
}

func TestPauseTellsWhatWasHalfEntered(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<label>Name <input></label>`})
	w := observe(t, Options{late: time.Minute}, host) // the page may be slow to answer; what it says is no later for that
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.write("input", "half")
	w.ctl.Pause()
	if o := w.find(capture.Type, 1); o.Value.Text != "half" {
		t.Errorf("%+v", o.Value)
	}
	heard(w.ctl)
	p.keys(" more")
	w.ctl.Resume()
	heard(w.ctl)
	p.keys("!")
	p.tab()
	if o := w.find(capture.Type, 2); o.Value == nil || o.Value.Text != "" || !o.Value.Kind.Secret() {
		t.Errorf("%+v", o.Value)
	}
}

// The last act before a pause is reported even if its outcome is still pending, however busy the machine is.
func TestTheLastActBeforeAPause(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<button>Send</button><p></p><script>let n = 0;
setInterval(() => document.querySelector('p').textContent = n++, 20)</script>`})
	w := observe(t, Options{late: time.Nanosecond}, host) // whatever is done about a pause comes late
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.click("button")
	heard(w.ctl)
	w.ctl.Pause()
	w.find(capture.Click, 1)
}

// So is what was typed last, in a field that the person is still in: it is told of by the pause itself, and a page that saves and draws
// what is typed is busy just then.
func TestWhatWasTypedBeforeAPauseOfABusyPage(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Garden</h1><label>Name <input oninput="setTimeout(save, 30)"></label><script>
const save = () => { document.querySelector('h1').textContent = document.querySelector('input').value;
	for (const end = performance.now() + 400; performance.now() < end;); }</script>`})
	w := observe(t, Options{late: time.Nanosecond}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.write("input", "b")
	heard(w.ctl)
	w.ctl.Pause()
	if o := w.find(capture.Type, 1); o.Value.Text != "b" {
		t.Errorf("%+v", o.Value)
	}
}

// Keys that were pressed after the pause are not told of by what was typed before it.
func TestTypingCountsAsHeardOfWithItsLastKey(t *testing.T) {
	c := &control.Control{}
	part := &control.Part{Kind: capture.BrowserDOM}
	c.Add(part)
	c.Of(part).Pause()
	u, at := &guard{ctl: c}, c.Gate().At
	now := at.Add(time.Second)
	for _, c := range []struct {
		until time.Duration
		want  time.Time
	}{{-time.Millisecond, at.Add(-time.Millisecond).Truncate(time.Microsecond)}, {time.Millisecond, now}} {
		m := &script.Message{Until: at.Add(c.until).UnixMicro()}
		if got := u.heard(m, now); got.UnixMicro() != c.want.UnixMicro() {
			t.Errorf("%v: %v", c.until, got.Sub(at))
		}
	}
	if u.heard(&script.Message{}, now) != now {
		t.Error("an act that tells no key")
	}
}

// What was pressed in a pause is not told of after it, nor in the next one, however late a busy page tells of it.
func TestAPauseThatIsOverStaysUntold(t *testing.T) {
	c := &control.Control{}
	part := &control.Part{Kind: capture.BrowserDOM, Scope: control.Normal(capture.Scope{Sites: []string{"a.example"}})}
	c.Add(part)
	c.Of(part).Pause()
	first := c.Gate().At
	within := first.Add(time.Microsecond)
	await.Until(t, "the pause to have a length", func() bool { return time.Since(first) > time.Millisecond })
	c.Of(part).Rescope(part.Scope)
	if at := c.Gate().At; at != first {
		t.Errorf("a pause began %v later by a change of the scope", at.Sub(first))
	}
	c.Of(part).Resume()
	for _, again := range []bool{false, true} {
		if again {
			c.Of(part).Pause()
		}
		if g := c.Gate(); !g.Missed(within) || g.Missed(first) || g.Missed(time.Now()) {
			t.Errorf("paused again %v: %v %v %v", again, g.Missed(within), g.Missed(first), g.Missed(time.Now()))
		}
	}
}

// A page that is busy from before a pause until after it does not know of it when it hears the keys.
func TestKeysInAPauseOfABusyPage(t *testing.T) {
	busy := make(chan bool, 8)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			busy <- true
			return
		}
		_, _ = io.WriteString(w, `<!doctype html><label>Name <input></label><button>Done</button><script>
document.querySelector('input').onkeydown = (e) => {
	if (e.key !== 'b') return;
	fetch('/busy');
	for (const end = performance.now() + 900; performance.now() < end;);
};</script>`)
	}))
	t.Cleanup(srv.Close)
	w := observe(t, Options{}, strings.TrimPrefix(srv.URL, "http://"))
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.click("input")
	p.sendKey("b")
	<-busy
	w.ctl.Pause()
	p.sendKey("x")
	p.sendKey("y")
	// The browser has both keys once it answers what came after them.
	if _, err := cdp.Call(ctxOf(t), shared.hand.client.Root(), target.GetTargets, target.GetTargetsParams{}); err != nil {
		t.Fatal(err)
	}
	w.ctl.Resume()
	heard(w.ctl)
	p.click("button")
	w.find(capture.Click, 2)
	for _, o := range w.Seen() {
		if o.Value != nil && strings.ContainsAny(o.Value.Text, "xy") {
			t.Errorf("%s %+v", o.Verb, o.Value)
		}
	}
}

// What was typed, chosen or loaded with a page while paused never appears later: not at the end of a visit, not in a
// digest, not in the address of a form.
func TestPausedEntriesStayUntold(t *testing.T) {
	form := `<form action="/next"><label>Note <input name="note"></label><label>Size <select name="size"><option>small<option>` +
		`walrus-size</select></label>
		<label>Kept <input name="kept" value="as served"></label><button>Send</button></form>`
	srv, host := site(t, map[string]string{"/": form, "/next": `<h1>Next</h1>` + form})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	w.ctl.Pause()
	heard(w.ctl)
	p.write("input[name=note]", "paused pelican")
	if err := p.eval(`document.querySelector("select").selectedIndex = 1`, nil); err != nil {
		t.Fatal(err)
	}
	w.ctl.Resume()
	heard(w.ctl)
	p.click("button")
	w.find(capture.Click, 1)
	if all := adaptertest.Everything(w.Seen()); strings.Contains(all, "pelican") || strings.Contains(all, "walrus") ||
		!strings.Contains(all, "as served") {
		t.Errorf("seen: %s", all)
	}
}

func TestBrowserDiesAndComesBack(t *testing.T) {
	startShared(t) // skips without a browser
	headless := true
	m := browser.NewManager(browser.Options{Headless: &headless, NoSandbox: true})
	defer m.Close()
	srv, host := site(t, map[string]string{"/": buttons})
	w := observeWith(t, New(Options{Browser: m}), host)
	b := m.Running()
	if err := syscall.Kill(-b.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "degraded", func() bool { return w.LastHealth().State == adapters.Degraded })
	if h := w.LastHealth(); h.Code != "browser_gone" || h.Fix == "" {
		t.Errorf("%+v", h)
	}
	if err := m.Open(t.Context(), srv.URL+"/"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "ready", func() bool { return w.LastHealth().State == adapters.Ready })
	if err := m.Open(t.Context(), srv.URL+"/"); err != nil {
		t.Fatal(err)
	}
	w.find(capture.NewTab, 1)
}
