package door

//lint:file-ignore SA1019 services of revision 2025-11-25 still ask by it

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/internal/plain"
)

// asker passes what a service asks in return to the program of the agent whose call it is, which shows it to its person
// or asks its model. What that program cannot do, and what gives orders, is refused. A receipt says how often, never what.
type asker struct {
	ctx    context.Context // of the agent's request
	c      caller
	server *connector.Server
	reader reader

	mu             sync.Mutex
	person, models int // questions that were passed on
	refused        int
	flags          []string
}

// tokensMost bounds what a service may have the agent's model write.
const tokensMost = 8192

var errNotPassed = errors.New("door: not passed on")

// client are the agent's program's abilities; nil when it cannot be asked.
func (a *asker) client() *mcp.ClientCapabilities {
	if a.c.session == nil || a.c.own {
		return nil
	}
	p := a.c.session.InitializeParams()
	if p == nil || p.ProtocolVersion >= SelfContained && a.c.parked == nil {
		return nil
	}
	return p.Capabilities
}

// Able implements link.Asker.
func (a *asker) Able() (sample, elicit bool) {
	caps := a.client()
	return caps != nil && caps.Sampling != nil, caps != nil && caps.Elicitation != nil
}

// pass counts a question, and refuses one whose texts give orders or whose receiver does not exist.
func (a *asker) pass(able bool, n *int, texts ...string) error {
	flags := a.reader.instructs(texts...)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.flags = append(a.flags, flags...)
	if !able || len(flags) > 0 {
		a.refused++
		return errNotPassed
	}
	*n++
	return nil
}

// during is ctx, and ends with the agent's request, too: the SDK finds the agent's stream by that.
func (a *asker) during(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(a.ctx)
	stop := context.AfterFunc(ctx, cancel)
	return out, func() { stop(); cancel() }
}

// Sample implements link.Asker. The service gets no context of the agent's, and no tools.
func (a *asker) Sample(ctx context.Context, p *mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
	able, _ := a.Able()
	said := []string{p.SystemPrompt}
	var messages []*mcp.SamplingMessage
	for _, m := range p.Messages {
		if m != nil {
			said, messages = append(said, textOf(m.Content)), append(messages, m)
		}
	}
	if err := a.pass(able, &a.models, said...); err != nil {
		return nil, err
	}
	id := link.Question(ctx)
	ctx, cancel := a.during(ctx)
	defer cancel()
	asked := &mcp.CreateMessageParams{MaxTokens: min(p.MaxTokens, tokensMost), Messages: messages,
		ModelPreferences: p.ModelPreferences, StopSequences: p.StopSequences, SystemPrompt: p.SystemPrompt, Temperature: p.Temperature}
	if a.c.parked == nil {
		return a.c.session.CreateMessage(ctx, asked)
	}
	r, err := a.c.parked.ask(ctx, id, asked)
	switch r := r.(type) {
	case *mcp.CreateMessageResult:
		return r, err
	case *mcp.CreateMessageWithToolsResult:
		if len(r.Content) == 1 {
			return &mcp.CreateMessageResult{Content: r.Content[0], Model: r.Model, Role: r.Role, StopReason: r.StopReason}, err
		}
	}
	return nil, errNotPassed
}

// Elicit implements link.Asker. Only forms are passed on: an address that a service wants opened is not.
func (a *asker) Elicit(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	_, able := a.Able()
	schema, err := json.Marshal(p.RequestedSchema)
	if err != nil {
		return nil, err
	}
	form := (p.Mode == "" || p.Mode == "form") && p.URL == ""
	if err := a.pass(form && able, &a.person, p.Message, string(schema)); err != nil {
		return nil, err
	}
	id := link.Question(ctx)
	ctx, cancel := a.during(ctx)
	defer cancel()
	asked := &mcp.ElicitParams{Mode: "form", RequestedSchema: p.RequestedSchema,
		Message: "The connector " + a.server.ID() + " asks: " + plain.Clip(p.Message, 4000)}
	if a.c.parked == nil {
		return a.c.session.Elicit(ctx, asked)
	}
	r, err := a.c.parked.ask(ctx, id, asked)
	if res, ok := r.(*mcp.ElicitResult); ok {
		return res, err
	}
	return nil, errNotPassed
}

// told adds to an answer, for the receipt, what the service asked in return.
func (a *asker) told(out answer) answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, x := range []struct {
		n    int
		what string
	}{{a.person, "asked the person in return: %d"}, {a.models, "asked the agent's model in return: %d"},
		{a.refused, "asked in return, which was refused: %d"}} {
		if x.n > 0 {
			out.kinds = append(out.kinds, fmt.Sprintf(x.what, x.n))
		}
	}
	if len(a.flags) > 0 {
		out.flags = append(out.flags, a.flags...)
		slices.Sort(out.flags)
		out.flags = slices.Compact(out.flags)
	}
	return out
}
