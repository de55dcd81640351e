package stage

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
	"showhow/daemon/rehearse/port"
)

// keepsakes is a page that keeps everything that a page can, and shows what it finds of that.
const keepsakes = `<!doctype html><title>keeps</title><h1 id=found>looking</h1><a href="/saved" download>Save</a><script>
const idb = (work) => new Promise((done, fail) => { const q = indexedDB.open("kept", 1); q.onupgradeneeded = () => ` +
	`q.result.createObjectStore("all"); q.onerror = fail; q.onsuccess = () => { const o = q.result.transaction("all", "readwrite")` +
	`.objectStore("all"), w = work(o); w.onsuccess = () => done(w.result); w.onerror = fail } });
(async () => {
	const was = [document.cookie, localStorage.kept, sessionStorage.kept, await idb((o) => o.get("kept")), (await caches.keys()).join()];
	document.cookie = "kept=yes; max-age=9999";
	localStorage.kept = sessionStorage.kept = "yes";
	await idb((o) => o.put("yes", "kept"));
	await (await caches.open("kept")).put("/x", new Response("yes"));
	found.textContent = "found " + was.map((x) => x || "nothing").join();
})().catch((e) => { found.textContent = "broke " + e });
</script>`

func visited(t *testing.T, s *Stage, run, url string) (port.Browser, string) {
	t.Helper()
	r, err := s.Room(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	b, err := r.Browser(t.Context(), port.BrowserSpec{Hosts: []string{strings.TrimPrefix(url, "http://")},
		Guard: func(port.Outgoing) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Open(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	page, err := b.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if !strings.Contains(page.Text, "looking") {
			break
		}
		if page, err = b.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return b, strings.TrimSpace(strings.Split(page.Text, "\n")[0])
}

// Runs share a process one after the other, and nothing else: no cookie, no store, no cache, no tab. One beside another has its own
// browser, and one after a crash a new one.
func TestRunsShareNothing(t *testing.T) {
	t.Parallel()
	if _, err := browser.Find(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("install chromium: ", err)
		}
		t.Skip(err)
	}
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "max-age=9999")
		_, _ = io.WriteString(w, keepsakes)
	}))
	t.Cleanup(home.Close)
	s := New(Options{Dir: t.TempDir(), Browser: browser.Options{NoSandbox: true}})
	t.Cleanup(func() { _ = s.Close() })
	const nothing = "found nothing,nothing,nothing,nothing,nothing"

	first, found := visited(t, s, "first", home.URL)
	if found != nothing {
		t.Errorf("the first run: %q", found)
	}
	process := s.shared.browser
	beside, found := visited(t, s, "beside", home.URL)
	if found != nothing || beside.(*roomBrowser).loan != nil {
		t.Errorf("a run beside it: %q, lent: %v", found, beside.(*roomBrowser).loan != nil)
	}
	if err := first.Open(t.Context(), home.URL); err != nil {
		t.Fatal(err)
	}
	closed(t, first, beside)
	if left := contexts(t, process); len(left) > 0 {
		t.Errorf("contexts are left: %v", left)
	}
	next, found := visited(t, s, "next", home.URL)
	if s.shared.browser != process || found != nothing {
		t.Errorf("the next run: %q, in the same process: %v", found, s.shared.browser == process)
	}
	if err := process.Kill(); err != nil {
		t.Error(err)
	}
	if _, err := next.Read(t.Context()); err == nil {
		t.Error("a browser that is dead was read")
	}
	closed(t, next)
	if _, found = visited(t, s, "after the crash", home.URL); found != nothing || s.shared.browser == process {
		t.Errorf("after the crash: %q", found)
	}
}

func closed(t *testing.T, all ...port.Browser) {
	t.Helper()
	for _, b := range all {
		if err := b.(*roomBrowser).Close(); err != nil {
			t.Error(err)
		}
	}
}

func contexts(t *testing.T, b *browser.Browser) []string {
	t.Helper()
	all, err := cdp.Call(context.Background(), b.Root(), target.GetBrowserContexts, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, id := range all.BrowserContextIDs {
		out = append(out, fmt.Sprint(id))
	}
	return out
}
