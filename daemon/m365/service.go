package m365

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Options configures a Service. A nil function means that there is no such thing.
type Options struct {
	// Binding returns where a project's documents are; false when the person bound none.
	Binding func(ctx context.Context, project string) (wire.ProjectBinding, bool, error)
	// Keep keeps a file's content for an agent, and returns its reference.
	Keep func(ctx context.Context, owner Owner, name string, content []byte) (string, error)
	// Comments reads the comments of a Word document.
	Comments func(content []byte) ([]Comment, error)
	Now      func() clock.Time
	NewID    func() string
	Wait     func(ctx context.Context, d time.Duration) error // nil: by the clock
	MaxFile  int64                                            // bytes of a content, and of all contents in memory; 0: 64 MB
}

// Owner is the agent that something is kept for.
type Owner struct{ Key, Name string }

// Service does the operations.
type Service struct {
	o    Options
	room *semaphore.Weighted // for bytes of contents in memory
}

// New makes a service.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Wait == nil {
		o.Wait = func(ctx context.Context, d time.Duration) error {
			t := time.NewTimer(d)
			defer t.Stop()
			select {
			case <-t.C:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	o.MaxFile = cmp.Or(o.MaxFile, 64<<20)
	return &Service{o: o, room: semaphore.NewWeighted(o.MaxFile)}
}

// Account is what an operation is done with.
type Account struct {
	Entry   wire.MCPServerRegistryEntry
	Profile wire.MCPAuthProfile
	Clients Clients
	Agent   Owner
}

// application reports whether an application is signed in, and nobody else.
func (a Account) application() bool { return a.Profile.AuthMode == "oauth2_client_credentials" }

// job is one operation under way.
type job struct {
	s       *Service
	id      string
	family  string
	g       *graph
	q       request
	agent   Owner
	granted []string
	app     bool // an application is signed in, and nobody else
}

// job begins an operation. Whoever began it closes it.
func (s *Service) job(a Account, id, family string, q request) *job {
	return &job{s: s, id: id, family: family, q: q, agent: a.Agent, granted: a.Profile.Scopes, app: a.application(),
		g: &graph{room: s.room, maxFile: s.o.MaxFile, base: strings.TrimRight(a.Entry.EndpointURL, "/"), c: a.Clients,
			now: s.o.Now, wait: s.o.Wait}}
}

// close gives back the room that the operation's contents took.
func (j *job) close() { j.s.room.Release(j.g.held) }

// timed ends when the caller does not want to wait any longer.
func (q request) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	ms := q.TimeoutMs
	if ms == 0 {
		ms = 30_000
	}
	return context.WithTimeout(ctx, time.Duration(ms)*time.Millisecond)
}

// graphFailed says why Graph did not answer: ctx is the caller's, timed has the operation's end. What Graph did answer stays
// as it is.
func graphFailed(ctx, timed context.Context, err error) error {
	var f *fault.Error
	var x *answered
	switch {
	case ctx.Err() != nil:
		return fault.Wrap(err, fault.Cancelled, "the call was cancelled")
	case errors.Is(err, errNoRoom):
		return fault.Wrap(err, fault.TooManyRequests, "other files were being read until the time was over").WithHint("try again later")
	case timed.Err() != nil:
		return fault.Wrap(err, fault.ConnectorUnreachable, "Microsoft Graph did not answer in time").WithDetail("reason", "timeout")
	case !errors.As(err, &f) && !errors.As(err, &x):
		return fault.Wrap(err, fault.ConnectorUnreachable, "Microsoft Graph cannot be reached").WithDetail("reason", "transport")
	}
	return err
}

// when is a time as an answer may hold it; "" for what is none.
func when(text string) string {
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return ""
	}
	return text
}

func statusOf(err error) int {
	var a *answered
	if errors.As(err, &a) {
		return a.status
	}
	return 0
}

// neededFor is what this very call needs.
func neededFor(o operation, q request) []string {
	need := o.MinimumDelegatedScopes
	switch o.OperationFamily {
	case Search:
		for _, e := range entities {
			if e.scope != "" && contains(q.EntityFilters, e.filter) {
				need = append(need[:len(need):len(need)], e.scope)
			}
		}
	case PostMessage:
		need = []string{"ChannelMessage.Send"}
		if q.TargetKind == "chat" {
			need = []string{"Chat.ReadWrite"}
		}
	case ChannelContext:
		if q.IncludeRecentMessages {
			need = append(need[:len(need):len(need)], "ChannelMessage.Read.All")
		}
	}
	return need
}

// Check is what would refuse a call before anything is sent; nil when nothing would.
func Check(e wire.MCPServerRegistryEntry, p wire.MCPAuthProfile, family string, args json.RawMessage) error {
	_, err := check(e, p, family, args)
	return err
}

