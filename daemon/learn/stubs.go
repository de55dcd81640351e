package learn

import (
	"context"

	"showhow/capture"
	"showhow/daemon/rehearse"
)

// Service is learning, orchestrated. Its methods are safe for concurrent use.
type Service struct{ d Deps }

// New makes a service; call Recover once, then Run.
func New(d Deps) *Service { return &Service{d: d} }

// Recover puts right what a crash left behind (decisions A9). Call it before serving.
func (s *Service) Recover(ctx context.Context) error { return nil }

// Run keeps the lease, time limits and housekeeping until ctx ends.
func (s *Service) Run(ctx context.Context) error { <-ctx.Done(); return nil }

// Close pauses a running capture, cancels runs and waits.
func (s *Service) Close(ctx context.Context) error { return nil }

// Sessions.
func (s *Service) Create(ctx context.Context, m Meta, r CreateRequest) (CreateResponse, error) {
	return CreateResponse{}, nil
}
func (s *Service) Start(ctx context.Context, m Meta, id string) (StartResponse, error) {
	return StartResponse{}, nil
}
func (s *Service) Pause(ctx context.Context, m Meta, id string) (Session, error) {
	return Session{}, nil
}
func (s *Service) Resume(ctx context.Context, m Meta, id string) (Session, error) {
	return Session{}, nil
}
func (s *Service) Stop(ctx context.Context, m Meta, id string) (StopResponse, error) {
	return StopResponse{}, nil
}
func (s *Service) Cancel(ctx context.Context, m Meta, id, reason string) (Session, error) {
	return Session{}, nil
}
func (s *Service) Delete(ctx context.Context, m Meta, id string) error { return nil }
func (s *Service) MarkGoal(ctx context.Context, m Meta, id string, r MarkGoalRequest) (Session, error) {
	return Session{}, nil
}
func (s *Service) MarkStep(ctx context.Context, m Meta, id string, r MarkStepRequest) (Session, error) {
	return Session{}, nil
}
func (s *Service) Trim(ctx context.Context, m Meta, id string, r TrimRequest) (Session, error) {
	return Session{}, nil
}
func (s *Service) SetScope(ctx context.Context, m Meta, id string, r ScopeRequest) (Session, error) {
	return Session{}, nil
}
func (s *Service) SetRetain(ctx context.Context, m Meta, id string, retain bool) (Session, error) {
	return Session{}, nil
}
func (s *Service) SetTestPolicy(ctx context.Context, m Meta, id string, p rehearse.TestPolicy) (Session, error) {
	return Session{}, nil
}
func (s *Service) Questions(ctx context.Context, id string) ([]QuestionView, error) { return nil, nil }
func (s *Service) AnswerQuestions(ctx context.Context, m Meta, id string, r AnswerQuestionsRequest) (AnswerQuestionsResponse, error) {
	return AnswerQuestionsResponse{}, nil
}
func (s *Service) GenerateProposal(ctx context.Context, m Meta, id string) (GenerateProposalResponse, error) {
	return GenerateProposalResponse{}, nil
}
func (s *Service) Session(ctx context.Context, id string) (Session, error) { return Session{}, nil }
func (s *Service) Sessions(ctx context.Context, f SessionFilter) (SessionList, error) {
	return SessionList{}, nil
}
func (s *Service) Boundaries(ctx context.Context, id string) (BoundaryList, error) {
	return BoundaryList{}, nil
}
func (s *Service) ObservationScope(ctx context.Context, id string) (ObservationScopeRuntime, error) {
	return ObservationScopeRuntime{}, nil
}
func (s *Service) Runtime(ctx context.Context) (RuntimeSnapshot, error) {
	return RuntimeSnapshot{}, nil
}

// ActiveSession is the session that has not ended and was touched last; the deprecated routes redirect to it.
func (s *Service) ActiveSession(ctx context.Context) (Session, bool, error) {
	return Session{}, false, nil
}
func (s *Service) History(ctx context.Context, q PageQuery) (History, error) { return History{}, nil }
func (s *Service) Receipts(ctx context.Context, f ReceiptFilter) (ReceiptList, error) {
	return ReceiptList{}, nil
}

// Preview-free reads of what was kept; for the user only.
func (s *Service) Observations(ctx context.Context, id string, q PageQuery) (ObservationList, error) {
	return ObservationList{}, nil
}
func (s *Service) Observation(ctx context.Context, id, eventID string) (capture.Record, error) {
	return capture.Record{}, nil
}
func (s *Service) DeleteObservation(ctx context.Context, m Meta, id, eventID string) error {
	return nil
}

// Values opens the sealed values of a session's learning target for review; for the user only, never for an agent.
func (s *Service) Values(ctx context.Context, m Meta, id string) (ValueList, error) {
	return ValueList{}, nil
}

// RenewIndicator says that a person can see right now that capture is on; adapters' Indicate and the UI's heartbeat call it.
func (s *Service) RenewIndicator(kind string) LeaseResponse { return LeaseResponse{} }

// CaptureFailed pauses a session whose capture broke: an adapter ended, or the store refused an observation.
func (s *Service) CaptureFailed(ctx context.Context, sessionID string, reason PauseReason) error {
	return nil
}

// RefreshRuntime rewrites runtime/current.json, for example after an ability became unusable.
func (s *Service) RefreshRuntime(ctx context.Context) error { return nil }

// Proposals.
func (s *Service) Proposals(ctx context.Context, f ProposalFilter) (ProposalList, error) {
	return ProposalList{}, nil
}
func (s *Service) Proposal(ctx context.Context, id string) (ProposalDetail, error) {
	return ProposalDetail{}, nil
}

// DraftFile returns one file of a revision of a draft; revision 0 means the current one.
func (s *Service) DraftFile(ctx context.Context, id string, revision int, path string) ([]byte, error) {
	return nil, nil
}
func (s *Service) ValidationRuns(ctx context.Context, id string, q PageQuery) (ValidationRuns, error) {
	return ValidationRuns{}, nil
}
func (s *Service) Validate(ctx context.Context, m Meta, id string, r rehearse.ValidateRequest) (rehearse.ValidationRun, error) {
	return rehearse.ValidationRun{}, nil
}
func (s *Service) CancelRun(ctx context.Context, m Meta, runID string) (rehearse.ValidationRun, error) {
	return rehearse.ValidationRun{}, nil
}

// WaitRuns blocks until no run of the proposal is running or ctx ends.
func (s *Service) WaitRuns(ctx context.Context, id string) error { return nil }
func (s *Service) Revise(ctx context.Context, m Meta, id string, r ReviseRequest) (ProposalDetail, error) {
	return ProposalDetail{}, nil
}
func (s *Service) Install(ctx context.Context, m Meta, id string, r InstallRequest) (InstallResponse, error) {
	return InstallResponse{}, nil
}
func (s *Service) Approve(ctx context.Context, m Meta, id string, r ApproveRequest) (ProposalDetail, error) {
	return ProposalDetail{}, nil
}
func (s *Service) Reject(ctx context.Context, m Meta, id string, r RejectRequest) (ProposalDetail, error) {
	return ProposalDetail{}, nil
}
