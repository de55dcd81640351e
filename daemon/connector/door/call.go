package door

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/daemon/connector/desk"
	"showhow/daemon/connector/health"
	"showhow/daemon/connector/link"
	"showhow/daemon/connector/registry"
	"showhow/daemon/m365"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// caller is who calls, and how progress reaches it.
type caller struct {
	room
	session *mcp.ServerSession
	name    string // of its conversation
	token   any    // of progress; nil: it did not ask for any
	parked  *parked
}

// tell sends progress to a caller that asked for it.
func (c caller) tell(ctx context.Context, n *atomic.Int64, message string) {
	if c.token == nil || c.session == nil {
		return
	}
	_ = c.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: c.token, Progress: float64(n.Add(1)), Message: message})
}

// call makes a call if it is allowed: the person is asked where the policy requires it, and the receipt is stored
// before anything is sent.
func (d *Door) call(ctx context.Context, c caller, v shown, args json.RawMessage) (res *mcp.CallToolResult, err error) {
	sent := int64(0)
	do := func(ctx context.Context, args json.RawMessage) (answer, error) {
		var n atomic.Int64
		n.Store(sent)
		began := d.o.Now()
		defer func() { d.tell(c, v, args, began, failure(res, err)) }()
		asks := &asker{ctx: ctx, c: c, server: v.server, reader: reader{d.o.Instructs}}
		res, err = d.o.Registry.LinkFor(v.server, c.agent).Call(ctx, link.Call{Tool: v.def.Name, Hash: v.def.Hash, Args: args,
			Progress: d.forward(ctx, c, &n), Said: c.said(ctx), From: c.agent, Owner: c.owner, Asks: asks})
		a := answer{}
		if err == nil {
			a = answer{kinds: kinds(res), failed: res.IsError}
			a.flags = reader{d.o.Instructs}.result(v.server.ID(), res)
		}
		return asks.told(a), err
	}
	err = d.guarded(ctx, c, v, args, &sent, do)
	return res, err
}

// ToolFailed is the code of a call that the service itself says has failed.
const ToolFailed = "tool_failed"

// failure is the code of a call that failed, "" when it did not.
func failure(res *mcp.CallToolResult, err error) string {
	switch {
	case err != nil:
		return string(fault.CodeOf(err))
	case res.IsError:
		return ToolFailed
	}
	return ""
}

// tell reports a call to Options.Called.
func (d *Door) tell(c caller, v shown, args json.RawMessage, began clock.Time, code string) {
	if d.o.Called == nil || c.own {
		return
	}
	d.o.Called(Called{Agent: c.agent, Session: c.name, Connector: v.server.ID(), Tool: v.name, Class: v.def.Class,
		Args: args, Failed: code != "", Code: code, Began: began.Time, Took: d.o.Now().Sub(began.Time)})
}

// mostProgress is how many characters of a service's progress message are passed on.
const mostProgress = 500

// forward passes the service's progress on to the caller.
func (d *Door) forward(ctx context.Context, c caller, n *atomic.Int64) func(*mcp.ProgressNotificationParams) {
	if c.token == nil || c.session == nil {
		return nil
	}
	return func(p *mcp.ProgressNotificationParams) {
		n.Add(1)
		_ = c.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: c.token, Progress: float64(n.Load()),
			Message: plain.Clip(p.Message, mostProgress)})
	}
}

// said passes on what the service logs while it works; the session forwards the levels that its agent asked for.
//
//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
func (c caller) said(ctx context.Context) func(*mcp.LoggingMessageParams) {
	if c.session == nil {
		return nil
	}
	//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
	return func(p *mcp.LoggingMessageParams) { _ = c.session.Log(ctx, p) }
}

// guarded is the path of every request to a service.
func (d *Door) guarded(ctx context.Context, c caller, v shown, args json.RawMessage, told *int64,
	do func(context.Context, json.RawMessage) (answer, error)) error {
	allowed := desk.Allowed{By: "autonomous"}
	r := d.receipt(c, v, args)
	h := d.o.Registry.HealthOf(v.server)
	if wait := health.Waiting(h, d.o.Now()); wait > 0 {
		return d.blocked(r, "denied", fault.New(fault.ConnectorThrottled, "the service asked to be left alone for a while").
			WithDetail("retry_after_ms", wait.Milliseconds()).WithHint("try again later"))
	}
	if err := askfirst.Object(args); err != nil { // a service's answer to that says nothing of the service
		return d.blocked(r, "denied", err)
	}
	if err := d.o.Registry.Refuses(v.server, v.def.Name, args); err != nil { // nobody is asked about what cannot be done
		return d.blocked(r, "denied", err)
	}
	if v.mode == connector.Ask {
		var n atomic.Int64
		var about []string
		leave, err := d.admit(ctx, c, v, args)
		if err != nil {
			return d.blocked(r, "denied", err)
		}
		defer leave()
		if args, about, err = d.prepared(ctx, c, v, args); err != nil {
			return d.blocked(r, "denied", err)
		}
		r.Call.Sent = sizes(args)
		if allowed, err = c.ask(ctx, d, v, args, Deed{About: about}, &n, &r); err != nil {
			return err
		}
		leave()
		*told = n.Load()
		// The person took their time: the policy or the tool may have changed.
		again, ok, err := d.tools.named(ctx, c.room, v.nameIn(c.room))
		if err != nil || !ok || again.def.Hash != v.def.Hash {
			standing{d}.changed() // it was asked as the tool changed: what was answered must not count when the tool changes back
			return d.blocked(r, "denied", fault.New(fault.ConnectorToolChanged, "the tool is not any more what it was when a person was asked"))
		}
	}
	r.Call.ApprovalMode = allowed.By
	if err := d.o.live(ctx, c.room); err != nil {
		return d.blocked(r, "denied", err)
	}
	if err := d.o.Store.Intend(ctx, r); err != nil {
		return err
	}
	watched, seen := link.Watching(ctx)
	a, err := do(watched, args)
	d.settle(r, a, err)
	if registry.IsOutcome(err, true) {
		o := registry.OutcomeOf(err, seen, v.def.Name, v.server.Entry.AuthProfileID != "")
		d.o.Registry.RecordOutcome(ctx, v.server.ID(), o)
		return d.explained(v, o, err)
	}
	return err
}

