package door_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/canonical"
	"showhow/daemon/connector"
	"showhow/daemon/connector/door"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// pen is what Showhow itself offers: a tool that asks and one that does not.
type pen struct {
	says   string        // the description of the one that asks
	heard  chan struct{} // a slow call ends when it is closed
	done   atomic.Int64
	looked atomic.Int64
}

func (p *pen) tools() []*mcp.Tool {
	schema := map[string]any{"type": "object"}
	return []*mcp.Tool{{Name: "read_paper", InputSchema: schema}, {Name: "write_paper", Description: p.says, InputSchema: schema}}
}

func (p *pen) Asking() ([]connector.Definition, error) {
	b, err := json.Marshal(p.tools()[1])
	if err != nil {
		return nil, err
	}
	d, err := connector.Define(b)
	d.Data = []string{"documents"}
	return []connector.Definition{d}, err
}

func (p *pen) Prepare(_ context.Context, g door.Guest, _ string, args json.RawMessage) (door.Deed, error) {
	p.looked.Add(1)
	if strings.Contains(string(args), "impossible") {
		return door.Deed{}, fault.New(fault.WordNoMatch, "it is not there")
	}
	return door.Deed{About: []string{"The paper is canary-about."}, Do: func(ctx context.Context) (*mcp.CallToolResult, error) {
		if strings.Contains(string(args), "slow") {
			select {
			case <-p.heard:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if strings.Contains(string(args), "late") {
			return nil, fault.New(fault.NotFound, "it is gone")
		}
		p.done.Add(1)
		return door.Whole(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "written for " + g.Agent}}}), nil
	}}, nil
}

func (p *pen) Call(_ context.Context, _ door.Guest, _ *mcp.CallToolRequest, name string, _ json.RawMessage) (*mcp.CallToolResult, bool) {
	if name == "write_paper" {
		p.done.Add(100) // the door must not do this
	}
	return door.Whole(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "read"}}}), name == "read_paper"
}

func (p *pen) Tools(door.Guest) ([]*mcp.Tool, error)                      { return p.tools(), nil }
func (p *pen) Declare(*mcp.ServerCapabilities)                            {}
func (p *pen) Attach(*mcp.Server, door.Guest) (func(string) any, error)   { return nil, nil }
func (p *pen) Templates() []*mcp.ResourceTemplate                         { return nil }
func (p *pen) Prompts(context.Context, door.Guest) ([]*mcp.Prompt, error) { return nil, nil }
func (p *pen) Resources(context.Context, door.Guest, string) ([]*mcp.Resource, string, error) {
	return nil, "", nil
}
func (p *pen) Read(context.Context, door.Guest, string) (*mcp.ReadResourceResult, bool, error) {
	return nil, false, nil
}
func (p *pen) Prompt(context.Context, door.Guest, *mcp.GetPromptParams) (*mcp.GetPromptResult, bool, error) {
	return nil, false, nil
}
func (p *pen) Complete(context.Context, door.Guest, *mcp.CompleteParams) (*mcp.CompleteResult, bool, error) {
	return nil, false, nil
}

// write calls the tool that asks, which is allowed already.
func (h *house) write(cs *mcp.ClientSession, args map[string]any) *mcp.CallToolResult {
	h.t.Helper()
	res, err := cs.CallTool(h.t.Context(), &mcp.CallToolParams{Name: "write_paper", Arguments: args})
	if err != nil {
		h.t.Fatal(err)
	}
	return res
}

