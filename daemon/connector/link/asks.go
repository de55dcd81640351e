package link

//lint:file-ignore SA1019 services of revision 2025-11-25 still ask by it

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/mcp/message"
	"showhow/internal/fault"
)

// Asker answers what a service asks in return while it works on a call. An answer may take as long as a person does.
type Asker interface {
	// Answer has the agent's program answer questions, all or none, by the service's own names of them; what it asks outside a result has
	// the name "".
	Answer(ctx context.Context, all mcp.InputRequestMap) (mcp.InputResponseMap, error)
	// Able says which questions the agent's program can answer.
	Able() Abilities
}

// Abilities are what an agent's program can be asked.
type Abilities struct{ Sample, Elicit, Roots bool }

// Bounds of what a service asks in return.
const (
	asksMost  = 10              // in one call
	askTime   = 5 * time.Minute // for one answer; the call's own time stands still meanwhile
	askBytes  = 64 << 10        // of one question
	asksRound = 5               // results that ask for something, of one call
)

// asking is what one call may ask in return.
type asking struct {
	mu      sync.Mutex
	left    int
	refused mcp.InputRequestMap // what it asked last of what was refused
}

func (a *asking) take(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left -= n
	return a.left >= 0
}

// offer declares to the server what it may ask in return. A request that comes outside a call's result belongs to the
// one call under way; if there are several, or the conversation has served several callers, it is refused: nobody can
// tell whose it is.
func (l *Link) offer(o *mcp.ClientOptions, of func() *Call) {
	if l.spec.Entry.AllowSampling {
		o.CreateMessageHandler = func(ctx context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return alone[*mcp.CreateMessageResult](ctx, l, of(), r.Params)
		}
	}
	if l.spec.Entry.AllowElicitation {
		o.ElicitationHandler = func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return alone[*mcp.ElicitResult](ctx, l, of(), r.Params)
		}
	}
	if l.spec.Entry.AllowRoots {
		o.Capabilities.RootsV2 = &mcp.RootCapabilities{}
	}
}

// beforeSDK takes a service's questions before the SDK's client does: folders it would answer with a list of its own, and some forms it
// would refuse.
func (l *Link) beforeSDK(of func() *Call) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch p := req.GetParams().(type) {
			case *mcp.ListRootsParams:
				return alone[*mcp.ListRootsResult](ctx, l, of(), p)
			case *mcp.ElicitParams:
				if p != nil {
					p.RequestedSchema = titled(p.RequestedSchema)
				}
			}
			return next(ctx, method, req)
		}
	}
}

// titled is a form in which the choices with titles of a list are written as the protocol's schema has them: with anyOf alone. Many
// services say beside it that each is a string, which the SDK takes for a list without choices.
func titled(form any) any {
	fields, _ := form.(map[string]any)
	properties, _ := fields["properties"].(map[string]any)
	for _, f := range properties {
		field, _ := f.(map[string]any)
		items, _ := field["items"].(map[string]any)
		if choices, ok := items["anyOf"].([]any); ok && len(choices) > 0 && items["type"] == "string" {
			delete(items, "type")
		}
	}
	return form
}

func (a *asking) refuse(all mcp.InputRequestMap) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refused = all
}

// explained is the error of a call. A service that fails after it was refused a question is not at fault.
func (a *asking) explained(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var said *jsonrpc.Error
	if len(a.refused) > 0 && errors.As(err, &said) && !ofTransport(said.Code) {
		return asksBack(capabilities(a.refused))
	}
	return err
}

// alone has a question answered that a service asks outside a result.
func alone[T mcp.InputResponse](ctx context.Context, l *Link, c *Call, q mcp.InputRequest) (none T, err error) {
	asked := mcp.InputRequestMap{"": q}
	all, err := l.answered(ctx, c, asked)
	if res, ok := all[""].(T); ok && err == nil {
		return res, nil
	}
	if c != nil && c.asking != nil {
		c.asking.refuse(asked)
	}
	return none, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "this is not passed on"} // it learns no more than that
}

// declared tells a service, with a request, what it may ask in return: what a person allows it and the agent's program can do. A service
// then asks nothing that has to be refused. Without it the service goes by what the conversation declared.
func (l *Link) declared(s *session, c *Call) mcp.Meta {
	meta := mcp.Meta{}
	if i := s.InitializeResult(); i == nil || i.ProtocolVersion < message.SelfContained || c.Asks == nil {
		return meta
	}
	out := map[string]any{}
	able := c.Asks.Able()
	if able.Sample && l.spec.Entry.AllowSampling {
		out["sampling"] = struct{}{}
	}
	if able.Elicit && l.spec.Entry.AllowElicitation {
		out["elicitation"] = map[string]any{"form": struct{}{}}
	}
	if able.Roots && l.spec.Entry.AllowRoots {
		out["roots"] = struct{}{}
	}
	meta[mcp.MetaKeyClientCapabilities] = out
	return meta
}

var errNotAsked = errors.New("link: this is not asked")

// answered has questions of a call's service answered that a person lets it ask, within the bounds.
func (l *Link) answered(ctx context.Context, c *Call, all mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	if c == nil || c.Asks == nil || c.asking == nil || len(all) == 0 || !c.asking.take(len(all)) {
		return nil, errNotAsked
	}
	asked := mcp.InputRequestMap{}
	for id, q := range all {
		q = l.allowed(q)
		if b, err := json.Marshal(q); q == nil || err != nil || len(b) > askBytes {
			return nil, errNotAsked
		}
		asked[id] = q
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)() // with the call
	defer patienceOf(c.ctx).pause()()
	return c.Asks.Answer(ctx, asked)
}

