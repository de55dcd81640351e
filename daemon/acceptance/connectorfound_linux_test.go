package acceptance_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// What an agent's configuration names is listed without its secrets; taken over, the service is shown them, and they
// are in the keychain and nowhere else of ours.
func TestConnector_TakenOverFromAnAgent(t *testing.T) {
	t.Parallel()
	w := begin(t, func(o *daemon.Options) { o.Test.Secrets = &lockedSecrets{m: fakeSecrets{}} })
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "read_note", InputSchema: map[string]any{"type": "object"}}, says)
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	var shown atomic.Int32
	ts := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "canary-secret" {
			rw.WriteHeader(http.StatusUnauthorized)
			return
		}
		shown.Add(1)
		h.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() { w.stop(); ts.CloseClientConnections(); ts.Close() })
	must(t, os.WriteFile(filepath.Join(w.o.Roots.Home, ".claude.json"), []byte(`{"mcpServers": {
		"issues": {"type": "http", "url": "`+ts.URL+`", "headers": {"X-Key": "canary-secret"}},
		"half": {"type": "http", "url": "`+ts.URL+`/half", "headers": {"X-Key": "${input:key}"}},
		"leaky": {"command": "leaky", "args": ["--password", "kestrel-Passw0rd-1"]}}}`), 0o600))
	ctx := context.Background()
	found := func() map[string]string {
		b := got(w.c.Raw(ctx, http.MethodGet, "/api/mcp/found", nil))(t)
		if strings.Contains(string(b), "canary-secret") || strings.Contains(string(b), "kestrel") {
			t.Errorf("a secret is shown: %s", b)
		}
		out := map[string]string{}
		for _, x := range got(w.c.FoundConnectors(ctx))(t).Servers {
			out[x.Name] = x.State
		}
		return out
	}
	if got := found(); got["issues"] != "new" || got["leaky"] != "refused" {
		t.Error(got)
	}
	r := got(w.c.TakeConnector(ctx, wire.MCPTakeRequest{Agent: "claude-code", Name: "issues"}))(t)
	if len(r.Server.Tools) != 1 || len(r.Missing) != 0 || shown.Load() == 0 || r.Server.Registry.HeaderSecrets["X-Key"] != "issues_x_key" {
		t.Errorf("%+v, %d", r, shown.Load())
	}
	if got := found(); got["issues"] != "connected" {
		t.Error(got)
	}
	if r := got(w.c.TakeConnector(ctx, wire.MCPTakeRequest{Agent: "claude-code", Name: "half"}))(t); len(r.Missing) != 1 ||
		r.Missing[0] != "half_x_key" {
		t.Errorf("%+v", r.Missing)
	}
	_, err := w.c.TakeConnector(ctx, wire.MCPTakeRequest{Agent: "claude-code", Name: "leaky"})
	refused(t, err, fault.UnsupportedInBuild)
	_, err = w.c.TakeConnector(ctx, wire.MCPTakeRequest{Agent: "codex", Name: "issues"})
	refused(t, err, fault.NotFound)
}
