package door_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/door"
	"showhow/internal/await"
)

// A caller that is shut out has no question left that a person could still allow, no approval, no parked call and no
// session; others keep theirs. It is over at once, whether the caller speaks with a session or without.
func TestWhatACallerDidEndsWithIt(t *testing.T) {
	for _, older := range []bool{false, true} {
		t.Run(fmt.Sprintf("with a session %v", older), func(t *testing.T) {
			h := newHouse(t, t.TempDir())
			h.older = older
			s := h.serve("write_note")
			h.connect("Notes", s)
			afar := func(name, id string) *mcp.ClientSession {
				return h.as(door.Guest{Agent: name, Names: []string{name}, Reporter: id, Remote: true}, nil)
			}
			scout, other := afar("remote/scout", "remote/1"), afar("remote/other", "remote/2")
			write := func(cs *mcp.ClientSession, n int) (*mcp.CallToolResult, error) {
				return cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__write_note", Arguments: map[string]any{"n": n}})
			}
			d, done := h.asked(scout, "notes__write_note", map[string]any{"n": 1})
			h.decide(d.DispatchID, "approve_until_end_of_turn", true)
			<-done
			ended := make(chan error, 1)
			go func() {
				res, err := write(other, 2)
				if err == nil && !res.IsError {
					err = fmt.Errorf("it was made")
				} else {
					err = nil
				}
				ended <- err
			}()
			waits := func(want int) bool {
				return await.Within(10*time.Second, func() bool {
					l, err := h.desk.Pending(t.Context())
					n := 0
					for _, x := range l.Dispatches {
						if x.Status == "pending" {
							n++
						}
					}
					return err == nil && n == want
				})
			}
			if !waits(1) {
				t.Fatal("nobody was asked")
			}
			if err := h.door.Evict(t.Context(), "remote/other", "remote/2"); err != nil {
				t.Fatal(err)
			}
			if !waits(0) {
				t.Error("the question still stands")
			}
			select {
			case err := <-ended:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(10 * time.Second):
				t.Error("the call still waits")
			}
			if res, err := write(scout, 3); err != nil || res.IsError || s.calls.Load() != 2 {
				t.Errorf("another caller's approval ended, too: %v %v, %d calls", res, err, s.calls.Load())
			}
			if err := h.door.Evict(t.Context(), "remote/scout", "remote/1"); err != nil {
				t.Fatal(err)
			}
			if l, err := h.desk.Grants(t.Context()); err != nil || len(l.Grants) != 0 {
				t.Errorf("%+v %v", l, err)
			}
			if _, err := scout.ListTools(t.Context(), nil); older && err == nil {
				t.Error("its session lives on")
			}
		})
	}
}

// A call that is parked at a question of its service ends with its caller, and so does one that goes on after the answer.
func TestAParkedCallEndsWithItsCaller(t *testing.T) {
	h := newHouse(t, t.TempDir())
	asked, answered, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s := mcp.NewServer(&mcp.Implementation{Name: "curious", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "get_slow", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			_, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Whose?", RequestedSchema: map[string]any{"type": "object"}})
			if err == nil {
				close(answered)
				<-ctx.Done()
			}
			gone <- struct{}{}
			return nil, ctx.Err()
		})
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(func() { h.registry.Close(); ts.CloseClientConnections(); ts.Close() })
	h.allow(h.connect("Curious", &service{url: ts.URL}), false, true)
	for _, answers := range []bool{false, true} {
		goOn := make(chan struct{})
		cs := h.as(door.Guest{Agent: "remote/scout", Names: []string{"remote/scout"}, Reporter: "remote/1", Remote: true},
			&mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				if !answers {
					asked <- struct{}{}
					<-goOn
				}
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			}})
		over := make(chan struct{})
		go func() {
			defer close(over)
			_, _ = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "curious__get_slow", Arguments: map[string]any{}})
		}()
		if answers {
			<-answered
		} else {
			<-asked
		}
		if err := h.door.Evict(t.Context(), "remote/scout", "remote/1"); err != nil {
			t.Fatal(err)
		}
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			t.Fatalf("answered %v: the call goes on", answers)
		}
		close(goOn)
		<-over
	}
}

// So many calls of one agent wait for a person at a time; others can ask all the same.
func TestCallsThatWaitAreBounded(t *testing.T) {
	h := newHouse(t, t.TempDir())
	h.connect("Notes", h.serve("write_note"))
	cs := h.agent("codex", nil)
	ctx, leave := context.WithCancel(t.Context())
	refused := make(chan string, 60)
	for i := range 51 {
		go func() {
			res, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "notes__write_note", Arguments: map[string]any{"n": i}})
			if err == nil {
				refused <- text(res)
			}
		}()
	}
	if said := <-refused; !strings.Contains(said, "many calls of this agent wait") {
		t.Error(said)
	}
	other := h.agent("openclaw", nil)
	go func() {
		_, _ = other.CallTool(ctx, &mcp.CallToolParams{Name: "notes__write_note", Arguments: map[string]any{"n": 1}})
	}()
	if !await.Within(10*time.Second, func() bool {
		l, err := h.desk.Pending(t.Context())
		return err == nil && len(l.Dispatches) == 51
	}) {
		t.Error("another agent cannot ask")
	}
	leave()
}
