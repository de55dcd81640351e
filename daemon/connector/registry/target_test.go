package registry_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/registry"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

// shelf is a registry with one connector, notes, whose server the test changes.
func shelf(t *testing.T, tools ...string) (*registry.Registry, *mcp.Server) {
	t.Helper()
	r, s, _ := shelfOn(t, tools...)
	return r, s
}

// shelfOn is shelf, and its store.
func shelfOn(t *testing.T, tools ...string) (*registry.Registry, *mcp.Server, connector.Store) {
	t.Helper()
	dir := t.TempDir()
	db, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data"), Memory: filepath.Join(dir, "memory")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	for _, name := range tools {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
	}
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(ts.Close)
	r := registry.New(registry.Options{Store: db.Connectors(), Now: clock.Now, Private: filepath.Join(dir, "data"),
		Agents: func(context.Context) ([]string, error) { return []string{"codex"}, nil }})
	t.Cleanup(r.Close)
	if _, err := r.Register(t.Context(), wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: "Notes", EndpointURL: ts.URL,
		Transport: "remote_http", SchemaVersion: 1}); err != nil {
		t.Fatal(err)
	}
	return r, s, db.Connectors()
}

func toolTarget(name string) connector.Target {
	return connector.Target{TargetKind: "tool", ServerID: "notes", ToolName: name}
}

// A decision about a connector, a tool or an agent that does not exist is refused: somebody would believe that a tool is off.
func TestADecisionIsAboutWhatExists(t *testing.T) {
	r, _ := shelf(t, "read_note", "write_note")
	off := wire.MCPPolicyDecisionWish{Mode: connector.Disabled}
	for name, tt := range map[string]struct {
		target connector.Target
		hint   string
	}{
		"connector":    {connector.Target{TargetKind: "server", ServerID: "nope"}, "connector list"},
		"its tool":     {connector.Target{TargetKind: "tool", ServerID: "nope", ToolName: "read_note"}, "connector list"},
		"tool":         {toolTarget("write_notes"), "connector tools notes"},
		"odd tool":     {toolTarget("/write_note"), "connector tools notes"},
		"other's case": {toolTarget("Write_note"), "connector tools notes"},
	} {
		_, err := r.SetPolicy(t.Context(), tt.target, off)
		if !fault.Is(err, fault.NotFound) || !strings.Contains(fault.From(err).Hint, tt.hint) {
			t.Errorf("%s: %v, %s", name, err, fault.From(err).Hint)
		}
	}
	for name, x := range map[string]connector.Switch{
		"agent":     {Scope: "runtime", Name: "nonsense"},
		"connector": {Scope: "runtime", Name: "codex", ServerID: "nope"},
		"tool":      {Scope: "runtime", Name: "codex", ServerID: "notes", ToolName: "nope"},
		"any tool":  {Scope: "runtime", Name: "codex", ToolName: "nope"},
		"provider":  {Scope: "provider", Name: "nope"},
	} {
		for _, x.Off = range []bool{true, false} {
			if _, err := r.Toggle(t.Context(), x); !fault.Is(err, fault.NotFound) || fault.From(err).Hint == "" {
				t.Errorf("%s, off: %v: %v", name, x.Off, err)
			}
		}
	}
	if _, err := r.SetPolicy(t.Context(), toolTarget("write_note"), off); err != nil {
		t.Error(err)
	}
	for _, x := range []connector.Switch{{Scope: "runtime", Name: "codex", ServerID: "notes", ToolName: "write_note", Off: true},
		{Scope: "runtime", Name: "codex", ToolName: "write_note", Off: true}, {Scope: "provider", Name: "m365", Off: true}} {
		if _, err := r.Toggle(t.Context(), x); err != nil {
			t.Errorf("%+v: %v", x, err)
		}
	}
}

