package state

const (
	DemonstratingSkill      EntryMode = "demonstrating_skill"
	CoachingAgent           EntryMode = "coaching_agent"
	AutonomousAgentPractice EntryMode = "autonomous_agent_practice"
	ImprovingExistingSkill  EntryMode = "improving_existing_skill"
	ImportSkill             EntryMode = "import_skill"
)

const (
	ObserveNone    ObservationMode = "none"
	ObserveInside  ObservationMode = "inside_agent"
	ObserveOutside ObservationMode = "outside_agent"
	ObserveMixed   ObservationMode = "mixed"
)

const (
	AskBeforeBuild     BuildPolicy = "ask_before_build"
	BuildThenReview    BuildPolicy = "build_then_review"
	PrivateAutoInstall BuildPolicy = "private_auto_install"
)

const (
	Strict   ExecutionMode = "strict"
	Guided   ExecutionMode = "guided"
	Adaptive ExecutionMode = "adaptive"
)

const (
	NewSkill      TargetKind = "new_skill"
	ExistingSkill TargetKind = "existing_skill"
	ImportedSkill TargetKind = "imported_skill"
)

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
	CanPutAside  Action = "put_aside"
	CanTakeUp    Action = "take_up"
	CanDelete    Action = "delete"
	CanCancelRun Action = "cancel_run"
)

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

// ActorMode says who acts while a session observes in this mode.
func ActorMode(o ObservationMode) string {
	switch o {
	case ObserveOutside:
		return "user_driven"
	case ObserveInside:
		return "agent_driven"
	}
	return "mixed"
}
