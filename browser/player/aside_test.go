package player

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
)

// Pages opened aside are fresh documents in one tab, whatever they open themselves, and leave the
// current page as it was.
func TestAside(t *testing.T) {
	var served atomic.Int32
	s := serve(t, map[string]any{
		"/":     `<!doctype html><title>work</title><h1>Work</h1><label>Note <input name=n></label>`,
		"/look": `<!doctype html><title>look</title><h1>Look</h1><script>addEventListener('beforeunload', (e) => e.preventDefault())</script>`,
		"/pops": `<!doctype html><title>pops</title><script>open('/look')</script>`,
		"/app": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<!doctype html><title>app %d</title><h1>App</h1>`, served.Add(1))
		},
	})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	do(t, p, enter("Note", "still here"))
	for _, c := range []struct{ at, title string }{{"/look", "look"}, {"/app#/a", "app 1"}, {"/app#/b", "app 2"}, {"/pops", "pops"},
		{"/look", "look"}} {
		if err := p.Aside(ctxOf(t), s.URL+c.at); err != nil {
			t.Fatal(c.at, err)
		}
		st, err := p.State(ctxOf(t))
		if err != nil || st.Title != c.title {
			t.Errorf("%s: %q %v", c.at, st.Title, err)
		}
	}
	for range 2 { // a second time there is nothing to come back from
		p.Return()
	}
	hold(t, "the note", eval(t, p, "document.querySelector('input').value"), "still here")
	p.locked(func() { hold(t, "tabs", len(p.tabs), 2) }) // with the stage's own
	if err := p.Aside(ctxOf(t), s.URL+"/look"); err != nil {
		t.Fatal(err)
	}
	p.Return()
}
