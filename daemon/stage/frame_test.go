package stage

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
	"showhow/daemon/rehearse"
)

// framed is an application whose form stands in a frame; where the frame leads after it was sent only the frame shows.
type framed struct {
	mu      sync.Mutex
	from    string // where the frame comes from, "" for the page's own origin
	room    string
	forgets bool
}

func (f *framed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch {
	case r.URL.Path == "/":
		fmt.Fprintf(w, `<title>Portal</title><h1>Portal</h1><iframe title=Booking width=600 height=300 src="%s/book"></iframe>`, f.from)
	case r.URL.Path == "/book" && r.Method == http.MethodPost:
		if !f.forgets {
			f.room = r.FormValue("room")
		}
		http.Redirect(w, r, "/booked", http.StatusSeeOther)
	case r.URL.Path == "/book":
		fmt.Fprint(w,
			`<title>Book</title><h2>Book a room</h2><form method=post><label>Room <input name=room></label> <button>Book room</button></form>`)
	case r.URL.Path == "/booked":
		fmt.Fprintf(w, `<title>Booked</title><h2>Booking</h2><p role=status>The room was booked</p><p>Yours: %s</p>`, html.EscapeString(f.room))
	}
}

// What was done in a frame, of this origin or from elsewhere, is looked up again where the frame led to.
func TestEffectsInAFrameAreLookedUpAgain(t *testing.T) {
	t.Parallel()
	app := &framed{}
	s := newShowing(t, app)
	s.show(func(p *person.Person) {
		p.Open("/")
		p.Enter("Room", "Orchid hall")
		p.Click("button", "Book room")
		p.See("Yours: Orchid hall")
	}, func(seen []adaptertest.Seen) bool {
		return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
			return o.Verb == capture.Click && o.Target.Name == "Book room" && o.After != nil &&
				slices.Contains(o.After.Alerts, "The room was booked")
		})
	})
	other := httptest.NewServer(app)
	t.Cleanup(other.Close)
	elsewhere, err := url.Parse(other.URL)
	s.must(err)
	for _, c := range []struct {
		from    string
		forgets bool
		want    rehearse.Overall
	}{{"", false, rehearse.Passed}, {"", true, rehearse.Partial}, {"http://localhost:" + elsewhere.Port(), false, rehearse.Passed}} {
		out := s.compiled()
		for i := range out.Graph.Steps {
			if to := out.Graph.Steps[i].Target; to != nil && c.from != "" && to.Frame != "" {
				to.Frame = strings.Replace(to.Frame, s.site.URL, c.from, 1)
			}
		}
		app.mu.Lock()
		app.from, app.room, app.forgets = c.from, "", c.forgets
		app.mu.Unlock()
		if c.from != "" {
			out.RequiredSites = append(out.RequiredSites, "localhost:"+elsewhere.Port())
		}
		res := s.rehearsed(out, map[string]string{"room": "Lantern cellar"})
		if res.Overall != c.want || !c.forgets && app.room != "Lantern cellar" {
			t.Errorf("from %q, forgets %v: %s %s %q", c.from, c.forgets, res.Overall, res.Reason, app.room)
		}
	}
}
