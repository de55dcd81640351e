package door_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/desk"
	"showhow/daemon/connector/door"
	"showhow/daemon/connector/registry"
	"showhow/daemon/wire"
	"showhow/store"
)

// BenchmarkDoor reports what a call through the door takes longer than the same call without it, to the same server in the same run.
func BenchmarkDoor(b *testing.B) {
	st, err := store.Open(b.Context(), store.Options{Dir: filepath.Join(b.TempDir(), "data"), Memory: filepath.Join(b.TempDir(), "memory")})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	r := registry.New(registry.Options{Store: st.Connectors()})
	defer r.Close()
	d := door.New(door.Options{Registry: r, Store: st.Connectors(), Desk: desk.New(desk.Options{Store: st.Connectors()})})
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	for i := range 20 {
		s.AddTool(&mcp.Tool{Name: fmt.Sprintf("get_thing_%d", i), Description: "Gets a thing.", InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "thing"}}}, nil
			})
	}
	serve := func(h http.Handler) *mcp.ClientSession {
		ts := httptest.NewServer(h)
		b.Cleanup(ts.CloseClientConnections)
		cs, err := mcp.NewClient(&mcp.Implementation{Name: "bench"}, nil).Connect(b.Context(),
			&mcp.StreamableClientTransport{Endpoint: ts.URL, DisableStandaloneSSE: true}, nil)
		if err != nil {
			b.Fatal(err)
		}
		return cs
	}
	service := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	defer service.CloseClientConnections()
	before := rss(b)
	for i := range 100 {
		_, err := r.Register(b.Context(), wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: fmt.Sprintf("s%d", i),
			EndpointURL: service.URL, Transport: "remote_http"})
		if err != nil {
			b.Fatal(err)
		}
	}
	held := rss(b) - before // with the service's own side of the conversations, which is in this process, too
	direct := serve(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	through := serve(d.Handler(door.Guest{Agent: "bench"}, ""))
	one := func(cs *mcp.ClientSession, p *mcp.CallToolParams) time.Duration {
		began := time.Now()
		if res, err := cs.CallTool(b.Context(), p); err != nil || res.IsError {
			b.Fatal(res, err)
		}
		return time.Since(began)
	}
	var without, with, list []time.Duration
	for b.Loop() {
		without = append(without, one(direct, &mcp.CallToolParams{Name: "get_thing_1"}))
		with = append(with, one(through, &mcp.CallToolParams{Name: connector.CallTool, Arguments: map[string]any{"name": "s1__get_thing_1"}}))
		if len(list) < 20 {
			list = append(list, one(through, &mcp.CallToolParams{Name: connector.FindTools, Arguments: map[string]any{"query": "a thing"}}))
		}
	}
	at := func(l []time.Duration, q float64) float64 {
		slices.Sort(l)
		return float64(l[int(float64(len(l)-1)*q)]) / float64(time.Millisecond)
	}
	b.ReportMetric(at(with, .5)-at(without, .5), "door_p50_ms")
	b.ReportMetric(at(with, .99)-at(without, .99), "door_p99_ms")
	b.ReportMetric(at(list, .5), "door_list_ms")
	b.ReportMetric(held, "door_rss_mb")
}

// rss is what the process has in memory, in MB, once what nobody needs was given back.
func rss(b *testing.B) float64 {
	b.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0 // no such thing here
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		b.Fatal(err)
	}
	return float64(resident*int64(os.Getpagesize())) / (1 << 20)
}
