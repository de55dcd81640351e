package door

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/internal/fault"
)

// Resources and prompts pass through. They count as reading: a policy may forbid it or ask, and it leaves a receipt.

// Pseudo tools stand for requests to a service other than tool calls.
var (
	reading   = connector.Definition{Name: "resources/read", Class: connector.Read, Hash: "resources"}
	prompting = connector.Definition{Name: "prompts/get", Class: connector.Read, Hash: "prompts"}
)

// listTime is how long a service may take to list; a slower one is left out.
const listTime = 5 * time.Second

// each asks every service that the agent may ask, concurrently, and leaves out those that do not answer.
func (d *Door) each(ctx context.Context, k room, def *connector.Definition, ask func(context.Context, *connector.Server,
	*mcp.ClientSession) error) error {
	all, err := d.o.Registry.Servers(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	var wg sync.WaitGroup
	for _, s := range all {
		if v, ok := d.pseudo(k, s, def); ok && v.mode != connector.Ask { // what waits for a person cannot be read, and is not listed
			wg.Go(func() {
				err := d.o.Registry.Link(s).Do(ctx, k.agent,
					func(ctx context.Context, cs *mcp.ClientSession) error { return ask(ctx, s, cs) })
				if err != nil && ctx.Err() == nil {
					d.o.Log.Debug("a connector did not list", "server", s.ID(), "code", string(fault.CodeOf(err)))
				}
			})
		}
	}
	wg.Wait()
	return nil
}

func (d *Door) pseudo(k room, s *connector.Server, def *connector.Definition) (shown, bool) {
	if !s.Entry.Enabled || !s.Entry.ActiveBuildSurface {
		return shown{}, false
	}
	return d.tools.visibleTo(k, entry{server: s, def: def, name: connector.DoorName(s.ID(), def.Name)})
}

// maxListed bounds how many items of one service are passed on; a list whose pages never end is cut there.
const maxListed = 1000

// bounded collects the pages of a list, up to maxListed.
func bounded[T any](pages iter.Seq2[*T, error]) ([]*T, error) {
	var all []*T
	for x, err := range pages {
		if err != nil {
			return nil, err
		}
		if x == nil { // a service may list null
			continue
		}
		if all = append(all, x); len(all) == maxListed {
			break
		}
	}
	return all, nil
}

// ofAgent marks a list as private to one agent: no other may be shown a cached copy.
var ofAgent = mcp.Cacheable{CacheScope: "private"}

// uriPrefix starts a resource's address at the door; the connector and the service's own address follow.
const uriPrefix = "showhow://"

// listResources lists Showhow's own resources page by page, and on the last page those of the services.
func (d *Door) listResources(ctx context.Context, k room, p *mcp.ListResourcesParams) (*mcp.ListResourcesResult, error) {
	var mu sync.Mutex
	out := &mcp.ListResourcesResult{Cacheable: ofAgent, Resources: []*mcp.Resource{}}
	var mine []*mcp.Resource
	if own, ok := d.own(k); ok {
		from := ""
		if p != nil {
			from = p.Cursor
		}
		var err error
		if mine, out.NextCursor, err = own.Resources(ctx, k.guest(), from); err != nil {
			return nil, err
		}
		if out.NextCursor != "" {
			out.Resources = mine
			return out, nil
		}
	}
	err := d.each(ctx, k, &reading, func(ctx context.Context, s *connector.Server, cs *mcp.ClientSession) error {
		if i := cs.InitializeResult(); i != nil && i.Capabilities != nil && i.Capabilities.Resources == nil {
			return nil
		}
		all, err := bounded(cs.Resources(ctx, nil))
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for _, r := range all {
			c := *r
			unmark(&c.Meta)
			reader{d.o.Instructs}.describe(s.ID(), &c.Meta, r.Name, &c.Title, &c.Description)
			if k.server == "" {
				c.URI = uriPrefix + s.ID() + "/" + url.PathEscape(r.URI)
			}
			out.Resources = append(out.Resources, &c)
		}
		return nil
	})
	slices.SortFunc(out.Resources, func(a, b *mcp.Resource) int { return strings.Compare(a.URI, b.URI) })
	out.Resources = append(mine, out.Resources...)
	return out, err
}

func (d *Door) readResource(ctx context.Context, k room, p *mcp.ReadResourceParams, req mcp.Request) (mcp.Result, error) {
	if own, ok := d.own(k); ok {
		if res, known, err := own.Read(ctx, k.guest(), p.URI); err != nil {
			return nil, err
		} else if known {
			return wholeRead(res), nil
		}
	}
	server, uri, ok := k.resource(p.URI)
	if !ok {
		return nil, noResource()
	}
	read := func(ctx context.Context, l *link.Link, c link.Call) (mcp.Result, []string, error) {
		res, err := l.Resource(ctx, c, uri)
		if err != nil {
			return nil, nil, err
		}
		res = ownResource(res)
		res.CacheScope = ofAgent.CacheScope
		orders := reader{d.o.Instructs}.resource(res)
		if k.server == "" {
			for _, c := range res.Contents {
				c.URI = uriPrefix + server + "/" + url.PathEscape(c.URI)
			}
		}
		return wholeRead(res), orders, nil
	}
	res, err := d.reads(ctx, k, server, &reading, req, asking{reading.Name, p.URI, nil, p.RequestState, p.InputResponses}, read)
	var refused *jsonrpc.Error
	if errors.As(err, &refused) && refused.Code == jsonrpc.CodeInvalidParams {
		refused.Data, _ = json.Marshal(map[string]string{"uri": p.URI})
	}
	return res, err
}

// ownResource copies what the SDK may keep for the next reader, without contents that are null.
func ownResource(res *mcp.ReadResourceResult) *mcp.ReadResourceResult {
	own := *res
	own.Contents = nil
	for _, c := range res.Contents {
		if c != nil {
			one := *c
			own.Contents = append(own.Contents, &one)
		}
	}
	return &own
}

// resource splits a door address into the connector and the service's own address.
func (k room) resource(at string) (server, uri string, ok bool) {
	if k.server != "" {
		return k.server, at, true
	}
	id, rest, ok := strings.Cut(strings.TrimPrefix(at, uriPrefix), "/")
	uri, err := url.PathUnescape(rest)
	return id, uri, ok && err == nil && strings.HasPrefix(at, uriPrefix)
}

// subscribe starts or stops a service's notifications about a resource. The SDK knows which of an agent's sessions
// asked.
func (d *Door) subscribe(ctx context.Context, k room, at string, req mcp.Request, on bool) error {
	server, uri, ok := k.resource(at)
	if !ok {
		return noResource()
	}
	return d.through(ctx, k, server, &reading, req, func(ctx context.Context, cs *mcp.ClientSession) error {
		if on {
			return cs.Subscribe(ctx, &mcp.SubscribeParams{URI: uri})
		}
		return nil // others may still want to hear of it
	})
}

// updated notifies subscribers that a service's resource changed.
func (d *Door) updated(server, uri string) {
	for k, e := range d.rooms.list() {
		switch k.server {
		case server:
			_ = e.server.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri})
		case "":
			_ = e.server.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{
				URI: uriPrefix + server + "/" + url.PathEscape(uri)})
		}
	}
}

