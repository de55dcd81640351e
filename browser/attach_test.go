//go:build unix

package browser

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"showhow/internal/fault"
)

// reason is the reason for which Attach refused, "" if it did not.
func reason(err error) string {
	if err == nil {
		return ""
	}
	r, _ := fault.From(err).Details["reason"].(string)
	return r
}

func portOf(t *testing.T, b *Browser) string {
	t.Helper()
	u, err := url.Parse(b.DebugURL())
	if err != nil {
		t.Fatal(err)
	}
	return u.Port()
}

func TestAttachToARunningBrowser(t *testing.T) {
	o := testOptions()
	o.Port, o.StartURL = true, "data:text/html,<title>blank</title>"
	b := launch(t, o)
	port := portOf(t, b)
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	host := strings.TrimPrefix(srv.URL, "http://")
	if _, err := cdp.Call(t.Context(), b.Root(), target.CreateTarget, target.CreateTargetParams{URL: srv.URL}); err != nil {
		t.Fatal(err)
	}
	match := func(want string) func(string) bool { return func(s string) bool { return s == want } }
	for _, address := range []string{port, "127.0.0.1:" + port, "localhost:" + port, "http://127.0.0.1:" + port + "/json"} {
		a, err := Attach(t.Context(), AttachOptions{Address: address, Match: match(host)})
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		if !a.Attached() || a.Product() != b.Product() || a.PID() != 0 || b.Attached() {
			t.Errorf("%s: %q %v", address, a.Product(), a.Attached())
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Attach(t.Context(), AttachOptions{Address: port, Match: match("shop.test")}); reason(err) != "no_matching_page" {
		t.Errorf("no such page: %v", err)
	}
	m := NewManager(testOptions())
	defer m.Close()
	if _, err := m.Attach(t.Context(), AttachOptions{Address: port}); err != nil {
		t.Fatal(err)
	}
	if a := m.Running(); a == nil || !a.Attached() {
		t.Error("the manager does not share it")
	}
	if _, err := m.Attach(t.Context(), AttachOptions{Address: port}); reason(err) != "two_browsers" {
		t.Errorf("attached twice: %v", err)
	}
	m.Detach()
	if m.Running() != nil {
		t.Error("still shared")
	}
	select {
	case <-b.Done():
		t.Error("detaching ended the person's browser")
	default:
	}
}

func TestAttachRefusesAnEmptyOrASecondBrowser(t *testing.T) {
	o := testOptions()
	o.Port = true
	m := NewManager(o)
	defer m.Close()
	b, err := m.Browser(t.Context())
	if err != nil {
		t.Skip("no Chromium here")
	}
	if _, err := m.Attach(t.Context(), AttachOptions{Address: portOf(t, b)}); reason(err) != "two_browsers" {
		t.Errorf("with its own browser open: %v", err)
	}
	all, err := cdp.Call(t.Context(), b.Root(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		t.Fatal(err)
	}
	context, err := cdp.Call(t.Context(), b.Root(), target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cdp.Call(t.Context(), b.Root(), target.CreateTarget,
		target.CreateTargetParams{URL: "about:blank", BrowserContextID: context.BrowserContextID}); err != nil {
		t.Fatal(err)
	}
	for _, i := range all.TargetInfos {
		if i.Type == "page" {
			_, _ = cdp.Call(t.Context(), b.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: i.TargetID})
		}
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // a tab closes in its own time
		a, err := Attach(t.Context(), AttachOptions{Address: portOf(t, b)})
		if reason(err) == "no_page" {
			return
		}
		if err == nil {
			_ = a.Close()
		}
		if time.Now().After(end) {
			t.Fatalf("with a private window only: %v", err)
		}
	}
}

// answers serves a /json/version answer.
func answers(t *testing.T, at, ws string) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Skipf("this machine cannot listen on %s", at)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"Browser":"x/1","webSocketDebuggerUrl":%q}`, ws)
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l)
	}()
	t.Cleanup(func() {
		_ = srv.Close()
		<-done
	})
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

func TestAttachRefusesWhatIsNotClear(t *testing.T) {
	const browserID = "ws://127.0.0.1:9/devtools/browser/0190a000"
	refused := func(want, address string) {
		t.Helper()
		_, err := Attach(t.Context(), AttachOptions{Address: address})
		if f := fault.From(err); !fault.Is(err, fault.AdapterUnavailable) || reason(err) != want || f.Hint == "" || f.Message == "" {
			t.Errorf("%s: %v (%s), want %s", address, err, reason(err), want)
		}
	}
	t.Run("not a browser", func(t *testing.T) {
		refused("not_a_browser", answers(t, "127.0.0.1:0", "ws://127.0.0.1:9/0190a000-node"))
		refused("not_a_browser", answers(t, "127.0.0.1:0", ""))
	})
	t.Run("two browsers", func(t *testing.T) {
		port := answers(t, "127.0.0.1:0", browserID)
		answers(t, "[::1]:"+port, browserID+"-other")
		refused("two_browsers", port)
	})
	t.Run("open to the network", func(t *testing.T) {
		if !networked() {
			t.Skip("this machine has no network address")
		}
		refused("open_to_network", answers(t, "0.0.0.0:0", browserID))
	})
	for _, address := range []string{"", "0", "70000", "nine", "192.0.2.1:9222", "example.org:9222", "http://192.0.2.1:9222/"} {
		if _, err := Attach(t.Context(), AttachOptions{Address: address}); !fault.Is(err, fault.Usage) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func networked() bool {
	addresses, _ := net.InterfaceAddrs()
	for _, a := range addresses {
		if ip, _, err := net.ParseCIDR(a.String()); err == nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			return true
		}
	}
	return false
}

func TestTheOwnerOfAPortIsKnown(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("known on Linux only")
	}
	for _, host := range []string{"127.0.0.1", "::1"} {
		l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
		if err != nil {
			continue // no such address here
		}
		_, port, _ := net.SplitHostPort(l.Addr().String())
		if uid, known := owner(host, port); !known || uid != os.Geteuid() || !mine(uid) || mine(uid+1) {
			t.Errorf("%s: %d %t", host, uid, known)
		}
		_ = l.Close()
	}
	if _, known := owner("127.0.0.1", "1"); known {
		t.Error("somebody owns a port that nobody listens on")
	}
}
