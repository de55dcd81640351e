package acceptance_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/client"
)

// The daemon ends while an agent's calls wait for a person and for a service, over standard input and output as over HTTP. Nobody
// claims that they succeeded, and the person can still answer the questions: package door's tests show what an answer counts for.
func TestConnector_TheDaemonStopsUnderCalls(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	var wrote, reading atomic.Int64
	release := make(chan struct{})
	s.AddTool(&mcp.Tool{Name: "read_slowly", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			reading.Add(1)
			<-release
			return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
		})
	s.AddTool(&mcp.Tool{Name: "write_note", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			wrote.Add(1)
			return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
		})
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(func() { w.stop(); close(release); ts.Close() })
	got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: "Notes", EndpointURL: ts.URL,
		Transport: "remote_http"}))(t)
	codex := w.agent("codex")
	cs := w.doorOf("codex", codex)
	over := got(mcp.NewClient(&mcp.Implementation{Name: "helper"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: w.overTCP("helper", "/mcp")}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}))(t)
	t.Cleanup(func() { w.stop(); over.Close() })
	call := func(at *mcp.ClientSession, tool string) (*mcp.CallToolResult, error) {
		return at.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__" + tool, Arguments: map[string]any{"n": 1}})
	}
	ended := make(chan error, 4)
	for _, tool := range []string{"read_slowly", "write_note"} {
		for _, at := range []*mcp.ClientSession{cs, over} {
			go func() {
				res, err := call(at, tool)
				if err == nil && !res.IsError {
					t.Errorf("%s succeeded", tool)
				}
				ended <- err
			}()
		}
	}
	w.until("both agents' calls wait for a person and for the service", func() bool {
		return len(got(w.c.PendingCalls(t.Context()))(t).Dispatches) == 2 && reading.Load() == 2
	})
	w.stop()
	for range 4 {
		<-ended
	}

	must(t, w.start())
	c := client.Unix(w.o.Roots.Socket()) // the demonstration's grant was good for the first start only
	results := map[string]int{}
	for _, r := range got(c.ConnectorReceipts(t.Context(), "notes", "", 50))(t).Receipts {
		if r.Call != nil {
			results[r.Call.ToolName+" "+r.Call.Result]++
		}
	}
	if results["read_slowly cancelled"]+results["read_slowly unknown"] != 2 || results["write_note cancelled"] != 2 || len(results) > 3 {
		t.Error(results)
	}
	l := got(c.PendingCalls(t.Context()))(t).Dispatches
	if len(l) != 2 || wrote.Load() > 0 {
		t.Errorf("%+v, written %d times", l, wrote.Load())
	}
	for _, d := range l {
		if d.Status != "pending" || d.CallerWaits {
			t.Errorf("%+v", d)
		}
	}
}