// A tool of Showhow's own that writes is asked for as a connector's is: at one desk, with the receipts of one path. What
// cannot be done is not asked for, and neither arguments nor what the person was told stay behind.
func TestAToolOfShowhowsOwnAsks(t *testing.T) {
	p := &pen{says: "Writes a paper."}
	h := newHouseWith(t, t.TempDir(), p)
	cs := h.agent("codex", nil)
	l, err := cs.ListTools(t.Context(), nil)
	if err != nil || len(l.Tools) != 2 || strings.Contains(l.Tools[0].Description, "A person") ||
		l.Tools[1].Description != "(A person is asked before this is done.) Writes a paper." ||
		p.tools()[1].Description != "Writes a paper." {
		t.Fatalf("%+v %v", l, err)
	}
	if res := h.write(cs, map[string]any{"text": "impossible"}); !res.IsError || !strings.Contains(text(res), string(fault.WordNoMatch)) {
		t.Error(text(res))
	}
	args := map[string]any{"text": "canary-argument"}
	d, done := h.asked(cs, "write_paper", args)
	if d.ServerID != "showhow" || d.Agent != "codex" || d.ActionClass != "write" || d.Arguments["text"] != "canary-argument" ||
		!slices.Equal(d.About, []string{"The paper is canary-about."}) || p.done.Load() != 0 {
		t.Errorf("%+v, done %d", d, p.done.Load())
	}
	if r := h.decide(d.DispatchID, "approve_once", false); !r.Resumed {
		t.Errorf("%+v", r)
	}
	if res := <-done; res.IsError || text(res) != "written for codex" || p.done.Load() != 1 {
		t.Error(text(res), p.done.Load())
	}
	d, done = h.asked(cs, "write_paper", args) // once is once
	h.decide(d.DispatchID, "deny", false)
	if res := <-done; !res.IsError || !strings.Contains(text(res), string(fault.MCPAskFirstRequired)) || p.done.Load() != 1 {
		t.Error(text(res))
	}
	d, done = h.asked(cs, "write_paper", map[string]any{"text": "late"})
	h.decide(d.DispatchID, "approve_once", false)
	if res := <-done; !res.IsError || !strings.Contains(text(res), string(fault.NotFound)) {
		t.Error(text(res))
	}
	d, done = h.asked(cs, "write_paper", map[string]any{"text": "nobody answers"})
	h.ahead.Store(int64(11 * time.Minute))
	if _, err := h.desk.Pending(t.Context()); err != nil {
		t.Fatal(err)
	}
	if res := <-done; !res.IsError || !strings.Contains(text(res), string(fault.MCPAskFirstExpired)) {
		t.Error(text(res))
	}
	var results []string
	for _, r := range h.receipts() {
		if r.Call != nil {
			results = append(results, r.ServerID+" "+r.Call.ToolName+" "+r.Call.Result+" "+r.Call.ErrorCode+" "+r.Call.ApprovalMode)
		}
	}
	if want := []string{"showhow write_paper denied MCP_ASK_FIRST_EXPIRED ask_first", "showhow write_paper failure NOT_FOUND ask_first",
		"showhow write_paper denied MCP_ASK_FIRST_REQUIRED ask_first", "showhow write_paper success  ask_first",
		"showhow write_paper denied WORD_NO_MATCH autonomous"}; !slices.Equal(results, want) {
		t.Errorf("%q", results)
	}
	canonical.Must(t, filepath.Join(h.dir, "memory"))
	h.close()
	for _, root := range []string{"data", "memory"} {
		_ = filepath.WalkDir(filepath.Join(h.dir, root), func(p string, e os.DirEntry, _ error) error {
			b, _ := os.ReadFile(p)
			for _, canary := range []string{"canary-argument", "canary-about"} {
				if strings.Contains(string(b), canary) {
					t.Errorf("%s is in %s", canary, p)
				}
			}
			return nil
		})
	}
}

// An approval covers the agent, the tool and the arguments that it was given for, and a connector's call never covers one of
// Showhow's own.
func TestAnApprovalOfAnOwnToolDoesNotWiden(t *testing.T) {
	p := &pen{says: "Writes a paper."}
	h := newHouseWith(t, t.TempDir(), p)
	h.connect("Papers", h.serve("write_paper"))
	one, other := h.agent("codex", nil), h.agent("claude-code", nil)
	same := map[string]any{"text": "a"}
	d, done := h.asked(one, "papers__write_paper", same)
	h.decide(d.DispatchID, "approve_for_session", true)
	<-done
	d, done = h.asked(one, "write_paper", same)
	h.decide(d.DispatchID, "approve_for_session", false)
	<-done
	h.connect("Another", h.serve("read_note")) // a change of the registry leaves it standing
	if res := h.write(one, same); res.IsError || p.done.Load() != 2 {
		t.Fatal(text(res))
	}
	again, _ := one.CallTool(t.Context(), &mcp.CallToolParams{Name: connector.CallTool, Arguments: map[string]any{"name": "write_paper",
		"arguments": same}})
	if again == nil || again.IsError || p.done.Load() != 3 { // by another way it is the same call
		t.Error("the same call by its name")
	}
	for _, tt := range []struct {
		cs   *mcp.ClientSession
		args map[string]any
	}{{one, map[string]any{"text": "b"}}, {other, same}} {
		d, done := h.asked(tt.cs, "write_paper", tt.args)
		h.decide(d.DispatchID, "deny", false)
		if res := <-done; !res.IsError || p.done.Load() != 3 {
			t.Error(text(res))
		}
	}
	d, done = h.asked(one, "write_paper", map[string]any{"text": "c"})
	h.decide(d.DispatchID, "approve_until_end_of_turn", true)
	<-done
	if res := h.write(one, map[string]any{"text": "anything"}); res.IsError {
		t.Error(text(res))
	}
	h.desk.EndTurn("codex")
	d, done = h.asked(one, "write_paper", map[string]any{"text": "anything"})
	h.decide(d.DispatchID, "deny", false)
	<-done
}

