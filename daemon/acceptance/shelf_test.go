package acceptance_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/daemon/client"
)

// shelf is a small application: a list of things, and a form that adds one.
type shelf struct {
	t   *testing.T
	url string

	mu     sync.Mutex
	things []string      // "Lamp 3"
	wall   bool          // only those who signed in come in
	broken bool          // it cannot add anything, and shows what it was given
	hold   chan struct{} // requests wait for it
	held   int           // how many came so far that had to
}

func newShelf(t *testing.T) *shelf {
	s := &shelf{t: t}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	t.Cleanup(func() { s.set(func() { s.release() }) })
	s.url = srv.URL
	return s
}

func (s *shelf) set(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// release lets waiting requests go; the caller holds mu.
func (s *shelf) release() {
	if s.hold != nil {
		close(s.hold)
		s.hold = nil
	}
}

func (s *shelf) has(thing string) (n int) {
	s.set(func() {
		for _, x := range s.things {
			if x == thing {
				n++
			}
		}
	})
	return n
}

// waiting reports whether a request waits.
func (s *shelf) waiting() (yes bool) {
	s.set(func() { yes = s.held > 0 })
	return yes
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var hold chan struct{}
	var wall bool
	s.set(func() {
		if hold, wall = s.hold, s.wall; hold != nil {
			s.held++
		}
	})
	if hold != nil {
		select {
		case <-hold:
		case <-r.Context().Done():
			return
		}
	}
	if c, err := r.Cookie("who"); err == nil && c.Value == "ada" {
		wall = false
	}
	switch {
	case r.URL.Path == "/enter": // as the person's other window would: from now on signed in
		http.SetCookie(w, &http.Cookie{Name: "who", Value: "ada", Path: "/", MaxAge: 3600})
		fmt.Fprint(w, "<title>In</title><h1>Signed in</h1>")
	case wall && r.URL.Path != "/login":
		http.Redirect(w, r, "/login", http.StatusSeeOther)
	case r.URL.Path == "/login":
		page(w, "Sign in", `<form method="post"><label>User <input name="user"></label><label>Password <input type="password" name="password">`+
			`</label><button>Sign in</button></form>`)
	case r.Method == http.MethodPost && s.isBroken():
		w.WriteHeader(http.StatusInternalServerError)
		page(w, "No room for "+r.FormValue("thing"),
			`<p>`+html.EscapeString(r.FormValue("thing"))+`</p><input aria-label="Thing" value="`+html.EscapeString(r.FormValue("thing"))+`">`)
	case r.Method == http.MethodPost:
		s.add(r.FormValue("thing"), r.FormValue("count"))
		http.Redirect(w, r, "/?added=1", http.StatusSeeOther)
	case r.URL.Path == "/":
		s.list(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *shelf) add(thing, count string) {
	s.set(func() { s.things = append(s.things, thing+" "+count) })
}

func (s *shelf) isBroken() (yes bool) {
	s.set(func() { yes = s.broken })
	return yes
}

func (s *shelf) list(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	if r.URL.Query().Has("added") {
		b.WriteString(`<p role="status">The thing was added</p>`)
	}
	b.WriteString(`<form method="post" action="/things"><label>Thing <input name="thing"></label> <label>` +
		`Count <input name="count" type="number"></label> <button>Add thing</button></form>
<table><caption>Things</caption><thead><tr><th>Thing</th><th>Count</th></tr></thead><tbody>`)
	s.set(func() {
		for _, x := range s.things {
			thing, count, _ := strings.Cut(x, " ")
			fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td></tr>", html.EscapeString(thing), html.EscapeString(count))
		}
	})
	b.WriteString("</tbody></table>")
	page(w, "Shelf", b.String())
}

func page(w http.ResponseWriter, title, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>%s</title><body><h1>%s</h1>%s</body></html>`, title, title, body)
}

// recording is a Chrome DevTools recording of putting things on the shelf, each given as "Lamp 3".
func (s *shelf) recording(title string, things ...string) string {
	steps := []map[string]any{{"type": "navigate", "url": s.url + "/", "assertedEvents": []any{s.event("/", "Shelf")}}}
	for _, x := range things {
		thing, count, _ := strings.Cut(x, " ")
		steps = append(steps,
			map[string]any{"type": "change", "value": thing, "selectors": [][]string{{`aria/Thing[role="textbox"]`}, {"input[name=thing]"}}},
			map[string]any{"type": "change", "value": count, "selectors": [][]string{{`aria/Count[role="spinbutton"]`}, {"input[name=count]"}}},
			map[string]any{"type": "click", "selectors": [][]string{{`aria/Add thing[role="button"]`}, {"button"}},
				"assertedEvents": []any{s.event("/?added=1", "Shelf")}},
			map[string]any{"type": "waitForElement", "selectors": [][]string{{`aria/The thing was added[role="status"]`}}, "visible": true})
	}
	b, err := json.Marshal(map[string]any{"title": title, "steps": steps})
	must(s.t, err)
	return string(b)
}

func (s *shelf) event(path, title string) map[string]any {
	return map[string]any{"type": "navigation", "url": s.url + path, "title": title}
}

// imported is a draft made of a recording.
func (w *world) imported(content string) client.ProposalDetail {
	w.t.Helper()
	r := got(w.c.ImportRecording(w.t.Context(), client.RecordingRequest{Content: content}))(w.t)
	return w.proposed(r.Session)
}

// dropped ends a draft, so that the next one can begin.
func (w *world) dropped(d client.ProposalDetail) {
	w.t.Helper()
	got(w.c.DeleteSession(w.t.Context(), d.Proposal.LearnSessionID))(w.t)
}

// nothingLeft insists that no run has left a folder, and this one neither a profile nor a process.
func (w *world) nothingLeft(run string) {
	w.t.Helper()
	if left, err := os.ReadDir(filepath.Join(w.o.Roots.State, "rehearsals")); err == nil && len(left) > 0 {
		w.t.Errorf("%d folders of runs are left", len(left))
	}
	for _, dir := range []string{os.TempDir(), os.Getenv("XDG_RUNTIME_DIR"), "/dev/shm"} {
		w.until("nothing of the run in "+dir, func() bool { // another daemon's sweep may be at it just now
			left, _ := filepath.Glob(filepath.Join(dir, "*"+run+"*"))
			return len(left) == 0
		})
	}
	w.until("the end of the run's processes", func() bool { return !working(run) })
}

// working reports whether a process was started with something of a run, by its id. A process that is just ending may be listed still.
func working(run string) bool {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range lines {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), run) {
			return true
		}
	}
	return false
}

// signedIn waits for a run to wait for the person.
func (w *world) waitsForSignIn(proposal, run string) {
	w.t.Helper()
	w.within(time.Minute, "the run waits for the person to sign in", func() bool {
		x := w.validationRun(proposal, run)
		if x.Status != "running" {
			w.t.Fatalf("it ended %s: %s", x.OverallResult, x.Reason)
		}
		return x.WaitingFor == "sign_in"
	})
}

// within is until with a time of its own.
func (w *world) within(most time.Duration, what string, ok func() bool) {
	w.t.Helper()
	for end := time.Now().Add(most); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("%s: not within %s", what, most)
		}
	}
}

func (w *world) validationRun(proposal, run string) client.ValidationRun {
	w.t.Helper()
	for _, x := range got(w.c.ValidationRuns(w.t.Context(), proposal, client.PageQuery{Page: 1, PageSize: 20}))(w.t).Runs {
		if x.ValidationRunID == run {
			return x
		}
	}
	w.t.Fatalf("the run %s is not listed", run)
	return client.ValidationRun{}
}
