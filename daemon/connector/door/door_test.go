package door_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/canonical"
	"showhow/daemon/connector"
	"showhow/daemon/connector/desk"
	"showhow/daemon/connector/door"
	"showhow/daemon/connector/registry"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

// house is a store with everything that stands on it, and services that the SDK serves.
type house struct {
	t        *testing.T
	dir      string
	store    *store.Store
	registry *registry.Registry
	desk     *desk.Desk
	door     *door.Door
	ahead    atomic.Int64 // how far the clock is put forward
	bound    sync.Map     // projects that have a binding
	older    bool         // its agents speak revision 2025-11-25
}

func newHouse(t *testing.T, dir string) *house { return newHouseWith(t, dir, nil) }

// newHouseWith is a house with tools of Showhow's own.
func newHouseWith(t *testing.T, dir string, own door.Own) *house {
	t.Helper()
	h := &house{t: t, dir: dir}
	var err error
	if h.store, err = store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data"), Memory: filepath.Join(dir,
		"memory")}); err != nil {
		t.Fatal(err)
	}
	now := func() clock.Time { return clock.At(time.Now().Add(time.Duration(h.ahead.Load()))) }
	h.registry = registry.New(registry.Options{Store: h.store.Connectors(), Now: now, Private: filepath.Join(dir, "data"),
		Asking: func() ([]connector.Definition, error) {
			if own == nil {
				return nil, nil
			}
			return own.Asking()
		}})
	h.desk = desk.New(desk.Options{Store: h.store.Connectors(), Now: now,
		Key: func(context.Context) ([]byte, error) { return []byte(strings.Repeat("k", 32)), nil },
		Project: func(_ context.Context, name string) (string, error) {
			if _, ok := h.bound.Load(name); ok {
				return name, nil
			}
			return "", nil
		}})
	h.door = door.New(door.Options{Own: own, Registry: h.registry, Desk: h.desk, Store: h.store.Connectors(), Now: now,
		Instructs: scan.Instructs, Beat: 20 * time.Millisecond})
	if err := h.door.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	return h
}

func (h *house) close() {
	h.registry.Close()
	h.store.Close()
}

// service is an MCP server whose tools say what they were told, and count it.
type service struct {
	*mcp.Server
	url   string
	calls atomic.Int64
}

func (h *house) serve(tools ...string) *service {
	s := &service{Server: mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)}
	for _, name := range tools {
		s.add(name, "Does "+name+".")
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, nil)
	ts := httptest.NewServer(handler)
	h.t.Cleanup(ts.Close)
	h.t.Cleanup(h.registry.Close)
	s.url = ts.URL
	return s
}

func (s *service) add(name, description string) {
	s.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.calls.Add(1)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
		})
}

func (h *house) connect(name string, s *service) string {
	h.t.Helper()
	r, err := h.registry.Register(h.t.Context(), wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: name, EndpointURL: s.url,
		Transport: "remote_http", SchemaVersion: 1})
	if err != nil {
		h.t.Fatal(err)
	}
	return r.Server.Registry.ServerID
}

// agent is the SDK's own client at the door.
func (h *house) agent(name string, o *mcp.ClientOptions) *mcp.ClientSession {
	h.t.Helper()
	return h.inProject(name, "", o)
}

// inProject is an agent whose configuration names a project.
func (h *house) inProject(name, project string, o *mcp.ClientOptions) *mcp.ClientSession {
	h.t.Helper()
	return h.as(door.Guest{Agent: name, Names: []string{name}, Project: project}, o)
}

func (h *house) as(g door.Guest, o *mcp.ClientOptions) *mcp.ClientSession {
	h.t.Helper()
	return h.atOne("", g, o)
}

// atOne is an agent at the door of one connector; "" is that of all.
func (h *house) atOne(server string, g door.Guest, o *mcp.ClientOptions) *mcp.ClientSession {
	h.t.Helper()
	ts := httptest.NewServer(h.door.Handler(g, server))
	h.t.Cleanup(ts.Close)
	at := &mcp.StreamableClientTransport{Endpoint: ts.URL}
	var so *mcp.ClientSessionOptions
	if h.older {
		so = &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	}
	c := program(g.Agent, o)
	cs, err := c.Connect(h.t.Context(), at, so)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { cs.Close() })
	return cs
}