// "Turn off everything", and what one agent may not use: it is out of sight, refused by name, and refused when it is turned
// off while the person decides. No policy lets it through unasked.
func TestAnOwnToolIsTurnedOff(t *testing.T) {
	p := &pen{says: "Writes a paper."}
	h := newHouseWith(t, t.TempDir(), p)
	one, other := h.agent("codex", nil), h.agent("claude-code", nil)
	turn := func(s wire.MCPSwitch) {
		t.Helper()
		if _, err := h.registry.Toggle(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []wire.MCPSwitch{{Scope: "global"}, {Scope: "runtime", Name: "codex", ServerID: "showhow", ToolName: "write_paper"}} {
		_, done := h.asked(one, "write_paper", nil)
		s.Off = true
		turn(s)
		if res := <-done; !res.IsError || !strings.Contains(text(res), string(fault.ConnectorOff)) {
			t.Error(text(res))
		}
		if got := names(t, one); !slices.Equal(got, []string{"read_paper"}) {
			t.Error(got)
		}
		if res := h.write(one, nil); !res.IsError || !strings.Contains(text(res), string(fault.ConnectorOff)) {
			t.Error(text(res))
		}
		if got := names(t, other); len(got) != map[string]int{"global": 1, "runtime": 2}[s.Scope] {
			t.Error(got)
		}
		s.Off = false
		turn(s)
	}
	own := connector.Target{TargetKind: "tool", ServerID: "showhow", ToolName: "write_paper"}
	_, err := h.registry.SetPolicy(t.Context(), own, wire.MCPPolicyDecisionWish{Mode: connector.Enabled})
	if !fault.Is(err, fault.ConnectorAlwaysAsks) {
		t.Error(err)
	}
	for _, mode := range []string{connector.Enabled, connector.Ask} {
		if _, err := h.registry.SetPolicy(t.Context(), connector.Target{TargetKind: "global"},
			wire.MCPPolicyDecisionWish{Mode: mode}); err != nil {
			t.Fatal(err)
		}
		d, done := h.asked(one, "write_paper", map[string]any{"text": mode})
		h.decide(d.DispatchID, "deny", false)
		<-done
	}
	if _, err := h.registry.SetPolicy(t.Context(), own, wire.MCPPolicyDecisionWish{Mode: connector.Disabled}); err != nil {
		t.Fatal(err)
	}
	if res := h.write(one, nil); !res.IsError || p.done.Load() != 0 {
		t.Error(text(res), p.done.Load())
	}
	h.close()
	h = newHouseWith(t, h.dir, p) // what is off is off after a restart, at the first call
	if res := h.write(h.agent("codex", nil), nil); !res.IsError || !strings.Contains(text(res), string(fault.ConnectorOff)) {
		t.Error(text(res))
	}
}

// leave asks, goes away, and has the person approve.
func (h *house) leave(args map[string]any) (id string) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	gone := make(chan struct{})
	cs := h.agent("codex", nil)
	go func() {
		defer close(gone)
		_, _ = cs.CallTool(ctx, &mcp.CallToolParams{Name: "write_paper", Arguments: args})
	}()
	id = h.waiting().DispatchID
	cancel()
	<-gone
	if !await.Within(20*time.Second, func() bool {
		r, err := h.desk.Dispatch(h.t.Context(), id)
		return err == nil && !r.CallerWaits
	}) {
		h.t.Fatal("the caller went away, and nobody noticed")
	}
	return id
}

// An approval outlives the daemon for the identical call, once; a question stands, too. For a tool that another version of
// Showhow describes otherwise neither does.
func TestAnOwnToolsApprovalOutlivesTheDaemon(t *testing.T) {
	dir := t.TempDir()
	p := &pen{says: "Writes a paper."}
	h := newHouseWith(t, dir, p)
	h.decide(h.leave(map[string]any{"n": 1}), "approve_once", false)
	open := h.leave(map[string]any{"n": 3})
	h.close()
	h = newHouseWith(t, dir, p)
	cs := h.agent("codex", nil)
	d, done := h.asked(cs, "write_paper", map[string]any{"n": 2}) // another call is asked for
	h.decide(d.DispatchID, "deny", false)
	<-done
	if res := h.write(cs, map[string]any{"n": 1}); res.IsError || p.done.Load() != 1 {
		t.Fatal(text(res))
	}
	d, done = h.asked(cs, "write_paper", map[string]any{"n": 1}) // at most once
	h.decide(d.DispatchID, "deny", false)
	<-done
	if d, err := h.desk.Dispatch(t.Context(), open); err != nil || d.Status != "pending" || d.Arguments["n"] != 3. || len(d.About) != 1 {
		t.Errorf("%+v %v", d, err)
	}
	h.decide(h.leave(map[string]any{"n": 4}), "approve_once", false)
	h.close()
	h = newHouseWith(t, dir, &pen{says: "Writes a paper, and mails it."})
	if d, err := h.desk.Dispatch(t.Context(), open); err != nil || d.Status != "cancelled" {
		t.Errorf("%+v %v", d, err)
	}
	d, done = h.asked(h.agent("codex", nil), "write_paper", map[string]any{"n": 4})
	h.decide(d.DispatchID, "deny", false)
	if res := <-done; !res.IsError {
		t.Error(text(res))
	}
}

// While a call that was allowed is done, its caller hears of it again and again.
func TestACallerHearsThatItsCallIsBeingDone(t *testing.T) {
	p := &pen{says: "Writes a paper.", heard: make(chan struct{})}
	h := newHouseWith(t, t.TempDir(), p)
	var beats atomic.Int64
	cs := h.agent("codex", &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		if strings.Contains(r.Params.Message, "being done") && beats.Add(1) == 2 {
			close(p.heard)
		}
	}})
	done := make(chan *mcp.CallToolResult, 1)
	go func() {
		q := &mcp.CallToolParams{Name: "write_paper", Arguments: map[string]any{"text": "slow"}}
		q.SetProgressToken("slow")
		res, err := cs.CallTool(t.Context(), q)
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	h.decide(h.waiting().DispatchID, "approve_once", false)
	select {
	case res := <-done:
		if res.IsError || p.done.Load() != 1 {
			t.Error(text(res))
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("it heard of it %d times", beats.Load())
	}
}

// A service gets the arguments that the person was shown: of a key that stands there twice the last, once.
func TestAKeyTwiceIsSentAsItIsShown(t *testing.T) {
	h := newHouse(t, t.TempDir())
	h.connect("Notes", h.serve("write_note"))
	cs := h.agent("codex", nil)
	done := make(chan *mcp.CallToolResult, 1)
	go func() {
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__write_note",
			Arguments: json.RawMessage(`{"to":"eve","to":"ada"}`)})
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	d := h.waiting()
	h.decide(d.DispatchID, "approve_once", false)
	if res := <-done; d.Arguments["to"] != "ada" || text(res) != `{"to":"ada"}` {
		t.Errorf("shown %v, sent %s", d.Arguments, text(res))
	}
}

