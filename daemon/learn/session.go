package learn

import (
	"showhow/capture"
	"showhow/daemon/rehearse"
	"showhow/internal/clock"
)

// EntryMode is how a session began, as the person chose it (DOC3 0C.1, 0C.4).
type EntryMode string

const (
	DemonstratingSkill      EntryMode = "demonstrating_skill"
	CoachingAgent           EntryMode = "coaching_agent"
	AutonomousAgentPractice EntryMode = "autonomous_agent_practice"
	ImprovingExistingSkill  EntryMode = "improving_existing_skill"
	ImportSkill             EntryMode = "import_skill"
)

// ObservationMode says whose actions are watched.
type ObservationMode string

const (
	ObserveNone    ObservationMode = "none"
	ObserveInside  ObservationMode = "inside_agent"
	ObserveOutside ObservationMode = "outside_agent"
	ObserveMixed   ObservationMode = "mixed"
)

// BuildPolicy says how far a draft goes without asking (decisions A6).
type BuildPolicy string

const (
	AskBeforeBuild     BuildPolicy = "ask_before_build"
	BuildThenReview    BuildPolicy = "build_then_review"
	PrivateAutoInstall BuildPolicy = "private_auto_install"
)

// ExecutionMode says how binding the checkpoints of the skill are.
type ExecutionMode string

const (
	Strict   ExecutionMode = "strict"
	Guided   ExecutionMode = "guided"
	Adaptive ExecutionMode = "adaptive"
)

// TargetKind is what is being learned.
type TargetKind string

const (
	NewSkill      TargetKind = "new_skill"
	ExistingSkill TargetKind = "existing_skill"
	ImportedSkill TargetKind = "imported_skill"
)

// PauseReason says why capture is paused.
type PauseReason string

const (
	PausedByUser      PauseReason = "user"
	PausedNoIndicator PauseReason = "no_indicator"
	PausedTimeout     PauseReason = "capture_timeout"
	PausedIdle        PauseReason = "idle"
	PausedLocked      PauseReason = "screen_locked"
	PausedSwitched    PauseReason = "user_switched"
	PausedSuspended   PauseReason = "suspended"
	PausedRestart     PauseReason = "daemon_restart"
	PausedAdapter     PauseReason = "adapter_failed"
	PausedStore       PauseReason = "store_failed"
)

// Action is something the caller may do next with a session or proposal; the UI shows these and works nothing out itself.
type Action string

const (
	CanStart     Action = "start"
	CanPause     Action = "pause"
	CanResume    Action = "resume"
	CanStop      Action = "stop"
	CanCancel    Action = "cancel"
	CanMark      Action = "mark"
	CanTrim      Action = "trim"
	CanScope     Action = "scope"
	CanExample   Action = "add_example"
	CanPropose   Action = "generate_proposal"
	CanAnswer    Action = "answer_questions"
	CanValidate  Action = "validate"
	CanRevise    Action = "revise"
	CanInstall   Action = "install"
	CanApprove   Action = "approve"
	CanReject    Action = "reject"
	CanDelete    Action = "delete"
	CanCancelRun Action = "cancel_run"
)

