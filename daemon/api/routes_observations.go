package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

const tagObservation = "observation"

func (s *Server) observationRoutes() {
	l, one := s.deps.Learn, "/api/learn/sessions/{sessionId}"
	register(s, get("get-observation-scope", one+"/observation-scope", tagObservation, "What is being observed, and what was withheld",
		userReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *SessionPath, _ *none) (*reply[wire.ObservationScopeRuntime], error) {
			return answered(l.ObservationScope(ctx, p.SessionID))
		})
	s.scopeRoute()
	register(s, get("list-observations", one+"/observations", tagObservation, "What was kept, in order of arrival, with its details",
		userReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *sessionPage, _ *none) (*reply[wire.ObservationList], error) {
			return answered(l.Observations(ctx, p.SessionID, p.PageQuery))
		})
	register(s, get("tell-observations", one+"/told", tagObservation, "What was kept, told in parts as a person would", userReads,
		fault.LearnSessionNotFound),
		func(ctx context.Context, p *toldAfter, _ *none) (*reply[wire.ToldList], error) {
			return answered(l.Told(ctx, p.SessionID, p.After))
		})
	register(s, get("get-observation", one+"/observations/{eventId}", tagObservation, "One observation with its details", userReads,
		fault.LearnSessionNotFound, fault.NotFound),
		func(ctx context.Context, p *observationPath, _ *none) (*reply[wire.Observation], error) {
			r, err := l.Observation(ctx, p.SessionID, p.EventID)
			return answered(twin.To[wire.Observation](r), err)
		})
	register(s, op{id: "delete-observation", method: http.MethodDelete, path: one + "/observations/{eventId}", tag: tagObservation,
		summary: "Delete one observation with its values, for good", access: userWrites,
		errors: slices.Concat(sessionCodes, []fault.Code{fault.NotFound})},
		func(ctx context.Context, p *observationPath, _ *none) (*reply[wire.DeletedResponse], error) {
			err := l.DeleteObservation(ctx, meta(ctx, IfMatch{}, ""), p.SessionID, p.EventID)
			return answered(wire.DeletedResponse{Deleted: true}, err)
		})
	register(s, get("list-values", one+"/values", tagObservation, "What the person supplied, opened for the review on screen; never stored",
		userReads,
		slices.Concat(sessionCodes, []fault.Code{fault.NotFound})...),
		func(ctx context.Context, p *SessionPath, _ *none) (*reply[wire.ValueList], error) {
			return answered(l.Values(ctx, meta(ctx, IfMatch{}, ""), p.SessionID))
		})
	register(s, post("renew-indicator", "/api/learn/indicators/renew", tagObservation,
		"Say that a person can see, right now, that capture is on", userWrites),
		func(_ context.Context, _ *none, b *wire.RenewIndicatorRequest) (*reply[wire.LeaseResponse], error) {
			return answer(l.RenewIndicator(b.Indicator)), nil
		})
	registerStream(s, op{id: "preview-observation", method: http.MethodPost, path: "/api/learn/preview", tag: tagObservation,
		summary: "Show live what a session with this scope would keep; nothing is stored", access: userWrites,
		errors: []fault.Code{fault.AdapterUnavailable, fault.LearnSessionAlreadyActive}},
		func(ctx context.Context, _ *none, b *wire.PreviewRequest) (func(context.Context, *sse) error, error) {
			return func(ctx context.Context, out *sse) error {
				return l.Preview(ctx, meta(ctx, IfMatch{}, ""), *b, func(u wire.PreviewUpdate) error {
					return out.send("preview", 0, wire.Frame{EventKind: "preview", Payload: u})
				})
			}, nil
		})
	s.streamRoutes()
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

// scopeRoute: narrowing is the user's; widening is also confirmed by a person.
func (s *Server) scopeRoute() {
	l := s.deps.Learn
	access := userWrites.confirmed("widen-scope")
	access.When = "something is allowed that was not, or values are kept more readably"
	registerConfirmed(s, op{id: "set-scope", method: http.MethodPut, path: "/api/learn/sessions/{sessionId}/scope", tag: tagObservation,
		revisioned: true, etag: true,
		summary: "Replace what the session may watch", access: access, errors: sessionCodes},
		func(ctx context.Context, p *sessionChange, b *wire.ScopeRequest) (Subject, bool, error) {
			x, err := l.Session(ctx, p.SessionID)
			if err != nil {
				return Subject{}, false, err
			}
			return Subject{ID: x.LearnSessionID, Revision: x.Revision, ChangedAt: x.UpdatedAt}.saySession(x).sayScope(b), widens(x, *b), nil
		},
		func(ctx context.Context, p *sessionChange, b *wire.ScopeRequest) (*reply[wire.SessionActionResponse], error) {
			return sessionReply(l.SetScope(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b))
		})
}

// widens reports whether r allows anything that x does not. It compares entries as text: an entry that is new but covered by
// an older pattern is asked about once too often, never too seldom.
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
