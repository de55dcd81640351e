package door_test

import (
	"context"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/door"
	"showhow/internal/fault"
)

// A caller from another computer that was shut out while a person was asked writes nothing, whatever they answer.
func TestAnApprovalDoesNotOutliveTheCaller(t *testing.T) {
	h := newHouse(t, t.TempDir())
	var out atomic.Bool
	h.door = door.New(door.Options{Registry: h.registry, Desk: h.desk, Store: h.store.Connectors(),
		Live: func(_ context.Context, reporter string) error {
			if reporter == "remote/1" && out.Load() {
				return fault.New(fault.Forbidden, "the caller was shut out")
			}
			return nil
		}})
	s := h.serve("write_note")
	h.connect("Notes", s)
	ts := httptest.NewServer(h.door.Handler(door.Guest{Agent: "remote/scout", Names: []string{"remote/scout"}, Reporter: "remote/1",
		Remote: true}, ""))
	t.Cleanup(ts.Close)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "far", Version: "1"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: ts.URL, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cs.Close() })
	d, done := h.asked(cs, "notes__write_note", map[string]any{"n": 1})
	out.Store(true)
	h.decide(d.DispatchID, "approve_once", false)
	if res := <-done; res == nil || !res.IsError || s.calls.Load() != 0 {
		t.Errorf("%v, %d calls", res, s.calls.Load())
	}
}
