package player

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/capture"
	"showhow/internal/await"
)

// Every way in which a page can send something, each to a host that is not allowed; the host's own
// log decides.
func TestBlockedHostIsNeverReached(t *testing.T) {
	enemy := serve(t, map[string]any{})
	other := strings.Replace(enemy.URL, "127.0.0.1", "localhost", 1)
	var home *site
	home = serve(t, map[string]any{
		"/": `<!doctype html><title>all</title><h1>Leaks</h1><link rel=prefetch href="{enemy}/prefetch">` +
			`<link rel=preload as=script href="{enemy}/preload">
<link rel=dns-prefetch href="//leak.example.test"><link rel=preconnect href="{enemy}"><link rel=stylesheet href="{enemy}/css">` +
			`<link rel=icon href="{enemy}/icon">
<link rel=manifest href="{enemy}/manifest"><link rel=modulepreload href="{enemy}/module">
<script type=speculationrules>{"prefetch":[{"source":"list","urls":["{enemy}/spec-prefetch"]}],"prerender":[{"source":"list",` +
			`"urls":["/prerendered"]}]}</script>
<img src="{enemy}/img"><iframe src="{enemy}/frame"></iframe><iframe srcdoc="<img src='{enemy}/srcdoc'>"></iframe>` +
			`<video src="{enemy}/video"></video><object data="{enemy}/object"></object>
<div style="background:url({enemy}/background)">x</div><a id=ping href="#x" ping="{enemy}/ping">Ping</a><a href="{enemy}/link">Link</a>` +
			`<a href="{enemy}/dl" download>Save</a>
<a href="{enemy}/blank" target=_blank>Blank</a><a href="{enemy}/noopener" target=_blank rel=noopener>Noopener</a>
<form action="{enemy}/form" method=post><button>Post</button></form><form action="{enemy}/get"><button>Get</button></form>` +
			`<a href="/redirect">Redirect</a>
<button onclick="popup()">Popup</button><a href="/leave">Leave</a>
<script>
const E = "{enemy}";
window.done = [];
const say = (w) => done.push(w);
fetch(E + '/fetch', {method:'POST', body:'x'}).catch(() => say('fetch'));
fetch('/redirect-post', {method:'POST', body:'x'}).catch(() => say('redirected'));
const x = new XMLHttpRequest(); x.open('PUT', E + '/xhr'); x.onerror = () => say('xhr'); x.send('x');
navigator.sendBeacon(E + '/beacon', 'x');
try { const s = new EventSource(E + '/events'); s.onerror = () => s.close(); } catch {}
const ws = new WebSocket(E.replace('http', 'ws') + '/socket'); ws.onerror = () => say('socket'); ws.onopen = () => say('OPEN');
const f = document.createElement('iframe'); document.documentElement.append(f);
try { const w2 = new f.contentWindow.WebSocket(E.replace('http', 'ws') + '/socket-of-frame'); w2.onopen = () => say('OPEN'); w2.onerror ` +
			`= () => say('socket2'); } catch (e) { say('socket2'); }
try { new RTCPeerConnection({iceServers:[{urls:'turn:'+E.slice(7), username:'a', credential:'b'}]}); say('RTC'); } catch { say('nortc'); }
try { new f.contentWindow.RTCPeerConnection({}); say('RTC'); } catch {}
const w = new Worker('/worker.js'); w.onmessage = (e) => say(e.data);
try { const sh = new SharedWorker('/shared.js'); sh.port.onmessage = (e) => say(e.data); } catch (e) { say('noshared'); }
navigator.serviceWorker.register('/sw.js').then(() => say('SW'), () => say('nosw'));
const blob = new Worker(URL.createObjectURL(new Blob(["fetch('" + E + "/blob-worker').catch(() => postMessage('blobworker')); try { ` +
			`const s = new WebSocket('" + E.replace('http','ws') + "/blob-socket'); s.onerror = () => postMessage('blobsocket'); s.onopen = () ` +
			`=> postMessage('OPEN'); } catch { postMessage('blobsocket'); }"])));
blob.onmessage = (e) => say(e.data);
addEventListener('pagehide', () => { fetch(E + '/keepalive', {method:'POST', body:'x', keepalive:true}); navigator.sendBeacon(E + ` +
			`'/bye', 'x'); });
function popup() { const p = window.open('about:blank'); p.document.write('<title>p</title><img src="' + E + '/popup-img"><script>` +
			`fetch("' + E + '/popup-fetch"); new WebSocket("' + E.replace('http','ws') + '/popup-socket")<\/script>'); p.document.close(); }
</script>`,
		"/worker.js": `fetch('{enemy}/worker', {method:'POST', body:'x'}).catch(() => postMessage('worker')); importLater(); function ` +
			`importLater() { try { importScripts('{enemy}/import'); } catch { postMessage('import'); } }
try { const s = new WebSocket('{enemy}'.replace('http','ws') + '/worker-socket'); s.onerror = () => postMessage('workersocket'); ` +
			`s.onopen = () => postMessage('OPEN'); } catch { postMessage('workersocket'); }`,
		"/shared.js": `onconnect = (e) => { const p = e.ports[0]; fetch('{enemy}/shared').catch(() => p.postMessage('shared')); try { const ` +
			`s = new WebSocket('{enemy}'.replace('http','ws') + '/shared-socket'); s.onerror = () => p.postMessage('sharedsocket'); s.onopen = ` +
			`() => p.postMessage('OPEN'); } catch { p.postMessage('sharedsocket'); } };`,
		"/sw.js":       `fetch('{enemy}/sw');`,
		"/leave":       `<!doctype html><title>left</title><h1>Left</h1>`,
		"/prerendered": `<!doctype html><script>fetch('{enemy}/prerendered')</script>`,
		"/redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, home.subst.Replace("{enemy}")+"/redirected", http.StatusFound)
		},
		"/redirect-post": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, home.subst.Replace("{enemy}")+"/redirected-post", http.StatusTemporaryRedirect)
		},
	})
	for _, host := range []string{enemy.URL, other} {
		t.Run(host[7:12], func(t *testing.T) {
			testLeaks(t, home, enemy, host)
		})
	}
}

