package client

import (
	"context"
	"net/http"

	"showhow/daemon/wire"
)

// Agents' runtime events, and the reports on them.
type (
	RuntimeEventsTaken     = wire.RuntimeEventsTaken
	RuntimeEventList       = wire.RuntimeEventList
	RuntimeSessionList     = wire.RuntimeSessionList
	RuntimeReport          = wire.RuntimeSessionReportAnswer
	RuntimeReportPreview   = wire.RuntimeReportPreview
	RuntimeHandoffBundle   = wire.RuntimeHandoffBundle
	RuntimeFeedback        = wire.ProjectedFeedbackRecord
	RuntimeFeedbackRequest = wire.RuntimeFeedbackRequest
	RuntimeReportsRequest  = wire.RuntimeReportsRequest
	RuntimeReportsWritten  = wire.RuntimeReportsWritten
	RuntimeSessionDeleted  = wire.RuntimeSessionDeleted
	Governance             = wire.GovernanceAnswer
)

const eventsPath = "/api/events/"

// EventService is the part of the API about agents' runtime events.
type EventService struct{ t *transport }

// SendRuntimeEvents sends an envelope, a list or a batch unchanged. Sending it again changes nothing.
func (c EventService) SendRuntimeEvents(ctx context.Context, body []byte) (RuntimeEventsTaken, error) {
	return post[RuntimeEventsTaken](ctx, c.t, eventsPath+"runtime", verbatim(body))
}

// ImportRuntimeEvents imports what a runtime or another Showhow wrote.
func (c EventService) ImportRuntimeEvents(ctx context.Context, body []byte) (RuntimeEventsTaken, error) {
	return post[RuntimeEventsTaken](ctx, c.t, eventsPath+"import", verbatim(body))
}

// PreviewRuntimeReport reports on a payload without storing it; write also writes the report files.
func (c EventService) PreviewRuntimeReport(ctx context.Context, body []byte, write bool) (RuntimeReportPreview, error) {
	path := eventsPath + "report"
	if write {
		path += "?write_report=true"
	}
	return post[RuntimeReportPreview](ctx, c.t, path, verbatim(body))
}

// GiveRuntimeFeedback gives feedback on an agent's session.
func (c EventService) GiveRuntimeFeedback(ctx context.Context, r RuntimeFeedbackRequest) (RuntimeFeedback, error) {
	return post[RuntimeFeedback](ctx, c.t, eventsPath+"feedback", r)
}

// WriteRuntimeReports writes reports as files.
func (c EventService) WriteRuntimeReports(ctx context.Context, kind, sessionID string) (RuntimeReportsWritten, error) {
	return post[RuntimeReportsWritten](ctx, c.t, eventsPath+"reports", RuntimeReportsRequest{Kind: kind, SessionID: sessionID})
}

// RuntimeEvents is a page of the chain from envelope to feedback; sessionID "" means all sessions.
func (c EventService) RuntimeEvents(ctx context.Context, sessionID string, q PageQuery) (RuntimeEventList, error) {
	return get[RuntimeEventList](ctx, c.t, eventsPath+"runtime", page(q, "session_id", sessionID))
}

// RuntimeSessions lists sessions, newest first.
func (c EventService) RuntimeSessions(ctx context.Context, q PageQuery) (RuntimeSessionList, error) {
	return get[RuntimeSessionList](ctx, c.t, eventsPath+"sessions", page(q))
}

// RuntimeReport is the report on a session.
func (c EventService) RuntimeReport(ctx context.Context, sessionID string) (RuntimeReport, error) {
	return get[RuntimeReport](ctx, c.t, at(eventsPath+"sessions/", sessionID, "/report"), nil)
}

// RuntimeHandoff is everything of a session in one bundle.
func (c EventService) RuntimeHandoff(ctx context.Context, sessionID string) (RuntimeHandoffBundle, error) {
	return get[RuntimeHandoffBundle](ctx, c.t, at(eventsPath+"sessions/", sessionID, "/handoff"), nil)
}

// Governance lists possible improvements, with the gate's verdict on each.
func (c EventService) Governance(ctx context.Context) (Governance, error) {
	return get[Governance](ctx, c.t, eventsPath+"governance", nil)
}

// DeleteRuntimeSession deletes everything of a session, to the last byte.
func (c EventService) DeleteRuntimeSession(ctx context.Context, sessionID string) (RuntimeSessionDeleted, error) {
	return do[RuntimeSessionDeleted](ctx, c.t, http.MethodDelete, at(eventsPath+"sessions/", sessionID), nil)
}
