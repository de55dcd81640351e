package door

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/desk"
	"showhow/daemon/connector/registry"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/version"
)

// ListMost is how many tools are listed by name.
const ListMost = 60

// Options configures a Door.
type Options struct {
	Registry *registry.Registry
	Desk     *desk.Desk
	Store    connector.Store
	Now      func() clock.Time
	NewID    func() string
	Log      *slog.Logger
	// Instructs returns the rules by which a text gives an agent orders; usually none. Nil means that nobody checks.
	Instructs func(text string) []string
	// Own is what Showhow itself offers; nil: only the connectors' tools are there.
	Own Own
	// Live returns an error if a guest on another computer, by its reporter, is not let in any more. It is asked just before
	// a call is made, whatever a person allowed before. Nil: there are no such guests.
	Live func(ctx context.Context, reporter string) error
	// Beat is how often a caller that waits hears that its call of a tool of Showhow's own is being done; 0: every 5 s.
	Beat time.Duration
	// Called is called with every call that was sent, once it has ended, with its arguments, in memory only. It must
	// not block. Nil means that nobody is.
	Called func(Called)
}

// Called is a call that an agent made.
type Called struct {
	Agent, Session  string
	Connector, Tool string // Tool is its name at the door
	Class           connector.Class
	Args            json.RawMessage
	Failed          bool
	Code            string // of a failure: the service's own is tool_failed
	Began           time.Time
	Took            time.Duration
}

// Door serves agents.
type Door struct {
	o Options

	rooms   rooms
	tools   *catalogue
	parking parking
}

// room is what one agent sees: everything, or one connector. project is the bound project that the agent works for, ""
// for none. own means that Showhow itself calls.
type room struct {
	agent, server          string
	names, reporter, owner string // of the Guest, names separated by NUL
	project                string
	own                    bool
	remote, ownOnly        bool
}

// New makes a door.
func New(o Options) *Door {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Beat == 0 {
		o.Beat = 5 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d := &Door{o: o, tools: &catalogue{registry: o.Registry, reader: reader{o.Instructs}}}
	o.Registry.Watch(d.stale)
	o.Registry.Watch(standing{d}.changed)
	o.Registry.WatchResources(d.updated)
	return d
}

// Recover records that the outcome of calls that were under way when the daemon ended is unknown, and withdraws
// questions and approvals of calls that cannot be made any more.
func (d *Door) Recover(ctx context.Context) error {
	var open []connector.Receipt
	err := d.o.Store.View(ctx, func(tx connector.Tx) (err error) { open, err = tx.Unsettled(); return err })
	for _, r := range open {
		r.Status = "degraded"
		if r.Call != nil {
			r.Call.Result, r.Call.CompletedAt = "unknown", d.o.Now().Ptr()
		}
		d.o.Store.Settle(r)
	}
	if err == nil && len(open) > 0 {
		err = d.o.Store.Flush(ctx)
	}
	if err == nil { // it may be another version of Showhow, with other tools
		err = standing{d}.withdraw(ctx)
	}
	return err
}

// Run is the life of the door: when ctx ends, so does everything that goes on here.
func (d *Door) Run(ctx context.Context) error {
	<-ctx.Done()
	d.Close()
	return nil
}

// Close cancels every call and ends every agent's session. It returns when all calls have ended. Questions to a person stay: their
// answer counts for the identical call after a restart.
func (d *Door) Close() {
	for _, e := range d.rooms.close() {
		e.close()
	}
	d.parking.close()
}

// live returns an error if who is in the room is not let in any more.
func (o Options) live(ctx context.Context, k room) error {
	if !k.remote || o.Live == nil {
		return nil
	}
	return o.Live(ctx, k.reporter)
}

// idleSession is how long an agent's session may be silent before it ends.
const idleSession = 30 * time.Minute

// at returns the entrance of a room.
func (d *Door) at(k room) *entrance {
	d.rooms.mu.Lock()
	defer d.rooms.mu.Unlock()
	if e := d.rooms.all[k]; e != nil {
		return e
	}
	caps := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}, Resources: &mcp.ResourceCapabilities{Subscribe: true},
		Prompts: &mcp.PromptCapabilities{}, Completions: &mcp.CompletionCapabilities{}}
	//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
	caps.Logging = &mcp.LoggingCapabilities{}
	own, mine := d.own(k)
	says := instructions
	if mine {
		caps.Resources.ListChanged, caps.Prompts.ListChanged = true, true
		own.Declare(caps)
		says = ownInstructions + says
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "showhow", Title: "Showhow", Version: version.Get().Version}, &mcp.ServerOptions{
		Instructions: says, Logger: slog.New(slog.DiscardHandler), Capabilities: caps,
		SubscribeHandler: func(ctx context.Context, r *mcp.SubscribeRequest) error {
			return d.subscribe(ctx, k, r.Params.URI, r, true)
		},
		UnsubscribeHandler: func(ctx context.Context, r *mcp.UnsubscribeRequest) error {
			return d.subscribe(ctx, k, r.Params.URI, r, false)
		}})
	e := &entrance{server: s}
	if mine {
		var err error
		if e.params, err = own.Attach(s, k.guest()); err != nil { // a name of the SDK's own methods
			d.o.Log.Error("the door lacks some of its methods", "code", string(fault.CodeOf(err)))
		}
	}
	e.life, e.end = context.WithCancel(context.Background())
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			ctx, done := e.living(ctx)
			defer done()
			res, err := d.serve(ctx, k, next, method, req)
			return res, coded(err)
		}
	})
	same := func(*http.Request) *mcp.Server { return s }
	e.http = mcp.NewStreamableHTTPHandler(same,
		&mcp.StreamableHTTPOptions{SessionTimeout: idleSession, DisableLocalhostProtection: true, PropagateRequestCancellation: true})
	e.single = mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{Stateless: true, DisableLocalhostProtection: true,
		PropagateRequestCancellation: true})
	d.rooms.add(k, e)
	return e
}

