package door

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/m365"
	"showhow/internal/fault"
)

func pointer(s *mcp.ServerSession) string { return fmt.Sprintf("/%p", s) }

// serve answers requests about tools, resources and prompts; the SDK answers the rest.
func (d *Door) serve(ctx context.Context, k room, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	switch p := req.GetParams().(type) {
	case *mcp.ListToolsParams:
		return d.listTools(ctx, k)
	case *mcp.CallToolParamsRaw:
		return d.callTool(ctx, k, p, req)
	}
	switch method {
	case "resources/list":
		p, _ := req.GetParams().(*mcp.ListResourcesParams)
		return d.listResources(ctx, k, p)
	case "resources/templates/list":
		out := &mcp.ListResourceTemplatesResult{Cacheable: ofAgent, ResourceTemplates: []*mcp.ResourceTemplate{}}
		if own, ok := d.own(k); ok {
			out.ResourceTemplates = own.Templates()
		}
		return out, nil
	case "prompts/list":
		return d.listPrompts(ctx, k)
	case "resources/read":
		if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok {
			return d.readResource(ctx, k, p, req)
		}
	case "completion/complete":
		if p, ok := req.GetParams().(*mcp.CompleteParams); ok {
			return d.complete(ctx, k, p, req)
		}
	case "prompts/get":
		if p, ok := req.GetParams().(*mcp.GetPromptParams); ok {
			return d.getPrompt(ctx, k, p, req)
		}
	}
	return next(ctx, method, req)
}

func unknownTool() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no such tool"}
}

// listTools lists what an agent may use, from memory.
func (d *Door) listTools(ctx context.Context, k room) (*mcp.ListToolsResult, error) {
	seen, err := d.tools.visible(ctx, k)
	if err != nil {
		return nil, failed(err)
	}
	out := &mcp.ListToolsResult{Cacheable: ofAgent, Tools: []*mcp.Tool{}}
	if own, ok := d.own(k); ok {
		if out.Tools, err = (inhouse{d}).list(k, own); err != nil {
			return nil, failed(err)
		}
	}
	if len(out.Tools)+len(seen) > ListMost && k.server == "" {
		out.Tools = append(out.Tools, ownTools(len(seen))...)
		return out, nil
	}
	for _, v := range seen {
		t, err := v.asTool(k)
		if err != nil {
			return nil, failed(err)
		}
		out.Tools = append(out.Tools, t)
	}
	return out, nil
}

// asTool is a tool as an agent sees it.
func (v shown) asTool(k room) (*mcp.Tool, error) {
	t := &mcp.Tool{}
	if err := json.Unmarshal(v.tool, t); err != nil {
		return nil, err
	}
	t.Name = v.nameIn(k)
	if v.mode == connector.Ask {
		t.Description = asksFirst + t.Description
	}
	return t, nil
}

// asksFirst precedes the description of a tool that waits for a person.
const asksFirst = "(A person is asked before this is done.) "

func (v shown) nameIn(k room) string {
	if k.server != "" {
		return v.def.Name
	}
	return v.name
}

func ownTools(n int) []*mcp.Tool {
	text := func(about string) map[string]any { return map[string]any{"type": "string", "description": about} }
	yes := true
	return []*mcp.Tool{
		{Name: connector.FindTools, Description: fmt.Sprintf("Find tools among the %d that the person's connected services offer. "+
			"Answers with names, descriptions and the arguments that they take.", n),
			InputSchema: map[string]any{"type": "object", "required": []string{"query"}, "properties": map[string]any{
				"query": text("words for what you want to do"),
				"limit": map[string]any{"type": "integer", "minimum": 1, "maximum": 50, "default": 10}}},
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)}},
		{Name: connector.CallTool, Description: "Call a tool that find_tools found, by its name.",
			InputSchema: map[string]any{"type": "object", "required": []string{"name"}, "properties": map[string]any{
				"name": text("as find_tools gave it"), "arguments": map[string]any{"type": "object"}}},
			Annotations: &mcp.ToolAnnotations{OpenWorldHint: &yes}},
	}
}