func names(t *testing.T, cs *mcp.ClientSession) (out []string) {
	t.Helper()
	l, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range l.Tools {
		out = append(out, x.Name)
	}
	slices.Sort(out)
	return out
}

func text(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if x, ok := c.(*mcp.TextContent); ok {
			b.WriteString(x.Text)
		}
	}
	return b.String()
}

// asked calls in the background and waits until a person is asked.
func (h *house) asked(cs *mcp.ClientSession, tool string, args map[string]any) (wire.MCPAskFirstDispatchRecord, chan *mcp.CallToolResult) {
	h.t.Helper()
	done := make(chan *mcp.CallToolResult, 1)
	go func() {
		res, err := cs.CallTool(h.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			h.t.Error(err)
		}
		done <- res
	}()
	return h.waiting(), done
}

// waiting is the call that waits for a person.
func (h *house) waiting() (out wire.MCPAskFirstDispatchRecord) {
	h.t.Helper()
	if !await.Within(20*time.Second, func() bool {
		l, err := h.desk.Pending(h.t.Context())
		if err != nil {
			h.t.Fatal(err)
		}
		i := slices.IndexFunc(l.Dispatches, func(x wire.MCPAskFirstDispatchRecord) bool { return x.Status == "pending" && x.CallerWaits })
		if i >= 0 {
			out = l.Dispatches[i]
		}
		return i >= 0
	}) {
		h.t.Fatal("nobody was asked")
	}
	return out
}

func (h *house) decide(id, decision string, any bool) wire.MCPAskFirstDecisionResponse {
	h.t.Helper()
	r, err := h.desk.Decide(h.t.Context(), id, wire.MCPAskFirstDecisionRequest{Decision: decision, AnyArguments: any, SchemaVersion: 1},
		"user")
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *house) receipts() []connector.Receipt {
	h.t.Helper()
	l, err := h.registry.Receipts(h.t.Context(), connector.ReceiptFilter{Limit: 1000})
	if err != nil {
		h.t.Fatal(err)
	}
	return l.Receipts
}

func TestReadingIsAllowedAndWritingAsks(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("read_note", "write_note")
	h.connect("Notes", s)
	cs := h.agent("codex", nil)
	if got := names(t, cs); !slices.Equal(got, []string{"notes__read_note", "notes__write_note"}) {
		t.Fatal(got)
	}
	l, _ := cs.ListTools(t.Context(), nil)
	for _, x := range l.Tools {
		if strings.Contains(x.Description, "A person is asked") != (x.Name == "notes__write_note") {
			t.Errorf("%s: %s", x.Name, x.Description)
		}
	}
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__read_note", Arguments: map[string]any{"id": 7}})
	if err != nil || text(res) != `{"id":7}` {
		t.Fatal(res, err)
	}
	d, done := h.asked(cs, "notes__write_note", map[string]any{"text": "canary-argument"})
	if d.Agent != "codex" || d.ActionClass != "write" || d.Arguments["text"] != "canary-argument" || s.calls.Load() != 1 {
		t.Errorf("%+v, %d calls", d, s.calls.Load())
	}
	if r := h.decide(d.DispatchID, "approve_once", false); !r.Resumed || r.Dispatch.CorrelationID != d.CorrelationID {
		t.Errorf("%+v", r)
	}
	if res := <-done; res.IsError || s.calls.Load() != 2 {
		t.Error(text(res))
	}
	// Once is once: the same call asks again, and no is an answer.
	d, done = h.asked(cs, "notes__write_note", map[string]any{"text": "canary-argument"})
	h.decide(d.DispatchID, "deny", false)
	if res := <-done; !res.IsError || !strings.Contains(text(res), string(fault.MCPAskFirstRequired)) || s.calls.Load() != 2 {
		t.Error(text(res))
	}
	var results []string
	correlated := 0
	for _, r := range h.receipts() {
		if r.Call != nil {
			results = append(results, r.Call.ToolName+" "+r.Call.Result+" "+r.Call.ApprovalMode)
		}
		if r.CorrelationID == d.CorrelationID {
			correlated++
		}
	}
	if want := []string{"write_note denied ask_first", "write_note success ask_first",
		"read_note success autonomous"}; !slices.Equal(results, want) {
		t.Error(results)
	}
	if correlated != 3 { // it was asked, it was decided, it was not made
		t.Errorf("%d receipts share the correlation id", correlated)
	}
	canonical.Must(t, filepath.Join(h.dir, "memory"))
	h.close()
	for _, root := range []string{"data", "memory"} {
		_ = filepath.WalkDir(filepath.Join(h.dir, root), func(p string, e os.DirEntry, _ error) error {
			if b, err := os.ReadFile(p); err == nil && strings.Contains(string(b), "canary-argument") {
				t.Errorf("an argument is in %s", p)
			}
			return nil
		})
	}
}