func check(e wire.MCPServerRegistryEntry, p wire.MCPAuthProfile, family string, args json.RawMessage) (request, error) {
	q, err := parse(family, args)
	if err != nil {
		return q, err
	}
	o, _ := find(family)
	switch {
	case q.ServerID != "" && q.ServerID != e.ServerID:
		err = fault.New(fault.InvalidRequest, "the call names another connector than the one that it is made to")
	case q.AuthProfileID != "" && q.AuthProfileID != p.AuthProfileID:
		err = fault.New(fault.InvalidRequest, "the call names another auth profile than the connector's")
	default:
		err = Allowed(e, p, family, q.InteractionMode, neededFor(o, q))
	}
	return q, err
}

// Do does an operation. The error says why it was not done; the response always says what became of it, in the
// specification's form.
func (s *Service) Do(ctx context.Context, a Account, family string, args json.RawMessage) (Response, error) {
	r := Response{OperationID: s.o.NewID(), ServerID: a.Entry.ServerID, OperationFamily: family, Status: "ok",
		AuthProfileID: a.Profile.AuthProfileID, GrantedScopes: append([]string{}, a.Profile.Scopes...), MissingScopes: []string{},
		IdentityAssertedKind: "oauth_user", ThrottleState: wire.MCPThrottleState{State: "none", SchemaVersion: 1}, SchemaVersion: 1}
	if a.application() {
		r.IdentityAssertedKind = "service_principal"
	}
	q, err := check(a.Entry, a.Profile, family, args)
	if err != nil {
		r.Status = "blocked"
		return r.refused(err)
	}
	timed, cancel := q.timed(ctx)
	defer cancel()
	j := s.job(a, r.OperationID, family, q)
	defer j.close()
	result, err := j.run(timed)
	if err != nil {
		r.Status = "failed"
		return r.refused(s.explain(graphFailed(ctx, timed, err), &r, a))
	}
	r.Result = result
	return r, nil
}

func (j *job) run(ctx context.Context) (any, error) {
	switch j.family {
	case Search:
		return j.search(ctx)
	case ListDocuments:
		return j.listDocuments(ctx)
	case FetchFile:
		return j.fetchFile(ctx)
	case LatestDocument:
		return j.latestDocument(ctx)
	case MailSearch:
		return j.mailSearch(ctx)
	case GetThread:
		return j.getThread(ctx)
	case DraftReply:
		return j.draftReply(ctx)
	case Availability:
		return j.availability(ctx)
	case CreateEvent:
		return j.createEvent(ctx)
	case UpdateEvent:
		return j.updateEvent(ctx)
	case WordContent:
		return j.wordContent(ctx)
	case WordComments:
		return j.wordComments(ctx)
	case PostMessage:
		return j.postMessage(ctx)
	}
	return j.channelContext(ctx)
}

// explain turns what Graph answered into an error that says what to do. Of Graph's own text nothing is repeated.
func (s *Service) explain(err error, r *Response, a Account) error {
	var x *answered
	if !errors.As(err, &x) {
		if fault.Is(err, fault.MCPAuthChallengeRequired) {
			r.Status = "blocked"
			return expired(err, a)
		}
		return err
	}
	switch {
	case x.throttled():
		if fault.From(err).Details["reason"] != outcomeUnknown {
			r.Status = "blocked"
		}
		r.ThrottleState = wire.MCPThrottleState{State: "cooldown", ReasonCode: "no_time_named", LastHTTPStatus: x.status, SchemaVersion: 1}
		f := fault.Wrap(err, fault.ConnectorThrottled, "Microsoft Graph asked for fewer calls").WithHint("try again later")
		if x.retryAfter != nil {
			ms := x.retryAfter.Milliseconds()
			r.ThrottleState.State, r.ThrottleState.ReasonCode, r.ThrottleState.RetryAfterMs = "rate_limited", "retry_after", &ms
			if x.status == 503 {
				r.ThrottleState.State = "server_backoff"
			}
			f = f.WithDetail("retry_after_ms", ms)
		}
		if r.Status != "blocked" {
			return err
		}
		return f
	case fault.From(err).Details["reason"] == outcomeUnknown:
		return err
	case x.status == http.StatusUnauthorized:
		r.Status = "blocked"
		return expired(err, a)
	case x.status == http.StatusForbidden:
		o, _ := find(r.OperationFamily)
		if strings.Contains(strings.ToLower(x.code), "scope") || strings.EqualFold(x.code, "Authorization_RequestDenied") {
			r.Status = "blocked"
			r.MissingScopes = o.MinimumDelegatedScopes
			return fault.Wrap(err, fault.M365ScopeMissing, "Microsoft does not allow this operation with what the sign-in covers").
				WithDetail("missing_scopes", o.MinimumDelegatedScopes).
				WithHint("an administrator may have to agree; then: showhow connector login " + a.Entry.ServerID)
		}
		return fault.Wrap(err, fault.NotFound, "the account may not do this there").WithDetail("reason", "forbidden").
			WithHint("its owner can share it with the account")
	case x.status == http.StatusNotFound || x.status == http.StatusGone:
		return fault.Wrap(err, fault.NotFound, "Microsoft 365 does not have it, or does not show it to the account").
			WithDetail("reason", "not_found").WithHint("take the id from an earlier answer")
	case x.status/100 == 4:
		return fault.Wrap(err, fault.InvalidRequest, "Microsoft Graph does not accept this").WithDetail("reason", "service_refused")
	}
	return fault.Wrap(err, fault.ConnectorUnreachable, "Microsoft Graph failed").WithDetail("reason", "server_error").
		WithHint("try again later")
}

