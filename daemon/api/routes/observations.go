package routes

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// Observations reads what a session observed and what it may observe.
type Observations interface {
	Preview(ctx context.Context, m state.Meta, r wire.PreviewRequest, show func(wire.PreviewUpdate) error) error
	SetScope(ctx context.Context, m state.Meta, id string, r wire.ScopeRequest) (state.Session, error)
	Session(ctx context.Context, id string) (state.Session, error)
	ObservationScope(ctx context.Context, id string) (wire.ObservationScopeRuntime, error)
	ActiveSession(ctx context.Context) (state.Session, bool, error)
	Observations(ctx context.Context, id string, q wire.PageQuery) (wire.ObservationList, error)
	Told(ctx context.Context, id string, after int64) (wire.ToldList, error)
	Observation(ctx context.Context, id, eventID string) (capture.Record, error)
	DeleteObservation(ctx context.Context, m state.Meta, id, eventID string) error
	RenewIndicator(kind string) wire.LeaseResponse
	Values(ctx context.Context, m state.Meta, id string) (wire.ValueList, error)
}

// ObservationRoutes are the routes of observations.
type ObservationRoutes struct {
	Learn   Observations
	Events  EventLog
	Live    Live
	Records Records
}

// Register adds the routes.
func (rs ObservationRoutes) Register(g *engine.Engine) {
	l, one := rs.Learn, "/api/learn/sessions/{sessionId}"
	engine.Register(g, engine.Get("get-observation-scope", one+"/observation-scope", TagObservation,
		"What is being observed, and what was withheld",
		engine.UserReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *SessionPath, _ *engine.None) (*engine.Reply[wire.ObservationScopeRuntime], error) {
			return engine.Answered(l.ObservationScope(ctx, p.SessionID))
		})
	rs.scopeRoute(g)
	engine.Register(g, engine.Get("list-observations", one+"/observations", TagObservation,
		"What was kept, in order of arrival, with its details",
		engine.UserReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *sessionPage, _ *engine.None) (*engine.Reply[wire.ObservationList], error) {
			return engine.Answered(l.Observations(ctx, p.SessionID, p.PageQuery))
		})
	engine.Register(g, engine.Get("tell-observations", one+"/told", TagObservation, "What was kept, told in parts as a person would",
		engine.UserReads,
		fault.LearnSessionNotFound),
		func(ctx context.Context, p *toldAfter, _ *engine.None) (*engine.Reply[wire.ToldList], error) {
			return engine.Answered(l.Told(ctx, p.SessionID, p.After))
		})
	engine.Register(g, engine.Get("get-observation", one+"/observations/{eventId}", TagObservation, "One observation with its details",
		engine.UserReads,
		fault.LearnSessionNotFound, fault.NotFound),
		func(ctx context.Context, p *observationPath, _ *engine.None) (*engine.Reply[wire.Observation], error) {
			r, err := l.Observation(ctx, p.SessionID, p.EventID)
			return engine.Answered(twin.To[wire.Observation](r), err)
		})
	engine.Register(g, engine.Op{ID: "delete-observation", Method: http.MethodDelete, Path: one + "/observations/{eventId}",
		Tag:     TagObservation,
		Summary: "Delete one observation with its values, for good", Access: engine.UserWrites,
		Errors: slices.Concat(sessionCodes, []fault.Code{fault.NotFound})},
		func(ctx context.Context, p *observationPath, _ *engine.None) (*engine.Reply[wire.DeletedResponse], error) {
			err := l.DeleteObservation(ctx, engine.Meta(ctx, engine.IfMatch{}, ""), p.SessionID, p.EventID)
			return engine.Answered(wire.DeletedResponse{Deleted: true}, err)
		})
	engine.Register(g, engine.Get("list-values", one+"/values", TagObservation,
		"What the person supplied, opened for the review on screen; never stored",
		engine.UserReads,
		slices.Concat(sessionCodes, []fault.Code{fault.NotFound})...),
		func(ctx context.Context, p *SessionPath, _ *engine.None) (*engine.Reply[wire.ValueList], error) {
			return engine.Answered(l.Values(ctx, engine.Meta(ctx, engine.IfMatch{}, ""), p.SessionID))
		})
	engine.Register(g, engine.Post("renew-indicator", "/api/learn/indicators/renew", TagObservation,
		"Say that a person can see, right now, that capture is on", engine.UserWrites),
		func(_ context.Context, _ *engine.None, b *wire.RenewIndicatorRequest) (*engine.Reply[wire.LeaseResponse], error) {
			return engine.Answer(l.RenewIndicator(b.Indicator)), nil
		})
	engine.RegisterStream(g, engine.Op{ID: "preview-observation", Method: http.MethodPost, Path: "/api/learn/preview", Tag: TagObservation,
		Summary: "Show live what a session with this scope would keep; nothing is stored", Access: engine.UserWrites,
		Errors: []fault.Code{fault.AdapterUnavailable, fault.LearnSessionAlreadyActive}},
		func(ctx context.Context, _ *engine.None, b *wire.PreviewRequest) (func(context.Context, *engine.Stream) error, error) {
			return func(ctx context.Context, out *engine.Stream) error {
				return l.Preview(ctx, engine.Meta(ctx, engine.IfMatch{}, ""), *b, func(u wire.PreviewUpdate) error {
					return out.Send("preview", 0, wire.Frame{EventKind: "preview", Payload: u})
				})
			}, nil
		})
	rs.streamRoutes(g)
}

