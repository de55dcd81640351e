package client

import (
	"context"
	"net/http"
)

const sessions = "/api/learn/sessions/"

// SessionService is the part of the API about demonstrations: their lifecycle, scope, marks, questions and
// observations.
type SessionService struct{ t *transport }

// Sessions lists sessions, newest first.
func (c SessionService) Sessions(ctx context.Context, f SessionFilter) (SessionList, error) {
	q := page(f.PageQuery, "state", string(f.State), "proposal_id", f.ProposalID)
	if f.Active {
		q.Set("active", "true")
	}
	return get[SessionList](ctx, c.t, "/api/learn/sessions", q)
}

// Session returns one session.
func (c SessionService) Session(ctx context.Context, id string) (Session, error) {
	return get[Session](ctx, c.t, at(sessions, id, "/detail"), nil)
}

// CreateSession makes and arms a session.
func (c SessionService) CreateSession(ctx context.Context, r CreateRequest, calls ...Call) (CreateResponse, error) {
	return post[CreateResponse](ctx, c.t, "/api/learn/sessions", r, calls...)
}

// StartSession starts capturing.
func (c SessionService) StartSession(ctx context.Context, id string, calls ...Call) (StartResponse, error) {
	return post[StartResponse](ctx, c.t, at(sessions, id, "/start"), nil, calls...)
}

// PauseSession stops keeping anything until ResumeSession.
func (c SessionService) PauseSession(ctx context.Context, id string, calls ...Call) (Session, error) {
	return c.act(ctx, id, "/pause", nil, calls)
}

// ResumeSession resumes capturing.
func (c SessionService) ResumeSession(ctx context.Context, id string, calls ...Call) (Session, error) {
	return c.act(ctx, id, "/resume", nil, calls)
}

// StopSession ends the demonstration.
func (c SessionService) StopSession(ctx context.Context, id string, calls ...Call) (StopResponse, error) {
	return post[StopResponse](ctx, c.t, at(sessions, id, "/stop"), nil, calls...)
}

// CancelSession cancels the session.
func (c SessionService) CancelSession(ctx context.Context, id, reason string, calls ...Call) (Session, error) {
	return c.act(ctx, id, "/cancel", ActionRequest{Reason: reason}, calls)
}

// PutAside frees the slot; the draft waits until TakeUp.
func (c SessionService) PutAside(ctx context.Context, id string, calls ...Call) (PutAsideResponse, error) {
	return post[PutAsideResponse](ctx, c.t, at(sessions, id, "/put-aside"), nil, calls...)
}

// DeleteSession deletes a session and everything observed in it; a person confirms.
func (c SessionService) DeleteSession(ctx context.Context, id string, calls ...Call) (DeletedResponse, error) {
	return do[DeletedResponse](ctx, c.t, http.MethodDelete, at(sessions, id), nil, calls...)
}

// MarkGoal records the goal of the demonstration.
func (c SessionService) MarkGoal(ctx context.Context, id string, r MarkGoalRequest, calls ...Call) (Session, error) {
	return c.act(ctx, id, "/mark-goal", r, calls)
}

// MarkStep names the step that comes next.
func (c SessionService) MarkStep(ctx context.Context, id string, r MarkStepRequest, calls ...Call) (Session, error) {
	return c.act(ctx, id, "/mark-step", r, calls)
}

// Trim moves the beginning or the end of the demonstration.
func (c SessionService) Trim(ctx context.Context, id string, r TrimRequest, calls ...Call) (Session, error) {
	return c.act(ctx, id, "/trim", r, calls)
}

// Retain keeps the raw observations beyond the usual seven days, or not.
func (c SessionService) Retain(ctx context.Context, id string, keep bool, calls ...Call) (Session, error) {
	return c.act(ctx, id, "/retain", RetainRequest{Retain: keep}, calls)
}

// SetTestPolicy sets how far a validation run may go.
func (c SessionService) SetTestPolicy(ctx context.Context, id string, p TestPolicy, calls ...Call) (Session, error) {
	p.SchemaVersion = 1
	return c.act(ctx, id, "/set-test-policy", SetTestPolicyRequest{TestPolicy: p}, calls)
}

// SetScope replaces what the session may watch; a person confirms anything wider.
func (c SessionService) SetScope(ctx context.Context, id string, r ScopeRequest, calls ...Call) (Session, error) {
	out, err := do[SessionResponse](ctx, c.t, http.MethodPut, at(sessions, id, "/scope"), r, calls...)
	return out.Session, err
}

