package link

//lint:file-ignore SA1019 services of revision 2025-11-25 still ask by it

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/internal/fault"
)

// Asker answers what a service asks in return while it works on a call. Each answer may take as long as a person does.
type Asker interface {
	// Sample asks the model of the agent whose call it is.
	Sample(ctx context.Context, p *mcp.CreateMessageParams) (*mcp.CreateMessageResult, error)
	// Elicit asks the person who sits before that agent.
	Elicit(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error)
	// Able says which of the two the agent's program can do.
	Able() (sample, elicit bool)
}

// Bounds of what a service asks in return.
const (
	asksMost  = 10              // in one call
	askTime   = 5 * time.Minute // for one answer; the call's own time stands still meanwhile
	askBytes  = 64 << 10        // of one question
	asksRound = 5               // results that ask for something, of one call
)

// asking is what one call may ask in return.
type asking struct {
	mu   sync.Mutex
	left int
}

func (a *asking) take() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left--
	return a.left >= 0
}

// MayAsk reports whether a person lets the service ask anything in return.
func (l *Link) MayAsk() bool { return l.spec.Entry.AllowSampling || l.spec.Entry.AllowElicitation }

// offer declares to the server what it may ask in return. A request that comes outside a call's result belongs to the
// one call under way; if there are several, or the conversation has served several callers, it is refused: nobody can
// tell whose it is.
func (l *Link) offer(o *mcp.ClientOptions, of func() *Call) {
	if l.spec.Entry.AllowSampling {
		o.CreateMessageHandler = func(ctx context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			res, err := answered(ctx, of(), r.Params, func(ctx context.Context, a Asker) (*mcp.CreateMessageResult, error) {
				return a.Sample(ctx, r.Params)
			})
			return res, refusal(err)
		}
	}
	if l.spec.Entry.AllowElicitation {
		o.ElicitationHandler = func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			res, err := answered(ctx, of(), r.Params, func(ctx context.Context, a Asker) (*mcp.ElicitResult, error) {
				return a.Elicit(ctx, r.Params)
			})
			return res, refusal(err)
		}
	}
}

// selfContained is the first revision of the protocol in which each request says what its client can do.
const selfContained = "2026-07-28"

// declared are the capabilities that one call declares: what a person allows the service and the agent's program can do.
// A service then asks nothing that has to be refused. nil leaves what the conversation declared.
func (l *Link) declared(s *session, c *Call) map[string]any {
	if i := s.InitializeResult(); i == nil || i.ProtocolVersion < selfContained || c.Asks == nil {
		return nil
	}
	out := map[string]any{}
	sample, elicit := c.Asks.Able()
	if sample && l.spec.Entry.AllowSampling {
		out["sampling"] = struct{}{}
	}
	if elicit && l.spec.Entry.AllowElicitation {
		out["elicitation"] = map[string]any{"form": struct{}{}}
	}
	return out
}

// refusal is what a service learns of a request that was refused: no more than that.
func refusal(err error) error {
	if err == nil {
		return nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "this is not passed on"}
}

var errNotAsked = errors.New("link: this is not asked")

// answered has a question of a call's service answered, within the bounds.
func answered[T any](ctx context.Context, c *Call, p any, ask func(context.Context, Asker) (T, error)) (res T, err error) {
	if c == nil || c.Asks == nil || c.asking == nil || !c.asking.take() {
		return res, errNotAsked
	}
	if b, err := json.Marshal(p); err != nil || len(b) > askBytes {
		return res, errNotAsked
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)() // with the call
	defer patienceOf(c.ctx).pause()()
	return ask(ctx, c.Asks)
}

type questionKey struct{}

// Question is the service's own name of what it asks, for an Asker; "" when it asks outside a result.
func Question(ctx context.Context) string {
	id, _ := ctx.Value(questionKey{}).(string)
	return id
}

// rounds answers results that ask for something instead of answering, and calls again.
func (l *Link) rounds(ctx context.Context, s *session, c *Call, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	for range asksRound {
		res, err := s.CallTool(ctx, params)
		if err != nil || !res.NeedsInput() {
			return res, err
		}
		if len(res.InputRequests) == 0 || !l.MayAsk() {
			return nil, AsksBack()
		}
		given := mcp.InputResponseMap{}
		for _, id := range slices.Sorted(maps.Keys(res.InputRequests)) {
			if given[id], err = l.fulfil(context.WithValue(ctx, questionKey{}, id), c, res.InputRequests[id]); err != nil {
				return nil, AsksBack()
			}
		}
		next := *params
		next.InputResponses, next.RequestState = given, res.RequestState
		params = &next
	}
	return nil, fault.New(fault.UnsupportedInBuild, "the service asks for something again and again instead of answering").
		WithDetail("reason", "asks_back")
}

// fulfil answers one request of a result.
func (l *Link) fulfil(ctx context.Context, c *Call, q mcp.InputRequest) (mcp.InputResponse, error) {
	e := l.spec.Entry
	switch p := q.(type) {
	case *mcp.ElicitParams:
		if e.AllowElicitation {
			return answered(ctx, c, p, func(ctx context.Context, a Asker) (mcp.InputResponse, error) { return a.Elicit(ctx, p) })
		}
	case *mcp.CreateMessageParams:
		if e.AllowSampling {
			return answered(ctx, c, p, func(ctx context.Context, a Asker) (mcp.InputResponse, error) { return a.Sample(ctx, p) })
		}
	case *mcp.CreateMessageWithToolsParams:
		if base, ok := withoutTools(p); e.AllowSampling && ok {
			return answered(ctx, c, p, func(ctx context.Context, a Asker) (mcp.InputResponse, error) { return a.Sample(ctx, base) })
		}
	}
	return nil, errNotAsked
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

// AsksBack is the error for a service that wants something of the model or the person before it continues, and does not
// get it.
func AsksBack() error {
	return fault.New(fault.UnsupportedInBuild, "the service asks something in return, of the model or the person, and that is not passed on").
		WithDetail("reason", "asks_back").
		WithHint("a person can allow it for this service: showhow connector asks NAME; the agent's program must support it, too")
}