// A tool that a person saw and that its service does not list now can be decided about, and so can one that came since; what
// was decided about a tool can be changed when the tool is gone for good.
func TestADecisionIsAboutAMissingTool(t *testing.T) {
	r, s := shelf(t, "read_note", "write_note")
	off := wire.MCPPolicyDecisionWish{Mode: connector.Disabled}
	s.RemoveTools("write_note")
	s.AddTool(&mcp.Tool{Name: "read_more", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	if got, err := r.SmokeTest(t.Context(), "notes", wire.MCPSmokeTestRequest{}); err != nil || got.FailureReasonCode != "tools_changed" {
		t.Fatalf("%+v %v", got, err)
	}
	for _, name := range []string{"write_note", "read_more"} {
		if _, err := r.SetPolicy(t.Context(), toolTarget(name), off); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.Patch(t.Context(), "notes", wire.MCPServerPatchRequest{AcceptTools: true, SchemaVersion: 1}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := r.SetPolicy(t.Context(), toolTarget("write_note"), wire.MCPPolicyDecisionWish{Mode: connector.Ask}); err != nil {
		t.Error(err)
	}
	if _, err := r.SetPolicy(t.Context(), toolTarget("other"), off); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// A decision that is taken away leaves the question to what is less specific, also after a restart.
func TestADecisionIsTakenAway(t *testing.T) {
	r, _, kept := shelfOn(t, "read_note", "write_note")
	decide := func(target connector.Target, mode string) wire.MCPEffectivePolicy {
		t.Helper()
		p, err := r.SetPolicy(t.Context(), target, wire.MCPPolicyDecisionWish{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	server := connector.Target{TargetKind: "server", ServerID: "notes"}
	decide(toolTarget("read_note"), connector.Disabled)
	decide(server, connector.Ask)
	if p := decide(toolTarget("read_note"), connector.Default); p.Decision.Mode != connector.Ask || p.InheritedFrom != "server" {
		t.Errorf("%+v", p)
	}
	if p := decide(server, connector.Default); p.Decision.Mode != connector.Enabled || p.Decision.ReasonCode != "default" {
		t.Errorf("%+v", p)
	}
	decide(server, connector.Default) // there is none any more
	if p := decide(toolTarget("write_note"), connector.Default); p.Decision.Mode != connector.Ask || p.Decision.ReasonCode != "default" {
		t.Errorf("%+v", p)
	}
	again := registry.New(registry.Options{Store: kept, Now: clock.Now})
	defer again.Close()
	item, err := again.Item(t.Context(), "notes")
	if err != nil || item.EffectivePolicy.Decision.ReasonCode != "default" {
		t.Errorf("%+v %v", item.EffectivePolicy, err)
	}
}

// A cursor that is of no receipt is refused: it would give the first page, or none, for an answer.
func TestAnUnknownCursorIsRefused(t *testing.T) {
	r, _ := shelf(t, "read_note")
	for _, mode := range []string{connector.Ask, connector.Disabled} {
		if _, err := r.SetPolicy(t.Context(), toolTarget("read_note"), wire.MCPPolicyDecisionWish{Mode: mode}); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]bool{}
	for cursor, pages := "", 0; ; pages++ {
		l, err := r.Receipts(t.Context(), connector.ReceiptFilter{Before: cursor, Limit: 1})
		if err != nil || len(l.Receipts) != 1 || pages > 10 {
			t.Fatalf("%q: %+v %v", cursor, l, err)
		}
		all[l.Receipts[0].ReceiptID] = true
		if cursor = l.NextCursor; cursor == "" {
			break
		}
	}
	if len(all) < 3 {
		t.Error(all)
	}
	for _, cursor := range []string{"zzz", "0", clock.NewID(), "'"} {
		l, err := r.Receipts(t.Context(), connector.ReceiptFilter{Before: cursor, Limit: 1})
		if !fault.Is(err, fault.InvalidRequest) || len(l.Receipts) > 0 {
			t.Errorf("%q: %+v %v", cursor, l, err)
		}
	}
}