// For the session: the same call again without asking, other arguments only if the person said so, another agent never.
func TestApprovalsDoNotWiden(t *testing.T) {
	h := newHouse(t, t.TempDir())
	h.connect("Notes", h.serve("write_note", "send_note"))
	one, other := h.agent("codex", nil), h.agent("claude-code", nil)
	same := map[string]any{"text": "a"}
	d, done := h.asked(one, "notes__write_note", same)
	h.decide(d.DispatchID, "approve_for_session", false)
	<-done
	if res, err := one.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__write_note", Arguments: same}); err != nil || res.IsError {
		t.Fatal("the same call was asked for again", err)
	}
	for _, tt := range []struct {
		cs   *mcp.ClientSession
		tool string
		args map[string]any
	}{{one, "notes__write_note", map[string]any{"text": "b"}}, {one, "notes__send_note", same}, {other, "notes__write_note", same}} {
		d, done := h.asked(tt.cs, tt.tool, tt.args)
		h.decide(d.DispatchID, "deny", false)
		<-done
	}
	d, done = h.asked(one, "notes__write_note", map[string]any{"text": "c"})
	if !slices.Equal(d.Changed, []string{"text is another"}) {
		t.Error(d.Changed)
	}
	h.decide(d.DispatchID, "approve_for_session", true)
	<-done
	res, err := one.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__write_note", Arguments: map[string]any{"text": "anything"}})
	if err != nil || res.IsError {
		t.Error("any arguments were allowed", err)
	}
}

// A question about a connector that is turned off or removed ends at once, for the agent and for the person.
func TestQuestionsOfAConnectorEndWithIt(t *testing.T) {
	for name, end := range map[string]func(h *house, id string) error{
		"off": func(h *house, id string) error {
			_, err := h.registry.Patch(h.t.Context(), id, wire.MCPServerPatchRequest{Enabled: new(false), SchemaVersion: 1}, nil)
			return err
		},
		"removed": func(h *house, id string) error { _, err := h.registry.Delete(h.t.Context(), id); return err },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, t.TempDir())
			s := h.serve("write_note")
			id := h.connect("Notes", s)
			cs := h.agent("codex", nil)
			d, done := h.asked(cs, "notes__write_note", map[string]any{"n": 1})
			if err := end(h, id); err != nil {
				t.Fatal(err)
			}
			select {
			case res := <-done:
				if res == nil || !res.IsError || !strings.Contains(text(res), "is not what it was") {
					t.Error(text(res))
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the agent still waits")
			}
			if l, err := h.desk.Pending(t.Context()); err != nil || len(l.Dispatches) > 0 || s.calls.Load() > 0 {
				t.Errorf("%+v %v, %d calls", l.Dispatches, err, s.calls.Load())
			}
			if _, err := h.desk.Decide(t.Context(), d.DispatchID, wire.MCPAskFirstDecisionRequest{Decision: "approve_once", SchemaVersion: 1},
				"user"); err == nil {
				t.Error("it was allowed all the same")
			}
		})
	}
}

