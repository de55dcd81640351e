package player

import (
	"net/http"
	"testing"
)

// A page that keeps requests open to hear of news can be looked at as often as is wanted, and left for another one of its kind: those of
// pages that were left take none of the six connections that a browser opens to a site.
func TestPagesThatKeepRequestsOpen(t *testing.T) {
	s := serve(t, map[string]any{
		"/": `<!doctype html><title>news</title><ul id=all></ul><script>
const hear = (of) => {
	const x = new XMLHttpRequest();
	x.open("GET", "/hear?of=" + of + "&since=" + performance.timeOrigin);
	x.onloadend = () => setTimeout(hear, 9, of);
	x.send();
};
fetch("/now").then((r) => r.text()).then((text) => { all.innerHTML = "<li>" + text; hear("one"); hear("two"); });
</script>`,
		"/now":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("fair")) },
		"/hear": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	})
	t.Cleanup(s.CloseClientConnections)
	p := guarded(t, Options{Guard: func(Request) string { return "" }})
	said := func() {
		t.Helper()
		rows, err := p.Rows(ctxOf(t))
		if err != nil || len(rows) != 1 || rows[0].Text != "fair" {
			t.Error(rows, err)
		}
	}
	open(t, p, s.URL+"/")
	for range 4 {
		if err := p.Aside(ctxOf(t), s.URL+"/"); err != nil {
			t.Fatal(err)
		}
		said()
	}
	p.Return()
	for _, at := range []string{"/?a", "/?b", "/?c", "/?d"} {
		open(t, p, s.URL+at)
		said()
	}
}
