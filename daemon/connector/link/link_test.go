package link_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
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

// server is a real MCP server over HTTP with a tool that answers what it was told, behind whatever the test puts before it.
func server(t *testing.T, before func(http.ResponseWriter, *http.Request) bool) (*mcp.Server, string) {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	addTool(s, "get_echo", "Says it again.")
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before == nil || before(w, r) {
			h.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(ts.Close)
	return s, ts.URL
}

func addTool(s *mcp.Server, name, description string) {
	s.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
		})
}

func open(t *testing.T, url string, change func(*link.Spec)) *link.Link {
	t.Helper()
	spec := link.Spec{Entry: connector.Entry{ServerID: "fixture", Transport: "remote_http", EndpointURL: url}}
	if change != nil {
		change(&spec)
	}
	l := link.New(spec)
	t.Cleanup(l.Close)
	return l
}

func first(t *testing.T, l *link.Link) connector.Definition {
	t.Helper()
	listed, err := l.List(t.Context())
	if err != nil || len(listed.Tools) == 0 {
		t.Fatal(listed, err)
	}
	return listed.Tools[0]
}

func TestListAndCall(t *testing.T) {
	_, url := server(t, nil)
	l := open(t, url, nil)
	d := first(t, l)
	if d.Name != "get_echo" || d.Class != connector.Read {
		t.Errorf("%+v", d)
	}
	res, err := l.Call(t.Context(), link.Call{Tool: d.Name, Hash: d.Hash, Args: []byte(`{"a":1}`)})
	if err != nil || res.Content[0].(*mcp.TextContent).Text != `{"a":1}` {
		t.Fatal(res, err)
	}
}

// A definition that changes under a session is called no more, and whoever keeps definitions is told.
func TestADefinitionThatChanges(t *testing.T) {
	s, url := server(t, nil)
	var told atomic.Int32
	l := open(t, url, func(sp *link.Spec) { sp.Listed = func(link.Listed) { told.Add(1) } })
	d := first(t, l)
	before := told.Load()
	addTool(s, "get_echo", "Says it again, and mails it.")
	if !await.Within(20*time.Second, func() bool { return told.Load() > before }) {
		t.Fatal("nobody was told")
	}
	if _, err := l.Call(t.Context(), link.Call{Tool: d.Name, Hash: d.Hash}); !fault.Is(err, fault.ConnectorToolChanged) {
		t.Error(err)
	}
}

func TestHostileAnswers(t *testing.T) {
	elsewhere, hits := httptest.NewServer(nil), atomic.Int32{}
	elsewhere.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { hits.Add(1) })
	defer elsewhere.Close()
	for name, tt := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		reason string
		status int
	}{
		"redirect to another host": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "redirect", 0},
		"fifty megabytes": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for range 50 {
				fmt.Fprint(w, strings.Repeat(" ", 1<<20))
			}
		}, "too_large", 0},
		"nine megabytes in an event": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "event: message\ndata: ", strings.Repeat("x", 9<<20), "\n\n")
		}, "too_large", 0},
		"nine megabytes of lines in an event": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, strings.Repeat("data: "+strings.Repeat("x", 1000)+"\r\n", 9<<10), "\r\n")
		}, "too_large", 0},
		"half a frame": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",")
		}, "transport", 0},
		"hanging": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then is it noticed that the client has gone
			select {
			case <-r.Context().Done():
			case <-time.After(time.Minute):
			}
		}, "timeout", 0},
		"throttled": {func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Retry-After", "7"); w.WriteHeader(429) }, "transport",
			429},
		"unauthorized": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) }, "transport", 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var armed atomic.Bool
			_, url := server(t, func(w http.ResponseWriter, r *http.Request) bool {
				if !armed.Load() || r.Method != http.MethodPost {
					return true
				}
				tt.answer(w, r)
				return false
			})
			l := open(t, url, func(sp *link.Spec) {
				if tt.reason == "timeout" { // the others answer at once: a busy machine gets the time that a call usually has
					sp.Entry.TimeoutMs = 5000
				}
			})
			d := first(t, l)
			armed.Store(true)
			ctx, seen := link.Watching(t.Context())
			_, err := l.Call(ctx, link.Call{Tool: d.Name, Hash: d.Hash})
			f := fault.From(err)
			if f == nil || f.Code != fault.ConnectorUnreachable || tt.reason != "" && f.Details["reason"] != tt.reason {
				t.Errorf("%v", err)
			}
			if seen.Status() != tt.status {
				t.Errorf("status %d", seen.Status())
			}
			if tt.status == 429 && (seen.RetryAfter() == nil || *seen.RetryAfter() != 7*time.Second) {
				t.Error("the time to wait was not seen")
			}
		})
	}
	t.Cleanup(func() {
		if hits.Load() > 0 {
			t.Error("the redirect was followed")
		}
	})
}

func TestAddresses(t *testing.T) {
	for raw, good := range map[string]bool{
		"https://tools.example.com/mcp": true, "http://127.0.0.1:8000/mcp": true, "http://localhost/mcp": true, "http://[::1]:3/": true,
		"http://tools.example.com/mcp": false, "https://me:pw@tools.example.com": false, "ftp://x": false, "https://x/#f": false,
		"file:///etc/passwd": false, "javascript:alert(1)": false, "https:": false, "": false,
	} {
		if _, err := link.Address(raw); (err == nil) != good || err != nil && !fault.Is(err, fault.ConnectorAddress) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// A name that somebody registered must not lead to this machine or to where clouds keep their secrets.
func TestForeignNamesDoNotLeadHere(t *testing.T) {
	for _, host := range []string{"127.0.0.1.nip.example:1", "169.254.169.254", "[fe80::1]", "[::ffff:127.0.0.1]", "0.0.0.0",
		"[fd00:ec2::254]",
		"100.100.100.200"} {
		u, err := link.Address("https://tools.example.com/")
		if err != nil {
			t.Fatal(err)
		}
		tr := link.Transport(u)
		c := &http.Client{Transport: tr, Timeout: 5 * time.Second}
		res, err := c.Get("http://" + host + "/")
		if err == nil {
			res.Body.Close()
			t.Errorf("%s was reached", host)
		}
		tr.CloseIdleConnections()
	}
}

// Progress that a service reports right before its answer reaches the caller before the answer does.
func TestProgressComesBeforeTheAnswer(t *testing.T) {
	s, url := server(t, nil)
	s.AddTool(&mcp.Tool{Name: "get_steps", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for n := range 3 {
				p := &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(n)}
				if err := r.Session.NotifyProgress(ctx, p); err != nil {
					return nil, err
				}
			}
			return &mcp.CallToolResult{}, nil
		})
	l := open(t, url, nil)
	listed, err := l.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(listed.Tools, func(d connector.Definition) bool { return d.Name == "get_steps" })
	for range 50 {
		var steps atomic.Int32
		_, err := l.Call(t.Context(), link.Call{Tool: "get_steps", Hash: listed.Tools[i].Hash,
			Progress: func(*mcp.ProgressNotificationParams) { steps.Add(1) }})
		if n := steps.Load(); err != nil || n != 3 {
			t.Fatal(n, err)
		}
	}
}
