package routes

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/events"
	"showhow/daemon/events/contract"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagRuntimeEvents = "runtime events"

// Runtime is the part of *events.Service that the routes need.
type Runtime interface {
	Take(ctx context.Context, from events.Sender, original []byte) (wire.RuntimeEventsTaken, error)
	Import(ctx context.Context, from events.Sender, original []byte) (wire.RuntimeEventsTaken, error)
	Preview(ctx context.Context, from events.Sender, original []byte, write bool) (wire.RuntimeReportPreview, error)
	Feedback(ctx context.Context, from events.Sender, r wire.RuntimeFeedbackRequest) (events.Feedback, error)
	List(ctx context.Context, sessionID string, page, size int) (wire.RuntimeEventList, error)
	Sessions(ctx context.Context, page, size int) (wire.RuntimeSessionList, error)
	Report(ctx context.Context, sessionID string) (wire.RuntimeSessionReportAnswer, error)
	Handoff(ctx context.Context, sessionID string) (wire.RuntimeHandoffBundle, error)
	Governance(ctx context.Context) (wire.GovernanceAnswer, error)
	Write(ctx context.Context, from events.Sender, kind, sessionID string) (wire.RuntimeReportsWritten, error)
	Delete(ctx context.Context, sessionID string) (wire.RuntimeSessionDeleted, error)
}

var _ Runtime = (*events.Service)(nil)

// RuntimeSessionPath is the parameter of the routes of one runtime session.
type RuntimeSessionPath struct {
	SessionID string `path:"sessionId" maxLength:"160" pattern:"^[A-Za-z0-9][A-Za-z0-9._:-]*$"`
}

type runtimeEventsQuery struct {
	wire.Page
	SessionID string `query:"session_id" maxLength:"160" pattern:"^[A-Za-z0-9][A-Za-z0-9._:-]*$" doc:"omitted: every session's"`
}

type previewQuery struct {
	WriteReport bool `query:"write_report" doc:"also write the report files"`
}

// EventRoutes are the routes of runtime events.
type EventRoutes struct {
	Events Runtime
}

func sender(ctx context.Context) events.Sender {
	c := caller.Of(ctx)
	return events.Sender{Agents: c.Agents(), CorrelationID: c.CorrelationID}
}

// postable lists the shapes that a runtime sends; an operator's artifact is imported.
func postable(d *engine.Document) *huma.Schema {
	return d.OneOf(reflect.TypeFor[wire.RuntimeEnvelopePosted](), reflect.TypeFor[[]wire.RuntimeEnvelopePosted](),
		reflect.TypeFor[wire.RuntimeBatchPosted]())
}

func importable(d *engine.Document) *huma.Schema {
	s := postable(d)
	artifacts := d.OneOf(reflect.TypeFor[wire.RuntimeOperatorSessionPosted](), reflect.TypeFor[wire.RuntimeHandoffBundle]())
	s.OneOf = append(s.OneOf, artifacts.OneOf...)
	return s
}

