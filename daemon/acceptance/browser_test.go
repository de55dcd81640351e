package acceptance_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/adapters/terminal"
	"showhow/browser"
	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/demo/driver"
	"showhow/demo/orderdesk"
	"showhow/internal/fault"
)

// browsed is a draft of work in real pages and a shell: the person of the demo changes an order and looks at the export. between
// stand before the desk.
func browsed(t *testing.T, between ...func(http.Handler) http.Handler) (*world, client.ProposalDetail) {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	w := begin(t, func(o *daemon.Options) {
		o.Config.Browser.Headless = true
		o.DownloadDir = filepath.Join(o.Roots.Home, "Downloads")
	})
	must(t, os.MkdirAll(w.o.DownloadDir, 0o700))
	shown, hide := context.WithCancel(t.Context())
	told := make(chan struct{})
	t.Cleanup(func() { hide(); <-told })
	person := w.c // a test may go on as somebody else
	go func() {   // as a terminal would that shows the capture, however slow the machine is
		defer close(told)
		for shown.Err() == nil {
			_, _ = person.RenewIndicator(shown, "terminal")
			select {
			case <-shown.Done():
			case <-time.After(time.Second):
			}
		}
	}()
	desk := orderdesk.New(5)
	handler := desk.Handler()
	for _, f := range between {
		handler = f(handler)
	}
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)

	p := w.person()
	scope := client.Scope{Sites: []string{strings.TrimPrefix(site.URL, "http://")}, Shells: []string{p.next("ready").TTY}}
	sess := w.armed(client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent", Scope: &scope,
		Goal: "Change an order at the order desk and export it"})
	got(w.c.StartSession(t.Context(), sess.LearnSessionID))(t)
	opened := got(w.c.OpenBrowser(t.Context(), site.URL+"/"))(t)
	must(t, json.NewEncoder(p.orders).Encode(driver.Order{Order: "perform", DebugURL: opened.DebugURL,
		Plan: driver.PlanFor(desk.Orders()[4], site.URL+"/", w.o.DownloadDir)}))
	if done := p.next("done"); !done.Watched {
		t.Error("the prompt never said that the shell is watched")
	}
	p.end()
	stopped := got(w.c.StopSession(t.Context(), sess.LearnSessionID))(t)
	if len(desk.Changes()) == 0 || stopped.CapturedEventCount < 10 {
		t.Fatalf("%d changes were made, %d observations kept", len(desk.Changes()), stopped.CapturedEventCount)
	}
	return w, w.proposed(stopped.Session)
}

// validatedWith validates with values that fit the inputs' kinds.
func (w *world) validatedWith(d client.ProposalDetail) client.ProposalDetail {
	w.t.Helper()
	values := map[string]string{}
	for _, in := range d.Interpretation.Inputs {
		switch {
		case len(in.Options) > 0:
			values[in.Name] = in.Options[len(in.Options)-1]
		case in.Kind == "date":
			values[in.Name] = "2027-04-01"
		case in.Kind == "id":
			values[in.Name] = "A-1044"
		default:
			values[in.Name] = "3"
		}
	}
	return w.passed(d, w.run(d, client.ValidateRequest{Parameters: values}))
}

// person is the demo's driver in this process.
type person struct {
	w       *world
	orders  *io.PipeWriter
	reports chan driver.Report
	done    chan error
	cancel  context.CancelFunc
}

func (w *world) person() *person {
	w.t.Helper()
	home := w.o.Roots.Home
	self := got(os.Executable())(w.t)
	hook := got(terminal.Script("bash", terminal.Options{Exe: self, RuntimeDir: w.o.Roots.Runtime}))(w.t)
	must(w.t, os.WriteFile(filepath.Join(home, ".bashrc"), []byte("PS1='clerk:\\W\\$ '\nHISTCONTROL=ignoreboth\n"+hook), 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	in, orders := io.Pipe()
	out, report := io.Pipe()
	p := &person{w: w, orders: orders, reports: make(chan driver.Report, 64), done: make(chan error, 1), cancel: cancel}
	go func() {
		err := driver.Run(ctx, in, report, driver.Config{
			Home: home, Pace: 3 * time.Millisecond, Env: []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}})
		report.Close()
		in.Close()
		p.done <- err
	}()
	go func() {
		defer close(p.reports)
		for dec := json.NewDecoder(out); ; {
			var r driver.Report
			if dec.Decode(&r) != nil {
				return
			}
			p.reports <- r
		}
	}()
	w.t.Cleanup(p.end)
	return p
}

// next waits for a report of a kind.
func (p *person) next(kind string) driver.Report {
	p.w.t.Helper()
	limit := time.After(2 * patience)
	for {
		select {
		case r, ok := <-p.reports:
			if !ok || r.Report == "error" {
				p.w.t.Fatalf("the person: %+v", r)
			}
			if r.Report == kind {
				return r
			}
		case <-limit:
			p.w.t.Fatalf("the person never reported %s", kind)
		}
	}
}

func (p *person) end() {
	if p.cancel == nil {
		return
	}
	p.orders.Close()
	<-p.done
	p.cancel()
	p.cancel = nil
}

// A browser that the person started with a debugging port can be the one that is watched; the answer carries the warning.
func TestAttachedBrowserIsWatched(t *testing.T) {
	w := begin(t)
	_, err := w.c.AttachBrowser(t.Context(), "1")
	if f := refused(t, err, fault.AdapterUnavailable); f.Details["reason"] != "nothing_listens" {
		t.Errorf("reason %v", f.Details["reason"])
	}
	theirs, err := browser.Launch(t.Context(), browser.Options{Headless: new(true), NoSandbox: true, Port: true})
	must(t, err)
	t.Cleanup(func() { _ = theirs.Close() })
	u, err := url.Parse(theirs.DebugURL())
	must(t, err)
	b := got(w.c.AttachBrowser(t.Context(), u.Port()))(t)
	if !b.Attached || b.Warning == "" {
		t.Errorf("attached %+v", b)
	}
	got(w.c.AttachBrowser(t.Context(), ""))(t)
}
