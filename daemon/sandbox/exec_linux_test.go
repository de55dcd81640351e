package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/internal/await"
)

// lines collects output as it comes.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func execute(t *testing.T, b *Box, c Command) Result {
	t.Helper()
	res, err := b.Exec(t.Context(), c)
	if err != nil {
		t.Fatalf("%v: %v (%s)", c.Args, err, res.Stderr)
	}
	return res
}

func TestAProgramRunsAsItIs(t *testing.T) {
	b := open(t, Spec{Tools: []string{"showhow-ask"}})
	var live lines
	res := execute(t, b, Command{Args: []string{"printf", "%s|", "a b", "$HOME", "'"}, Stdout: &live})
	if string(res.Stdout) != "a b|$HOME|'|" || live.String() != "a b|$HOME|'|" {
		t.Errorf("%q %q", res.Stdout, live.String())
	}
	if res := execute(t, b, Command{Args: []string{"sh", "-c", "echo $A; exit 7"},
		Env: map[string]string{"A": "x y", "not a name": "z"}}); res.ExitCode != 7 || string(res.Stdout) != "x y\n" {
		t.Errorf("%+v", res)
	}
	if res := execute(t, b, Command{Args: []string{"no-such-program"}}); res.ExitCode != 127 {
		t.Errorf("%+v", res)
	}
	if err := os.WriteFile(filepath.Join(b.Dir(), "plain"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if res := execute(t, b, Command{Args: []string{"./plain"}}); res.ExitCode != 126 {
		t.Errorf("%+v", res)
	}
	if res := execute(t, b, Command{Args: []string{"sh", "-c", "command -v showhow-ask"}}); strings.TrimSpace(string(res.Stdout)) != ToolDir+
		"/showhow-ask" {
		t.Errorf("%+v", res)
	}
	if _, err := b.Exec(t.Context(), Command{}); err == nil {
		t.Error("nothing was run")
	}
}

// The network can be opened further while a command runs; what was asked for before is on record.
func TestAHostIsAllowedLater(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "hello from "+r.Host)
	}))
	defer web.Close()
	dial := func(ctx context.Context, _, address string) (net.Conn, error) {
		if address != "api.service.test:80" {
			return nil, errors.New("unknown")
		}
		var d net.Dialer
		return d.DialContext(ctx, "tcp", web.Listener.Addr().String())
	}
	b := open(t, Spec{Network: true, Dial: dial})
	if res := execute(t, b, Command{Args: []string{"curl", "-s", "-f", "http://api.service.test/"}}); res.ExitCode == 0 {
		t.Fatal("nobody named it")
	}
	b.Allow("api.service.test")
	if res := execute(t, b, Command{Args: []string{"curl", "-s", "-f", "http://api.service.test/"}}); string(
		res.Stdout) != "hello from api.service.test" {
		t.Errorf("%+v", res)
	}
	if r, x := strings.Join(b.Reached(), " "), strings.Join(b.Refused(), " "); r != "api.service.test:80" || x != "api.service.test:80" {
		t.Errorf("reached %q, refused %q", r, x)
	}
}

func TestTheServiceIsReached(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "served "+r.URL.Path)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(ln) }()
	t.Cleanup(func() { srv.Close(); <-done })
	b := open(t, Spec{Service: path})
	for range 2 {
		res := execute(t, b, Command{Args: []string{"curl", "-s", "--unix-socket", b.ServiceSocket(), "http://x/ask"}})
		if string(res.Stdout) != "served /ask" {
			t.Errorf("%+v", res)
		}
	}
}

// A frozen box does nothing, and its time does not pass.
func TestFreeze(t *testing.T) {
	b := open(t, Spec{Timeout: 3 * time.Second})
	if b.Freeze() {
		t.Error("nothing runs")
	}
	var live lines
	var res Result
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		res, err = b.Exec(context.Background(), Command{
			Args: []string{"sh", "-c",
				"(while :; do echo b; sleep 0.02; done) & echo begun; n=0; while [ ! -e go ]; do n=$((n+1)); sleep 0.02; done; echo over"},
			Stdout: &live})
	}()
	await.Until(t, "it does not begin", func() bool { return strings.Contains(live.String(), "b\nb\n") })
	await.Until(t, "it does not stop", b.Freeze)
	before := live.String()
	time.Sleep(3500 * time.Millisecond) // pace: it is stopped for longer than it may run
	if now := live.String(); now != before {
		t.Errorf("it went on: %q", strings.TrimPrefix(now, before))
	}
	if werr := os.WriteFile(filepath.Join(b.Dir(), "go"), nil, 0o644); werr != nil {
		t.Fatal(werr)
	}
	b.Thaw()
	<-done
	if err != nil || res.Killed != "" || !strings.Contains(string(res.Stdout), "over") {
		t.Errorf("%+v %v", res, err)
	}
}

// One that is stopped between vfork and exec keeps its parent in the kernel: both stand still.
func TestFreezeForking(t *testing.T) {
	b := open(t, Spec{Timeout: time.Minute})
	ctx, cancel := context.WithCancel(t.Context())
	var live lines
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = b.Exec(ctx, Command{Args: []string{"sh", "-c", "echo begun; while :; do /bin/true; done"}, Stdout: &live})
	}()
	await.Until(t, "it does not begin", func() bool { return strings.Contains(live.String(), "begun") })
	for range 100 {
		await.Until(t, "it does not stop", b.Freeze)
		b.Thaw()
		time.Sleep(time.Millisecond) // pace: it forks on between two freezes
	}
	cancel()
	<-done
}

// Whatever a command leaves behind has ended with it.
func TestNothingOutlivesTheCommand(t *testing.T) {
	b := open(t, Spec{})
	mark := "showhow-left-" + strings.ReplaceAll(t.Name(), "/", "-")
	living := func() (found []string) {
		cmdlines, _ := filepath.Glob("/proc/*/cmdline")
		for _, c := range cmdlines {
			raw, _ := os.ReadFile(c)
			if strings.Contains(string(raw), mark) && !strings.Contains(string(raw), "echo over") {
				found = append(found, fmt.Sprintf("%s: %q", c, raw))
			}
		}
		return found
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := b.Exec(t.Context(), Command{Args: []string{"sh", "-c",
			"setsid nohup sh -c 'while :; do touch alive; sleep 0.01; done; : " + mark + "' >/dev/null 2>&1 & " +
				"while [ ! -e go ]; do sleep 0.01; done; echo over"}})
		if err != nil {
			t.Error(err)
		}
	}()
	alive := filepath.Join(b.Dir(), "alive")
	await.Until(t, "what is left behind", func() bool { _, err := os.Stat(alive); return err == nil && len(living()) > 0 })
	if err := os.WriteFile(filepath.Join(b.Dir(), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	<-done
	if left := living(); len(left) > 0 {
		t.Errorf("it is alive: %v", left)
	}
}