// prepared is a call as it will be sent: nothing of what a person is asked about depends on when they answer. about says what
// its ids stand for.
func (d *Door) prepared(ctx context.Context, c caller, v shown, args json.RawMessage) (json.RawMessage, []string, error) {
	args, err := askfirst.Single(args)
	if err != nil {
		return args, nil, err
	}
	watched, seen := link.Watching(ctx)
	args, about, err := d.o.Registry.LinkFor(v.server, c.agent).Prepare(watched, v.def.Name, args)
	if err != nil && registry.IsOutcome(err, true) && !fault.Is(err, fault.NotFound) {
		d.o.Registry.RecordOutcome(ctx, v.server.ID(), registry.OutcomeOf(err, seen, v.def.Name, v.server.Entry.AuthProfileID != ""))
	}
	return args, about, err
}

// admit lets a call in that a person may be asked about; leave may be called again. It is called before anything is prepared.
func (d *Door) admit(ctx context.Context, c caller, v shown, args json.RawMessage) (leave func(), err error) {
	leave, err = d.o.Desk.Admit(ctx, askfirst.Binding{Agent: c.agent, Server: v.server.ID(), Tool: v.def.Name}, args)
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(leave), nil
}

// ask asks a person whether exactly this may be done, and notes the question in the receipt. told is what they are told.
func (c caller) ask(ctx context.Context, d *Door, v shown, args json.RawMessage, told Deed, n *atomic.Int64,
	r *connector.Receipt) (desk.Allowed, error) {
	hash, err := askfirst.HashArguments(args)
	if err != nil {
		return desk.Allowed{}, err
	}
	shown := args
	if told.Shown != nil {
		shown = told.Shown
	}
	allowed, err := d.o.Desk.Ask(ctx, desk.Call{Binding: askfirst.Binding{Agent: c.agent, Server: v.server.ID(), Tool: v.def.Name,
		Definition: v.def.Hash, Arguments: hash, Project: c.project}, Session: c.name, Provider: v.server.Entry.Provider,
		Class: v.def.Class, Data: v.server.Entry.DataClasses, Args: orEmpty(shown), About: told.About,
		Target: connector.Target{TargetKind: "tool", ServerID: v.server.ID(), ToolName: v.def.Name}},
		func(askfirst.Record) { c.tell(ctx, n, "A person is asked whether this may be done.") })
	r.Call.DispatchID, r.CorrelationID, r.Call.ApprovalMode = allowed.DispatchID, allowed.CorrelationID, "ask_first"
	if fault.Is(err, fault.MCPAskFirstExpired) && d.o.Registry.Decide(v.server, v.def, c.agent, nil).Mode == connector.Disabled {
		err = turnedOff(v.def.Name) // which ended the question
	}
	if err != nil {
		result := "denied"
		if fault.Is(err, fault.Cancelled) {
			result = "cancelled"
		}
		return allowed, d.blocked(*r, result, err)
	}
	return allowed, nil
}

// explained adds what the agent can do about a failure that only a person, or time, can mend.
func (d *Door) explained(v shown, o health.Outcome, err error) error {
	switch {
	case err == nil:
		return nil
	case fault.From(err).Details[m365.Detail] != nil: // it says that itself
		return err
	case connector.Trouble(o.Auth):
		return fault.Wrap(err, fault.MCPAuthChallengeRequired, "the service wants the person to sign in").
			WithHint("ask the person to run: showhow connector login " + v.server.ID())
	case o.Throttled():
		f := fault.Wrap(err, fault.ConnectorThrottled, "the service asked for fewer calls").WithHint("try again later")
		if o.RetryAfter != nil {
			f = f.WithDetail("retry_after_ms", o.RetryAfter.Milliseconds())
		}
		return f
	}
	return err
}

