package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/m365"
	"showhow/internal/fault"
	"showhow/internal/version"
)

// Spec is what a link connects to. Secrets are read when needed and not kept.
type Spec struct {
	Entry   connector.Entry
	Headers func(ctx context.Context) (http.Header, error)       // of every request; nil: none
	Secrets func(ctx context.Context) (map[string]string, error) // a local program's environment; nil: none
	Check   func() error                                         // refuses a program that is not the registered one; may be nil
	Listed  func(Listed)                                         // called whenever the server lists its tools; must not use the link
	Updated func(uri string)                                     // called when a subscribed resource changes; may be nil
	Client  func(*mcp.Client) error                              // prepares the client; may be nil
	Native  *m365.Native                                         // answers instead of a server over MCP; nil: none
	Renew   func(ctx context.Context, refused string) error      // renews refused credentials, once a request; may be nil
	Moved   func() *Link                                         // returns the link that replaced this one when it was closed; nil: none
	Log     *slog.Logger
}

const (
	defaultTime = time.Minute
	connectTime = 30 * time.Second
	idleTime    = 10 * time.Minute
	atOnce      = 64 // calls under way
	mostPages   = 200
)

// Link is the connection to one service. It connects on demand and closes when idle.
type Link struct {
	spec  Spec
	calls chan struct{}

	mu      sync.Mutex
	session *session
	opening *opening // under way; nil: none is
	users   int
	idle    *time.Timer
	closed  bool
	retired bool // to be closed once nobody uses it

	ended context.Context // until the link is closed
	end   context.CancelFunc
	older atomic.Bool // the server speaks HTTP+SSE

	clients func() (webs, error) // of a native service, made once
}

// opening is a session being opened, which several callers may wait for.
type opening struct {
	done   chan struct{} // closed when it has ended
	cancel context.CancelFunc
	err    error
	gaveUp bool  // the caller who made it did not wait for its end
	seen   *Seen // what the caller who made it saw; nil: it did not look
}

// New makes a link; nothing is connected yet.
func New(spec Spec) *Link {
	if spec.Log == nil {
		spec.Log = slog.New(slog.DiscardHandler)
	}
	l := &Link{spec: spec, calls: make(chan struct{}, atOnce)}
	l.ended, l.end = context.WithCancel(context.Background())
	l.clients = sync.OnceValues(l.newClients)
	return l
}

// Closed makes a link that refuses every call.
func Closed() *Link {
	l := New(Spec{})
	l.Close()
	return l
}

// Time is the timeout of a call.
func (l *Link) Time() time.Duration {
	if ms := l.spec.Entry.TimeoutMs; ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return defaultTime
}

// Do runs f with a session. If that turns out to have ended before anything was sent, Do opens a new one, once.
func (l *Link) Do(ctx context.Context, from string, f func(context.Context, *mcp.ClientSession) error) error {
	return l.do(ctx, func(ctx context.Context, s *session) error {
		s.said.used(from)
		return f(ctx, s.ClientSession)
	})
}

// do runs f with a session of this link, or of the link that replaced it before f began.
func (l *Link) do(ctx context.Context, f func(context.Context, *session) error) error {
	err := l.try(ctx, f)
	if errors.Is(err, errClosed) && l.spec.Moved != nil {
		err = l.spec.Moved().try(ctx, f)
	}
	if errors.Is(err, errClosed) {
		return removed()
	}
	return err
}

func removed() error { return fault.New(fault.ConnectorOff, "the connector was turned off or removed") }

// errClosed means that a link was closed before a call began.
var errClosed = errors.New("link: closed")

