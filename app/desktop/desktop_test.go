package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/internal/fault"
	"showhow/internal/version"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve answers on a socket as a daemon would.
func serve(t *testing.T, h http.HandlerFunc) (socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "d.sock")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: h}}
	s.Start()
	t.Cleanup(s.Close)
	return socket
}

func call(g http.Handler, method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Origin", "wails://wails")
	r.Header.Set("Authorization", "Bearer stolen")
	r.Header.Set("X-Showhow-Presence", "demo guessed")
	r.Header.Set("If-Match", `"3"`)
	g.ServeHTTP(w, r)
	return w
}

// A request reaches the daemon unchanged, except for headers that a page must not set.
func TestPassesTheAPIOn(t *testing.T) {
	socket := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusConflict)
		fmt.Fprintf(w, "%s %s %s %q %q %q %q", r.Method, r.URL, b, r.Header.Get("If-Match"), r.Header.Get("Origin"),
			r.Header.Get("Authorization"), r.Header.Get("X-Showhow-Presence"))
	})
	g := (&Gateway{Socket: socket}).Open()
	w := call(g, "PATCH", "/api/x/y%2Fz?a=b", "hello")
	if got := w.Body.String(); w.Code != 409 || got != `PATCH /api/x/y%2Fz?a=b hello "\"3\"" "wails://wails" "" ""` {
		t.Errorf("%d %s", w.Code, got)
	}
	if w := call(g, "GET", "/api/../etc", ""); w.Code != 404 {
		t.Errorf("an untidy path: %d", w.Code)
	}
}

// A capture started from the window is noticed; a refusal and everything else is not.
func TestNoticesThatCaptureBegan(t *testing.T) {
	socket := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "refused") {
			w.WriteHeader(http.StatusConflict)
		}
	})
	n := 0
	g := (&Gateway{Socket: socket, Began: func() { n++ }}).Open()
	for _, c := range []struct {
		method, path string
		want         int
	}{{"POST", "/api/learn/sessions/s1/start", 1}, {"POST", "/api/learn/sessions/s1/pause", 1}, {"POST", "/api/learn/sessions/s1/resume", 2},
		{"POST", "/api/learn/sessions/refused/start", 2}, {"GET", "/api/learn/sessions/s1/start", 2}} {
		if call(g, c.method, c.path, "{}"); n != c.want {
			t.Errorf("after %s %s: noticed %d times, want %d", c.method, c.path, n, c.want)
		}
	}
}

// A stream is passed on event by event, and ends when the page goes away.
func TestStreams(t *testing.T) {
	next, gone := make(chan struct{}), make(chan struct{})
	socket := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 2 {
			io.WriteString(w, "data: x\n\n")
			w.(http.Flusher).Flush()
			<-next
		}
		<-r.Context().Done()
		close(gone)
	})
	front := httptest.NewServer((&Gateway{Socket: socket}).Open())
	defer front.Close()
	ctx, leave := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "GET", front.URL+"/api/events", nil)
	res, err := front.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	for range 2 {
		if _, err := io.ReadFull(res.Body, make([]byte, len("data: x\n\n"))); err != nil {
			t.Fatal(err)
		}
		next <- struct{}{}
	}
	leave()
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Fatal("the daemon's end of the stream stays open")
	}
}

// The page gets a confirmation only after the person's yes, and only the daemon's text is shown.
func TestConfirmsOutsideThePage(t *testing.T) {
	code := "abcdef"
	socket := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(map[string]string{"confirmation_id": "c1", "how": "window", "what": "install x", "code": code})
	})
	yes, asked := false, ""
	g := (&Gateway{Socket: socket, Ask: func(_ context.Context, q string) bool { asked = q; return yes }}).Open()
	w := call(g, "POST", "/api/confirmations", "{}")
	if asked != "install x" || w.Code != 403 || strings.Contains(w.Body.String(), code) ||
		!strings.Contains(w.Body.String(), "PRESENCE_REJECTED") {
		t.Errorf("after a no: %q %d %s", asked, w.Code, w.Body)
	}
	yes = true
	if w := call(g, "POST", "/api/confirmations", "{}"); w.Code != 201 || !strings.Contains(w.Body.String(), code) {
		t.Errorf("after a yes: %d %s", w.Code, w.Body)
	}
	asked, code = "", ""
	if w := call(g, "POST", "/api/confirmations", "{}"); w.Code != 201 || asked != "" {
		t.Errorf("a code that is shown in a terminal: %d, asked %q", w.Code, asked)
	}
}

// A daemon that was stopped stays stopped; one that crashed is restarted, and the new one answers the request.
func TestRevives(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a stale socket is not told from none there")
	}
	var revived atomic.Int32
	g := &Gateway{Socket: filepath.Join(t.TempDir(), "d.sock")}
	g.Revive = func(context.Context) error {
		revived.Add(1)
		g.Socket = serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "here") })
		return nil
	}
	g.Open()
	if w := call(g, "GET", "/api/status", ""); w.Code != 503 || !strings.Contains(w.Body.String(), "DAEMON_UNREACHABLE") ||
		revived.Load() != 0 {
		t.Errorf("stopped: %d %s, started %d times", w.Code, w.Body, revived.Load())
	}
	l, err := net.Listen("unix", g.Socket)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	if w := call(g, "GET", "/api/status", ""); w.Code != 200 || w.Body.String() != "here" {
		t.Errorf("died: %d %s", w.Code, w.Body)
	}
}

