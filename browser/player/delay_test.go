package player

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"showhow/capture"
)

// What a page shows while its request is held back did not come from the site. The request is sent
// afterwards, even if the page is frozen until the answer. Only the requests that the act selects
// are held, and never a navigation.
func TestARequestWaitsUntilThePageHasBeenRead(t *testing.T) {
	asked := 0
	s := serve(t, map[string]any{
		"/": `<!doctype html><title>start</title><h1>Things</h1><a href="/deed">Follow</a>
<form method=post action=/deed><button>Post</button></form>
<button onclick="document.title='drawn'; fetch('/deed', {method:'POST'}).then(() => document.title='answered')">Eager</button>
<button onclick="fetch('/deed', {method:'POST'}).then(() => document.title='answered')">Patient</button>
<button onclick="const x = new XMLHttpRequest(); x.open('POST', '/deed', false); x.send(); document.title='answered'">Frozen</button>
<button onclick="setTimeout(() => fetch('/deed', {method:'POST'}).then(() => document.title='answered'), 60)">Late</button>
<button onclick="fetch('/read').then(() => document.title='answered')">Read</button>`,
		"/deed": func(w http.ResponseWriter, r *http.Request) {
			asked++
			fmt.Fprint(w, `<!doctype html><title>answered</title><h1>Done</h1>`)
		},
		"/read": "x"})
	p := stage(t, Options{})
	for name, while := range map[string]string{
		"Follow": "never", "Post": "never", "Eager": "drawn", "Patient": "start", "Frozen": "never", "Late": "start",
		"Read": "never"} {
		open(t, p, s.URL+"/")
		asked = 0
		seen, before := "never", -1
		a := click("button", name)
		if name == "Follow" {
			a = click("link", name)
		}
		a.Holds = func(r Request) bool { return strings.HasSuffix(r.URL, "/deed") }
		a.Held = func(ctx context.Context) {
			before = asked
			st, err := p.State(ctx)
			if seen = st.Title; err != nil {
				seen = ""
			}
		}
		do(t, p, a)
		if st, err := p.Settle(ctxOf(t), title("answered")); err != nil {
			t.Errorf("%s: %q %v", name, st.Title, err)
		}
		hold(t, name+": shown meanwhile", seen, while)
		if name != "Read" {
			hold(t, name+": asked meanwhile", before, map[bool]int{true: -1, false: 0}[while == "never"])
			hold(t, name+": asked in the end", asked, 1)
		}
	}
	do(t, p, Act{Verb: capture.Navigate, URL: s.URL + "/deed"})
}
