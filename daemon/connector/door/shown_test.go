package door_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// Nobody is asked about arguments that they cannot be shown as they are sent. A call that nobody is asked about is sent as it is.
func TestWhatCannotBeShownIsRefused(t *testing.T) {
	p := &pen{says: "Writes a paper."}
	h := newHouseWith(t, t.TempDir(), p)
	h.older = true // the SDK's newest client does not send each of these
	s := h.serve("write_note", "read_note")
	h.connect("Notes", s)
	cs := h.agent("codex", nil)
	call := func(tool, args string) *mcp.CallToolResult {
		t.Helper()
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
		if err != nil {
			t.Fatalf("%.60s: %v", args, err)
		}
		return res
	}
	whole := `{"chat_id":9007199254740993}`
	for args, code := range map[string]fault.Code{whole: fault.InvalidRequest, `{"nested":{"n":12345678901234567891}}`: fault.InvalidRequest,
		`{"limit":1e999}`: fault.InvalidRequest, `["drop","everything"]`: fault.InvalidRequest,
		`{"text":"` + strings.Repeat("x", 256<<10) + `"}`: fault.TooLarge} {
		for _, tool := range []string{"notes__write_note", "write_paper"} {
			res := call(tool, args)
			if !res.IsError || !strings.HasPrefix(text(res), string(code)) {
				t.Errorf("%s %.60s: %s", tool, args, text(res))
			}
			if r := h.receipts()[0]; r.Status != "blocked" || r.Call.ErrorCode != string(code) {
				t.Errorf("%s %.60s: %+v", tool, args, r.Call)
			}
		}
	}
	if l, err := h.desk.Pending(t.Context()); err != nil || len(l.Dispatches) > 0 || s.calls.Load() > 0 || p.looked.Load() > 0 {
		t.Error(l.Dispatches, err, s.calls.Load(), p.looked.Load())
	}
	if res := call("notes__read_note", whole); res.IsError || text(res) != whole {
		t.Error(text(res))
	}
}

// Repeats of a question count as calls that wait: one too many is refused before it is prepared.
func TestRepeatsAreBounded(t *testing.T) {
	p := &pen{says: "Writes a paper."}
	h := newHouseWith(t, t.TempDir(), p)
	cs := h.agent("codex", nil)
	const most = 50
	done := make(chan string, most+1)
	for range most + 1 {
		go func() {
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "write_paper", Arguments: map[string]any{"text": "x"}})
			if err != nil {
				done <- err.Error()
				return
			}
			done <- text(res)
		}()
	}
	select {
	case said := <-done:
		if !strings.HasPrefix(said, string(fault.ConnectorThrottled)) {
			t.Fatal(said)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("all calls wait")
	}
	ended := 0
	if !await.Within(20*time.Second, func() bool { // one that is still being prepared asks again
		l, err := h.desk.Pending(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range l.Dispatches {
			h.decide(x.DispatchID, "deny", false)
		}
		for len(done) > 0 {
			if said := <-done; !strings.HasPrefix(said, string(fault.MCPAskFirstRequired)) {
				t.Error(said)
			}
			ended++
		}
		return ended == most
	}) {
		t.Fatalf("%d calls ended", ended)
	}
	if n := p.looked.Load(); n > most {
		t.Errorf("%d were prepared", n)
	}
	go func() {
		_, _ = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "write_paper", Arguments: map[string]any{"text": "y"}})
	}()
	h.only() // those that ended do not count any more
}

// only is the one call that waits for a person.
func (h *house) only() (out wire.MCPAskFirstDispatchRecord) {
	h.t.Helper()
	if !await.Within(20*time.Second, func() bool {
		l, err := h.desk.Pending(h.t.Context())
		if err != nil {
			h.t.Fatal(err)
		}
		if len(l.Dispatches) == 1 && l.Dispatches[0].Status == "pending" {
			out = l.Dispatches[0]
		}
		return out.DispatchID != ""
	}) {
		h.t.Fatal("no call waits alone")
	}
	return out
}

// A decision about a tool of Showhow's own that it does not have turns nothing off, and is refused.
func TestAPolicyNamesAToolThatThereIs(t *testing.T) {
	h := newHouseWith(t, t.TempDir(), &pen{says: "Writes a paper."})
	h.serve("write_note")
	target := func(tool string) connector.Target {
		return connector.Target{TargetKind: "tool", ServerID: connector.Self, ToolName: tool}
	}
	off := wire.MCPPolicyDecisionWish{Mode: connector.Disabled}
	for _, name := range []string{"write_papers", "read_paper"} { // the second asks nobody
		_, err := h.registry.SetPolicy(t.Context(), target(name), off)
		if f := fault.From(err); !fault.Is(err, fault.NotFound) || !strings.Contains(f.Hint, "write_paper") {
			t.Errorf("%s: %v %s", name, err, f.Hint)
		}
		x := connector.Switch{Scope: "agent", Name: "codex", ServerID: connector.Self, ToolName: name, Off: true}
		_, err = h.registry.Toggle(t.Context(), x)
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := h.registry.SetPolicy(t.Context(), target("write_paper"), off); err != nil {
		t.Error(err)
	}
	if got := names(t, h.agent("codex", nil)); len(got) != 1 || got[0] != "read_paper" {
		t.Error(got)
	}
}
