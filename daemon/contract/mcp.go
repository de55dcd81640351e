package contract

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/mcp/message"
	"showhow/internal/fault"
)

// about says what each tool does.
var about = map[string]string{
	toolMain:      "Ask what Showhow knows: skills, their files, runs, decisions. One request envelope; from_kind=system lists the kinds.",
	toolRead:      "Read (SELECT): the result, and the rest of the envelope as _meta.",
	toolWrite:     "Write (INSERT, UPDATE, DELETE): report a checkpoint with from_kind=checkpoint.",
	toolChannel:   "Read for a channel that others see: what is the person's own is left out.",
	toolHealth:    "Whether it answers.",
	toolStatus:    "What Showhow holds, and the kinds that requests may name.",
	toolSpec:      "The contract for machines: schemas, kinds with tiers, tools, errors.",
	toolTelemetry: "How often which tool was called, and how it went. No content.",
}

// tools are the declarations, by name.
var tools = sync.OnceValues(func() (map[string]*mcp.Tool, error) {
	out := map[string]*mcp.Tool{}
	for name, text := range about {
		t := &mcp.Tool{Name: name, Description: text, InputSchema: &jsonschema.Schema{Type: "object"},
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: name != toolWrite, DestructiveHint: new(bool), OpenWorldHint: new(bool)}}
		switch name {
		case toolMain, toolRead, toolChannel, toolWrite:
			var more []any
			if name == toolWrite {
				more = []any{"UPSERT", "CORRECT"}
			}
			in, err := requestSchema(more...)
			if err != nil {
				return nil, err
			}
			t.InputSchema = in
		}
		if name == toolMain || name == toolWrite || name == toolChannel {
			s := &jsonschema.Schema{}
			if err := json.Unmarshal(published("response"), s); err != nil {
				return nil, err
			}
			t.OutputSchema = s
		}
		out[name] = t
	}
	return out, nil
})

// Handler serves MCP to a caller, each request by itself. It shows the tools of the caller's grant and no others.
func (s *Service) Handler(c Caller) http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		srv, err := s.server(c)
		if err != nil {
			return nil
		}
		return srv
	}, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		talk := message.Conversation{Began: true, Batches: r.Header.Get("MCP-Protocol-Version") <= message.LastBatched} // none: the oldest
		talk.Pass(w, r, h)
	})
}

func (s *Service) server(c Caller) (*mcp.Server, error) {
	all, err := tools()
	if err != nil {
		return nil, err
	}
	srv := mcp.NewServer(&mcp.Implementation{Name: "showhow-contract", Version: s.o.Version}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	for _, name := range granted(c.grant()) {
		srv.AddTool(all[name], func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			out, err := s.Call(ctx, c, name, req.Params.Arguments)
			if err != nil {
				f := fault.From(err)
				said, _ := json.Marshal(map[string]string{"code": string(f.Code), "message": f.Message, "hint": f.Hint})
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(said)}}}, nil
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(out)}}, StructuredContent: out}, nil
		})
	}
	return srv, nil
}