// Register adds the routes. An agent may send; only a person reads what was sent and the reports on it.
func (rs EventRoutes) Register(g *engine.Engine) {
	e := rs.Events
	take := engine.Post("take-runtime-events", "/api/events/runtime", tagRuntimeEvents,
		"Hand in what an agent's runtime reports: an envelope, a list of them, or a batch; an agent sends its own only", engine.AnybodyActs,
		fault.EventConflict, fault.TooManyRequests)
	take.Body = contract.MaxSent
	engine.RegisterRaw(g, take, postable, func(ctx context.Context, _ *engine.None, b []byte) (*engine.Reply[wire.RuntimeEventsTaken],
		error) {
		return engine.Answered(e.Take(ctx, sender(ctx), b))
	})
	bring := engine.Post("import-runtime-events", "/api/events/import", tagRuntimeEvents,
		"Bring in events, an operator's session or a handoff bundle; what was kept before changes nothing", engine.UserWrites,
		fault.EventConflict)
	bring.Body = contract.MaxBytes
	engine.RegisterRaw(g, bring, importable, func(ctx context.Context, _ *engine.None, b []byte) (*engine.Reply[wire.RuntimeEventsTaken],
		error) {
		return engine.Answered(e.Import(ctx, sender(ctx), b))
	})
	preview := engine.Post("preview-runtime-report", "/api/events/report", tagRuntimeEvents,
		"Report on the sessions of a payload without keeping it", engine.UserWrites)
	preview.Body = contract.MaxBytes
	engine.RegisterRaw(g, preview, importable, func(ctx context.Context, p *previewQuery, b []byte) (*engine.Reply[wire.RuntimeReportPreview],
		error) {
		return engine.Answered(e.Preview(ctx, sender(ctx), b, p.WriteReport))
	})
	engine.Register(g, engine.Post("give-runtime-feedback", "/api/events/feedback", tagRuntimeEvents,
		"Say how an agent's session went; a person's word counts before the agent's", engine.UserWrites, fault.NotFound),
		func(ctx context.Context, _ *engine.None, b *wire.RuntimeFeedbackRequest) (*engine.Reply[events.Feedback], error) {
			return engine.Answered(e.Feedback(ctx, sender(ctx), *b))
		})
	engine.Register(g, engine.Post("write-runtime-reports", "/api/events/reports", tagRuntimeEvents,
		"Write reports as files below the memory root", engine.UserWrites, fault.NotFound),
		func(ctx context.Context, _ *engine.None, b *wire.RuntimeReportsRequest) (*engine.Reply[wire.RuntimeReportsWritten], error) {
			return engine.Answered(e.Write(ctx, sender(ctx), b.Kind, b.SessionID))
		})
	rs.reads(g)
}

func (rs EventRoutes) reads(g *engine.Engine) {
	e := rs.Events
	engine.Register(g, engine.Get("list-runtime-events", "/api/events/runtime", tagRuntimeEvents,
		"Each envelope beside what was projected of it, oldest first, and whether its sealed original still says it", engine.UserReads,
		fault.NotFound),
		func(ctx context.Context, p *runtimeEventsQuery, _ *engine.None) (*engine.Reply[wire.RuntimeEventList], error) {
			return engine.Answered(e.List(ctx, p.SessionID, p.Page.Page, p.PageSize))
		})
	engine.Register(g, engine.Get("list-runtime-sessions", "/api/events/sessions", tagRuntimeEvents,
		"Sessions of agents' runtimes, newest first", engine.UserReads),
		func(ctx context.Context, p *wire.Page, _ *engine.None) (*engine.Reply[wire.RuntimeSessionList], error) {
			return engine.Answered(e.Sessions(ctx, p.Page, p.PageSize))
		})
	engine.Register(g, engine.Get("get-runtime-report", "/api/events/sessions/{sessionId}/report", tagRuntimeEvents,
		"What became of a session", engine.UserReads, fault.NotFound),
		func(ctx context.Context, p *RuntimeSessionPath, _ *engine.None) (*engine.Reply[wire.RuntimeSessionReportAnswer], error) {
			return engine.Answered(e.Report(ctx, p.SessionID))
		})
	engine.Register(g, engine.Get("get-runtime-handoff", "/api/events/sessions/{sessionId}/handoff", tagRuntimeEvents,
		"Everything of a session in one bundle, redacted, to be imported elsewhere", engine.UserReads, fault.NotFound),
		func(ctx context.Context, p *RuntimeSessionPath, _ *engine.None) (*engine.Reply[wire.RuntimeHandoffBundle], error) {
			return engine.Answered(e.Handoff(ctx, p.SessionID))
		})
	engine.Register(g, engine.Get("get-governance", "/api/events/governance", tagRuntimeEvents,
		"What could be made better, what the gate says of each, how risky it is, and how it is taken back", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.GovernanceAnswer], error) {
			return engine.Answered(e.Governance(ctx))
		})
	engine.Register(g, engine.Op{ID: "delete-runtime-session", Method: http.MethodDelete, Path: "/api/events/sessions/{sessionId}",
		Tag: tagRuntimeEvents, Summary: "Delete everything of a session, to the last byte", Access: engine.UserWrites,
		Errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *RuntimeSessionPath, _ *engine.None) (*engine.Reply[wire.RuntimeSessionDeleted], error) {
			return engine.Answered(e.Delete(ctx, p.SessionID))
		})
}
