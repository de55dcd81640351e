package client

import (
	"showhow/daemon/wire"
	"showhow/internal/version"
)

// The API's types under the one package that callers import.
type (
	Session                  = wire.LearnSession
	SessionList              = wire.LearnSessionsListResponse
	SessionFilter            = wire.SessionFilter
	SessionResponse          = wire.SessionActionResponse
	State                    = wire.SessionState
	Action                   = wire.SessionAction
	EntryMode                = wire.EntryMode
	ObservationMode          = wire.ObservationMode
	BuildPolicy              = wire.BuildPolicy
	ExecutionMode            = wire.ExecutionMode
	CreateRequest            = wire.CreateLearnSessionRequest
	RecordingRequest         = wire.RecordingRequest
	RecordingResponse        = wire.RecordingResponse
	ExportRequest            = wire.ProposalExportRequest
	Export                   = wire.ProposalExport
	PreviewRequest           = wire.PreviewRequest
	PreviewUpdate            = wire.PreviewUpdate
	CreateResponse           = wire.CreateLearnSessionResponse
	StartResponse            = wire.StartSessionResponse
	StopResponse             = wire.StopSessionResponse
	PutAsideResponse         = wire.PutAsideResponse
	TakeUpResponse           = wire.TakeUpResponse
	ActionRequest            = wire.ActionRequest
	MarkGoalRequest          = wire.MarkGoalRequest
	MarkStepRequest          = wire.MarkStepRequest
	TrimRequest              = wire.TrimRequest
	ScopeRequest             = wire.ScopeRequest
	RetainRequest            = wire.RetainRequest
	AnswerItem               = wire.AnswerItem
	AnswerQuestionsRequest   = wire.AnswerQuestionsRequest
	AnswerQuestionsResponse  = wire.AnswerQuestionsResponse
	SetTestPolicyRequest     = wire.SetTestPolicyRequest
	GenerateProposalResponse = wire.GenerateProposalResponse
	RenewIndicatorRequest    = wire.RenewIndicatorRequest
	LeaseResponse            = wire.LeaseResponse
	DeletedResponse          = wire.DeletedResponse
	Boundary                 = wire.WorkflowBoundary
	BoundaryList             = wire.BoundaryList
	QuestionView             = wire.LearningQuestion
	ObservationScopeRuntime  = wire.ObservationScopeRuntime
	RuntimeSnapshot          = wire.LearningRuntimeSnapshot
	ObservationList          = wire.ObservationList
	ValueList                = wire.ValueList
	History                  = wire.LearnHistoryResponse
	HistoryItem              = wire.HistoryItem
	ReceiptList              = wire.LearnReceiptsResponse
	ReceiptFilter            = wire.ReceiptFilter
	PageQuery                = wire.PageQuery

	Proposal              = wire.SkillBundleProposal
	ProposalDetail        = wire.ProposalDetailResponse
	ProposalList          = wire.LearnProposalsListResponse
	ProposalFilter        = wire.ProposalFilter
	RevisionInfo          = wire.RevisionInfo
	ReviseRequest         = wire.ProposalReviseRequest
	ImproveTextRequest    = wire.ImproveTextRequest
	ImproveTextResponse   = wire.ImproveTextResponse
	InstallRequest        = wire.ProposalInstallRequest
	InstallResponse       = wire.ProposalInstallResponse
	ApproveRequest        = wire.ApproveProposalRequest
	RejectRequest         = wire.RejectProposalRequest
	ValidationRuns        = wire.ValidationRunsListResponse
	ValidationRunResponse = wire.ValidationRunResponse
	RunEvidence           = wire.RunEvidence
	RunPicture            = wire.RunPicture
	SplitRequest          = wire.SplitRequest
	Evidence              = wire.RehearsalEvidence
	ValidateRequest       = wire.StartValidationRunRequest
	ValidationRun         = wire.ValidationRun
	ValidationStepResult  = wire.ValidationStepResult
	RunKind               = wire.RunKind
	TestPolicy            = wire.TestPolicy
	PolicyMode            = wire.PolicyMode
	SafeTarget            = wire.SafeTarget
	Interpretation        = wire.SemanticWorkflowInterpretation
	Checkpoint            = wire.WorkflowCheckpoint
	Question              = wire.WorkflowQuestion
	LintReport            = wire.LintReport
	Finding               = wire.SkillFinding
	Verdict               = wire.WorkflowVerdict
	Graph                 = wire.WorkflowGraph

	Ability                 = wire.AbilityAvailabilityEntry
	Permissions             = wire.AbilityPermissions
	SkillExport             = wire.SkillExport
	SkillFile               = wire.SkillExportedFile
	SkillReading            = wire.SkillReading
	AbilityApproval         = wire.AbilityApprove
	Difference              = wire.AbilityDifference
	FileChange              = wire.AbilityFileChange
	AvailabilitySnapshot    = wire.AbilityAvailabilitySnapshot
	Catalog                 = wire.SkillCatalogCurrent
	CatalogEntry            = wire.SkillCatalogEntry
	Bridge                  = wire.CapabilityBridge
	LookupQuery             = wire.AbilityLookup
	LookupResult            = wire.AbilityLookupResult
	LookupMatch             = wire.AbilityLookupMatch
	ExplainMatchRequest     = wire.ExplainMatchRequest
	ExplainMatchResponse    = wire.AbilityExplainMatchResponse
	VerifyCheckpointRequest = wire.VerifyCheckpointRequest
	ConfigIntent            = wire.ConfigIntent
	Configuration           = wire.AbilityConfiguration
	ConfigDocument          = wire.ConfigDocument
	AbilityEnabled          = wire.AbilityEnabled
	AbilityQuarantined      = wire.AbilityQuarantined
	AbilityPromoted         = wire.AbilityPromoted
	AbilityDeleted          = wire.AbilityDeleted
	CheckpointVerified      = wire.CheckpointVerified
	DispatchProgress        = wire.DispatchProgress
	AgentQuestions          = wire.AgentQuestions
	QuestionAnswer          = wire.QuestionAnswer
	QuestionAnswered        = wire.QuestionAnswered
	CheckpointReceipts      = wire.CheckpointReceipts
	CheckpointReceipt       = wire.CheckpointVerificationReceipt
	Receipt                 = wire.LearningReceipt

	Agent                = wire.Agent
	Agents               = wire.Agents
	AgentAdded           = wire.AgentAdded
	AgentRevoked         = wire.AgentRevoked
	Confirmation         = wire.Confirmation
	ConfirmationRequest  = wire.ConfirmationRequest
	HistoryFilter        = wire.HistoryFilter
	PendingConfirmation  = wire.PendingConfirmation
	PendingConfirmations = wire.PendingConfirmations
	ConfirmationState    = wire.ConfirmationState
	SessionOpened        = wire.SessionOpened
	Exchanged            = wire.Exchanged

	Outside      = wire.Outside
	Leaving      = wire.Leaving
	LeaveRequest = wire.LeaveRequest
	Left         = wire.Left

	AdapterStatus  = wire.ObservationAdapterStatus
	Adapters       = wire.Adapters
	Health         = wire.AdapterHealth
	Doctor         = wire.Doctor
	Check          = wire.DoctorCheck
	Target         = wire.ObservationTarget
	Targets        = wire.Targets
	DaemonStatus   = wire.DaemonStatus
	Stopping       = wire.Stopping
	BrowserOpened  = wire.BrowserOpened
	Version        = version.Info
	Settings       = wire.Settings
	SettingsChange = wire.SettingsChange
	SettingsValues = wire.SettingsValues
	SettingsTarget = wire.SettingsTarget

	SettingsOutlook = wire.SettingsOutlook

	Scope    = wire.Scope
	Kind     = wire.AdapterKind
	Record   = wire.Observation
	Withheld = wire.Withheld
)
