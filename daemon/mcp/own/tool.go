package own

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/ability"
	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/daemon/connector/door"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// call is one call of a tool.
type call struct {
	door.Guest
	req *mcp.CallToolRequest
}

// reporterOf is the agent as one who follows abilities.
func reporterOf(g door.Guest) ability.Reporter {
	return ability.Reporter{Kind: "agent", Key: g.Reporter, Name: g.Agent, Names: append([]string{}, g.Names...)}
}

// tool is one of Showhow's tools. Its schemas are made when a client first asks.
type tool struct {
	name   string
	local  bool // not for a guest on another computer
	define func() (*defined, error)
	// One of them: do does it, prepare leaves it to be done once a person has allowed exactly this.
	do      func(ctx context.Context, c call, args json.RawMessage) (any, error)
	prepare func(ctx context.Context, c call, args json.RawMessage) (plan[any], error)
	// Of a tool that asks: what it does, in the connectors' words.
	class connector.Class
	why   string
	data  []string
}

// plan is what a call of a tool that asks first would do. Preparing it changed nothing.
type plan[Out any] struct {
	about []string // for the person
	do    func(ctx context.Context) (Out, error)
}

func (t tool) asks() bool { return t.prepare != nil }

type defined struct {
	tool  *mcp.Tool
	input *jsonschema.Resolved
}

// askClient is the error of a call that goes on when the client has asked its user.
type askClient struct{ requests mcp.InputRequestMap }

func (askClient) Error() string { return "the client has to ask its user first" }

// hints are a tool's annotations: nothing that it does is outside of this computer.
func hints(title string, readOnly, idempotent bool) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: readOnly, IdempotentHint: idempotent, DestructiveHint: new(bool),
		OpenWorldHint: new(bool)}
}

// newTool makes a tool from the types of its arguments and its answer. bound adds what types do not say to the schema
// of the arguments.
func newTool[In, Out any](name, description string, a *mcp.ToolAnnotations, bound func(map[string]*jsonschema.Schema),
	do func(ctx context.Context, c call, in In) (Out, error)) tool {
	t := declare[In, Out](name, description, a, bound)
	t.do = func(ctx context.Context, c call, args json.RawMessage) (any, error) {
		in, err := fitting[In](t, args)
		if err != nil {
			return nil, err
		}
		return do(ctx, c, in)
	}
	return t
}

// newAsking makes a tool that writes something for a person, which runs only with their approval.
func newAsking[In, Out any](name, description string, a *mcp.ToolAnnotations, bound func(map[string]*jsonschema.Schema),
	prepare func(ctx context.Context, c call, in In) (plan[Out], error)) tool {
	t := declare[In, Out](name, description, a, bound)
	t.class, t.why, t.data = connector.Write, "it makes a document for the person", []string{"documents"}
	t.prepare = func(ctx context.Context, c call, args json.RawMessage) (plan[any], error) {
		in, err := fitting[In](t, args)
		if err != nil {
			return plan[any]{}, err
		}
		p, err := prepare(ctx, c, in)
		return plan[any]{p.about, func(ctx context.Context) (any, error) { return p.do(ctx) }}, err
	}
	return t
}

// doing says what a tool that asks does.
func (t tool) doing(class connector.Class, why string, data ...string) tool {
	t.class, t.why, t.data = class, why, data
	return t
}

func declare[In, Out any](name, description string, a *mcp.ToolAnnotations, bound func(map[string]*jsonschema.Schema)) tool {
	t := tool{name: name}
	t.define = sync.OnceValues(func() (*defined, error) {
		o := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[clock.Time](): {Type: "string", Format: "date-time"}}}
		in, err := jsonschema.For[In](o)
		if err != nil {
			return nil, err
		}
		if bound != nil {
			bound(in.Properties)
		}
		out, err := jsonschema.For[Out](o)
		if err != nil {
			return nil, err
		}
		r, err := in.Resolve(nil)
		told := &mcp.Tool{Name: name, Title: a.Title, Description: description, InputSchema: in, OutputSchema: out, Annotations: a}
		return &defined{told, r}, err
	})
	return t
}

// fitting are a call's arguments, which fit the tool's schema.
func fitting[In any](t tool, args json.RawMessage) (in In, err error) {
	d, err := t.define()
	if err != nil {
		return in, err
	}
	args, err = askfirst.Single(args) // a key that stands there twice would be mixed
	if err != nil {
		return in, err
	}
	var given any
	if err := json.Unmarshal(args, &given); err != nil {
		return in, err
	}
	if err := d.input.Validate(given); err != nil {
		return in, fault.New(fault.InvalidRequest, "the arguments do not fit the tool's schema").
			WithHint(misfit(d.tool.InputSchema.(*jsonschema.Schema), given))
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return in, fault.New(fault.InvalidRequest, "the arguments do not fit the tool's schema")
	}
	return in, nil
}

