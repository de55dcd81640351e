package stage

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
)

// harbour is a project's pages: its name and its path stand in fields of the settings that nobody touches.
type harbour struct {
	mu    sync.Mutex
	all   []string
	quiet bool // it keeps nothing
}

func (h *harbour) reset(quiet bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all, h.quiet = []string{"Cranes", "Lamps", "Ropes", "Sails", "Tides"}, quiet
}

func (h *harbour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	const head = `<!doctype html><title>%s - Harbour</title><h1>Harbour</h1><ul><li><a href=/p/harbour>Overview</a>` +
		`<li><a href="/p/harbour/settings?tab=kinds">Settings</a></ul><h2>%[1]s</h2>`
	switch r.URL.Path {
	case "/delete":
		if !h.quiet {
			h.all = slices.DeleteFunc(h.all, func(c string) bool { return c == r.FormValue("c") })
		}
		http.Redirect(w, r, "/p/harbour/settings?tab=kinds", http.StatusSeeOther)
	case "/p/harbour":
		fmt.Fprintf(w, head, "Overview")
	case "/p/harbour/settings":
		fmt.Fprintf(w, head+`<form><p><label>Name <input value=Harbour></label><p><label>Path <input value=harbour></label>`+
			`<p><label>Tab <input value=settings></label><button>Save</button></form><table><tr><th>Kind<th></tr>`, "Settings")
		for _, c := range h.all {
			fmt.Fprintf(w, `<tr><td>%s<td><form method=post action=/delete><input type=hidden name=c value=%[1]s><button>D`+
				`elete</button></form></tr>`, c)
		}
		fmt.Fprint(w, `</table>`)
	default:
		http.NotFound(w, r)
	}
}

// What fields hold that nobody touched is no value of the work: the address that was opened and the links of the page stay what they are,
// so that nothing is asked for but the thing.
func TestWhatFieldsHoldIsNotWhatTheWorkIsAbout(t *testing.T) {
	t.Parallel()
	app := &harbour{}
	s := newShowing(t, app)
	s.in.Goal = "Delete a kind"
	for _, kind := range []string{"Lamps", "Ropes"} {
		app.reset(false)
		s.show(func(p *person.Person) {
			p.Open("/p/harbour")
			p.Click("link", "Settings")
			p.ClickIn(kind, "button", "Delete")
			p.See("Tides")
		}, func(seen []adaptertest.Seen) bool {
			return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
				return o.Target != nil && o.Target.Name == "Delete" && o.After != nil
			})
		})
	}
	out := s.compiled()
	if n := len(out.Graph.Steps); n != 3 {
		t.Errorf("%d steps", n)
	}
	for _, st := range out.Graph.Steps {
		if st.Optional || st.Condition != "" {
			t.Errorf("%q is not always done", st.Title)
		}
	}
	for _, in := range out.Graph.Params {
		if in.Role != "constant" && in.Name != "kind" {
			t.Errorf("asks for %q", in.Name)
		}
	}
	for _, quiet := range []bool{false, true} {
		app.reset(quiet)
		if res := s.rehearsed(out, map[string]string{"kind": "Sails"}); (res.Overall == "passed") == quiet {
			t.Errorf("on a site that keeps nothing %v: %s", quiet, res.Overall)
		}
	}
}
