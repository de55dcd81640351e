//go:build unix

package browser

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"

	"showhow/internal/await"
	"showhow/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func testOptions() Options {
	headless := true
	return Options{Headless: &headless, NoSandbox: true}
}

func launch(t *testing.T, o Options) *Browser {
	t.Helper()
	if _, err := Find(); err != nil {
		t.Skip("no Chromium here")
	}
	b, err := Launch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// spy is a handler that only releases sessions and records what it is told.
type spy struct {
	mu     sync.Mutex
	opened map[string]*Session // by target type and URL
	events chan string
}

func newSpy() *spy { return &spy{opened: map[string]*Session{}, events: make(chan string, 10000)} }

func (p *spy) Attached(s *Session) {
	p.mu.Lock()
	p.opened[s.Info().Type+" "+s.Info().URL] = s
	p.mu.Unlock()
	s.Send(page.CommandEnable, nil, nil)
	s.Send(runtime.CommandEnable, nil, nil)
	s.Release()
	p.events <- "attached " + s.Info().Type
}
func (p *spy) Detached(s *Session)                             { p.events <- "detached " + s.Info().Type }
func (p *spy) Event(_ *Session, method string, _ jsonv2.Value) { p.events <- method }

func (p *spy) wait(t *testing.T, want string) {
	t.Helper()
	deadline := time.After(time.Minute)
	for {
		select {
		case got := <-p.events:
			if got == want {
				return
			}
		case <-deadline:
			t.Fatalf("no %q", want)
		}
	}
}

func TestLaunchTalksAndLeavesNothing(t *testing.T) {
	o := testOptions()
	o.Port = true
	b := launch(t, o)
	if b.Product() == "" || b.PID() == 0 || b.DebugURL() == "" || b.Family() == "" {
		t.Errorf("incomplete: %q %d %q", b.Product(), b.PID(), b.DebugURL())
	}
	profile, pid := b.Profile(), b.PID()
	if st, err := os.Stat(profile); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("profile: %v %v", st, err)
	}
	second, err := Dial(t.Context(), b.DebugURL())
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(profile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the throw-away profile is still there: %v", err)
	}
	// Killed helpers are reaped by init, whenever it gets to it.
	await.Until(t, "the end of the process group", func() bool { return errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH) })
}

// Kill does not ask the browser to end; once it has returned, nothing is left either.
func TestKillLeavesNothing(t *testing.T) {
	b := launch(t, testOptions())
	profile, pid := b.Profile(), b.PID()
	if err := b.Kill(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(profile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the throw-away profile is still there: %v", err)
	}
	await.Until(t, "the end of the process group", func() bool { return !groupLives(pid) })
}

func TestClientsAreIndependent(t *testing.T) {
	b := launch(t, testOptions())
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>" + r.URL.Path + "</title>"))
	}))
	defer site.Close()
	one, two := newSpy(), newSpy()
	first, err := b.NewClient(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.NewClient(t.Context(), two)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Client{first, second} {
		if err := c.AutoAttach(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	one.wait(t, "attached page")
	two.wait(t, "attached page")
	first.Close()
	created, err := cdp.Call(t.Context(), second.Root(), target.CreateTarget, target.CreateTargetParams{URL: site.URL + "/a"})
	if err != nil || created.TargetID == "" {
		t.Fatal(err)
	}
	two.wait(t, "attached page")
	two.wait(t, "Page.loadEventFired") // the commit itself came before the pause
	select {
	case e := <-one.events:
		if e == "attached page" {
			t.Error("a closed client still hears")
		}
	default:
	}
	second.Close()
}

func TestDeathEndsEverything(t *testing.T) {
	b := launch(t, testOptions())
	p := newSpy()
	c, err := b.NewClient(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	events, cancel := c.Root().Subscribe("Target.targetCreated")
	defer cancel()
	if err := syscall.Kill(-b.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for name, ch := range map[string]<-chan struct{}{"connection": b.Done(), "client": c.Done()} {
		select {
		case <-ch:
		case <-time.After(time.Minute):
			t.Fatalf("the %s did not end", name)
		}
	}
	if _, open := <-events; open {
		t.Error("the subscription did not end")
	}
	if err := c.Root().Call(t.Context(), "Target.getTargets", nil, nil); !errors.Is(err, ErrGone) {
		t.Errorf("call after death: %v", err)
	}
}

func TestManagerStartsOnceAndAgainAfterDeath(t *testing.T) {
	if _, err := Find(); err != nil {
		t.Skip("no Chromium here")
	}
	o := testOptions()
	o.Profile = filepath.Join(t.TempDir(), "managed")
	m := NewManager(o)
	defer m.Close()
	if m.Running() != nil {
		t.Error("runs before it is needed")
	}
	b, err := m.Browser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.Browser(t.Context()); err != nil || again != b {
		t.Error("a second browser")
	}
	_ = syscall.Kill(-b.PID(), syscall.SIGKILL)
	<-b.Done()
	if m.Running() != nil {
		t.Error("a dead browser counts as running")
	}
	if again, err := m.Browser(t.Context()); err != nil || again == b {
		t.Errorf("not started again: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(o.Profile); err != nil {
		t.Error("the managed profile is gone")
	}
}

func TestRefusals(t *testing.T) {
	t.Setenv(EnvPath, "/nonexistent/browser")
	if _, err := Find(); !fault.Is(err, fault.AdapterUnavailable) {
		t.Errorf("Find: %v", err)
	}
	if _, err := Launch(t.Context(), Options{Path: "/bin/false"}); !fault.Is(err, fault.AdapterUnavailable) {
		t.Errorf("a program that ends at once: %v", err)
	}
	if _, err := Dial(t.Context(), "ws://192.0.2.1:9222/x"); !fault.Is(err, fault.Usage) {
		t.Errorf("another machine: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := Attach(ctx, AttachOptions{Address: "1"}); reason(err) != "nothing_listens" {
		t.Errorf("nobody listens: %v", err)
	}
}