const instructions = "Tools of services that a person connected. A tool that says so waits until the person allows the call: that " +
	"can take minutes, and no is an answer."

// ownInstructions precede the instructions where Showhow's own tools are offered.
const ownInstructions = "Skills that a person taught or approved: look one up before you work out how to do a task on this computer, " +
	"read its SKILL.md, and report its checkpoints. "

// lastAnswers is how long an agent may take to read what is left to say to it when its conversation is ended.
const lastAnswers = time.Second

// ServeStream serves MCP over a pair of streams, like a program's stdin and stdout, until one of them or ctx ends. Calls end with it.
func (d *Door) ServeStream(ctx context.Context, g Guest, in io.ReadCloser, out io.WriteCloser) error {
	e := d.at(roomOf(ctx, d.o, g, ""))
	var agreed atomic.Pointer[mcp.ServerSession]
	batched := func() bool { return batches(agreed.Load()) }
	life, connect, end := e.conversation(ctx)
	defer end()
	s, err := e.server.Connect(connect, newStream(in, out, batched, e.params).transport(), nil)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the conversation could not be begun")
	}
	agreed.Store(s)
	stop := context.AfterFunc(life, func() {
		late := time.AfterFunc(lastAnswers, func() { in.Close(); out.Close() }) // an agent that does not read holds nobody up
		defer late.Stop()
		s.Close()
	})
	defer stop()
	defer d.o.Desk.EndSession(sessionOf(s, g.Agent))
	_ = s.Wait() // how it ended is the agent's business
	return nil
}

// sessionOf identifies an agent's session.
func sessionOf(s *mcp.ServerSession, agent string) string {
	if s == nil {
		return agent
	}
	if id := s.ID(); id != "" {
		return id
	}
	return agent + pointer(s)
}

// stale forgets the tools that were listed, and notifies listeners.
func (d *Door) stale() {
	d.tools.forget()
	for _, s := range d.rooms.servers(func(room) bool { return true }) {
		notifyListChanged(s, listTools)
	}
}
