package client

import (
	"showhow/adapters"
	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/access"
	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/learn"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/version"
)

// The API's types under the one name that callers need to import.
type (
	Session                  = learn.Session
	SessionList              = learn.SessionList
	SessionFilter            = learn.SessionFilter
	SessionResponse          = learn.SessionResponse
	State                    = learn.State
	Action                   = learn.Action
	EntryMode                = learn.EntryMode
	ObservationMode          = learn.ObservationMode
	BuildPolicy              = learn.BuildPolicy
	ExecutionMode            = learn.ExecutionMode
	CreateRequest            = learn.CreateRequest
	RecordingRequest         = learn.RecordingRequest
	RecordingResponse        = learn.RecordingResponse
	ExportRequest            = learn.ExportRequest
	Export                   = learn.Export
	PreviewRequest           = learn.PreviewRequest
	PreviewUpdate            = learn.PreviewUpdate
	CreateResponse           = learn.CreateResponse
	StartResponse            = learn.StartResponse
	StopResponse             = learn.StopResponse
	ActionRequest            = learn.ActionRequest
	MarkGoalRequest          = learn.MarkGoalRequest
	MarkStepRequest          = learn.MarkStepRequest
	TrimRequest              = learn.TrimRequest
	ScopeRequest             = learn.ScopeRequest
	RetainRequest            = learn.RetainRequest
	AnswerItem               = learn.AnswerItem
	AnswerQuestionsRequest   = learn.AnswerQuestionsRequest
	AnswerQuestionsResponse  = learn.AnswerQuestionsResponse
	SetTestPolicyRequest     = learn.SetTestPolicyRequest
	GenerateProposalResponse = learn.GenerateProposalResponse
	RenewIndicatorRequest    = learn.RenewIndicatorRequest
	LeaseResponse            = learn.LeaseResponse
	DeletedResponse          = learn.DeletedResponse
	Boundary                 = learn.Boundary
	BoundaryList             = learn.BoundaryList
	QuestionView             = learn.QuestionView
	ObservationScopeRuntime  = learn.ObservationScopeRuntime
	RuntimeSnapshot          = learn.RuntimeSnapshot
	ObservationList          = learn.ObservationList
	ValueList                = learn.ValueList
	History                  = learn.History
	HistoryItem              = learn.HistoryItem
	ReceiptList              = learn.ReceiptList
	ReceiptFilter            = learn.ReceiptFilter
	PageQuery                = learn.PageQuery

	Proposal              = learn.Proposal
	ProposalDetail        = learn.ProposalDetail
	ProposalList          = learn.ProposalList
	ProposalFilter        = learn.ProposalFilter
	RevisionInfo          = learn.RevisionInfo
	ReviseRequest         = learn.ReviseRequest
	ImproveTextRequest    = learn.ImproveTextRequest
	ImproveTextResponse   = learn.ImproveTextResponse
	InstallRequest        = learn.InstallRequest
	InstallResponse       = learn.InstallResponse
	ApproveRequest        = learn.ApproveRequest
	RejectRequest         = learn.RejectRequest
	ValidationRuns        = learn.ValidationRuns
	ValidationRunResponse = learn.ValidationRunResponse
	RunEvidence           = learn.RunEvidence
	RunPicture            = learn.RunPicture
	SplitRequest          = learn.SplitRequest
	Evidence              = rehearse.Evidence
	ValidateRequest       = rehearse.ValidateRequest
	ValidationRun         = rehearse.ValidationRun
	ValidationStepResult  = rehearse.ValidationStepResult
	RunKind               = rehearse.RunKind
	TestPolicy            = rehearse.TestPolicy
	PolicyMode            = rehearse.PolicyMode
	SafeTarget            = rehearse.SafeTarget
	Interpretation        = workflow.Interpretation
	Checkpoint            = workflow.Checkpoint
	Question              = compile.Question
	LintReport            = compile.LintReport
	Finding               = compile.Finding
	Verdict               = workflow.Verdict
	Graph                 = workflow.Graph

	Ability                 = ability.AvailabilityEntry
	Permissions             = ability.Permissions
	SkillExport             = wire.SkillExport
	SkillFile               = wire.SkillExportedFile
	SkillReading            = wire.SkillReading
	Difference              = ability.Difference
	FileChange              = ability.FileChange
	AvailabilitySnapshot    = ability.AvailabilitySnapshot
	Catalog                 = ability.Catalog
	CatalogEntry            = ability.CatalogEntry
	Bridge                  = ability.Bridge
	LookupQuery             = ability.LookupQuery
	LookupResult            = ability.LookupResult
	LookupMatch             = ability.LookupMatch
	ExplainMatchRequest     = ability.ExplainMatchRequest
	ExplainMatchResponse    = ability.ExplainMatchResponse
	VerifyCheckpointRequest = ability.VerifyCheckpointRequest
	ConfigIntent            = ability.ConfigIntent
	ConfigDocument          = ability.ConfigDocument
	AbilityEnabled          = wire.AbilityEnabled
	AbilityQuarantined      = wire.AbilityQuarantined
	AbilityPromoted         = wire.AbilityPromoted
	AbilityDeleted          = wire.AbilityDeleted
	CheckpointVerified      = wire.CheckpointVerified
	CheckpointReceipts      = wire.CheckpointReceipts
	CheckpointReceipt       = journal.CheckpointReceipt
	Receipt                 = journal.Receipt

	Agent                = access.AgentRow
	Agents               = wire.Agents
	AgentAdded           = wire.AgentAdded
	AgentRevoked         = wire.AgentRevoked
	Confirmation         = wire.Confirmation
	ConfirmationRequest  = wire.ConfirmationRequest
	HistoryFilter        = learn.HistoryFilter
	PendingConfirmation  = wire.PendingConfirmation
	PendingConfirmations = wire.PendingConfirmations
	ConfirmationState    = wire.ConfirmationState
	SessionOpened        = wire.SessionOpened
	Exchanged            = wire.Exchanged

	Outside      = wire.Outside
	Leaving      = wire.Leaving
	LeaveRequest = wire.LeaveRequest
	Left         = wire.Left

	AdapterStatus  = wire.AdapterStatus
	Adapters       = wire.Adapters
	Health         = adapters.Health
	Doctor         = wire.Doctor
	Check          = wire.Check
	Target         = wire.Target
	Targets        = wire.Targets
	DaemonStatus   = wire.DaemonStatus
	Stopping       = wire.Stopping
	BrowserOpened  = wire.BrowserOpened
	Version        = version.Info
	Settings       = wire.Settings
	SettingsChange = wire.SettingsChange
	SettingsValues = wire.SettingsValues
	SettingsTarget = wire.SettingsTarget

	Scope    = capture.Scope
	Kind     = capture.Kind
	Record   = capture.Record
	Withheld = capture.Withheld
)