func orEmpty(args json.RawMessage) json.RawMessage {
	if len(args) == 0 {
		return json.RawMessage("{}")
	}
	return args
}

func (d *Door) receipt(c caller, v shown, args json.RawMessage) connector.Receipt {
	e := v.server.Entry
	said := "An agent called a tool of a connector."
	if e.ServerID == connector.Self {
		said = "An agent called a tool of Showhow's own."
	}
	r := connector.NewReceipt(d.o.NewID(), "tool_call", v.server.ID(), "ok", said, "", d.o.Now())
	r.Call = &connector.CallRecord{Agent: c.agent, Provider: e.Provider, ToolName: v.def.Name, ActionClass: string(v.def.Class),
		DataClasses: e.DataClasses, ApprovalMode: "autonomous", AuthProfileID: e.AuthProfileID, IdentityAssertedKind: d.identity(e),
		Result: "pending", Sent: sizes(args), Answered: []string{}}
	return r
}

// identity is whose credentials were used.
func (d *Door) identity(e connector.Entry) string {
	if e.AuthProfileID == "" {
		if e.Transport == "local_bridge" || e.ServerID == connector.Self {
			return "local_user"
		}
		return "unknown"
	}
	p, err := d.o.Registry.Profile(context.Background(), e.AuthProfileID)
	if err != nil {
		return "unknown"
	}
	switch p.AuthMode {
	case "oauth2_delegated", "oauth2_on_behalf_of":
		return "oauth_user"
	case "oauth2_client_credentials":
		return "service_principal"
	}
	return "unknown" // a key or nothing: it does not say who
}

// blocked stores that a call was not made, and why.
func (d *Door) blocked(r connector.Receipt, result string, err error) error {
	r.Status, r.Call.Result, r.Call.ErrorCode, r.Call.CompletedAt = "blocked", result, string(fault.CodeOf(err)), d.o.Now().Ptr()
	r.Summary = "An agent's call of a connector's tool was not made."
	if r.ServerID == connector.Self {
		r.Summary = "An agent's call of a tool of Showhow's own was not made."
	}
	d.o.Store.Settle(r)
	return err
}

func (d *Door) settle(r connector.Receipt, a answer, err error) {
	call := *r.Call
	call.Result, call.CompletedAt, call.Answered = "success", d.o.Now().Ptr(), a.kinds
	if a.kinds == nil {
		call.Answered = []string{}
	}
	switch {
	case fault.Is(err, fault.Cancelled):
		r.Status, call.Result, call.ErrorCode = "degraded", "cancelled", string(fault.Cancelled)
	case err != nil:
		r.Status, call.Result, call.ErrorCode = "failed", "failure", string(fault.CodeOf(err))
	case a.failed:
		r.Status, call.Result, call.ErrorCode = "failed", "failure", "TOOL_ERROR"
	}
	if len(a.flags) > 0 {
		call.Flags, call.Answered = a.flags, append(call.Answered, "text that gives orders")
	}
	r.Call = &call
	d.o.Store.Settle(r)
}

// sizes describes the arguments by kind and size only.
func sizes(args json.RawMessage) []string {
	var m map[string]json.RawMessage
	if json.Unmarshal(args, &m) != nil {
		return []string{}
	}
	count := map[string]int{}
	bytes := 0
	for _, v := range m {
		bytes += len(v)
		count[kindOf(v)]++
	}
	out := []string{}
	for _, k := range []string{"text", "number", "truth", "list", "object", "nothing"} {
		if n := count[k]; n > 0 {
			out = append(out, fmt.Sprintf("%s: %d", k, n))
		}
	}
	if len(out) > 0 {
		out = append(out, fmt.Sprintf("%d bytes in all", bytes))
	}
	return out
}

func kindOf(v json.RawMessage) string {
	if len(v) == 0 {
		return "nothing"
	}
	switch v[0] {
	case '"':
		return "text"
	case '[':
		return "list"
	case '{':
		return "object"
	case 't', 'f':
		return "truth"
	case 'n':
		return "nothing"
	}
	return "number"
}

// kinds describes the result by kind and size only.
func kinds(res *mcp.CallToolResult) []string {
	out := []string{}
	for _, c := range res.Content {
		if len(out) == 20 {
			return append(out, fmt.Sprintf("and %d more", len(res.Content)-20))
		}
		switch c := c.(type) {
		case *mcp.TextContent:
			out = append(out, fmt.Sprintf("text of %d bytes", len(c.Text)))
		case *mcp.ImageContent:
			out = append(out, fmt.Sprintf("image of %d bytes", len(c.Data)))
		case *mcp.AudioContent:
			out = append(out, fmt.Sprintf("sound of %d bytes", len(c.Data)))
		case *mcp.ResourceLink:
			out = append(out, "link to a resource")
		case *mcp.EmbeddedResource:
			out = append(out, "a resource")
		default:
			out = append(out, "something else")
		}
	}
	if res.StructuredContent != nil {
		out = append(out, "structured")
	}
	return out
}
