package acceptance_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/client"
)

// Every call that reached a service has a receipt, even if the daemon is killed repeatedly meanwhile.
// SHOWHOW_CALLS=10000 makes that many calls, with a kill in each thousand.
func TestConnector_NoReceiptIsLost(t *testing.T) {
	t.Parallel()
	n, kills := 120, 1
	if v, err := strconv.Atoi(os.Getenv("SHOWHOW_CALLS")); err == nil {
		n, kills = v, v/1000
	}
	w := newWorld(t)
	must(t, w.start())
	var took atomic.Int64
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "get_note", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			took.Add(1)
			return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
		})
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(func() {
		for x := range s.Sessions() { // a daemon that was killed ended none
			_ = x.Close()
		}
		ts.CloseClientConnections()
		ts.Close()
	})
	got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: "Notes", EndpointURL: ts.URL,
		Transport: "remote_http"}))(t)
	token := got(w.c.AddAgent(t.Context(), "codex"))(t).Token
	w.stop()

	var daemonAt atomic.Pointer[exec.Cmd]
	daemonAt.Store(w.startChild())
	var answered atomic.Int64
	var agents sync.WaitGroup
	const many = 4
	for range many {
		agents.Go(func() {
			for answered.Load() < int64(n) && t.Context().Err() == nil {
				w.callsUntilGone(token, &answered, int64(n))
			}
		})
	}
	for k := range kills {
		w.until("the next kill", func() bool { return answered.Load() >= int64((k+1)*n/(kills+1)) })
		_ = daemonAt.Load().Process.Kill()
		_ = daemonAt.Load().Wait()
		daemonAt.Store(w.startChild())
	}
	agents.Wait()
	_ = daemonAt.Load().Process.Kill()
	_ = daemonAt.Load().Wait()
	daemonAt.Store(w.startChild())
	results, total := map[string]int{}, int64(0)
	for cursor := ""; ; {
		l := got(w.c.ConnectorReceipts(t.Context(), "notes", cursor, 200))(t)
		for _, r := range l.Receipts {
			if r.Call != nil {
				results[r.Call.Result]++
				total++
			}
		}
		if cursor = l.NextCursor; cursor == "" {
			break
		}
	}
	t.Logf("%d calls reached the service, %d were answered, %d kills; receipts: %v", took.Load(), answered.Load(), kills+1, results)
	if total < took.Load() || results["pending"] > 0 {
		t.Errorf("%d calls reached the service, and there are %d receipts: %v", took.Load(), total, results)
	}
}

// callsUntilGone calls until enough was answered, or the daemon is gone.
func (w *world) callsUntilGone(token string, answered *atomic.Int64, enough int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	in, say := io.Pipe()
	hear, out := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = client.Unix(w.o.Roots.Socket(), client.WithToken(token)).Door(ctx, "", in, out)
		out.Close()
		in.Close()
	}()
	defer func() { cancel(); say.Close(); hear.Close(); <-done }()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "codex"}, nil).Connect(ctx, &mcp.IOTransport{Reader: hear, Writer: say}, nil)
	if err != nil {
		return
	}
	defer cs.Close()
	for answered.Load() < enough {
		res, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "notes__get_note"})
		if err != nil {
			return
		}
		if !res.IsError {
			answered.Add(1)
		}
	}
}
