package stage

import (
	"fmt"
	"html"
	"net/http"
	"slices"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
	"showhow/daemon/rehearse"
)

// notebook keeps a title when it is left and a text a while after the last key; nothing says so.
type notebook struct {
	mu          sync.Mutex
	title, text string
	forgets     bool
}

func (n *notebook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case r.URL.Path == "/title" && !n.forgets:
		n.title = r.FormValue("v")
	case r.URL.Path == "/text" && !n.forgets:
		n.text = r.FormValue("v")
	case r.URL.Path == "/":
		fmt.Fprintf(w, `<!doctype html><title>Notes</title><h1 contenteditable=true id=t aria-label=Title>%s</h1>`+
			`<div contenteditable=true id=b role=textbox aria-label=Text>%s</div><label>A notebook</label><script>
let timer, was = t.innerText;
const keep = (path, v) => fetch(path, { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "v=" + `+
			`encodeURIComponent(v) });
t.onblur = () => { if (t.innerText !== was) keep("/title", was = t.innerText); };
b.oninput = () => { clearTimeout(timer); timer = setTimeout(() => keep("/text", b.innerText), 1500); };
</script>`, html.EscapeString(n.title), html.EscapeString(n.text))
	}
}

func (n *notebook) holds() (title, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.title, n.text
}

// Text that is edited in place and saved without a button, on leaving or some time after the last key, is saved by a
// run as well, and looked up again; a page that does not save it does not pass.
func TestTextsThatSaveThemselves(t *testing.T) {
	t.Parallel()
	app := &notebook{title: "Untitled", text: "Nothing yet"}
	s := newShowing(t, app)
	s.show(func(p *person.Person) {
		p.Open("/")
		p.Enter("Text", "The crane is repaired")
		p.Enter("Title", "Harbour report")
		p.Click("label", "A notebook")
	}, func(seen []adaptertest.Seen) bool {
		title, text := app.holds()
		return title == "Harbour report" && text == "The crane is repaired" && slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
			return o.Verb == capture.Click && o.Target.Role == "generic" && o.After != nil
		})
	})
	out := s.compiled()
	for _, c := range []struct {
		forgets bool
		want    rehearse.Overall
	}{{false, rehearse.Passed}, {true, rehearse.Failed}} {
		app.mu.Lock()
		app.title, app.text, app.forgets = "Untitled", "Nothing yet", c.forgets
		app.mu.Unlock()
		res := s.rehearsed(out, map[string]string{"title": "Lighthouse plan", "text": "Paint the lantern room"})
		title, text := app.holds()
		if res.Overall != c.want || !c.forgets && (title != "Lighthouse plan" || text != "Paint the lantern room") {
			t.Errorf("forgets %v: %s %s, %q %q", c.forgets, res.Overall, res.Reason, title, text)
		}
	}
}