type sessionPage struct {
	SessionPath
	wire.PageQuery
}

type toldAfter struct {
	SessionPath
	After int64 `query:"after" minimum:"0" doc:"seq of an observation: what came before it is not told again"`
}

type observationPath struct {
	SessionPath
	EventID string `path:"eventId" format:"uuid"`
}

// scopeRoute: the user may narrow a scope; a person also confirms widening it.
func (rs ObservationRoutes) scopeRoute(g *engine.Engine) {
	l := rs.Learn
	access := engine.UserWrites.Confirmed("widen-scope")
	access.When = "something is allowed that was not, or values are kept more readably"
	engine.RegisterConfirmed(g, engine.Op{ID: "set-scope", Method: http.MethodPut, Path: "/api/learn/sessions/{sessionId}/scope",
		Tag:        TagObservation,
		Revisioned: true, ETag: true,
		Summary: "Replace what the session may watch", Access: access, Errors: sessionCodes},
		func(ctx context.Context, p *sessionChange, b *wire.ScopeRequest) (presence.Subject, bool, error) {
			x, err := l.Session(ctx, p.SessionID)
			if err != nil {
				return presence.Subject{}, false, err
			}
			return presence.Subject{ID: x.LearnSessionID, Revision: x.Revision, ChangedAt: x.UpdatedAt}.SaySession(x).SayScope(b), widens(x, *b), nil
		},
		func(ctx context.Context, p *sessionChange, b *wire.ScopeRequest) (*engine.Reply[wire.SessionActionResponse], error) {
			return sessionReply(l.SetScope(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b))
		})
}

// widens reports whether r allows anything that x does not. It compares entries as text: a new entry that an older
// pattern covers is asked about once too often, never too seldom.
func widens(x state.Session, r wire.ScopeRequest) bool {
	rank := map[string]int{"omitted": 0, "hashed": 1, "masked": 1, "literal": 2}
	if r.ValuePolicy != "" && rank[r.ValuePolicy] > rank[string(x.ValuePolicy)] {
		return true
	}
	old, now := x.Scope, r.Scope
	return adds(old.Apps, now.Apps) || adds(old.Sites, now.Sites) || adds(old.Folders, now.Folders) ||
		adds(old.Shells, now.Shells) || adds(old.Devices, now.Devices) || adds(x.LiteralApps, r.LiteralApps)
}

func adds(old, now []string) bool {
	return slices.ContainsFunc(now, func(n string) bool {
		return !slices.ContainsFunc(old, func(o string) bool { return strings.EqualFold(o, n) })
	})
}