func (l *Link) try(ctx context.Context, f func(context.Context, *session) error) error {
	select {
	case l.calls <- struct{}{}:
		defer func() { <-l.calls }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx, cancel := withPatience(bare{ctx}, l.Time())
	defer cancel()
	defer context.AfterFunc(l.ended, cancel)()
	for again := false; ; again = true {
		ctx, sent := watchSending(ctx)
		s, err := l.take(ctx)
		if err != nil && l.ended.Err() != nil {
			return errClosed
		}
		if err != nil {
			return l.asFault(ctx, err)
		}
		sent.n.Store(0) // of opening it
		written := s.written.Load()
		err = s.tooMuch(f(ctx, s))
		broken := err != nil && s.over(err)
		l.give(s, broken)
		if err != nil && l.ended.Err() != nil {
			return fault.Wrap(err, fault.ConnectorOff, "the connector was turned off or changed while the call was under way")
		}
		if broken && !again && ctx.Err() == nil && !sent.any() && s.written.Load() == written {
			continue // the conversation had ended before
		}
		return l.asFault(ctx, err)
	}
}

// take returns the session for one more user. One caller opens it, the others wait; nobody holds the lock meanwhile.
func (l *Link) take(ctx context.Context) (*session, error) {
	for {
		l.mu.Lock()
		if l.closed {
			l.mu.Unlock()
			return nil, errClosed
		}
		if s := l.session; s != nil {
			if l.idle != nil {
				l.idle.Stop()
			}
			l.users++
			l.mu.Unlock()
			return s, nil
		}
		o := l.opening
		if o == nil {
			o = &opening{done: make(chan struct{}), seen: seenBy(ctx)}
			l.opening = o
			opened, cancel := context.WithCancel(ctx)
			o.cancel = cancel
			l.mu.Unlock()
			l.open(opened, o)
			if o.err != nil {
				return nil, o.err
			}
			continue
		}
		l.mu.Unlock()
		select {
		case <-o.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if o.err != nil && !o.gaveUp {
			seenBy(ctx).adopt(o.seen)
			return nil, o.err
		}
	}
}

// open opens the session of o.
func (l *Link) open(ctx context.Context, o *opening) {
	defer o.cancel()
	s, err := l.connect(ctx)
	l.mu.Lock()
	closed := l.closed
	if l.opening = nil; err == nil && !closed {
		l.session = s
	}
	l.mu.Unlock()
	if closed {
		if s != nil {
			s.close()
		}
		err = errClosed
	}
	o.err, o.gaveUp = err, !closed && ctx.Err() != nil
	close(o.done)
}

func (l *Link) give(s *session, broken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users--
	if broken && l.session == s {
		l.session = nil
		go s.close() // others may still wait for answers that do not come
		return
	}
	if l.users == 0 && l.retired {
		go l.Close()
		return
	}
	if l.users == 0 && l.session != nil {
		l.idle = time.AfterFunc(idleTime, l.rest)
	}
}

func (l *Link) rest() {
	l.mu.Lock()
	s := l.session
	if l.users > 0 || s == nil {
		l.mu.Unlock()
		return
	}
	l.session = nil
	l.mu.Unlock()
	s.close()
}

// Connected reports whether a session is open.
func (l *Link) Connected() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session != nil
}

// Retire is Close once nobody uses the link any more.
func (l *Link) Retire() {
	l.mu.Lock()
	l.retired = true
	unused := l.users == 0 && l.opening == nil
	l.mu.Unlock()
	if unused {
		l.Close()
	}
}

// Over reports whether the link is closed.
func (l *Link) Over() bool { return l.ended.Err() != nil }

// Close ends the session and refuses further calls.
func (l *Link) Close() {
	l.mu.Lock()
	s := l.session
	l.session, l.closed = nil, true
	if l.idle != nil {
		l.idle.Stop()
	}
	if l.opening != nil {
		l.opening.cancel()
	}
	l.mu.Unlock()
	l.end() // calls under way
	if s != nil {
		s.close()
	}
}

// CloseUnused is Close, unless a call of a tool is under way: then it changes nothing and returns false. No call begins
// after it has returned true.
func (l *Link) CloseUnused() bool {
	l.mu.Lock()
	s := l.session
	l.mu.Unlock()
	if s != nil && !s.calls.end() {
		return false
	}
	l.Close()
	return true
}

// connect opens a session. A server that does not know streamable HTTP is asked over the older HTTP+SSE, in the order
// that the protocol names; it is remembered until the link is closed.
func (l *Link) connect(ctx context.Context) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	if l.spec.Entry.Transport != "remote_http" || l.older.Load() || l.spec.Native != nil {
		return l.converse(ctx, l.older.Load())
	}
	watched, seen := Watching(ctx)
	s, err := l.converse(watched, false)
	if err != nil && refusesNewer(seen.Status()) {
		again, seenAgain := Watching(ctx)
		over, errAgain := l.converse(again, true)
		if errAgain == nil {
			l.older.Store(true)
			return over, nil
		}
		if status := seenAgain.Status(); status != 0 && !refusesNewer(status) || errors.Is(errAgain, errRedirect) { // it knows that address
			err, seen = errAgain, seenAgain
		}
	}
	seenBy(ctx).adopt(seen)
	return s, err
}