// Session is LearnSession (DOC3 0C.1) with what decisions A2-A9 add to it: one struct for detail, lists and responses.
type Session struct {
	LearnSessionID            string          `json:"learn_session_id" format:"uuid"`
	EntryMode                 EntryMode       `json:"entry_mode" enum:"demonstrating_skill,coaching_agent,autonomous_agent_practice,improving_existing_skill,import_skill"`
	ObservationMode           ObservationMode `json:"observation_mode" enum:"none,inside_agent,outside_agent,mixed"`
	BuildPolicy               BuildPolicy     `json:"build_policy" enum:"ask_before_build,build_then_review,private_auto_install"`
	ExecutionMode             ExecutionMode   `json:"execution_mode" enum:"strict,guided,adaptive"`
	TargetKind                TargetKind      `json:"target_kind" enum:"new_skill,existing_skill,imported_skill"`
	State                     State           `json:"state" enum:"idle,armed,capturing,paused,stopped,reviewing,awaiting_questions,drafting_proposal,testing_proposal,ready_for_review,installing_private,installed_private,approved,rejected,cancelled,quarantined"`
	ActorMode                 string          `json:"actor_mode" enum:"user_driven,agent_driven,mixed"`
	ProjectID                 string          `json:"project_id,omitempty" maxLength:"120"`
	RoomID                    string          `json:"room_id,omitempty" maxLength:"160"`
	TargetSkillID             string          `json:"target_skill_id,omitempty" maxLength:"160"`
	TargetAppFamily           string          `json:"target_app_family,omitempty" maxLength:"80"`
	TargetAppWhitelist        []string        `json:"target_app_whitelist" doc:"the same list as scope.apps"`
	ActiveTraceIDs            []string        `json:"active_trace_ids" format:"uuid"`
	ActiveObservationBatchIDs []string        `json:"active_observation_batch_ids" format:"uuid"`
	ProposalID                string          `json:"proposal_id,omitempty" format:"uuid"`
	InterpretationID          string          `json:"interpretation_id,omitempty" format:"uuid"`
	ValidationRunID           string          `json:"validation_run_id,omitempty" format:"uuid"`
	AbilityID                 string          `json:"ability_id,omitempty" maxLength:"160"`
	StartBoundaryRef          string          `json:"start_boundary_ref,omitempty" maxLength:"240"`
	StopBoundaryRef           string          `json:"stop_boundary_ref,omitempty" maxLength:"240"`
	TestPolicyRef             string          `json:"test_policy_ref,omitempty" maxLength:"240"`
	CreatedAt                 clock.Time      `json:"created_at" format:"date-time"`
	UpdatedAt                 clock.Time      `json:"updated_at" format:"date-time"`
	SchemaVersion             int             `json:"schema_version" enum:"1"`

	Goal                   string               `json:"goal,omitempty" maxLength:"400" doc:"what the person wants an agent to be able to do"`
	Scope                  capture.Scope        `json:"scope" doc:"what may be watched; nothing else is kept"`
	Adapters               []capture.Kind       `json:"adapters" doc:"adapter kinds this session observes with"`
	AdaptersArmed          []string             `json:"adapters_armed" doc:"adapters that observe right now"`
	ValuePolicy            capture.Policy       `json:"value_policy" enum:"literal,masked,omitted"`
	LiteralApps            []string             `json:"literal_apps,omitempty" doc:"apps whose values are kept readable; secrets never are"`
	AllowPrivateInstall    bool                 `json:"allow_private_install"`
	AskBeforeBuild         bool                 `json:"ask_before_build"`
	RequestedSafeTargetRef string               `json:"requested_safe_target_ref,omitempty" maxLength:"240"`
	SourceRunIDs           []string             `json:"source_run_ids,omitempty"`
	SourceTraceIDs         []string             `json:"source_trace_ids,omitempty" doc:"of earlier sessions, which it learned from"`
	SourceReceiptID        string               `json:"source_receipt_id,omitempty" format:"uuid"`
	SplitFrom              *SplitFrom           `json:"split_from,omitempty" doc:"the draft that it is a part of"`
	SlotID                 string               `json:"slot_id,omitempty" format:"uuid" doc:"of parts: they may be open beside the session they were split from"`
	ImportID               string               `json:"import_id,omitempty" format:"uuid" doc:"the import that it shows; what is decided is decided there"`
	TempArtifactRef        string               `json:"temp_artifact_ref,omitempty" maxLength:"240" doc:"the upload that it shows, until it is scanned"`
	TargetID               string               `json:"target_id" format:"uuid" doc:"the learning target: the first session's id, shared by its examples"`
	ExampleOf              string               `json:"example_of,omitempty" format:"uuid"`
	ExampleIDs             []string             `json:"example_ids" format:"uuid"`
	Retain                 bool                 `json:"retain" doc:"keep the raw observations beyond the usual seven days"`
	ModelConsent           string               `json:"model_consent,omitempty" maxLength:"300" doc:"the model on another machine that the person lets see the draft's texts"`
	PauseReason            PauseReason          `json:"pause_reason,omitempty"`
	Reason                 string               `json:"reason,omitempty" maxLength:"240" doc:"why it was cancelled, rejected or quarantined, as a code"`
	TestPolicy             *rehearse.TestPolicy `json:"test_policy,omitempty"`
	EventsKept             int64                `json:"events_kept" minimum:"0"`
	EventsWithheld         int64                `json:"events_withheld" minimum:"0"`
	Withheld               []capture.Withheld   `json:"withheld"`
	StartedAt              *clock.Time          `json:"started_at,omitempty" format:"date-time" doc:"when capture began"`
	StoppedAt              *clock.Time          `json:"stopped_at,omitempty" format:"date-time" doc:"when capture ended for good"`
	CapturingSince         *clock.Time          `json:"capturing_since,omitempty" format:"date-time" doc:"when it last began or resumed"`
	TimedOut               bool                 `json:"timed_out,omitempty" doc:"cancelled because it was never started"`
	Ended                  bool                 `json:"ended" doc:"nothing more will happen to it; the slot is free (decisions A2)"`
	EndedAt                *clock.Time          `json:"ended_at,omitempty" format:"date-time"`
	RawPurgedAt            *clock.Time          `json:"raw_purged_at,omitempty" format:"date-time"`
	PurgeWarnedAt          *clock.Time          `json:"purge_warned_at,omitempty" format:"date-time" doc:"its raw data will be purged because nobody touched it"`
	ArchivedAt             *clock.Time          `json:"archived_at,omitempty" format:"date-time"`
	Title                  string               `json:"title,omitempty" maxLength:"200"`
	Outcome                string               `json:"outcome,omitempty" enum:"approved,rejected,cancelled,in_progress,quarantined"`
	UIState                string               `json:"ui_state" enum:"capturing,awaiting_input,drafting,testing,ready_for_review,private_active,revision_required"`
	Notices                []string             `json:"notices" doc:"what the person should know now, in words"`
	AllowedActions         []Action             `json:"allowed_actions"`
	Revision               int                  `json:"revision" minimum:"1" doc:"for If-Match"`
	SagaID                 string               `json:"saga_id,omitempty" format:"uuid"`
	WantedLane             string               `json:"wanted_lane,omitempty" enum:"experimental_private,approved_workspace,shared_promoted"`
	ConfirmedPartial       bool                 `json:"confirmed_partial,omitempty"`
}