// complete asks a service for completions of an argument of its prompt or resource.
func (d *Door) complete(ctx context.Context, k room, p *mcp.CompleteParams, req mcp.Request) (res *mcp.CompleteResult, err error) {
	if p.Ref == nil {
		return nil, noResource()
	}
	if own, ok := d.own(k); ok {
		if res, known, err := own.Complete(ctx, k.guest(), p); known {
			return res, err
		}
	}
	inner, ref := *p, *p.Ref
	inner.Ref, inner.Meta = &ref, nil
	server, def, ok := k.server, &prompting, true
	switch {
	case ref.Type == "ref/resource":
		def = &reading
		server, ref.URI, ok = k.resource(p.Ref.URI)
	case server == "":
		server, ref.Name, ok = strings.Cut(ref.Name, connector.Separator)
	}
	if !ok {
		return nil, noResource()
	}
	err = d.through(ctx, k, server, def, req, func(ctx context.Context, cs *mcp.ClientSession) (err error) {
		res, err = cs.Complete(ctx, &inner)
		return err
	}, func() []string { return reader{d.o.Instructs}.completion(res) })
	return res, err
}

func noResource() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no such resource or prompt"}
}

func (d *Door) listPrompts(ctx context.Context, k room) (*mcp.ListPromptsResult, error) {
	var mu sync.Mutex
	out := &mcp.ListPromptsResult{Cacheable: ofAgent, Prompts: []*mcp.Prompt{}}
	err := d.each(ctx, k, &prompting, func(ctx context.Context, s *connector.Server, cs *mcp.ClientSession) error {
		if i := cs.InitializeResult(); i != nil && i.Capabilities != nil && i.Capabilities.Prompts == nil {
			return nil
		}
		all, err := bounded(cs.Prompts(ctx, nil))
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for _, p := range all {
			c := *p
			reader{d.o.Instructs}.describePrompt(s.ID(), &c)
			if k.server == "" {
				c.Name = s.ID() + connector.Separator + p.Name
			}
			out.Prompts = append(out.Prompts, &c)
		}
		return nil
	})
	slices.SortFunc(out.Prompts, func(a, b *mcp.Prompt) int { return strings.Compare(a.Name, b.Name) })
	if own, ok := d.own(k); ok && err == nil {
		var mine []*mcp.Prompt
		mine, err = own.Prompts(ctx, k.guest())
		out.Prompts = append(mine, out.Prompts...)
	}
	return out, err
}