// converse opens a session over one transport.
func (l *Link) converse(ctx context.Context, older bool) (*session, error) {
	seen := &progress{}
	s := &session{progress: seen, ended: make(chan struct{})}
	transport, end, err := l.transport(ctx, older, s)
	if err != nil {
		return nil, err
	}
	s.end = end
	o := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}, Logger: slog.New(slog.DiscardHandler), // of itself it offers nothing
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}}
	// What a server says before the conversation is open is nobody's, and its tools are listed afterwards. No handler waits for that: the SDK
	// waits for handlers when connecting fails.
	ready := make(chan struct{})
	isOpen := func() bool {
		select {
		case <-ready:
			return true
		default:
			return false
		}
	}
	o.ToolListChangedHandler = func(ctx context.Context, _ *mcp.ToolListChangedRequest) {
		if isOpen() && s.stale.Add(1) == 1 {
			go l.relist(s)
		}
	}
	o.ProgressNotificationHandler = func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		defer seen.pass()
		token, ok := r.Params.ProgressToken.(string) // any JSON value may come, also one that is no key of a map
		if !ok || !isOpen() {
			return
		}
		if f, ok := s.hearers.Load(token); ok {
			f.(func(*mcp.ProgressNotificationParams))(r.Params)
		}
	}
	//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
	o.LoggingMessageHandler = func(_ context.Context, r *mcp.LoggingMessageRequest) {
		if isOpen() {
			s.said.tell(r.Params)
		}
	}
	asked := func() *Call {
		if !isOpen() {
			return nil
		}
		return s.said.one()
	}
	l.offer(o, asked)
	if l.spec.Updated != nil {
		o.ResourceUpdatedHandler = func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { l.spec.Updated(r.Params.URI) }
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "showhow", Version: version.Get().Version}, o)
	c.AddReceivingMiddleware(l.beforeSDK(asked))
	if l.spec.Client != nil {
		err = l.spec.Client(c)
	}
	var cs *mcp.ClientSession
	if err == nil {
		cs, err = c.Connect(ctx, transport, nil)
	}
	if err != nil {
		end()
		return nil, s.tooMuch(err)
	}
	s.ClientSession = cs
	close(ready)
	//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
	if i := cs.InitializeResult(); i != nil && i.Capabilities != nil && i.Capabilities.Logging != nil && i.ProtocolVersion < "2026" {
		//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
		_ = cs.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "info"}) // a server that does not support it is silent
	}
	listed, err := list(ctx, cs)
	if err != nil {
		s.close()
		return nil, s.tooMuch(err)
	}
	l.heard(s, listed)
	go l.follow(s)
	return s, nil
}

// heard stores what a server lists: a tool is called only while it matches the list.
func (l *Link) heard(s *session, listed Listed) {
	s.listed.Store(&listed)
	if l.spec.Listed != nil {
		l.spec.Listed(listed)
	}
}

// relistEvery is the least interval between listings that a server's change notifications cause.
const relistEvery = time.Second

// relist lists again until no further notification came meanwhile. However many come, only one listing runs at a time.
func (l *Link) relist(s *session) {
	for {
		if wait := relistEvery - time.Since(time.Unix(0, s.relisted.Swap(time.Now().UnixNano()))); wait > 0 {
			<-time.After(wait)
			s.relisted.Store(time.Now().UnixNano())
		}
		n := s.stale.Load()
		ctx, cancel := context.WithTimeout(context.Background(), connectTime)
		listed, err := list(ctx, s.ClientSession)
		cancel()
		if err != nil { // a conversation that has ended; the next one lists at its beginning
			s.stale.Store(0)
			return
		}
		l.heard(s, listed)
		if s.stale.CompareAndSwap(n, 0) {
			return
		}
	}
}

func (l *Link) transport(ctx context.Context, before bool, s *session) (mcp.Transport, func(), error) {
	switch {
	case l.spec.Native != nil:
		return l.native()
	case l.spec.Entry.Transport == "local_bridge":
		return l.local(ctx, s)
	case l.spec.Entry.Transport == "remote_http":
		u, err := Address(l.spec.Entry.EndpointURL)
		if err != nil {
			return nil, nil, err
		}
		base := Transport(u)
		client := &http.Client{Transport: &guarded{next: &progressTripper{base, s.progress}, header: l.spec.Headers, origin: u,
			large: &s.large}, CheckRedirect: SameOrigin}
		if before {
			return &older{mcp.SSEClientTransport{Endpoint: u.String(), HTTPClient: client, MaxEventSize: MaxAnswer}}, base.CloseIdleConnections, nil
		}
		return &mcp.StreamableClientTransport{Endpoint: u.String(), HTTPClient: client, MaxRetries: 2, MaxEventSize: MaxAnswer},
			base.CloseIdleConnections, nil
	}
	return nil, nil, fault.New(fault.MCPServerNotActive, "this connector is recorded only: the agent reaches the service by itself")
}

