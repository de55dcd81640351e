//go:build linux

package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// attackPage tries from another origin what a page can try, and notes what came of each.
const attackPage = `<!doctype html><iframe id=sink name=sink></iframe><script>
const base = %q, code = %q, id = %q;
const results = {};
const note = (name, p) => p.then(v => results[name] = v, e => results[name] = "blocked " + e.name);
const readable = async r => r.type === "opaque" ? "opaque" : "read " + r.status + " " + await r.text();
const form = (path, body, type) => new Promise(done => {
  const f = document.createElement("form");
  f.method = "post"; f.enctype = type; f.target = "sink"; f.action = base + path;
  const i = document.createElement("input");
  [i.name, i.value] = [body.slice(0, body.indexOf("=")), body.slice(body.indexOf("=") + 1)];
  f.append(i); document.body.append(f);
  document.getElementById("sink").onload = () => done("sent");
  f.submit();
});
(async () => {
  await note("fetch", fetch(base + "/api/version").then(readable));
  await note("no-cors", fetch(base + "/api/version", {mode: "no-cors"}).then(readable));
  await note("credentials", fetch(base + "/api/status", {credentials: "include"}).then(readable));
  await note("token", fetch(base + "/api/status", {headers: {Authorization: "Bearer x"}}).then(readable));
  await note("json", fetch(base + "/api/learn/sessions", {method: "POST", headers: {"Content-Type": "application/json"}, body: ` +
	`"{}"}).then(readable));
  await note("simple post", fetch(base + "/api/learn/sessions", {method: "POST", mode: "no-cors", body: ` +
	`'{"entry_mode":"demonstrating_skill"}'}).then(readable));
  await note("steal", fetch(base + "/api/session/exchange", {method: "POST", body: JSON.stringify({code})}).then(readable));
  await note("steal opaque", fetch(base + "/api/session/exchange", {method: "POST", mode: "no-cors", body: ` +
	`JSON.stringify({code})}).then(readable));
  await note("form", form("/api/session/exchange", '{"code":"' + code + '","x":"=' + '"}', "text/plain"));
  await note("form mark", form("/api/learn/sessions/" + id + "/mark-goal", '{"goal_description":"x","y":"=' + '"}', "text/plain"));
  await note("EventSource", new Promise((ok, no) => {
    const s = new EventSource(base + "/api/events");
    s.onopen = () => ok("open"); s.onmessage = () => ok("message"); s.onerror = () => { s.close(); no(new Error()); };
  }));
  await note("image", new Promise((ok, no) => { const i = new Image(); i.onload = () => ok("loaded"); i.onerror = () => no(new ` +
	`Error()); i.src = base + "/"; }));
  await note("script", new Promise((ok, no) => { const s = document.createElement("script"); s.onload = () => ok("loaded"); s.onerror = ` +
	`() => no(new Error()); s.src = base + "/app.js"; document.body.append(s); }));
  await note("null origin", new Promise(ok => {
    onmessage = e => ok(e.data);
    const f = document.createElement("iframe"); f.sandbox = "allow-scripts";
    f.srcdoc = '<script>fetch("' + base + '/api/version").then(r => parent.postMessage("read", "*"), e => parent.postMessage("blocked " ` +
	`+ e.name, "*"))<\/script>';
    document.body.append(f);
  }));
  window.done = results;
})();
</script>`

// ownPage is what a page of ours does: trade the code, then read and stream with the bearer.
const ownPage = `<!doctype html><script>
(async () => {
  const code = location.hash.slice("#code=".length);
  history.replaceState(null, "", "/");
  const x = await (await fetch("/api/session/exchange", {method: "POST", headers: {"Content-Type": "application/json"}, body: ` +
	`JSON.stringify({code})})).json();
  const headers = {Authorization: "Bearer " + x.bearer};
  const status = (await fetch("/api/status", {headers})).status;
  const events = await fetch("/api/events", {headers});
  const first = new TextDecoder().decode((await events.body.getReader().read()).value);
  window.done = {status: "" + status, stream: first.trim(), cookies: document.cookie, fragment: location.hash};
})();
</script>`

// browserPage opens url in a throw-away Chromium and returns what the page put into window.done.
func browserPage(t *testing.T, url string) map[string]string {
	t.Helper()
	ctx := chromium(t)
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	got, err := chromedp.Run(ctx, chromedp.Poll[map[string]string]("window.done", chromedp.WithPollingTimeout(30*time.Second)))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func chromium(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP rebind.example 127.0.0.1"))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(func() {
		chromedp.Cancel(ctx)
		cancel()
	})
	return ctx
}

func TestAttacksFromARealPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	r := newRig(t, func(d *Deps) {
		d.UI = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { fmt.Fprint(w, "window.leak = 1") })
	})
	base, code := r.openPort()
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, attackPage, base, code, r.learn.session.LearnSessionID)
	}))
	defer evil.Close()
	got := browserPage(t, evil.URL) // same site, another port: the nearest neighbour there is
	t.Log(got)
	for _, name := range []string{"fetch", "no-cors", "credentials", "token", "json", "simple post", "steal", "steal opaque", "form",
		"form mark", "EventSource", "image", "script", "null origin"} {
		v, ok := got[name]
		switch {
		case !ok:
			t.Errorf("%s was not tried: %v", name, got)
		case strings.HasPrefix(v, "read"), v == "open", v == "message", v == "loaded":
			t.Errorf("%s got through: %s", name, v)
		}
	}
	if len(r.learn.calls) != 0 {
		t.Errorf("a page of another origin did: %s", <-r.learn.calls)
	}
	// Nothing of it used up the code.
	send(t, http.DefaultClient, base+exchangePath, "POST", fmt.Sprintf(`{"code":%q}`, code)).ok(t, 201)

	// DNS rebinding: the page's own host resolves to us now.
	ctx := chromium(t)
	url := strings.Replace(base, "127.0.0.1", "rebind.example", 1) + "/api/version"
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(ctx, chromedp.Text("body"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "Showhow does not open this page: this host name is not ours.") {
		t.Errorf("rebinding got %s", text)
	}
}

func TestOurOwnPageLogsInAndStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	r := newRig(t, func(d *Deps) {
		d.UI = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline'") // the test's script is inline
			fmt.Fprint(w, ownPage)
		})
	})
	base, code := r.openPort()
	got := browserPage(t, base+"/#code="+code)
	want := map[string]string{"status": "200", "stream": ": showhow", "cookies": "", "fragment": ""}
	if g, _ := json.Marshal(got); got["status"] != want["status"] || !strings.HasPrefix(got["stream"], want["stream"]) ||
		got["cookies"] != "" || got["fragment"] != "" {
		t.Errorf("%s", g)
	}
}