// allowed is a question that a person lets the service ask; nil for another.
func (l *Link) allowed(q mcp.InputRequest) mcp.InputRequest {
	e := l.spec.Entry
	switch p := q.(type) {
	case *mcp.ElicitParams:
		if e.AllowElicitation && p != nil {
			p.RequestedSchema = titled(p.RequestedSchema)
			return p
		}
	case *mcp.ListRootsParams:
		if e.AllowRoots {
			return &mcp.ListRootsParams{}
		}
	case *mcp.CreateMessageParams:
		if e.AllowSampling && p != nil {
			return p
		}
	case *mcp.CreateMessageWithToolsParams:
		if e.AllowSampling && p != nil {
			if base, ok := withoutTools(p); ok {
				return base
			}
		}
	}
	return nil
}

// given are the answers to what a result asked for, with the state that it wants back.
type given struct {
	answers mcp.InputResponseMap
	state   string
}

// rounds answers results that ask for something instead of answering, and asks again.
func rounds[R mcp.Result](ctx context.Context, l *Link, c *Call, ask func(given) (R, error)) (none R, err error) {
	var g given
	for range asksRound {
		res, err := ask(g)
		if err != nil {
			return none, err
		}
		all, state, needs := wanted(res)
		if !needs {
			return res, nil
		}
		if g.answers, err = l.answered(ctx, c, all); err != nil {
			return none, asksBack(capabilities(all))
		}
		g.state = state
	}
	return none, fault.New(fault.UnsupportedInBuild, "the service asks for something again and again instead of answering").
		WithDetail("reason", "asks_back")
}

// wanted is what a result asks for instead of answering; false for an answer.
func wanted(res mcp.Result) (all mcp.InputRequestMap, state string, needs bool) {
	switch r := res.(type) {
	case *mcp.CallToolResult:
		return r.InputRequests, r.RequestState, r.NeedsInput()
	case *mcp.GetPromptResult:
		return r.InputRequests, r.RequestState, r.NeedsInput()
	case *mcp.ReadResourceResult:
		return r.InputRequests, r.RequestState, r.NeedsInput()
	}
	return nil, "", false
}

// withoutTools is a request without tools, which is how the SDK reads every request in a result; false for one that
// brings tools, or messages of several parts.
func withoutTools(p *mcp.CreateMessageWithToolsParams) (*mcp.CreateMessageParams, bool) {
	if len(p.Tools) > 0 {
		return nil, false
	}
	out := &mcp.CreateMessageParams{IncludeContext: p.IncludeContext, MaxTokens: p.MaxTokens, Metadata: p.Metadata,
		ModelPreferences: p.ModelPreferences, StopSequences: p.StopSequences, SystemPrompt: p.SystemPrompt, Temperature: p.Temperature}
	for _, m := range p.Messages {
		if m == nil || len(m.Content) != 1 {
			return nil, false
		}
		out.Messages = append(out.Messages, &mcp.SamplingMessage{Role: m.Role, Content: m.Content[0]})
	}
	return out, true
}

// patience is the time that a call may take. It stands still while somebody is asked.
type patience struct {
	mu     sync.Mutex
	timer  *time.Timer
	began  time.Time
	left   time.Duration
	paused int
}

type patienceKey struct{}

// withPatience is context.WithTimeout with a time that can stand still.
func withPatience(ctx context.Context, t time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	p := &patience{began: time.Now(), left: t}
	p.timer = time.AfterFunc(t, func() { cancel(context.DeadlineExceeded) })
	return context.WithValue(ctx, patienceKey{}, p), func() { p.timer.Stop(); cancel(nil) }
}

func patienceOf(ctx context.Context) *patience {
	p, _ := ctx.Value(patienceKey{}).(*patience)
	return p
}

// pause lets the time stand still until the returned function is called.
func (p *patience) pause() func() {
	if p == nil {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paused++; p.paused == 1 && p.timer.Stop() {
		p.left -= time.Since(p.began)
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.paused--; p.paused == 0 {
			p.began = time.Now()
			p.timer.Reset(max(p.left, time.Second))
		}
	}
}

// Asks is the detail of a refusal that names the capabilities of a client which the service asks for, as the protocol names them.
const Asks = "asks"

// asksBack is the error for a service that wants something of the model or the person before it continues, and does not get it.
func asksBack(capabilities []string) error {
	f := fault.New(fault.UnsupportedInBuild, "the service asks something in return, and that is not passed on").
		WithDetail("reason", "asks_back").
		WithHint("a person can allow it for this service: showhow connector asks NAME; the agent's program must support it, too")
	if len(capabilities) > 0 {
		f = f.WithDetail(Asks, capabilities)
	}
	return f
}

// capabilities are those that a client needs for questions.
func capabilities(all mcp.InputRequestMap) (out []string) {
	for _, q := range all {
		switch q.(type) {
		case *mcp.CreateMessageParams, *mcp.CreateMessageWithToolsParams:
			out = append(out, "sampling")
		case *mcp.ElicitParams:
			out = append(out, "elicitation")
		case *mcp.ListRootsParams:
			out = append(out, "roots")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// required are the capabilities that a service's refusal names.
func required(said *jsonrpc.Error) (out []string) {
	var data struct {
		Required map[string]json.RawMessage `json:"requiredCapabilities"`
	}
	_ = json.Unmarshal(said.Data, &data)
	for _, name := range []string{"elicitation", "roots", "sampling"} {
		if b := data.Required[name]; len(b) > 0 && string(b) != "null" {
			out = append(out, name)
		}
	}
	return out
}
