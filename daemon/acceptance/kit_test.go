package acceptance_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"showhow/daemon"
	schema "showhow/daemon/canonical"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/paths"
	"showhow/internal/syncbuf"
)

// patience is how long a condition may take; only a failing test waits that long.
const patience = 3 * time.Minute

// world is one installation with its daemon.
type world struct {
	t       *testing.T
	o       daemon.Options
	c       *client.Client // the person's
	ahead   *atomic.Int64  // nanoseconds that the daemon's clock is ahead of the real one
	looks   *atomic.Int64  // how often the daemon has found that it is needed
	log     *syncbuf.Buffer
	running bool
	done    chan error
	cancel  context.CancelFunc
}

// newWorld makes an installation in a short path: a socket's is limited to 104 bytes.
func newWorld(t *testing.T, change ...func(*daemon.Options)) *world {
	t.Helper()
	dir, err := os.MkdirTemp("", "sh")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, o: options(dir), ahead: &atomic.Int64{}, looks: &atomic.Int64{}, log: &syncbuf.Buffer{}}
	w.o.Logger = slog.New(slog.NewTextHandler(w.log, nil))
	w.o.DemoGrant = rand.Text() + rand.Text()
	w.o.Test = daemon.Test{AncestryUntil: os.Getpid(), Every: 50 * time.Millisecond, Grace: patience,
		Now:      func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) },
		IdleLook: func() { w.looks.Add(1) }}
	for _, c := range change {
		c(&w.o)
	}
	for _, d := range []string{w.o.Roots.Home, filepath.Dir(w.o.Roots.Runtime)} {
		must(t, os.MkdirAll(d, 0o700))
	}
	w.c = client.Unix(w.o.Roots.Socket(), client.WithDemoGrant(w.o.DemoGrant))
	t.Cleanup(func() {
		w.stop()
		schema.Must(t, w.o.Config.Memory) // whatever the test was about, what its daemon left is as the specification says
		if t.Failed() {
			t.Logf("the daemon's log:\n%s", w.log.String())
		}
		os.RemoveAll(dir)
	})
	return w
}

// options is an installation below dir that projects into three agents' folders.
func options(dir string) daemon.Options {
	home := filepath.Join(dir, "home")
	roots := paths.Roots{Home: home, Data: filepath.Join(dir, "data"), Memory: filepath.Join(dir, "data", "memory"),
		Runtime: filepath.Join(dir, "run", "showhow"), Config: filepath.Join(dir, "config.toml"), State: filepath.Join(dir, "state")}
	cfg := config.Default(roots)
	cfg.IdleExitMinutes = 0
	cfg.Targets = []config.Target{{Name: "openclaw", Dir: filepath.Join(home, ".openclaw", "workspace", "skills")},
		{Name: "claude", Dir: filepath.Join(home, ".claude", "skills")}, {Name: "agents", Dir: filepath.Join(home, ".agents", "skills")}}
	return daemon.Options{Roots: roots, Config: cfg, ThrowAway: true}
}

// begin makes an installation and starts its daemon.
func begin(t *testing.T, change ...func(*daemon.Options)) *world {
	t.Helper()
	w := newWorld(t, change...)
	must(t, w.start())
	return w
}

// start runs the daemon and returns when it answers, or what it ended with.
func (w *world) start() error {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready := make(chan struct{})
	done := make(chan error, 1)
	go func() { done <- daemon.Run(ctx, w.o, func() { close(ready) }) }()
	select {
	case <-ready:
		w.running, w.done, w.cancel = true, done, cancel
		w.o.DemoGrant = "" // it is good for the start that makes the data directory
		return nil
	case err := <-done:
		cancel()
		return err
	case <-time.After(patience):
		cancel()
		w.t.Fatal("the daemon does not answer")
		return nil
	}
}

// stop ends the daemon in order.
func (w *world) stop() {
	if !w.running {
		return
	}
	w.cancel()
	if err := w.ended(); err != nil {
		w.t.Errorf("the daemon ended with %v", err)
	}
}

// ended waits for the daemon's own end.
func (w *world) ended() error {
	w.t.Helper()
	select {
	case err := <-w.done:
		w.running = false
		w.cancel()
		return err
	case <-time.After(patience):
		w.t.Fatal("the daemon does not end")
		return nil
	}
}

// forward puts the daemon's clock forward.
func (w *world) forward(d time.Duration) { w.ahead.Add(int64(d)) }

