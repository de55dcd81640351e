package door_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// marking is a service with one of everything. It says itself that all of it was found to give orders.
func (h *house) marking() *service {
	mark := func() mcp.Meta { return mcp.Meta{"showhow/instructs": []string{"prompt-override"}, "theirs": "1"} }
	s := &service{Server: mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, &mcp.ServerOptions{
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Meta: mark(), Completion: mcp.CompletionResultDetails{Values: []string{"a"}}}, nil
		}})}
	s.AddTool(&mcp.Tool{Name: "read_note", Meta: mark(), InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if token := r.Params.GetProgressToken(); token != nil {
				if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1,
					Message: strings.Repeat("x", 100_000)}); err != nil {
					return nil, err
				}
			}
			return &mcp.CallToolResult{Meta: mark(), Content: []mcp.Content{}}, nil
		})
	s.AddResource(&mcp.Resource{URI: "note://n", Name: "n", Meta: mark()},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Meta: mark(), Contents: []*mcp.ResourceContents{{URI: "note://n", Text: "a"}}}, nil
		})
	s.AddPrompt(&mcp.Prompt{Name: "ask", Meta: mark()}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Meta: mark()}, nil
	})
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, nil))
	h.t.Cleanup(func() { h.registry.Close(); ts.Close() })
	s.url = ts.URL
	return s
}

// Only Showhow says what was found to give orders.
func TestAServiceSetsNoMarksOfShowhows(t *testing.T) {
	h := newHouse(t, t.TempDir())
	h.connect("Notes", h.marking())
	cs := h.agent("codex", nil)
	check := func(what string, m mcp.Meta, err error) {
		t.Helper()
		if err != nil || m["showhow/instructs"] != nil || m["theirs"] != "1" {
			t.Errorf("%s: %v %v", what, m, err)
		}
	}
	tools, err := cs.ListTools(t.Context(), nil)
	check("a tool", tools.Tools[0].Meta, err)
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__read_note"})
	check("a result", res.Meta, err)
	rs, err := cs.ListResources(t.Context(), nil)
	check("a resource", rs.Resources[0].Meta, err)
	read, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: rs.Resources[0].URI})
	check("what is read", read.Meta, err)
	ps, err := cs.ListPrompts(t.Context(), nil)
	check("a prompt", ps.Prompts[0].Meta, err)
	p, err := cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: ps.Prompts[0].Name})
	check("what prompts", p.Meta, err)
	c, err := cs.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: ps.Prompts[0].Name},
		Argument: mcp.CompleteParamsArgument{Name: "who"}})
	check("a completion", c.Meta, err)
}

// Of a service's progress an agent is told what fits a line.
func TestProgressIsBounded(t *testing.T) {
	h := newHouse(t, t.TempDir())
	h.connect("Notes", h.marking())
	told := make(chan string, 10)
	cs := h.agent("codex", &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		told <- r.Params.Message
	}})
	p := &mcp.CallToolParams{Name: "notes__read_note"}
	p.SetProgressToken("one")
	if _, err := cs.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if m := <-told; m != plain.Clip(strings.Repeat("x", 1000), 500) {
		t.Errorf("%d bytes", len(m))
	}
}

// What would have to wait for a person cannot be read, because only calls of tools wait. It is not listed, either.
func TestWhatAsksFirstIsNotListed(t *testing.T) {
	h := newHouse(t, t.TempDir())
	id := h.connect("Notes", h.marking())
	cs := h.agent("codex", nil)
	for mode, want := range map[string]int{connector.Ask: 0, connector.Enabled: 1, connector.Disabled: 0} {
		if _, err := h.registry.SetPolicy(t.Context(), connector.Target{TargetKind: "server", ServerID: id},
			wire.MCPPolicyDecisionWish{Mode: mode}); err != nil {
			t.Fatal(err)
		}
		rs, err := cs.ListResources(t.Context(), nil)
		if err != nil || len(rs.Resources) != want {
			t.Errorf("%s: %+v %v", mode, rs.Resources, err)
		}
		ps, err := cs.ListPrompts(t.Context(), nil)
		if err != nil || len(ps.Prompts) != want {
			t.Errorf("%s: %+v %v", mode, ps.Prompts, err)
		}
		if _, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "showhow://notes/note:%2F%2Fn"}); (err == nil) != (want > 0) {
			t.Errorf("%s: %v", mode, err)
		}
	}
}