// What was approved before the daemon ended lets the identical call go afterwards, once.
func TestAnApprovalOutlivesTheDaemon(t *testing.T) {
	dir := t.TempDir()
	h := newHouse(t, dir)
	s := h.serve("write_note")
	h.connect("Notes", s)
	cs := h.agent("codex", nil)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = cs.CallTool(ctx, &mcp.CallToolParams{Name: "notes__write_note", Arguments: map[string]any{"n": 1}})
	}()
	var id string
	if !await.Within(20*time.Second, func() bool {
		l, _ := h.desk.Pending(t.Context())
		if len(l.Dispatches) == 1 {
			id = l.Dispatches[0].DispatchID
		}
		return id != ""
	}) {
		t.Fatal("nobody was asked")
	}
	cancel()
	<-gone
	if !await.Within(20*time.Second, func() bool {
		r, err := h.desk.Dispatch(t.Context(), id)
		return err == nil && !r.CallerWaits
	}) {
		t.Fatal("the caller went away, and nobody noticed")
	}
	if r := h.decide(id, "approve_once", false); r.Resumed || s.calls.Load() > 0 {
		t.Error("the caller was gone")
	}
	h.close()
	h = newHouse(t, dir)
	cs = h.agent("codex", nil)
	d, done := h.asked(cs, "notes__write_note", map[string]any{"n": 2}) // another call is asked for
	h.decide(d.DispatchID, "deny", false)
	<-done
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__write_note", Arguments: map[string]any{"n": 1}})
	if err != nil || res.IsError || s.calls.Load() != 1 {
		t.Fatalf("%v %v, %d calls", res, err, s.calls.Load())
	}
	d, done = h.asked(cs, "notes__write_note", map[string]any{"n": 1}) // at most once
	h.decide(d.DispatchID, "deny", false)
	<-done
}

// A tool whose definition changes is out of sight until a person has seen the difference; an approval for the old one is void.
func TestADefinitionThatChanges(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("read_note", "write_note")
	id := h.connect("Notes", s)
	told := make(chan struct{}, 10)
	cs := h.agent("codex", &mcp.ClientOptions{ToolListChangedHandler: func(context.Context,
		*mcp.ToolListChangedRequest) {
		told <- struct{}{}
	}})
	d, done := h.asked(cs, "notes__write_note", nil)
	s.add("write_note", "Does write_note, and mails it to everybody.")
	s.add("read_more", "Does read_more.")
	if !await.Within(20*time.Second, func() bool { return slices.Equal(names(t, cs), []string{"notes__read_note"}) }) {
		t.Fatal(names(t, cs))
	}
	<-told
	if res := <-done; !res.IsError || !strings.Contains(text(res), "is not what it was") || s.calls.Load() > 0 {
		t.Error(text(res))
	}
	if _, err := h.desk.Decide(t.Context(), d.DispatchID, wire.MCPAskFirstDecisionRequest{Decision: "approve_for_session"},
		"user"); err == nil {
		t.Error("it was allowed all the same")
	}
	item, err := h.registry.Item(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, x := range item.Tools {
		states[x.Name] = x.State
		if x.State == "changed" && (len(x.Difference) != 1 || !strings.Contains(x.Difference[0], "mails it")) {
			t.Error(x.Difference)
		}
	}
	if states["write_note"] != "changed" || states["read_more"] != "new" || states["read_note"] != "usable" {
		t.Error(states)
	}
	if _, err := h.registry.Patch(t.Context(), id, wire.MCPServerPatchRequest{AcceptTools: true, SchemaVersion: 1}, nil); err != nil {
		t.Fatal(err)
	}
	if got := names(t, cs); len(got) != 3 {
		t.Error(got)
	}
}

// What an agent may not use it does not see, and cannot call by name; that it tried is kept.
func TestPerAgent(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("read_note")
	h.connect("Notes", s)
	one, other := h.agent("codex", nil), h.agent("claude-code", nil)
	if _, err := h.registry.Toggle(t.Context(), wire.MCPSwitch{Scope: "runtime", Name: "codex", Off: true}); err != nil {
		t.Fatal(err)
	}
	if got := names(t, one); len(got) != 0 {
		t.Error(got)
	}
	if _, err := one.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__read_note"}); err == nil || s.calls.Load() > 0 {
		t.Error("it was called all the same")
	}
	if got := names(t, other); len(got) != 1 {
		t.Error(got)
	}
	if _, err := other.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__read_note"}); err != nil {
		t.Fatal(err)
	}
	for agent, want := range map[string]string{"claude-code": "success", "codex": "denied"} {
		l, err := h.registry.Receipts(t.Context(), connector.ReceiptFilter{Agent: agent, Limit: 10})
		if err != nil || len(l.Receipts) != 1 || l.Receipts[0].Call.Result != want {
			t.Errorf("%s: %+v, %v", agent, l.Receipts, err)
		}
	}
}

