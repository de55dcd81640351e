package routes

import (
	"context"

	"showhow/capture"
	"showhow/capture/live"
	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
)

// Settings is what the routes need of *settings.Keeper.
type Settings interface {
	Saved() wire.Settings
	Change(r wire.SettingsChange) (wire.Settings, error)
}

// Learn is what the routes need of *learn.Service.
type Learn interface {
	Sessions
	Proposals
}

// Sessions are learn sessions: made, controlled and read.
type Sessions interface {
	Create(ctx context.Context, m state.Meta, r wire.CreateLearnSessionRequest) (wire.CreateLearnSessionResponse, error)
	ImportRecording(ctx context.Context, m state.Meta, r wire.RecordingRequest) (wire.RecordingResponse, error)
	Start(ctx context.Context, m state.Meta, id string) (wire.StartSessionResponse, error)
	Pause(ctx context.Context, m state.Meta, id string) (state.Session, error)
	Resume(ctx context.Context, m state.Meta, id string) (state.Session, error)
	Stop(ctx context.Context, m state.Meta, id string) (wire.StopSessionResponse, error)
	Cancel(ctx context.Context, m state.Meta, id, reason string) (state.Session, error)
	Delete(ctx context.Context, m state.Meta, id string) error
	Preview(ctx context.Context, m state.Meta, r wire.PreviewRequest, show func(wire.PreviewUpdate) error) error
	MarkGoal(ctx context.Context, m state.Meta, id string, r wire.MarkGoalRequest) (state.Session, error)
	MarkStep(ctx context.Context, m state.Meta, id string, r wire.MarkStepRequest) (state.Session, error)
	Trim(ctx context.Context, m state.Meta, id string, r wire.TrimRequest) (state.Session, error)
	SetScope(ctx context.Context, m state.Meta, id string, r wire.ScopeRequest) (state.Session, error)
	SetRetain(ctx context.Context, m state.Meta, id string, retain bool) (state.Session, error)
	SetTestPolicy(ctx context.Context, m state.Meta, id string, p rehearse.TestPolicy) (state.Session, error)

	Session(ctx context.Context, id string) (state.Session, error)
	Sessions(ctx context.Context, f wire.SessionFilter) (wire.LearnSessionsListResponse, error)
	Boundaries(ctx context.Context, id string) (wire.BoundaryList, error)
	ObservationScope(ctx context.Context, id string) (wire.ObservationScopeRuntime, error)
	Runtime(ctx context.Context) (wire.LearningRuntimeSnapshot, error)
	ActiveSession(ctx context.Context) (state.Session, bool, error)
	History(ctx context.Context, f wire.HistoryFilter) (wire.LearnHistoryResponse, error)
	Receipts(ctx context.Context, f wire.ReceiptFilter) (wire.LearnReceiptsResponse, error)
	Observations(ctx context.Context, id string, q wire.PageQuery) (wire.ObservationList, error)
	Told(ctx context.Context, id string, after int64) (wire.ToldList, error)
	Observation(ctx context.Context, id, eventID string) (capture.Record, error)
	DeleteObservation(ctx context.Context, m state.Meta, id, eventID string) error
	RenewIndicator(kind string) wire.LeaseResponse
}