func expired(err error, a Account) error {
	if a.application() {
		return fault.Wrap(err, fault.M365AuthExpired, "the application cannot sign in to Microsoft 365").
			WithHint("check its tenant, its client id and its secret, which `showhow credential set` replaces")
	}
	return fault.Wrap(err, fault.M365AuthExpired, "nobody is signed in to Microsoft 365, or the sign-in is over and could not be renewed").
		WithHint("ask the person to run: showhow connector login " + a.Entry.ServerID)
}

// refused completes a response that says why an operation was not done.
func (r Response) refused(err error) (Response, error) {
	f := fault.From(err)
	r.ErrorCode, r.ErrorMessage = string(f.Code), plain.Clip(f.Message, 500)
	if m, ok := f.Details["missing_scopes"].([]string); ok {
		r.MissingScopes = m
	}
	return r, err
}

// Native makes a connector's own server of one account, for the door.
func (s *Service) Native(e wire.MCPServerRegistryEntry, profile func() wire.MCPAuthProfile) *Native {
	return &Native{s: s, entry: e, profile: profile}
}

// Native is a connector to Microsoft 365.
type Native struct {
	s       *Service
	entry   wire.MCPServerRegistryEntry
	profile func() wire.MCPAuthProfile
}

// Tools are its operations.
func (n *Native) Tools() []*mcp.Tool { return Tools(n.entry.M365.OperationFamilies) }

// Refuses is why a call would be refused before anything is sent; nil when it would not.
func (n *Native) Refuses(tool string, args json.RawMessage) error {
	return n.blocked(tool, Check(n.entry, n.profile(), tool, args))
}

// blocked is an error of a call that was not made, with its response; nil for nil.
func (n *Native) blocked(tool string, err error) error {
	if err == nil {
		return nil
	}
	r, _ := Response{OperationID: n.s.o.NewID(), ServerID: n.entry.ServerID, OperationFamily: tool, Status: "blocked",
		AuthProfileID: n.entry.AuthProfileID, GrantedScopes: append([]string{}, n.profile().Scopes...), MissingScopes: []string{},
		IdentityAssertedKind: "unknown", ThrottleState: wire.MCPThrottleState{State: "none", SchemaVersion: 1},
		SchemaVersion: 1}.refused(err)
	return fault.From(err).WithDetail(Detail, r)
}

// Ping asks whether Graph answers and knows who is signed in: a person, or an application.
func (n *Native) Ping(ctx context.Context, service *http.Client) error {
	g := &graph{base: strings.TrimRight(n.entry.EndpointURL, "/"), c: Clients{Graph: service}, now: n.s.o.Now, wait: n.s.o.Wait}
	err := reachable(ctx, g, n.profile().AuthMode == "oauth2_client_credentials")
	return n.s.explain(err, &Response{}, Account{Entry: n.entry, Profile: n.profile()})
}

// Detail is the detail of an error that holds the response.
const Detail = "operation"

// Call does an operation. What Graph itself refuses is an answer; what a sign-in or time can mend is an error.
func (n *Native) Call(ctx context.Context, c Clients, owner Owner, tool string, args json.RawMessage) (*mcp.CallToolResult, error) {
	r, err := n.s.Do(ctx, Account{Entry: n.entry, Profile: n.profile(), Clients: c, Agent: owner}, tool, args)
	text := ""
	if err != nil {
		f := fault.From(err)
		if f.Code != fault.NotFound && f.Details["reason"] != "service_refused" && f.Code != fault.TooLarge {
			return nil, f.WithDetail(Detail, r)
		}
		text = r.ErrorCode + ": " + r.ErrorMessage
		if f.Hint != "" {
			text += " (" + f.Hint + ")"
		}
	} else {
		b, err := json.MarshalIndent(r.Result, "", " ")
		if err != nil {
			return nil, err
		}
		text = string(b)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: r, IsError: err != nil}, nil
}