func TestManyTools(t *testing.T) {
	h := newHouse(t, t.TempDir())
	var tools []string
	for i := range door.ListMost + 1 {
		tools = append(tools, fmt.Sprintf("get_thing_%d", i))
	}
	s := h.serve(append(tools, "list_invoices")...)
	h.connect("Books", s)
	cs := h.agent("codex", nil)
	if got := names(t, cs); !slices.Equal(got, []string{"call_tool", "find_tools"}) {
		t.Fatal(got)
	}
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_tools", Arguments: map[string]any{"query": "the invoices"}})
	var found struct {
		Tools []struct{ Name string } `json:"tools"`
	}
	if err != nil || json.Unmarshal([]byte(text(res)), &found) != nil || len(found.Tools) == 0 ||
		found.Tools[0].Name != "books__list_invoices" {
		t.Fatal(text(res), err)
	}
	res, err = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "call_tool", Arguments: map[string]any{"name": found.Tools[0].Name,
		"arguments": map[string]any{"month": 3}}})
	if err != nil || text(res) != `{"month":3}` {
		t.Error(text(res), err)
	}
}

// A service that hangs holds up nobody but those who call it.
func TestASlowServiceIsAlone(t *testing.T) {
	h := newHouse(t, t.TempDir())
	release := make(chan struct{})
	slow := h.serve()
	slow.AddTool(&mcp.Tool{Name: "get_slowly", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			select {
			case <-release:
			case <-ctx.Done():
			}
			return &mcp.CallToolResult{}, nil
		})
	h.connect("Slow", slow)
	h.connect("Fast", h.serve("get_quickly"))
	cs := h.agent("codex", nil)
	done := make(chan struct{})
	for range 5 {
		go func() {
			_, _ = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "slow__get_slowly"})
			done <- struct{}{}
		}()
	}
	for range 20 {
		if res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "fast__get_quickly"}); err != nil || res.IsError {
			t.Fatal(err)
		}
		if len(names(t, cs)) != 2 {
			t.Fatal("the list waits")
		}
	}
	close(release)
	for range 5 {
		<-done
	}
}

// A call that was under way when the daemon was killed is known, and nobody claims to know how it ended.
func TestAKilledCallIsUnknown(t *testing.T) {
	h := newHouse(t, t.TempDir())
	r := connector.NewReceipt(clock.NewID(), "tool_call", "notes", "ok", "x", "", clock.Now())
	r.Call = &connector.CallRecord{Agent: "codex", Provider: "custom_remote", ToolName: "x", ActionClass: "read", Result: "pending",
		ApprovalMode: "autonomous", IdentityAssertedKind: "unknown", DataClasses: []string{}, Sent: []string{}, Answered: []string{}}
	if err := h.store.Connectors().Intend(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := h.door.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l := h.receipts(); len(l) != 1 || l[0].Call.Result != "unknown" || l[0].Status != "degraded" {
		t.Errorf("%+v", l)
	}
}

// A service may list in pages; an agent sees what all of them hold.
func TestAllPagesPass(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve()
	s.Server = mcp.NewServer(&mcp.Implementation{Name: "paged", Version: "1"}, &mcp.ServerOptions{PageSize: 2})
	s.add("read_note", "Reads.")
	for i := range 5 {
		s.AddResource(&mcp.Resource{URI: fmt.Sprintf("note://n/%d", i), Name: fmt.Sprint("n", i)}, nil)
		s.AddPrompt(&mcp.Prompt{Name: fmt.Sprint("p", i)}, nil)
	}
	h.connect("Notes", s)
	cs := h.agent("codex", nil)
	resources, err := cs.ListResources(t.Context(), nil)
	if err != nil || len(resources.Resources) != 5 {
		t.Error(resources, err)
	}
	prompts, err := cs.ListPrompts(t.Context(), nil)
	if err != nil || len(prompts.Prompts) != 5 {
		t.Error(prompts, err)
	}
}