// Proposals are drafts: made of sessions, revised, validated and decided on.
type Proposals interface {
	Questions(ctx context.Context, id string) ([]wire.LearningQuestion, error)
	AnswerQuestions(ctx context.Context, m state.Meta, id string, r wire.AnswerQuestionsRequest) (wire.AnswerQuestionsResponse, error)
	GenerateProposal(ctx context.Context, m state.Meta, id string) (wire.GenerateProposalResponse, error)
	Values(ctx context.Context, m state.Meta, id string) (wire.ValueList, error)
	Proposals(ctx context.Context, f wire.ProposalFilter) (wire.LearnProposalsListResponse, error)
	Proposal(ctx context.Context, id string) (state.ProposalDetail, error)
	ExportProposal(ctx context.Context, m state.Meta, id string, r wire.ProposalExportRequest) (wire.ProposalExport, error)
	DraftFile(ctx context.Context, id string, revision int, path string) ([]byte, error)
	ValidationRuns(ctx context.Context, id string, q wire.PageQuery) (wire.ValidationRunsListResponse, error)
	Validate(ctx context.Context, m state.Meta, id string, r rehearse.ValidateRequest) (rehearse.ValidationRun, error)
	CheckValidate(ctx context.Context, m state.Meta, id string, r rehearse.ValidateRequest) error
	CheckInstall(ctx context.Context, m state.Meta, id string, r wire.ProposalInstallRequest) error
	CheckApprove(ctx context.Context, m state.Meta, id string, r wire.ApproveProposalRequest) error
	CancelRun(ctx context.Context, m state.Meta, runID string) (rehearse.ValidationRun, error)
	ContinueRun(ctx context.Context, m state.Meta, runID string) (rehearse.ValidationRun, error)
	Split(ctx context.Context, m state.Meta, id string, r wire.SplitRequest) (state.ProposalDetail, error)
	RunEvidence(ctx context.Context, runID string) (wire.RunEvidence, error)
	RunPicture(ctx context.Context, runID string, evidenceID int64) (wire.RunPicture, error)
	Revise(ctx context.Context, m state.Meta, id string, r wire.ProposalReviseRequest) (state.ProposalDetail, error)
	ImproveText(ctx context.Context, m state.Meta, id string, r wire.ImproveTextRequest) (wire.ImproveTextResponse, error)
	Install(ctx context.Context, m state.Meta, id string, r wire.ProposalInstallRequest) (wire.ProposalInstallResponse, error)
	Approve(ctx context.Context, m state.Meta, id string, r wire.ApproveProposalRequest) (state.ProposalDetail, error)
	Reject(ctx context.Context, m state.Meta, id string, r wire.RejectProposalRequest) (state.ProposalDetail, error)
}

// Abilities is what the routes need of *ability.Service.
type Abilities interface {
	Delete(ctx context.Context, id string, rev *int) error
	Activate(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	Deactivate(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	Quarantine(ctx context.Context, id, reason string, rev *int) (ability.AvailabilityEntry, error)
	Unquarantine(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	PromoteShared(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	Approve(ctx context.Context, id string, ap ability.Approval, rev *int) (ability.AvailabilityEntry, error)
	Reject(ctx context.Context, id, reason string, rev *int) (ability.AvailabilityEntry, error)
	Restore(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	SetPermissions(ctx context.Context, id string, p ability.Permissions, rev *int) (ability.AvailabilityEntry, error)
	Difference(ctx context.Context, id string) (ability.Difference, error)
	Reading(ctx context.Context, id string) (skill.Bundle, error)
	Export(ctx context.Context, id, target string) (skill.Bundle, []skill.Finding, error)
	Adopt(ctx context.Context, name, target string) (ability.AvailabilityEntry, error)
	Availability(ctx context.Context) (ability.AvailabilitySnapshot, error)
	AvailabilityOf(ctx context.Context, id string) (ability.AvailabilityEntry, error)
	Catalog(ctx context.Context) (ability.Catalog, error)
	BridgeEntries(ctx context.Context) (ability.Bridge, error)
	Lookup(ctx context.Context, q ability.LookupQuery) (ability.LookupResult, error)
	ExplainMatch(ctx context.Context, r ability.ExplainMatchRequest) (ability.ExplainMatchResponse, error)
	ExplainDraft(r ability.ExplainMatchRequest, d ability.Phrases) ability.ExplainMatchResponse
	VerifyCheckpoint(ctx context.Context, r ability.VerifyCheckpointRequest, by ability.Reporter) (journal.CheckpointReceipt, error)
	Sought(reporter string, found []ability.LookupMatch)
	CheckpointReceipts(ctx context.Context, f ability.ReceiptFilter, page, pageSize int) ([]journal.CheckpointReceipt, int, error)
	ApplyConfigIntent(ctx context.Context, in ability.ConfigIntent, byUser bool) (ability.ConfigDocument, error)
}

// EventLog is the outbox of lifecycle events, in commit order.
type EventLog interface {
	// Events returns up to limit events with a sequence above after; sessionID "" means all.
	Events(ctx context.Context, after int64, sessionID string, limit int) ([]journal.Event, error)
	// EventSpan: a reader that has seen everything up to after misses nothing if oldest <= after <= last.
	EventSpan(ctx context.Context) (oldest, last int64, err error)
	// Watch returns a channel that gets a value after commits with events, until ctx ends; several may share one value.
	Watch(ctx context.Context) <-chan struct{}
}

// Records is what was kept, in order of arrival.
type Records interface {
	// Observations returns up to limit records of a session with a sequence above after.
	Observations(ctx context.Context, sessionID string, after int64, limit int) ([]capture.Record, error)
}

// Live is the stream of kept observations, after scope and redaction; *capture.Live is one.
type Live interface {
	Subscribe(sessionID string) *live.Subscription
}
