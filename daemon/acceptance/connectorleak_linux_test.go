package acceptance_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/internal/logs"
)

// A connector's secret, what is sent through it, its answers and its service's error texts are in no file, log,
// receipt or page.
func TestConnector_CanariesLeakNowhere(t *testing.T) {
	t.Parallel()
	w := begin(t, func(o *daemon.Options) { o.Test.Secrets = &lockedSecrets{m: fakeSecrets{}} })
	ctx := t.Context()
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	schema := map[string]any{"type": "object"}
	reply := func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "canary-answer"}}}, nil
	}
	s.AddTool(&mcp.Tool{Name: "get_note", InputSchema: schema}, reply)
	s.AddTool(&mcp.Tool{Name: "write_note", InputSchema: schema}, reply)
	s.AddTool(&mcp.Tool{Name: "get_broken", InputSchema: schema}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("canary-failure")
	})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	var shown atomic.Int32
	ts := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") == "canary-secret" {
			shown.Add(1)
		}
		h.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() { w.stop(); ts.CloseClientConnections(); ts.Close() })
	got(w.c.SetCredential(ctx, "notes-key", "canary-secret"))(t)
	got(w.c.RegisterConnector(ctx, client.ConnectorCreate{Provider: "custom_remote", DisplayName: "Notes", EndpointURL: ts.URL,
		Transport: "remote_http", HeaderSecrets: map[string]string{"X-Key": "notes-key"}}))(t)
	cs := w.atDoor("codex")
	args := map[string]any{"text": "canary-argument"}
	w.calls(cs, false, "notes__get_note", args)
	w.calls(cs, true, "notes__write_note", args)
	_, _ = cs.CallTool(ctx, &mcp.CallToolParams{Name: "notes__get_broken", Arguments: args})
	if shown.Load() == 0 {
		t.Error("the service was not shown its key")
	}
	canaries := []string{"canary-secret", "canary-argument", "canary-answer", "canary-failure"}
	pages := 0
	for _, path := range []string{"/api/mcp/servers", "/api/mcp/receipts", "/api/mcp/ask-first/pending", "/api/mcp/health",
		"/api/mcp/auth-profiles", "/api/status", "/api/doctor", "/api/credentials"} {
		b, err := w.c.Raw(ctx, http.MethodGet, path, nil)
		if err == nil {
			pages++
		}
		for _, c := range canaries {
			if strings.Contains(string(b), c) {
				t.Errorf("%s is in %s", c, path)
			}
		}
	}
	if pages < 6 {
		t.Errorf("only %d pages answered", pages)
	}
	w.nothingHolds(canaries...)
}

// nothingHolds fails if a canary is in the support bundle, or on the disk while the daemon runs and after it has ended.
func (w *world) nothingHolds(canaries ...string) {
	w.t.Helper()
	b := w.supportBundle()
	for _, c := range canaries {
		if strings.Contains(b, c) {
			w.t.Errorf("%s is in the support bundle", c)
		}
	}
	w.searched("while it runs", canaries...)
	w.stop()
	w.searched("afterwards", canaries...)
}

// supportBundle is what `showhow support` writes about this installation, with the end of the daemon's log.
func (w *world) supportBundle() string {
	w.t.Helper()
	at := logs.File(w.o.Roots.LogDir())
	must(w.t, os.MkdirAll(filepath.Dir(at), 0o700))
	must(w.t, os.WriteFile(at, []byte(w.log.String()+"the log ends here\n"), 0o600)) // the daemon of a test logs into memory
	dir := w.t.TempDir()
	file := filepath.Join(dir, "bundle.txt")
	w.showhow(dir, nil, "support", file)
	b := string(got(os.ReadFile(file))(w.t))
	if !strings.Contains(b, "what the doctor found") || !strings.Contains(b, "the log ends here") {
		w.t.Errorf("the bundle lacks a part:\n%s", b)
	}
	return b
}

// showhow runs the program itself, with its files in dir.
func (w *world) showhow(dir string, env []string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command(w.program(dir), args...)
	cmd.Dir, cmd.Env = dir, append(w.environment(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("showhow %s: %v: %s", args[0], err, out)
	}
	return string(out)
}

// program is the program as dir/showhow.
func (w *world) program(dir string) string {
	w.t.Helper()
	exe := filepath.Join(dir, "showhow")
	if _, err := os.Lstat(exe); err != nil {
		must(w.t, os.Symlink(got(os.Executable())(w.t), exe))
	}
	return exe
}

// environment leads the program to this installation.
func (w *world) environment() []string {
	return []string{"HOME=" + w.o.Roots.Home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + filepath.Dir(w.o.Roots.Runtime),
		"XDG_STATE_HOME=" + filepath.Dir(w.o.Roots.State), "SHOWHOW_DATA=" + w.o.Roots.Data, "GORACE=atexit_sleep_ms=0"}
}

// lockedSecrets is a keychain in memory that several may use at once.
type lockedSecrets struct {
	mu sync.Mutex
	m  fakeSecrets
}

func (c *lockedSecrets) Get(ctx context.Context, name string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m.Get(ctx, name)
}

func (c *lockedSecrets) Set(ctx context.Context, name, secret string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m.Set(ctx, name, secret)
}

func (c *lockedSecrets) Delete(ctx context.Context, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m.Delete(ctx, name)
}