// notThere is the error code of protocol revisions before 2026 for a missing resource.
const notThere = -32002

// Reasons of errors that tell that the service answered.
const (
	ServiceError = "service_error" // with an error of its own
	TooLarge     = "too_large"     // with more than is taken
)

// asFault converts an error without repeating the service's text.
func (l *Link) asFault(ctx context.Context, err error) error {
	var f *fault.Error
	var said *jsonrpc.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.As(err, &said) && said.Code == jsonrpc.CodeInvalidParams, errors.As(err, &said) && said.Code == notThere:
		return fault.Wrap(err, fault.InvalidRequest, "the service does not know this name, or does not accept these arguments").
			WithDetail("reason", "service_refused")
	case errors.As(err, &said) && said.Code == mcp.CodeMissingRequiredClientCapabilities:
		return asksBack(required(said))
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return unreachable(err, "timeout", "the service did not answer in time")
	case ctx.Err() != nil:
		return fault.Wrap(err, fault.Cancelled, "the call was cancelled")
	case errors.Is(err, errRedirect):
		return unreachable(err, "redirect", "the service wants to be asked at another address, which is not followed")
	case errors.Is(err, errForbidden):
		return fault.Wrap(err, fault.ConnectorAddress, "the service's name leads to an address of this machine or of its network's own").
			WithDetail("reason", "forbidden_address")
	case errors.Is(err, errTooMuch):
		return unreachable(err, TooLarge, "the service answered more than Showhow takes")
	case errors.As(err, &said) && !ofTransport(said.Code):
		return unreachable(err, ServiceError, fmt.Sprintf("the service answered with an error of its own (%d)", said.Code))
	}
	return unreachable(err, "transport", "the service cannot be reached, or does not speak MCP")
}

// ofTransport reports whether a code is one of those by which the SDK tells that a conversation is broken or ends, not the service.
func ofTransport(code int64) bool { return code <= -32001 && code >= -32005 }

func unreachable(err error, reason, text string) error {
	return fault.Wrap(err, fault.ConnectorUnreachable, text).WithDetail("reason", reason).
		WithHint("`showhow connector test NAME` looks at it step by step")
}

// Call is one call of a tool.
type Call struct {
	Tool     string
	Hash     string // of the definition that the caller knows
	Args     json.RawMessage
	Progress func(*mcp.ProgressNotificationParams) // receives the server's progress; may be nil
	//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
	Said  func(*mcp.LoggingMessageParams) // receives its log messages while no other caller shares the session; may be nil
	From  string                          // whose call it is
	Owner string                          // tells apart whose documents are made of its answer
	Asks  Asker                           // answers what the service asks in return, if a person allows that; may be nil
	heard chan struct{}                   // it logged something

	ctx    context.Context // of the call under way
	asking *asking
}

// Call calls a tool if it still matches the caller's definition.
func (l *Link) Call(ctx context.Context, c Call) (res *mcp.CallToolResult, err error) {
	if len(c.Args) == 0 || string(c.Args) == "null" { // some agents' programs send null for none, and some services take no null
		c.Args = json.RawMessage("{}")
	}
	params := &mcp.CallToolParams{Name: c.Tool, Arguments: c.Args}
	err = l.do(ctx, func(ctx context.Context, s *session) (err error) {
		if !s.lists(c.Tool, c.Hash) {
			return fault.New(fault.ConnectorToolChanged, "the tool is not any more what it was when a person saw it").
				WithHint("`showhow connector tools NAME` shows the difference")
		}
		if !s.calls.enter() {
			return removed()
		}
		defer s.calls.leave()
		defer c.begin(ctx, s)()
		params.Meta = l.declared(s, &c)
		if c.Progress != nil {
			token := "p" + strconv.FormatInt(s.tokens.Add(1), 10)
			s.hearers.Store(token, c.Progress)
			defer s.hearers.Delete(token)
			params.SetProgressToken(token)
		}
		if l.spec.Native != nil {
			res, err = l.callNative(ctx, &c)
			return err
		}
		res, err = rounds(ctx, l, &c, func(g given) (*mcp.CallToolResult, error) {
			again := *params
			again.InputResponses, again.RequestState = g.answers, g.state
			return s.CallTool(ctx, &again)
		})
		if c.Progress != nil {
			s.progress.settle(ctx)
		}
		if err == nil {
			c.rest(ctx)
		}
		return c.asking.explained(err)
	})
	return res, err
}
