package player

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"

	"showhow/browser"
	"showhow/browser/browsertest"
	"showhow/capture"
	"showhow/internal/await"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(tests{m}) }

// site is a web server that logs everything it was sent, connections without a request included.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	log   []string
	subst *strings.Replacer
	conns int
}

func (s *site) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.log...)
}

// serve serves pages: a string is HTML, or other content according to the path's extension; a
// function handles the request.
func serve(t testing.TB, pages map[string]any) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.log = append(s.log, r.Method+" "+r.URL.RequestURI()+" "+string(body))
		s.mu.Unlock()
		w.Header().Set("Access-Control-Allow-Origin", "*")
		switch p := pages[r.URL.Path].(type) {
		case string:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			if strings.HasSuffix(r.URL.Path, ".js") {
				w.Header().Set("Content-Type", "text/javascript")
			}
			p = strings.ReplaceAll(p, "{self}", s.URL)
			if s.subst != nil {
				p = s.subst.Replace(p)
			}
			_, _ = io.WriteString(w, p)
		case func(http.ResponseWriter, *http.Request):
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			p(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.mu.Lock()
			s.conns++
			s.mu.Unlock()
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// shared is a browser that tests share: starting one takes long on a loaded machine.
type shared struct {
	once sync.Once
	b    *browser.Browser
	err  error
}

// Pages are operated in Chromium's headless shell, where there is one; what leaves the machine is watched in the whole browser.
var shell, whole shared

type tests struct{ *testing.M }

// Run implements goleak.TestingM: it ends the browser before the leak check.
func (m tests) Run() int {
	code := m.M.Run()
	for _, s := range []*shared{&shell, &whole} {
		if s.b == nil {
			continue
		}
		if err := s.b.Close(); err != nil {
			fmt.Println(err)
			code = 1
		}
	}
	return code
}

func launch(t testing.TB, path string, hosts []string) (*browser.Browser, error) {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("needs Chromium (Debian: apt install chromium, or build/setup.sh test)")
		}
		t.Skip("no Chromium here")
	}
	return browser.Launch(ctxOf(t), browser.Options{Path: path, Headless: new(true), NoSandbox: true, ExtraArgs: Flags(hosts)})
}

// stage returns a player with an empty tab in a shared browser.
func stage(t testing.TB, o Options) *Player {
	t.Helper()
	return shell.player(t, o, browsertest.Shell())
}

// guarded is stage in the whole browser.
func guarded(t testing.TB, o Options) *Player {
	t.Helper()
	return whole.player(t, o, "")
}

func (s *shared) player(t testing.TB, o Options, path string) *Player {
	t.Helper()
	s.once.Do(func() { s.b, s.err = launch(t, path, nil) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	p := enlist(t, s.b, o)
	do(t, p, Act{Verb: capture.NewTab})
	t.Cleanup(func() { // an empty tab stays
		p.settleDialog(Act{})
		var old []*tab
		p.locked(func() { old = append(old, p.tabs...) })
		p.begin(Act{})
		if err := p.openTab(ctxOf(t), Act{}); err != nil {
			t.Error(err)
		}
		for _, tab := range old {
			_, _ = cdp.Call(ctxOf(t), p.client.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: tab.id})
		}
		await.Until(t, "the tabs have closed", func() (ok bool) {
			p.locked(func() { ok = len(p.tabs) == 1 })
			return ok
		})
		p.Close()
	})
	return p
}

// alone returns a player in its own browser, which a test may break.
func alone(t testing.TB, o Options, hosts []string) *Player {
	t.Helper()
	b, err := launch(t, "", hosts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	p := enlist(t, b, o)
	t.Cleanup(p.Close)
	return p
}

func enlist(t testing.TB, b *browser.Browser, o Options) *Player {
	t.Helper()
	o.Browser = b
	p, err := New(ctxOf(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ctxOf(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func open(t testing.TB, p *Player, url string) {
	t.Helper()
	if err := p.Open(ctxOf(t), url); err != nil {
		t.Fatalf("open: %v", err)
	}
}

// do performs an act that must succeed.
func do(t testing.TB, p *Player, a Act) Outcome {
	t.Helper()
	out, err := p.Do(ctxOf(t), a)
	if err != nil {
		t.Fatalf("%s %+v: %v", a.Verb, a.Target, err)
	}
	return out
}

func on(role, name string) *capture.Target {
	tag := map[string]string{"button": "button", "link": "a", "textbox": "input", "combobox": "select", "checkbox": "input",
		"radio": "input"}[role]
	t := &capture.Target{Role: role, Name: name, Tag: tag}
	if role == "textbox" || role == "combobox" || role == "checkbox" || role == "radio" || role == "slider" {
		t.Label = name
	}
	return t
}

func click(role, name string) Act { return Act{Verb: capture.Click, Target: on(role, name)} }
func enter(name, value string) Act {
	return Act{Verb: capture.Type, Target: on("textbox", name), Value: value}
}

// eval evaluates an expression in the page's own world.
func eval(t testing.TB, p *Player, expression string) string {
	t.Helper()
	r, err := cdp.Call(ctxOf(t), p.current().s, runtime.Evaluate,
		runtime.EvaluateParams{Expression: "String(" + expression + ")", ReturnByValue: new(true), AwaitPromise: new(true)})
	if err != nil || r.ExceptionDetails != nil {
		t.Fatalf("%s: %v %+v", expression, err, r.ExceptionDetails)
	}
	return strings.Trim(string(r.Result.Value), `"`)
}

func hold[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