// No connector takes Showhow's name: a new one is refused, and one that a store has under it is not served.
func TestTheNameIsReserved(t *testing.T) {
	p := &pen{says: "Writes a paper."}
	h := newHouseWith(t, t.TempDir(), p)
	s := h.serve("write_note")
	for _, name := range []string{"Showhow", " show-how ", "SH\u014cWHOW"} {
		_, err := h.registry.Register(t.Context(), wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: name, EndpointURL: s.url,
			Transport: "remote_http", SchemaVersion: 1})
		if !fault.Is(err, fault.ConnectorNameReserved) {
			t.Errorf("%s: %v", name, err)
		}
	}
	id := h.connect("Notes", s)
	_, err := h.registry.Patch(t.Context(), id, wire.MCPServerPatchRequest{DisplayName: new("showhow"), SchemaVersion: 1}, nil)
	if !fault.Is(err, fault.ConnectorNameReserved) {
		t.Error(err)
	}
	err = h.store.Connectors().Update(t.Context(), func(tx connector.Tx) error {
		var x connector.Server
		if ok, err := tx.Record(connector.KindServer, id, &x); err != nil || !ok {
			return errors.Join(err, errors.New("it is not stored"))
		}
		x.Entry.ServerID = connector.Self
		return tx.PutRecord(connector.KindServer, connector.Self, x)
	})
	if err != nil {
		t.Fatal(err)
	}
	h.close()
	h = newHouseWith(t, h.dir, p)
	if got := names(t, h.agent("codex", nil)); !slices.Equal(got, []string{"notes__write_note", "read_paper", "write_paper"}) {
		t.Error(got)
	}
}