func TestPagesComeWithTheirPolicy(t *testing.T) {
	g := (&Gateway{Pages: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "page") })}).Open()
	w := call(g, "GET", "/learn/new", "")
	if w.Body.String() != "page" || !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'self';") {
		t.Errorf("%s %v", w.Body, w.Header())
	}
	if w := call((&Gateway{}).Open(), "GET", "/", ""); w.Code != 404 || !strings.Contains(w.Body.String(), "no pages") {
		t.Errorf("without pages: %d %s", w.Code, w.Body)
	}
}

// A second window brings the first to the front, and a claim ends with its holder.
func TestSingle(t *testing.T) {
	dir := t.TempDir()
	raised := make(chan struct{}, 1)
	first, ok, err := Claim(t.Context(), dir, func() { raised <- struct{}{} })
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, err := Claim(t.Context(), dir, nil); ok || err != nil {
		t.Fatalf("a second window: %v %v", ok, err)
	}
	select {
	case <-raised:
	case <-time.After(time.Minute):
		t.Fatal("the first one was not raised")
	}
	first.Close()
	if Raise(t.Context(), dir) {
		t.Error("a closed window can be raised")
	}
	os.WriteFile(windowSocket(dir), nil, 0o600) // what a killed one leaves
	again, ok, err := Claim(t.Context(), dir, func() {})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	again.Close()
}

func TestState(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if s := Load(dir); s != (State{Width: firstWidth, Height: firstHeight}) {
		t.Errorf("the first time: %+v", s)
	}
	want := State{Width: 900, Height: 700, X: 30, Y: 40, Placed: true, Maximised: true}
	if err := want.Save(dir); err != nil {
		t.Fatal(err)
	}
	if s := Load(dir); s != want {
		t.Errorf("kept %+v", s)
	}
	os.WriteFile(stateFile(dir), []byte(`{"width":-4,"height":`), 0o600)
	if s := Load(dir); s != (State{Width: firstWidth, Height: firstHeight}) {
		t.Errorf("after damage: %+v", s)
	}
	for _, x := range []struct{ is, want State }{
		{State{Width: 900, Height: 700, X: 30, Y: 40, Placed: true}, State{Width: 900, Height: 700, X: 30, Y: 40, Placed: true}},
		{State{Width: 4000, Height: 3000, X: 3000, Placed: true}, State{Width: 1280, Height: 800, X: 3000}}, // the screen it stood on is gone
		{State{Width: 10, Height: 10}, State{Width: minWidth, Height: minHeight}},
	} {
		if got := x.is.Within(1280, 800); got != x.want {
			t.Errorf("%+v fits as %+v", x.is, got)
		}
	}
}

func TestClosingSaysWhatHappens(t *testing.T) {
	if s := closingText([]string{"window"}); !strings.Contains(s, "will pause") {
		t.Error(s)
	}
	if s := closingText([]string{"tray", "window", "browser_badge"}); !strings.Contains(s,
		"goes on; the tray and the badge in the watched page will") {
		t.Error(s)
	}
}

// Without a daemon the window cannot know what is watched, so it asks nothing.
func TestClosingAsksOnlyWhileWatching(t *testing.T) {
	if s := closing(t.Context(), filepath.Join(t.TempDir(), "none.sock")); s != "" {
		t.Errorf("without a daemon: %q", s)
	}
	state := "paused"
	socket := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/observation-scope") {
			io.WriteString(w, `{"indicators":["tray"]}`)
			return
		}
		fmt.Fprintf(w, `{"learn_session_id":"0190a1b2-0000-7000-8000-000000000001","state":%q}`, state)
	})
	if s := closing(t.Context(), socket); s != "" {
		t.Errorf("paused: %q", s)
	}
	state = "capturing"
	if s := closing(t.Context(), socket); !strings.Contains(s, "the tray will show it") {
		t.Errorf("watching: %q", s)
	}
}

// A daemon that answers is not started again; if none can be started, that is reported, and not retried endlessly.
func TestStarter(t *testing.T) {
	answers := &starter{socket: serve(t, func(http.ResponseWriter, *http.Request) {})}
	if err := answers.ensure(t.Context()); err != nil {
		t.Error(err)
	}
	s := &starter{socket: filepath.Join(t.TempDir(), "none.sock")}
	for range 2 { // there is no showhow beside the test's program
		if err := s.ensure(t.Context()); !fault.Is(err, fault.DaemonUnreachable) {
			t.Errorf("%v", err)
		}
	}
	if tried := s.last; s.revive(t.Context()) == nil || s.last != tried {
		t.Error("it was tried again at once")
	}
}

// A window that was open during an upgrade of the package says so, once.
func TestADaemonOfAnotherVersion(t *testing.T) {
	theirs := version.Get().Version
	socket := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Showhow-Version", theirs+" 1") })
	var told []string
	g := (&Gateway{Socket: socket, Other: func(v string) { told = append(told, v) }}).Open()
	call(g, "GET", "/api/status", "")
	if len(told) != 0 {
		t.Fatalf("its own version is %q to it", told)
	}
	theirs = "v99.0.0"
	call(g, "GET", "/api/status", "")
	call(g, "GET", "/api/status", "")
	if len(told) != 1 || told[0] != "v99.0.0" {
		t.Errorf("it was told %q", told)
	}
}