// callTool finds the named tool and calls it.
func (d *Door) callTool(ctx context.Context, k room, p *mcp.CallToolParamsRaw, req mcp.Request) (mcp.Result, error) {
	session, _ := req.GetSession().(*mcp.ServerSession)
	name, args := p.Name, p.Arguments
	if k.server == "" {
		switch name {
		case connector.FindTools:
			return d.tools.find(ctx, k, args)
		case connector.CallTool:
			var inner struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			}
			if json.Unmarshal(args, &inner) != nil || inner.Name == "" {
				return Refused(fault.New(fault.InvalidRequest, "name the tool, and give its arguments as an object")), nil
			}
			name, args = inner.Name, inner.Arguments
		}
	}
	if own, ok := d.own(k); ok {
		if v, asks, err := askingTool(own, name); err != nil {
			return nil, failed(err)
		} else if asks {
			c := caller{room: k, session: session, name: sessionName(req, k.agent), token: p.GetProgressToken()}
			res, err := inhouse{d}.call(ctx, c, own, v, args)
			if err != nil {
				return Refused(err), nil
			}
			return res, nil
		}
		if r, ok := req.(*mcp.CallToolRequest); ok {
			if res, known := own.Call(ctx, k.guest(), r, name, args); known {
				return res, nil
			}
		}
	}
	v, ok, err := d.tools.named(ctx, k, name)
	if err != nil {
		return nil, failed(err)
	}
	c := caller{room: k, session: session, name: sessionName(req, k.agent), token: p.GetProgressToken()}
	if !ok {
		d.tried(ctx, c, name, args)
		return nil, unknownTool()
	}
	do := func(ctx context.Context, c caller) (mcp.Result, error) {
		res, err := d.call(ctx, c, v, args)
		if err != nil {
			return nil, err
		}
		return Whole(res), nil
	}
	var res mcp.Result
	if parks(c, v.server) {
		res, err = d.parking.call(ctx, d, c, asking{"tools/call", v.name, args, p.RequestState, p.InputResponses}, do)
	} else {
		res, err = do(ctx, c)
	}
	if errors.Is(err, noneWaits) {
		return nil, failed(err)
	}
	if lacking := c.lacking(err); lacking != nil {
		return nil, lacking
	}
	if err != nil {
		return Refused(err), nil
	}
	return res, nil
}

// tried stores that an agent named a tool which it is not shown. To the agent there is none.
func (d *Door) tried(ctx context.Context, c caller, name string, args json.RawMessage) {
	e, ok, err := d.tools.lookUp(ctx, c.room, name)
	if err != nil || !ok {
		return
	}
	_ = d.blocked(d.receipt(c, shown{entry: e}, args), "denied", fault.New(fault.ConnectorOff, "the tool is not for this agent"))
}

// Refused tells an agent why a call was not made, or failed, and what it can do.
func Refused(err error) *mcp.CallToolResult {
	f := fault.From(err)
	text := string(f.Code) + ": " + f.Message
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	details := map[string]any{"code": string(f.Code), "message": f.Message, "retryable": f.Code.Spec().Retryable}
	for _, k := range []string{"reason", "retry_after_ms", "decision"} {
		if v, ok := f.Details[k]; ok {
			details[k] = v
		}
	}
	structured := map[string]any{"error": details}
	if said := f.Details[m365.Detail]; said != nil { // the answer in the operation's own form
		structured[m365.Detail] = said
	}
	return Whole(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: structured})
}

// Whole marks a result as complete, as the newest revision requires: services of older ones do not.
func Whole(r *mcp.CallToolResult) *mcp.CallToolResult {
	out := &mcp.CallToolResult{}
	_ = json.Unmarshal([]byte(`{"content":[],"resultType":"complete"}`), out)
	out.Meta, out.Content, out.StructuredContent, out.IsError = r.Meta, r.Content, r.StructuredContent, r.IsError
	return out
}

// wholeRead is Whole for what was read.
func wholeRead(r *mcp.ReadResourceResult) *mcp.ReadResourceResult {
	out := &mcp.ReadResourceResult{}
	_ = json.Unmarshal([]byte(`{"contents":[],"resultType":"complete"}`), out)
	out.Meta, out.Cacheable, out.Contents = r.Meta, r.Cacheable, r.Contents
	return out
}

// wholePrompt is Whole for a prompt.
func wholePrompt(r *mcp.GetPromptResult) *mcp.GetPromptResult {
	out := &mcp.GetPromptResult{}
	_ = json.Unmarshal([]byte(`{"messages":[],"resultType":"complete"}`), out)
	out.Meta, out.Description, out.Messages = r.Meta, r.Description, r.Messages
	return out
}

// failed converts a fault into a protocol error.
func failed(err error) error {
	f := fault.From(err)
	if f.Code == fault.InvalidRequest {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: f.Message}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: string(f.Code) + ": " + f.Message}
}

// coded gives an error that has none of the codes of JSON-RPC the one for a request that is not valid now: the SDK answers a
// second initialize so, for example.
func coded(err error) error {
	var e *jsonrpc.Error
	if err == nil || errors.As(err, &e) && e.Code != 0 {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}