func (d *Door) getPrompt(ctx context.Context, k room, p *mcp.GetPromptParams, req mcp.Request) (mcp.Result, error) {
	if own, ok := d.own(k); ok {
		if res, known, err := own.Prompt(ctx, k.guest(), p); err != nil {
			return nil, err
		} else if known {
			return wholePrompt(res), nil
		}
	}
	server, name := k.server, p.Name
	if server == "" {
		var ok bool
		if server, name, ok = strings.Cut(name, connector.Separator); !ok {
			return nil, noResource()
		}
	}
	args, err := json.Marshal(p.Arguments)
	if err != nil {
		return nil, err
	}
	get := func(ctx context.Context, l *link.Link, c link.Call) (mcp.Result, []string, error) {
		res, err := l.Prompt(ctx, c, mcp.GetPromptParams{Name: name, Arguments: p.Arguments})
		if err != nil {
			return nil, nil, err
		}
		res.Messages = slices.DeleteFunc(res.Messages, func(m *mcp.PromptMessage) bool { return m == nil })
		orders := reader{d.o.Instructs}.prompt(res) // marks them, too
		return wholePrompt(res), orders, nil
	}
	return d.reads(ctx, k, server, &prompting, req, asking{prompting.Name, p.Name, args, p.RequestState, p.InputResponses}, get)
}

// reads has one service read something, under the same rules as a call. What it asks in return goes to the agent's program. read
// returns, with the result, the orders that it gives.
func (d *Door) reads(ctx context.Context, k room, server string, def *connector.Definition, req mcp.Request, r asking,
	read func(context.Context, *link.Link, link.Call) (mcp.Result, []string, error)) (mcp.Result, error) {
	v, c, err := d.readable(ctx, k, server, def, req)
	if err != nil {
		return nil, err
	}
	r.args = orEmpty(r.args)
	do := func(ctx context.Context, c caller) (res mcp.Result, err error) {
		asks := &asker{ctx: ctx, c: c, server: v.server, reader: reader{d.o.Instructs}}
		told := int64(0)
		err = d.guarded(ctx, c, v, nil, &told, func(ctx context.Context, _ json.RawMessage) (a answer, err error) {
			res, a.flags, err = read(ctx, d.o.Registry.Link(v.server), link.Call{From: k.agent, Asks: asks})
			return asks.told(a), err
		})
		return res, err
	}
	var res mcp.Result
	if parks(c, v.server) {
		res, err = d.parking.call(ctx, d, c, r, do)
	} else {
		res, err = do(ctx, c)
	}
	if lacking := c.lacking(err); lacking != nil {
		return nil, lacking
	}
	if err != nil {
		return nil, failed(err)
	}
	return res, nil
}

// readable is what an agent may have a service read.
func (d *Door) readable(ctx context.Context, k room, server string, def *connector.Definition, req mcp.Request) (shown, caller, error) {
	s, err := d.o.Registry.Server(ctx, server)
	if err != nil {
		return shown{}, caller{}, noResource()
	}
	v, ok := d.pseudo(k, &s, def)
	if !ok {
		return shown{}, caller{}, noResource()
	}
	if v.mode == connector.Ask {
		return shown{}, caller{},
			failed(fault.New(fault.MCPAskFirstRequired, "reading this waits for a person, and only calls of tools can wait"))
	}
	session, _ := req.GetSession().(*mcp.ServerSession)
	return v, caller{room: k, session: session, name: sessionName(req, k.agent)}, nil
}

// through asks one service, under the same rules as a call. read checks the result for orders.
func (d *Door) through(ctx context.Context, k room, server string, def *connector.Definition, req mcp.Request,
	ask func(context.Context, *mcp.ClientSession) error, read ...func() []string) error {
	v, c, err := d.readable(ctx, k, server, def, req)
	if err != nil {
		return err
	}
	told := int64(0)
	err = d.guarded(ctx, c, v, nil, &told, func(ctx context.Context, _ json.RawMessage) (a answer, err error) {
		err = d.o.Registry.Link(v.server).Do(ctx, k.agent, ask)
		for _, f := range read {
			if err == nil {
				a.flags = f()
			}
		}
		return a, err
	})
	if err != nil {
		return failed(err)
	}
	return nil
}
