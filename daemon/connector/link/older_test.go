package link_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/link"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// olderServer serves HTTP+SSE as the SDK does it; each POST to the stream's own address is refused with a status, as
// such servers do.
func olderServer(t *testing.T, status int) (*mcp.Server, string) {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "older", Version: "1"}, nil)
	addTool(s, "get_echo", "Says it again.")
	h := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.RawQuery == "" {
			w.WriteHeader(status)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(ts.Close)
	return s, ts.URL + "/sse"
}

// A server of the older transport is used like any other, whichever way it refuses the newer one.
func TestOlderTransport(t *testing.T) {
	for _, status := range []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			s, url := olderServer(t, status)
			var told atomic.Int32
			l := open(t, url, func(sp *link.Spec) { sp.Listed = func(link.Listed) { told.Add(1) } })
			ctx, seen := link.Watching(t.Context())
			listed, err := l.List(ctx)
			if err != nil || len(listed.Tools) != 1 || listed.Protocol == "" || seen.Status() != 0 {
				t.Fatalf("%+v %v, status %d", listed, err, seen.Status())
			}
			d := listed.Tools[0]
			for range 2 { // the stream outlives the call that opened it
				res, err := l.Call(t.Context(), link.Call{Tool: d.Name, Hash: d.Hash, Args: []byte(`{"a":1}`)})
				if err != nil || res.Content[0].(*mcp.TextContent).Text != `{"a":1}` {
					t.Fatal(res, err)
				}
			}
			before := told.Load()
			addTool(s, "get_more", "Came later.")
			if !await.Within(20*time.Second, func() bool { return told.Load() > before }) {
				t.Error("a change of its tools was not heard")
			}
		})
	}
}

// Where the server names an address at another host for messages, none is sent there, and with it no credentials.
func TestOlderTransportLeadsNowhereElse(t *testing.T) {
	var hits atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	t.Cleanup(elsewhere.Close)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s/messages\n\n", elsewhere.URL)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(ts.Close)
	l := open(t, ts.URL, func(sp *link.Spec) {
		sp.Entry.TimeoutMs = 5000
	})
	_, err := l.List(t.Context())
	f := fault.From(err)
	if f == nil || f.Code != fault.ConnectorUnreachable || hits.Load() > 0 {
		t.Errorf("%v, %d requests elsewhere", err, hits.Load())
	}
	l.Close()
}

// What the older address says of a sign-in is what counts; what says nothing of it leaves the first answer.
func TestOlderTransportThatWantsASignIn(t *testing.T) {
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/sse") && r.Method == http.MethodGet {
			w.Header().Set("WWW-Authenticate", `Bearer scope="notes"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(ts.Close)
	for path, want := range map[string]int{"/sse": http.StatusUnauthorized, "/other": http.StatusNotFound} {
		ctx, seen := link.Watching(t.Context())
		if _, err := open(t, ts.URL+path, nil).List(ctx); err == nil || seen.Status() != want {
			t.Errorf("%s: status %d, %v", path, seen.Status(), err)
		}
	}
}