// stays fails unless the daemon looks at the clock, as it is put forward now, and does not end although it may end when idle.
func (w *world) stays(why string) {
	w.t.Helper()
	from := w.looks.Load()
	w.until("a look at the clock while "+why, func() bool { // the look that is under way may have begun before
		select {
		case err := <-w.done:
			w.done <- err
			w.t.Fatalf("it ended although %s: %v", why, err)
		default:
		}
		return w.looks.Load() >= from+2
	})
}

// until waits for a condition.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	await.Until(w.t, what, ok)
}

// memory is a file below the memory root.
func (w *world) memory(rel string) string {
	return filepath.Join(w.o.Config.Memory, "system", filepath.FromSlash(rel))
}

// judges is where programs from npm are installed: SHOWHOW_NODE_MODULES, which make sets, or where make installs them.
func judges(t *testing.T) string {
	t.Helper()
	if set := os.Getenv("SHOWHOW_NODE_MODULES"); set != "" {
		return set
	}
	return got(filepath.Abs("../../build/judges/node_modules"))(t)
}

// theirOwn are the abilities without those that come with Showhow.
func theirOwn(all []client.Ability) []client.Ability {
	return slices.DeleteFunc(slices.Clone(all), func(a client.Ability) bool { return a.BuiltIn })
}

// taught are the bridge's entries of what was demonstrated.
func taught(all []wire.CapabilityBridgeEntry) []wire.CapabilityBridgeEntry {
	return slices.DeleteFunc(slices.Clone(all), func(e wire.CapabilityBridgeEntry) bool {
		return !strings.HasPrefix(e.CapabilityID, "showhow.")
	})
}

// canonical reads a canonical file once it satisfies ok; files follow their commit.
func canonical[T any](w *world, rel string, ok func(T) bool) T {
	w.t.Helper()
	var out T
	w.until(rel, func() bool {
		b, err := os.ReadFile(w.memory(rel))
		var v T
		if err != nil || json.Unmarshal(b, &v) != nil {
			return false
		}
		out = v
		return ok(v)
	})
	return out
}

// lines reads a canonical file of lines.
func lines[T any](w *world, rel string) (out []T) {
	w.t.Helper()
	b, err := os.ReadFile(w.memory(rel))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	must(w.t, err)
	for line := range strings.Lines(string(b)) {
		var v T
		must(w.t, json.Unmarshal([]byte(line), &v))
		out = append(out, v)
	}
	return out
}

// receipts are those of a session of one kind, newest first.
func (w *world) receipts(f client.ReceiptFilter) []client.Receipt {
	w.t.Helper()
	f.Page, f.PageSize = 1, 100
	l, err := w.c.Receipts(w.t.Context(), f)
	must(w.t, err)
	return l.Receipts
}

// agent is a client with the token of an agent that the person added.
func (w *world) agent(name string) *client.Client {
	w.t.Helper()
	a, err := w.c.AddAgent(w.t.Context(), name)
	must(w.t, err)
	return client.Unix(w.o.Roots.Socket(), client.WithToken(a.Token))
}

// answer is a response as it went over the socket.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send is one request without the client's help; follow lets redirects be followed.
func (w *world) send(method, path, body string, follow bool) answer {
	w.t.Helper()
	d := net.Dialer{}
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "unix", w.o.Roots.Socket())
		}}}
	if !follow {
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, "http://showhow"+path, strings.NewReader(body))
	must(w.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.Do(req)
	must(w.t, err)
	defer res.Body.Close()
	var b bytes.Buffer
	_, err = b.ReadFrom(res.Body)
	must(w.t, err)
	return answer{res.StatusCode, res.Header, b.Bytes()}
}

// fault reads the error envelope.
func (a answer) fault(t *testing.T) wire.ErrorBody {
	t.Helper()
	var e wire.Error
	if err := json.Unmarshal(a.body, &e); err != nil || e.Error.Code == "" {
		t.Fatalf("status %d without an envelope: %s", a.status, a.body)
	}
	return e.Error
}

// refused fails the test unless err carries the code; it returns the fault.
func refused(t *testing.T, err error, code fault.Code) *fault.Error {
	t.Helper()
	if !fault.Is(err, code) {
		t.Fatalf("got %v, want %s", err, code)
	}
	return fault.From(err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// got is must for a call with a result.
func got[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return v
	}
}

// freeAddress is an address that nobody listens on, of a port below those that the kernel hands out: nobody gets it meanwhile.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 100 {
		at := fmt.Sprintf("127.0.0.1:%d", 10_000+mathrand.IntN(20_000))
		if l, err := net.Listen("tcp4", at); err == nil {
			must(t, l.Close())
			return at
		}
	}
	t.Fatal("no port is free")
	return ""
}
