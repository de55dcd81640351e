package door_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/wire"
)

// Connected services are probed periodically, less often the more they fail; unused ones are left alone, and a machine
// that slept does not probe all at once.
func TestProbes(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("read_note")
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, nil)
	var down atomic.Bool
	var asked atomic.Int32
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if down.Load() {
			http.Error(w, "down", http.StatusInternalServerError)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { h.registry.Close(); ts.Close() })
	s.url = ts.URL
	id := h.connect("Notes", s)
	ahead := func(d time.Duration) { h.ahead.Add(int64(d)) }
	probe := func(slept bool) int32 {
		before := asked.Load()
		h.registry.Probe(t.Context(), slept)
		return asked.Load() - before
	}
	if probe(false) != 0 {
		t.Error("it was asked at once")
	}
	ahead(7 * time.Minute)
	if probe(true) != 0 {
		t.Error("it was asked after a sleep")
	}
	ahead(7 * time.Minute)
	if probe(false) == 0 {
		t.Error("it was never asked")
	}
	down.Store(true)
	ahead(7 * time.Minute)
	for i := range 3 {
		if probe(false) == 0 {
			t.Errorf("failure %d: it was not asked", i)
		}
		probe(false) // sets when it is due, now that it failed
		ahead(time.Minute)
	}
	x, err := h.registry.Health(t.Context(), id)
	if err != nil || x.HealthStatus != "degraded" || x.FailureCountRolling < 3 {
		t.Errorf("%+v %v", x, err)
	}
	down.Store(false)
	ahead(11 * time.Minute)
	probe(false)
	if x, _ := h.registry.Health(t.Context(), id); x.HealthStatus != "healthy" {
		t.Errorf("%+v", x)
	}
	h.registry.Close() // nothing is connected any more
	ahead(time.Hour)
	probe(false)
	ahead(time.Hour)
	if probe(false) != 0 {
		t.Error("a service that nobody uses was asked")
	}
}

// A test calls the tool that the person chose, and its health says how that went.
func TestATestWithATool(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("read_note", "write_note")
	s.AddTool(&mcp.Tool{Name: "read_broken", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, fmt.Errorf("it is broken")
		})
	id := h.connect("Notes", s)
	for tool, want := range map[string]string{"read_note": "passed", "read_broken": "failed", "write_note": "failed", "none": "failed"} {
		r, err := h.registry.SmokeTest(t.Context(), id, wire.MCPSmokeTestRequest{ServerID: id, ToolName: tool})
		if err != nil || r.Status != want {
			t.Errorf("%s: %+v %v", tool, r, err)
		}
	}
	got, err := h.registry.Health(t.Context(), id)
	if err != nil || !got.ToolHealth["read_note"].OK || got.ToolHealth["read_broken"].OK || len(got.ToolHealth) != 2 || s.calls.Load() != 1 {
		t.Errorf("%+v %v, %d calls", got.ToolHealth, err, s.calls.Load())
	}
}

// What a person types wrongly, and a window that is closed during the test, say nothing of the service.
func TestATestThatSaysNothing(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("read_note")
	ctx, closeWindow := context.WithCancel(t.Context())
	s.AddTool(&mcp.Tool{Name: "read_page", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "page is no number"}
		})
	s.AddTool(&mcp.Tool{Name: "read_slowly", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			closeWindow()
			<-ctx.Done()
			return nil, ctx.Err()
		})
	id := h.connect("Notes", s)
	for _, tool := range []string{"read_page", "read_slowly"} {
		if r, err := h.registry.SmokeTest(ctx, id, wire.MCPSmokeTestRequest{ServerID: id, ToolName: tool}); err != nil || r.Status == "passed" {
			t.Errorf("%s: %+v %v", tool, r, err)
		}
	}
	if r, err := h.registry.SmokeTest(ctx, id, wire.MCPSmokeTestRequest{ServerID: id}); err != nil || r.Status == "passed" { // closed before
		t.Errorf("%+v %v", r, err)
	}
	got, err := h.registry.Health(t.Context(), id)
	if err != nil || got.HealthStatus != "healthy" || got.FailureCountRolling != 0 || len(got.ToolHealth) != 0 {
		t.Errorf("%+v %v", got, err)
	}
}

// A sign-in with a key, or with nothing, is no person's sign-in.
func TestReceiptsNameTheUsedIdentity(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("read_note")
	for mode, want := range map[string]string{"none": "unknown", "oauth2_client_credentials": "service_principal"} {
		p, err := h.registry.AddProfile(t.Context(),
			wire.MCPAuthProfileCreateRequest{Provider: "custom_remote", AuthMode: mode, SchemaVersion: 1})
		if err != nil {
			t.Fatal(err)
		}
		id := h.connect("Notes", s)
		if _, err := h.registry.Patch(t.Context(), id, wire.MCPServerPatchRequest{AuthProfileID: &p.AuthProfileID, SchemaVersion: 1},
			nil); err != nil {
			t.Fatal(err)
		}
		_, _ = h.agent("codex", nil).CallTool(t.Context(), &mcp.CallToolParams{Name: connector.DoorName(id, "read_note")})
		i := slices.IndexFunc(h.receipts(), func(r connector.Receipt) bool { return r.ServerID == id && r.Call != nil })
		if i < 0 || h.receipts()[i].Call.IdentityAssertedKind != want {
			t.Errorf("%s: receipt %d of %+v", mode, i, h.receipts())
		}
	}
}