// BoundaryKind is what a boundary marks (DOC3 0C.22).
type BoundaryKind string

const (
	BoundaryStart     BoundaryKind = "start"
	BoundaryPause     BoundaryKind = "pause"
	BoundaryResume    BoundaryKind = "resume"
	BoundaryStop      BoundaryKind = "stop"
	BoundaryCancel    BoundaryKind = "cancel"
	BoundaryTrimStart BoundaryKind = "trim_start"
	BoundaryTrimEnd   BoundaryKind = "trim_end"
	BoundaryGoal      BoundaryKind = "mark_goal"
	BoundaryStep      BoundaryKind = "mark_step"
)

// Sources of a boundary or call.
const (
	SourceClick    = "user_click"
	SourceHotkey   = "hotkey"
	SourceInferred = "system_inferred"
	SourceAPI      = "api_call"
)

// Boundary is WorkflowBoundary (DOC3 0C.22).
type Boundary struct {
	BoundaryID     string       `json:"boundary_id" format:"uuid"`
	LearnSessionID string       `json:"learn_session_id" format:"uuid"`
	Kind           BoundaryKind `json:"kind" enum:"start,pause,resume,stop,cancel,trim_start,trim_end,mark_goal,mark_step"`
	Source         string       `json:"source" enum:"user_click,hotkey,system_inferred,api_call"`
	Label          string       `json:"label,omitempty" maxLength:"400"`
	StepKindHint   string       `json:"step_kind_hint,omitempty" enum:"action,guard,verification,decision,other"`
	SourceEventID  string       `json:"source_event_id,omitempty" format:"uuid"`
	EventAt        string       `json:"event_at,omitempty" format:"date-time" doc:"when that event happened, microseconds"`
	CreatedAt      clock.Time   `json:"created_at" format:"date-time"`
	SchemaVersion  int          `json:"schema_version" enum:"1"`
}
