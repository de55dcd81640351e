package door_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/internal/fault"
)

// What one agent calls with makes no connector fail for everybody: arguments that are no object are refused at the door, and an error that
// the service answers with marks the tool alone.
func TestAnAgentCannotDegradeAConnector(t *testing.T) {
	h := newHouse(t, t.TempDir())
	h.older = true // the SDK's newest client does not send each of these
	s := h.serve("read_note")
	s.AddTool(&mcp.Tool{Name: "read_bad", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "it does not take that"}
		})
	id := h.connect("Notes", s)
	cs := h.agent("codex", nil)
	health := func() connector.Health {
		x, err := h.registry.Health(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, args := range []string{`[1]`, `"a"`, `7`, `true`} {
		for tool, sent := range map[string]string{"notes__read_note": args, "call_tool": `{"name":"notes__read_note","arguments":` + args + `}`} {
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(sent)})
			if err != nil || !res.IsError || !strings.HasPrefix(text(res), string(fault.InvalidRequest)) {
				t.Errorf("%s %s: %v %v", tool, args, res, err)
			}
			if r := h.receipts()[0]; r.Status != "blocked" || r.Call.ErrorCode != string(fault.InvalidRequest) {
				t.Errorf("%s %s: %+v", tool, args, r.Call)
			}
		}
	}
	for _, args := range []string{`null`, ` {"a":1}`} {
		if res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__read_note", Arguments: json.RawMessage(args)}); err != nil ||
			res.IsError {
			t.Errorf("%s: %v %v", args, res, err)
		}
	}
	if n := s.calls.Load(); n != 2 {
		t.Errorf("%d calls reached the service", n)
	}
	for range 4 {
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__read_bad"})
		if err != nil || !res.IsError || !strings.HasPrefix(text(res), string(fault.ConnectorUnreachable)) {
			t.Fatal(res, err)
		}
	}
	if x := health(); x.HealthStatus != "healthy" || x.FailureCountRolling > 0 || x.ToolHealth["read_bad"].OK ||
		x.ToolHealth["read_bad"].LastError != "service_error" {
		t.Errorf("%+v", x)
	}
}
