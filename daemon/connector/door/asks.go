package door

//lint:file-ignore SA1019 services of revision 2025-11-25 still ask by it

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/daemon/mcp/message"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// asker passes what a service asks in return to the program of the agent whose call it is, which shows it to its person
// or asks its model. What that program cannot do, and what gives orders, is refused. A receipt says how often, never what.
type asker struct {
	ctx    context.Context // of the agent's request
	c      caller
	server *connector.Server
	reader reader

	mu                      sync.Mutex
	person, models, folders int // questions that were passed on
	refused                 int
	flags                   []string
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
	if p == nil || p.ProtocolVersion >= message.SelfContained && a.c.parked == nil {
		return nil
	}
	return p.Capabilities
}

// Able implements link.Asker.
func (a *asker) Able() link.Abilities {
	return abilities(a.client())
}

func abilities(caps *mcp.ClientCapabilities) link.Abilities {
	if caps == nil {
		return link.Abilities{}
	}
	return link.Abilities{Sample: caps.Sampling != nil, Elicit: caps.Elicitation != nil, Roots: caps.RootsV2 != nil}
}

// Bounds of the folders that a service is told.
const (
	rootsMost = 100
	rootBytes = 4096
)

// Answer implements link.Asker.
func (a *asker) Answer(ctx context.Context, all mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	asked := mcp.InputRequestMap{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		q, err := a.pass(all[id])
		if err != nil {
			return nil, err
		}
		asked[id] = q
	}
	a.count(asked)
	ctx, cancel := a.during(ctx)
	defer cancel()
	given, err := a.put(ctx, asked)
	if err != nil {
		return nil, err
	}
	for id, r := range given {
		if given[id] = whole(asked[id], r); given[id] == nil {
			return nil, errNotPassed
		}
	}
	return given, nil
}

// pass returns a question as the agent's program gets it. It refuses, and counts, one whose texts give orders or which the program cannot
// answer.
func (a *asker) pass(q mcp.InputRequest) (mcp.InputRequest, error) {
	able, passed := a.Able(), false
	var texts []string
	switch p := q.(type) {
	case *mcp.CreateMessageParams: // the service gets no context of the agent's, and no tools
		asked := &mcp.CreateMessageParams{MaxTokens: min(p.MaxTokens, tokensMost), ModelPreferences: p.ModelPreferences,
			StopSequences: p.StopSequences, SystemPrompt: p.SystemPrompt, Temperature: p.Temperature}
		texts = append(texts, p.SystemPrompt)
		for _, m := range p.Messages {
			if m != nil {
				texts, asked.Messages = append(texts, textOf(m.Content)), append(asked.Messages, m)
			}
		}
		q, passed = asked, able.Sample
	case *mcp.ElicitParams: // only a form is passed on: an address that a service wants opened is not
		schema, err := json.Marshal(p.RequestedSchema)
		if err != nil {
			return nil, err
		}
		texts = append(texts, p.Message, string(schema))
		passed = able.Elicit && (p.Mode == "" || p.Mode == "form") && p.URL == ""
		q = &mcp.ElicitParams{Mode: "form", RequestedSchema: p.RequestedSchema,
			Message: "The connector " + a.server.ID() + " asks: " + plain.Clip(p.Message, 4000)}
	case *mcp.ListRootsParams:
		passed = able.Roots
	}
	flags := a.reader.instructs(texts...)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.flags = append(a.flags, flags...)
	if !passed || len(flags) > 0 {
		a.refused++
		return nil, errNotPassed
	}
	return q, nil
}

// count counts questions that are put to the agent's program.
func (a *asker) count(all mcp.InputRequestMap) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, q := range all {
		switch q.(type) {
		case *mcp.CreateMessageParams:
			a.models++
		case *mcp.ElicitParams:
			a.person++
		case *mcp.ListRootsParams:
			a.folders++
		}
	}
}

// during is ctx, and ends with the agent's request, too: the SDK finds the agent's stream by that.
func (a *asker) during(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(a.ctx)
	stop := context.AfterFunc(ctx, cancel)
	return out, func() { stop(); cancel() }
}

// put asks the agent's program: all at once as a result of its call, or each in a request of its own.
func (a *asker) put(ctx context.Context, all mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	if a.c.parked != nil {
		return a.c.parked.ask(ctx, all)
	}
	out := mcp.InputResponseMap{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		var err error
		switch p := all[id].(type) {
		case *mcp.CreateMessageParams:
			out[id], err = a.c.session.CreateMessage(ctx, p)
		case *mcp.ElicitParams:
			out[id], err = a.c.session.Elicit(ctx, p)
		case *mcp.ListRootsParams:
			out[id], err = a.c.session.ListRoots(ctx, p)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// whole is an answer as a service gets it; nil if it is none to that question. Of folders the service gets addresses and names, and nothing
// else that a program adds to them.
func whole(q mcp.InputRequest, r mcp.InputResponse) mcp.InputResponse {
	switch q.(type) {
	case *mcp.CreateMessageParams:
		switch r := r.(type) {
		case *mcp.CreateMessageResult:
			return r
		case *mcp.CreateMessageWithToolsResult:
			if len(r.Content) == 1 {
				return &mcp.CreateMessageResult{Content: r.Content[0], Model: r.Model, Role: r.Role, StopReason: r.StopReason}
			}
		}
	case *mcp.ElicitParams:
		if r, ok := r.(*mcp.ElicitResult); ok {
			return r
		}
	case *mcp.ListRootsParams:
		r, ok := r.(*mcp.ListRootsResult)
		if !ok {
			return nil
		}
		out := &mcp.ListRootsResult{Roots: []*mcp.Root{}}
		for _, x := range r.Roots {
			if x != nil && strings.HasPrefix(x.URI, "file://") && len(x.URI) <= rootBytes && len(out.Roots) < rootsMost {
				out.Roots = append(out.Roots, &mcp.Root{URI: x.URI, Name: plain.Clip(x.Name, 200)})
			}
		}
		return out
	}
	return nil
}

// told adds to an answer, for the receipt, what the service asked in return.
func (a *asker) told(out answer) answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, x := range []struct {
		n    int
		what string
	}{{a.person, "asked the person in return: %d"}, {a.models, "asked the agent's model in return: %d"},
		{a.folders, "asked for the agent's folders: %d"}, {a.refused, "asked in return, which was refused: %d"}} {
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

// lacking is the protocol's error for a service that asks something which the agent's program does not support; nil in revisions that have
// no such error, and if only a person's permission is missing.
func (c caller) lacking(err error) error {
	if err == nil || c.session == nil || c.own {
		return nil
	}
	asks, _ := fault.From(err).Details[link.Asks].([]string)
	p := c.session.InitializeParams()
	if p == nil || p.ProtocolVersion < message.SelfContained {
		return nil
	}
	able := abilities(p.Capabilities)
	has := map[string]bool{"sampling": able.Sample, "elicitation": able.Elicit, "roots": able.Roots}
	missing := map[string]any{}
	for _, name := range asks {
		if !has[name] {
			missing[name] = struct{}{}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	f := fault.From(err)
	data, _ := json.Marshal(map[string]any{"requiredCapabilities": missing})
	return &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: f.Message + " (" + f.Hint + ")", Data: data}
}