// A read-only host is not written to: by forms, fetches, beacons, sockets.
func TestBlockedMethods(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>-</title><h1>M</h1><form action=/form method=post><label>Name <input name=who>` +
		`</label><button>Send</button></form>
<button onclick="fetch('/api/7',{method:'DELETE'}).catch(() => document.title='refused')">Delete</button>` +
		`<button onclick="fetch('/api',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({a:1})}).catch(() => ` +
		`document.title='refused too')">Store</button>
<button onclick="fetch('/read').then(r => document.title=r.status)">Read</button>` +
		`<button onclick="new WebSocket(location.origin.replace('http','ws')+'/live').onerror = () => document.title='no socket'">Live</button>`,
		"/read": "x"})
	var mu sync.Mutex
	var asked []Request
	p := guarded(t, Options{Guard: func(r Request) string {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r)
		if r.Method != http.MethodGet || r.ResourceType == "WebSocket" {
			return "nothing is written"
		}
		return ""
	}})
	open(t, p, s.URL+"/")
	do(t, p, enter("Name", "Ada"))
	for name, want := range map[string]string{"Delete": "refused", "Store": "refused too", "Read": "200", "Live": "no socket"} {
		before := len(p.Blocked())
		out := do(t, p, click("button", name))
		if st, err := p.Settle(ctxOf(t), title(want)); err != nil {
			t.Errorf("%s: %q %v", name, st.Title, err)
		}
		hold(t, "blocked by "+name, len(p.Blocked())-before, map[bool]int{true: 0, false: 1}[name == "Read"])
		if name == "Delete" && len(out.Blocked) > 0 && out.Blocked[0].Why != "nothing is written" {
			t.Errorf("%+v", out.Blocked)
		}
	}
	out := do(t, p, click("button", "Send"))
	if len(out.Blocked) != 1 || !out.Blocked[0].Form || !out.Blocked[0].Navigation || string(out.Blocked[0].Body) != "who=Ada" ||
		out.Blocked[0].Initiator != s.URL+"/" {
		t.Errorf("the form: %+v", out.Blocked)
	}
	for _, l := range s.requests() {
		if !strings.HasPrefix(l, "GET ") || strings.HasPrefix(l, "GET /live") || strings.Contains(l, "showhow") {
			t.Errorf("the server was sent %q", l)
		}
	}
	once := map[string]int{}
	mu.Lock()
	defer mu.Unlock()
	for _, r := range asked {
		once[r.Method+r.URL]++
	}
	hold(t, "asked about /read", once["GET"+s.URL+"/read"], 1)
}

