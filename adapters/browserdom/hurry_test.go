//go:build unix

package browserdom

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/capture"
)

// A person in a hurry clicks through POST-redirect pages, each as soon as its button appears: every act still leads
// to the page that it led to.
func TestAHurriedPersonsActsLeadToTheirOwnPages(t *testing.T) {
	pages := map[string]string{"/edit": "Edit|Review|/review", "/review": "Check|Confirm|/save", "/done": "Saved|Again|/again"}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			to := map[string]string{"/review": "/review", "/save": "/done", "/again": "/edit"}[r.URL.Path]
			http.Redirect(w, r, to, http.StatusSeeOther)
			return
		}
		p := strings.Split(pages[r.URL.Path], "|")
		if len(p) < 3 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang=en><title>%[1]s</title><h1>%[1]s</h1><form method=post action=%[3]s><label>`+
			`Note <input name=n></label><button>%[2]s</button></form>`, p[0], p[1], p[2])
	}))
	defer srv.Close()
	w := observe(t, Options{}, strings.TrimPrefix(srv.URL, "http://"))
	p := shared.hand.open(t, srv.URL+"/edit")
	leads := map[string]string{"Review": "Check", "Confirm": "Saved", "Again": "Edit"}
	n, slow := 0, []time.Duration{0, 20, 60, 120, 200, 320}
	for i := range 12 {
		for _, button := range []string{"Review", "Confirm", "Again"} {
			p.until(`document.querySelector("button")?.textContent === "` + button + `"`)
			time.Sleep(slow[(i+n)%len(slow)] * time.Millisecond) // pace: a person in more or less of a hurry
			p.click("button")
			n++
		}
	}
	p.until(`document.querySelector("button")?.textContent === "Review" && document.readyState === "complete"`)
	w.find(capture.Click, n)
	for _, o := range w.Seen()[1:] { // after the tab's own
		if o.After == nil || len(o.After.Headings) != 1 || o.After.Headings[0] != leads[o.Target.Name] {
			t.Errorf("%s led to %+v", o.Target.Name, o.After)
		}
	}
}

// A page that works on an act for seconds answers afterwards: the act has its outcome, and nothing overtakes it.
func TestAnActWaitsForAPageAtWork(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang=en><title>Sums</title><h1>Open</h1><button onclick="const began = Date.now(); `+
			`while (Date.now() - began < 4000); document.querySelector('h1').textContent = 'Counted'">Count</button>`)
	}))
	defer srv.Close()
	w := observe(t, Options{}, strings.TrimPrefix(srv.URL, "http://"))
	p := shared.hand.open(t, srv.URL)
	p.click("button")
	o := w.find(capture.Click, 1)
	if o.After == nil || len(o.After.Headings) != 1 || o.After.Headings[0] != "Counted" || !o.Changed {
		t.Errorf("counting led to %+v", o.After)
	}
}

// A page may begin before the binding is in place: Chromium carries out the commands for a tab that is being navigated
// in two documents. Nothing done in it is lost.
func TestAPageThatBeganBeforeTheBindingIsObserved(t *testing.T) {
	srv, host := site(t, map[string]string{"": buttons})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/first")
	w.find(capture.NewTab, 1)
	r := w.recorder()
	held, goOn := make(chan bool), make(chan bool)
	r.client.Do(func() {
		var s *browser.Session
		for s = range r.sessions {
			if s.Info().TargetID == p.id {
				break
			}
		}
		s.Send(runtime.CommandRemoveBinding, runtime.RemoveBindingParams{Name: script.Binding}, nil)
		close(held)
		<-goOn
		s.Send(runtime.CommandAddBinding, runtime.AddBindingParams{Name: script.Binding, ExecutionContextName: script.World}, nil)
	})
	<-held
	if err := p.eval(`location = "/second"`, nil); err != nil {
		t.Fatal(err)
	}
	p.until(`location.pathname === "/second" && document.readyState === "complete"`)
	close(goOn)
	p.drawn()
	p.click("button")
	if o := w.find(capture.Click, 1); o.Page == nil || !strings.HasSuffix(o.Page.URL, "/second") || o.After == nil {
		t.Errorf("%+v", o)
	}
}