// misfit says which argument does not fit, in the schema's words alone: the validator's own text quotes what was
// submitted, which may be a secret.
func misfit(s *jsonschema.Schema, given any) string {
	args, ok := given.(map[string]any)
	if !ok {
		return "the arguments are an object"
	}
	names := slices.Sorted(maps.Keys(s.Properties))
	for _, name := range names {
		v, there := args[name]
		if !there && slices.Contains(s.Required, name) {
			return name + " is missing"
		}
		if r, err := s.Properties[name].Resolve(nil); there && err == nil && r.Validate(v) != nil {
			return name + " is not as the tool's schema has it"
		}
	}
	return "the tool takes only " + strings.Join(names, ", ")
}

// Tools implements door.Own.
func (h *House) Tools(g door.Guest) ([]*mcp.Tool, error) {
	out := make([]*mcp.Tool, 0, len(h.tools))
	for _, t := range h.tools {
		if t.local && g.Remote {
			continue
		}
		d, err := t.define()
		if err != nil {
			return nil, err
		}
		out = append(out, d.tool)
	}
	return out, nil
}

// Call implements door.Own.
func (h *House) Call(ctx context.Context, g door.Guest, req *mcp.CallToolRequest, name string,
	args json.RawMessage) (*mcp.CallToolResult, bool) {
	for _, t := range h.tools {
		if t.name != name || t.local && g.Remote {
			continue
		}
		if t.asks() {
			return door.Refused(fault.New(fault.MCPAskFirstRequired, "a person must allow exactly this call")), true
		}
		out, err := t.do(ctx, call{g, req}, args)
		var ask askClient
		if errors.As(err, &ask) {
			return needsInput(ask), true
		}
		res, err := resultOf(out, err)
		if err != nil {
			return door.Refused(err), true
		}
		return res, true
	}
	return nil, false
}

// resultOf is what a tool answers.
func resultOf(out any, err error) (*mcp.CallToolResult, error) {
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return door.Whole(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(b)}},
		StructuredContent: json.RawMessage(b)}), nil
}

// Asking implements door.Own.
func (h *House) Asking() ([]connector.Definition, error) { return h.asking() }

// define makes the definitions of the tools that ask. An approval is bound to their hash.
func (h *House) define() ([]connector.Definition, error) {
	out := []connector.Definition{}
	for _, t := range h.tools {
		if !t.asks() {
			continue
		}
		d, err := t.define()
		if err != nil {
			return nil, err
		}
		told, err := json.Marshal(d.tool)
		if err != nil {
			return nil, err
		}
		def, err := connector.Define(told)
		if err != nil {
			return nil, err
		}
		def.Class, def.Why, def.Data = t.class, t.why, t.data
		out = append(out, def)
	}
	return out, nil
}

// Prepare implements door.Own.
func (h *House) Prepare(ctx context.Context, g door.Guest, name string, args json.RawMessage) (door.Deed, error) {
	for _, t := range h.tools {
		if t.name != name || !t.asks() || t.local && g.Remote {
			continue
		}
		p, err := t.prepare(ctx, call{Guest: g}, args)
		if err != nil {
			return door.Deed{}, err
		}
		shown, err := t.shown(args)
		do := func(ctx context.Context) (*mcp.CallToolResult, error) { return resultOf(p.do(ctx)) }
		return door.Deed{About: p.about, Shown: shown, Do: do}, err
	}
	return door.Deed{}, fault.New(fault.NotFound, "there is no such tool")
}

// needsInput is the result that asks the client for input. The SDK sets its type only in its own handlers.
func needsInput(a askClient) *mcp.CallToolResult {
	out := &mcp.CallToolResult{}
	_ = json.Unmarshal([]byte(`{"content":[],"resultType":"input_required"}`), out)
	out.Content, out.InputRequests = nil, a.requests
	return out
}

// within bounds the length of a text argument.
func within(s *jsonschema.Schema, least, most int) {
	s.MinLength, s.MaxLength = &least, &most
}

// password bounds a text argument that nobody is shown.
func password(s *jsonschema.Schema) {
	within(s, 0, 200)
	s.WriteOnly = true
}

// shown are arguments as a person sees them, with nothing that the tool's schema keeps from readers; nil: all of them as they
// are.
func (t tool) shown(args json.RawMessage) (json.RawMessage, error) {
	d, err := t.define()
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(args, &all); err != nil {
		return nil, err
	}
	hidden := false
	for name, s := range d.tool.InputSchema.(*jsonschema.Schema).Properties {
		if _, given := all[name]; given && s.WriteOnly {
			all[name], hidden = "(given, and not shown)", true
		}
	}
	if !hidden {
		return nil, nil
	}
	return json.Marshal(all)
}