// A request for the page in front is told from those for its frames and for other pages.
func TestWhereARequestIsFor(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>-</title><h1>W</h1><iframe name=inner></iframe>
<form action=/framed method=post target=inner><button>Framed</button></form><form action=/own method=post><button>Own</button></form>
<form action=/beside method=post target=_blank><button>Beside</button></form><a href=/away>Away</a>`})
	p := guarded(t, Options{Guard: func(r Request) string {
		if r.Method != http.MethodGet || strings.HasSuffix(r.URL, "/away") {
			return "nothing is written"
		}
		return ""
	}})
	open(t, p, s.URL+"/")
	for _, c := range []struct {
		act         Act
		main, frame bool
	}{{click("button", "Framed"), false, true}, {click("button", "Own"), true, false}, {click("link", "Away"), true, false},
		{click("button", "Beside"), false, false}} {
		before := len(p.Blocked())
		do(t, p, c.act)
		await.Until(t, c.act.Target.Name+" is blocked", func() bool { return len(p.Blocked()) > before })
		if b := p.Blocked()[before]; !b.Navigation || b.Main != c.main || b.Frame != c.frame {
			t.Errorf("%s: %+v", c.act.Target.Name, b)
		}
	}
}

// A name that is not allowed is not even resolved.
func TestFlagsCloseNames(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>-</title>`})
	p := alone(t, Options{}, []string{"example.test", "*.example.org:8443"})
	open(t, p, s.URL+"/")
	open(t, p, strings.Replace(s.URL, "127.0.0.1", "localhost", 1)+"/")
	if err := p.Open(ctxOf(t), "http://elsewhere.test/"); err == nil {
		t.Error("another name was resolved")
	}
}

func testLeaks(t *testing.T, home, enemy *site, host string) {
	home.subst = strings.NewReplacer("{enemy}", host)
	before := len(enemy.requests())
	p := guarded(t, Options{Downloads: t.TempDir(), Patience: 5 * time.Second, Guard: func(r Request) string {
		if strings.HasPrefix(r.URL, home.URL+"/") {
			return ""
		}
		return "not an allowed site"
	}})
	open(t, p, home.URL+"/")
	for _, what := range []string{"fetch", "redirected", "xhr", "socket", "socket2", "nortc", "worker", "import", "workersocket", "blobworker",
		"blobsocket", "shared", "sharedsocket", "nosw"} {
		await.Until(t, what+" has failed for the page; so far "+eval(t, p, "done.join()"), func() bool {
			return strings.Contains(","+eval(t, p, "done.join()")+",", ","+what+",")
		})
	}
	hold(t, "reached", eval(t, p, "done.filter((d) => /OPEN|SW|RTC/.test(d)).join()"), "")
	for _, a := range []Act{click("link", "Ping"), click("link", "Link"), click("link", "Save"), click("button", "Post"),
		click("button", "Get"), click("link", "Redirect")} {
		do(t, p, a)
	}
	asked := func() (paths []string) {
		for _, b := range p.Blocked() {
			paths = append(paths, strings.TrimPrefix(strings.TrimPrefix(b.URL, host), "ws"+host[4:]))
		}
		return paths
	}
	for _, c := range []struct {
		a       Act
		reaches []string
	}{{click("link", "Blank"), []string{"/blank"}}, {click("link", "Noopener"), []string{"/noopener"}},
		{click("button", "Popup"), []string{"/popup-img", "/popup-fetch", "/popup-socket"}}} {
		a, opened, own := c.a, 0, p.current()
		do(t, p, a)
		if p.until(ctxOf(t), startTime, func() bool { opened = len(p.tabs); return opened > 1 && p.front != own }) != nil {
			t.Fatalf("%s %q opened no tab: %d", a.Target.Role, a.Target.Name, opened)
		}
		for _, path := range c.reaches { // a tab that closes takes what it has not yet asked for with it
			await.Until(t, "the guard is asked about "+path, func() bool { return has(asked(), path) })
		}
		do(t, p, Act{Verb: capture.CloseTab})
	}
	do(t, p, click("link", "Leave"))
	if s, _ := p.State(ctxOf(t)); s.Title != "left" {
		t.Errorf("the page went to %q", s.Title)
	}
	seen := asked()
	for _, path := range []string{"/img", "/frame", "/srcdoc", "/css", "/background", "/fetch", "/xhr", "/beacon", "/socket", "/worker",
		"/import", "/worker-socket", "/shared", "/shared-socket",
		"/blob-worker", "/blob-socket", "/link", "/dl", "/form", "/get?", "/redirected", "/redirected-post", "/blank", "/noopener", "/popup-img",
		"/popup-fetch", "/popup-socket", "/keepalive", "/bye", "/ping"} {
		if !has(seen, path) && path != "/ping" {
			t.Errorf("the guard was not asked about %s", path)
		}
	}
	if log := enemy.requests()[before:]; len(log) > 0 {
		t.Errorf("the blocked host was sent %q", log)
	}
	t.Logf("blocked %d, connections opened %d", len(seen), enemy.conns)
}

func has(all []string, one string) bool {
	for _, s := range all {
		if s == one {
			return true
		}
	}
	return false
}
