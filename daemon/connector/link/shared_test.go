package link_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// Turning a connector off does not wait for a server that does not answer, and neither does asking whether it is connected.
func TestClosingWhileItConnects(t *testing.T) {
	asked, release := make(chan struct{}, 8), make(chan struct{})
	_, url := server(t, func(http.ResponseWriter, *http.Request) bool {
		asked <- struct{}{}
		<-release
		return true
	})
	t.Cleanup(func() { close(release) })
	l := open(t, url, nil)
	errs := make(chan error, 2)
	for range 2 {
		go func() { _, err := l.List(context.Background()); errs <- err }()
	}
	<-asked
	if l.Connected() {
		t.Error("connected to a server that has not answered")
	}
	l.Close()
	for range 2 {
		select {
		case err := <-errs:
			if !fault.Is(err, fault.ConnectorOff) {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("a call outlived the connector")
		}
	}
}

// One who gives up while a connection is made takes nobody else's with it.
func TestTheOneWhoConnectsGivesUp(t *testing.T) {
	asked, release, first := make(chan struct{}, 8), make(chan struct{}), atomic.Bool{}
	_, url := server(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if first.CompareAndSwap(false, true) {
			asked <- struct{}{}
			<-release
		}
		return true
	})
	t.Cleanup(func() { close(release) })
	l := open(t, url, nil)
	ctx, cancel := context.WithCancel(t.Context())
	gaveUp, other := make(chan error, 1), make(chan error, 1)
	go func() { _, err := l.List(ctx); gaveUp <- err }()
	<-asked
	go func() { _, err := l.List(t.Context()); other <- err }()
	cancel()
	if err := <-gaveUp; !fault.Is(err, fault.Cancelled) {
		t.Error(err)
	}
	if err := <-other; err != nil {
		t.Error(err)
	}
}

// A server that says again and again that its tools changed is asked for them once at a time, with a pause between.
func TestAServerThatKeepsChanging(t *testing.T) {
	var lists, last atomic.Int64
	s, url := server(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			b, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(b))
			if bytes.Contains(b, []byte("tools/list")) {
				lists.Add(1)
			}
		}
		return true
	})
	l := open(t, url, func(sp *link.Spec) {
		sp.Listed = func(x link.Listed) {
			last.Store(int64(len(x.Tools[0].Told().Description) - len("Version ")))
		}
	})
	first(t, l)
	before, began := lists.Load(), time.Now()
	for n := range 40 {
		addTool(s, "get_echo", "Version "+strings.Repeat("i", n))
		time.Sleep(20 * time.Millisecond) // pace: a server bundles announcements that come at once
	}
	if !await.Within(20*time.Second, func() bool { return last.Load() == 39 }) {
		t.Error("the last change was not seen")
	}
	if n, most := lists.Load()-before, int64(time.Since(began)/time.Second)+2; n > most {
		t.Errorf("asked %d times, %d at most", n, most)
	}
}

// What a server logs reaches the agent that alone uses the conversation, and nobody once two use it.
func TestLogsReachNoOtherAgent(t *testing.T) {
	s, url := server(t, nil)
	s.AddTool(&mcp.Tool{Name: "get_log", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			//lint:ignore SA1019 services of revision 2025-11-25 still log by it
			_ = r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "canary"})
			return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
		})
	l := open(t, url, nil)
	listed, err := l.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var tool connector.Definition
	for _, d := range listed.Tools {
		if d.Name == "get_log" {
			tool = d
		}
	}
	call := func(from string) int64 {
		var said atomic.Int64
		_, err := l.Call(t.Context(), link.Call{Tool: tool.Name, Hash: tool.Hash, From: from,
			//lint:ignore SA1019 services of revision 2025-11-25 still log by it
			Said: func(*mcp.LoggingMessageParams) { said.Add(1) }})
		if err != nil {
			t.Fatal(err)
		}
		return said.Load()
	}
	if !await.Within(20*time.Second, func() bool { return call("scout") > 0 }) { // of a log that comes after its answer nobody is told
		t.Error("the agent's own log did not reach it")
	}
	for _, from := range []string{"rover", "scout", "rover"} {
		if n := call(from); n > 0 {
			t.Errorf("%s was told what may be another's", from)
		}
	}
}

// Reading shares a conversation like calling.
func TestLogsReachNoOtherAgentThatReads(t *testing.T) {
	s, url := server(t, nil)
	said := make(chan struct{}, 8)
	l := open(t, url, nil)
	d := first(t, l)
	s.AddTool(&mcp.Tool{Name: "get_log", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			//lint:ignore SA1019 services of revision 2025-11-25 still log by it
			_ = r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "canary"})
			return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
		})
	ping := func(ctx context.Context, cs *mcp.ClientSession) error { return cs.Ping(ctx, nil) }
	if err := l.Do(t.Context(), "rover", ping); err != nil {
		t.Fatal(err)
	}
	listed, err := l.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range listed.Tools {
		if x.Name != d.Name {
			d = x
		}
	}
	for range 5 {
		//lint:ignore SA1019 services of revision 2025-11-25 still log by it
		c := link.Call{Tool: d.Name, Hash: d.Hash, From: "scout", Said: func(*mcp.LoggingMessageParams) { said <- struct{}{} }}
		if _, err := l.Call(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if len(said) > 0 {
		t.Error("an agent was told what the service logs although another reads by the same conversation")
	}
}