// Boundaries lists where the demonstration begins, ends and was marked.
func (c SessionService) Boundaries(ctx context.Context, id string) (BoundaryList, error) {
	return get[BoundaryList](ctx, c.t, at(sessions, id, "/boundaries"), nil)
}

// Questions lists the open points, with the answers so far.
func (c SessionService) Questions(ctx context.Context, id string) ([]QuestionView, error) {
	out, err := get[struct {
		Questions []QuestionView `json:"questions"`
	}](ctx, c.t, at(sessions, id, "/questions"), nil)
	return out.Questions, err
}

// AnswerQuestions answers questions.
func (c SessionService) AnswerQuestions(ctx context.Context, id string, r AnswerQuestionsRequest, calls ...Call) (AnswerQuestionsResponse,
	error) {
	return post[AnswerQuestionsResponse](ctx, c.t, at(sessions, id, "/answer-questions"), r, calls...)
}

// GenerateProposal drafts a skill from the demonstration.
func (c SessionService) GenerateProposal(ctx context.Context, id string, calls ...Call) (GenerateProposalResponse, error) {
	return post[GenerateProposalResponse](ctx, c.t, at(sessions, id, "/generate-proposal"), nil, calls...)
}

// ObservationScope returns what is being observed and what was withheld.
func (c SessionService) ObservationScope(ctx context.Context, id string) (ObservationScopeRuntime, error) {
	return get[ObservationScopeRuntime](ctx, c.t, at(sessions, id, "/observation-scope"), nil)
}

// Observations lists what was kept, in order of arrival.
func (c SessionService) Observations(ctx context.Context, id string, q PageQuery) (ObservationList, error) {
	return get[ObservationList](ctx, c.t, at(sessions, id, "/observations"), page(q))
}

// Observation returns one kept observation.
func (c SessionService) Observation(ctx context.Context, id, eventID string) (Record, error) {
	return get[Record](ctx, c.t, at(sessions, id, "/observations/", eventID), nil)
}

// DeleteObservation erases one observation.
func (c SessionService) DeleteObservation(ctx context.Context, id, eventID string) (DeletedResponse, error) {
	return do[DeletedResponse](ctx, c.t, http.MethodDelete, at(sessions, id, "/observations/", eventID), nil)
}

// Values opens what the person entered, for the review on screen.
func (c SessionService) Values(ctx context.Context, id string) (ValueList, error) {
	return get[ValueList](ctx, c.t, at(sessions, id, "/values"), nil)
}

// SessionCheckpointReceipts lists the checkpoint reports of this session.
func (c SessionService) SessionCheckpointReceipts(ctx context.Context, id string, q PageQuery) (CheckpointReceipts, error) {
	return get[CheckpointReceipts](ctx, c.t, at(sessions, id, "/checkpoint-receipts"), page(q))
}

// RenewIndicator asserts that a person can see right now that capture is on.
func (c SessionService) RenewIndicator(ctx context.Context, indicator string) (LeaseResponse, error) {
	return post[LeaseResponse](ctx, c.t, "/api/learn/indicators/renew", RenewIndicatorRequest{Indicator: indicator})
}

// Runtime returns what is being learned right now; the last session when nothing is.
func (c SessionService) Runtime(ctx context.Context) (RuntimeSnapshot, error) {
	return get[RuntimeSnapshot](ctx, c.t, "/api/learn/runtime/current", nil)
}

// History lists every session, archived ones too.
func (c SessionService) History(ctx context.Context, f HistoryFilter) (History, error) {
	return get[History](ctx, c.t, "/api/learn/history", page(f.PageQuery, "outcome", f.Outcome, "search", f.Search))
}

// Receipts is the durable record of every change, newest first.
func (c SessionService) Receipts(ctx context.Context, f ReceiptFilter) (ReceiptList, error) {
	return get[ReceiptList](ctx, c.t, "/api/learn/receipts",
		page(f.PageQuery, "session_id", f.SessionID, "proposal_id", f.ProposalID, "ability_id", f.AbilityID, "kind", f.Kind))
}

// act posts a change that returns the session.
func (c SessionService) act(ctx context.Context, id, verb string, body any, calls []Call) (Session, error) {
	out, err := post[SessionResponse](ctx, c.t, at(sessions, id, verb), body, calls...)
	return out.Session, err
}

// ImportRecording makes a session of a recording made elsewhere.
func (c SessionService) ImportRecording(ctx context.Context, r RecordingRequest, calls ...Call) (RecordingResponse, error) {
	return post[RecordingResponse](ctx, c.t, "/api/learn/recordings", r, calls...)
}
