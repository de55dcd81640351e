package learn

import (
	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/compile"
	"showhow/daemon/compile/tell"
	"showhow/daemon/journal"
	"showhow/daemon/rehearse"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

// RuntimeSnapshot is LearningRuntimeSnapshot (DOC3 0C.7): what is being learned right now and how far it is.
type RuntimeSnapshot struct {
	LearnSessionID      string          `json:"learn_session_id" format:"uuid"`
	EntryMode           EntryMode       `json:"entry_mode" enum:"demonstrating_skill,coaching_agent,autonomous_agent_practice,improving_existing_skill,import_skill"`
	ObservationMode     ObservationMode `json:"observation_mode" enum:"none,inside_agent,outside_agent,mixed"`
	BuildPolicy         BuildPolicy     `json:"build_policy" enum:"ask_before_build,build_then_review,private_auto_install"`
	State               State           `json:"state" enum:"idle,armed,capturing,paused,stopped,reviewing,awaiting_questions,drafting_proposal,testing_proposal,ready_for_review,installing_private,installed_private,approved,rejected,cancelled,quarantined"`
	ObservedDataClasses []string        `json:"observed_data_classes"`
	ActiveBoundaryRef   string          `json:"active_boundary_ref,omitempty" maxLength:"240"`
	InterpretationID    string          `json:"interpretation_id,omitempty" format:"uuid"`
	ProposalID          string          `json:"proposal_id,omitempty" format:"uuid"`
	ValidationRunID     string          `json:"validation_run_id,omitempty" format:"uuid"`
	InstallLane         string          `json:"install_lane,omitempty" enum:"pending,experimental_private,approved_workspace,shared_promoted,quarantined"`
	AbilityID           string          `json:"ability_id,omitempty" maxLength:"160"`
	AbilityUsableNow    *bool           `json:"ability_usable_now,omitempty"`
	ReasonUnusable      string          `json:"reason_unusable,omitempty" maxLength:"240"`
	LatestReceiptIDs    []string        `json:"latest_receipt_ids" format:"uuid"`
	PauseReason         PauseReason     `json:"pause_reason,omitempty"`
	Ended               bool            `json:"ended"`
	SnapshotAsOf        clock.Time      `json:"snapshot_as_of" format:"date-time"`
	SchemaVersion       int             `json:"schema_version" enum:"1"`
}

// ObservationScopeRuntime says what is being observed (DOC3 0C.8) and what came of it (decisions A5).
type ObservationScopeRuntime struct {
	LearnSessionID         string             `json:"learn_session_id" format:"uuid"`
	AdaptersActive         []string           `json:"adapters_active"`
	DataClassesObserved    []string           `json:"data_classes_observed"`
	RedactionModes         map[string]string  `json:"redaction_modes" doc:"data class to what is kept of it"`
	Scope                  ObservationMode    `json:"scope" enum:"inside_agent,outside_agent,mixed,none"`
	TargetAppWhitelist     []string           `json:"target_app_whitelist"`
	Allowed                capture.Scope      `json:"allowed" doc:"what may be watched, in full"`
	OffTargetEventsDropped int64              `json:"off_target_events_dropped" minimum:"0"`
	CaptureState           string             `json:"capture_state" enum:"idle,capturing,paused,stopped"`
	PauseReason            PauseReason        `json:"pause_reason,omitempty"`
	EventsKept             int64              `json:"events_kept" minimum:"0"`
	Withheld               []capture.Withheld `json:"withheld"`
	Indicators             []string           `json:"indicators" doc:"what shows the person, right now, that capture is on"`
	StartedAt              clock.Time         `json:"started_at" format:"date-time" doc:"when capture began, or the session before that"`
	StoppedAt              *clock.Time        `json:"stopped_at,omitempty" format:"date-time"`
	SchemaVersion          int                `json:"schema_version" enum:"1"`
}

// Proposal is SkillBundleProposal (DOC3 0C.10A) with what a decision needs to name: revision and content hash.
type Proposal struct {
	ProposalID          string      `json:"proposal_id" format:"uuid"`
	LearnSessionID      string      `json:"learn_session_id,omitempty" format:"uuid"`
	ImportID            string      `json:"import_id,omitempty" format:"uuid" doc:"the import that it stands for: read it and decide there"`
	InterpretationID    string      `json:"interpretation_id,omitempty" format:"uuid"`
	SourceTraceIDs      []string    `json:"source_trace_ids" format:"uuid"`
	Title               string      `json:"title" maxLength:"160"`
	ProposedSkillSlug   string      `json:"proposed_skill_slug" maxLength:"120"`
	TriggerPhrases      []string    `json:"trigger_phrases"`
	NegativeTriggers    []string    `json:"negative_triggers"`
	DraftSkillPath      string      `json:"draft_skill_path" maxLength:"240" doc:"relative to the memory root"`
	DraftManifestPath   string      `json:"draft_manifest_path" maxLength:"240"`
	DraftGraphRef       string      `json:"draft_graph_ref,omitempty" maxLength:"240"`
	ProposalState       string      `json:"proposal_state" enum:"draft,awaiting_questions,testing,ready_for_review,installing_private,installed_private,approved,rejected,cancelled,quarantined"`
	InstallLane         string      `json:"install_lane" enum:"pending,experimental_private,approved_workspace,shared_promoted,quarantined"`
	AbilityID           string      `json:"ability_id,omitempty" maxLength:"160"`
	PrimaryCapabilityID string      `json:"primary_capability_id,omitempty" maxLength:"160"`
	SupportPackRefs     []string    `json:"support_pack_refs"`
	CreatedAt           clock.Time  `json:"created_at" format:"date-time"`
	UpdatedAt           clock.Time  `json:"updated_at" format:"date-time"`
	SchemaVersion       int         `json:"schema_version" enum:"1"`
	Revision            int         `json:"revision" minimum:"0" doc:"of the draft; 0 while questions come before the first draft"`
	ContentHash         string      `json:"content_hash,omitempty" maxLength:"120" doc:"of the bundle of this revision"`
	ImprovesSkill       string      `json:"improves_skill,omitempty" maxLength:"160"`
	SplitFrom           string      `json:"split_from,omitempty" format:"uuid" doc:"the proposal that this is a part of"`
	SplitInto           []string    `json:"split_into,omitempty" format:"uuid" doc:"the proposals that were made of its parts"`
	OpenQuestions       int         `json:"open_questions" minimum:"0"`
	QuestionsAsked      int         `json:"questions_asked" minimum:"0" doc:"ever, withdrawn ones included: their numbers are not used again"`
	LintPassed          bool        `json:"lint_passed"`
	Validation          string      `json:"validation" enum:"none,running,passed,partial,failed" doc:"of this revision"`
	LastValidatedAt     *clock.Time `json:"last_validated_at,omitempty" format:"date-time"`
	Reason              string      `json:"reason,omitempty" maxLength:"1000" doc:"why it was rejected, in the person's words, or a code"`
	ApprovalNote        string      `json:"approval_note,omitempty" maxLength:"1000"`
	ConfirmedPartial    bool        `json:"confirmed_partial,omitempty" doc:"the person accepted a partial validation"`
	ArchivedAt          *clock.Time `json:"archived_at,omitempty" format:"date-time"`
	AllowedActions      []Action    `json:"allowed_actions"`
}

// BundleFile is one file of a draft.
type BundleFile struct {
	Path string `json:"path"`
	Size int    `json:"size"`
}

// RevisionInfo is one kept revision of a draft.
type RevisionInfo struct {
	Revision       int        `json:"revision" minimum:"1"`
	ContentHash    string     `json:"content_hash"`
	Cause          string     `json:"cause" enum:"generated,answers,revised,examples"`
	Instructions   string     `json:"instructions,omitempty" maxLength:"2000"`
	EditedFields   []string   `json:"edited_fields,omitempty" doc:"names only"`
	Changes        []string   `json:"changes,omitempty" doc:"what is otherwise than in the revision before, or, in the first one, than in the skill that this improves"`
	DraftSkillPath string     `json:"draft_skill_path"`
	CreatedAt      clock.Time `json:"created_at" format:"date-time"`
}

// ProposalDetail is everything a reviewer needs.
type ProposalDetail struct {
	Proposal             Proposal                 `json:"proposal"`
	Interpretation       *workflow.Interpretation `json:"interpretation,omitempty"`
	CheckpointLintReport *compile.LintReport      `json:"checkpoint_lint_report,omitempty"`
	Questions            []QuestionView           `json:"questions"`
	Verdict              *workflow.Verdict        `json:"verdict,omitempty"`
	Graph                *workflow.Graph          `json:"graph,omitempty"`
	LeftOut              []string                 `json:"left_out"`
	SkillMD              string                   `json:"skill_md,omitempty"`
	Files                []BundleFile             `json:"files"`
	Revisions            []RevisionInfo           `json:"revisions"`
	Hindrance            *Hindrance               `json:"hindrance,omitempty" doc:"why the runs on this revision do not add up to passed"`
	Permissions          ability.Permissions      `json:"permissions" doc:"the tools and sites that it asks for"`
	Compatibility        *scan.Compatibility      `json:"compatibility,omitempty" doc:"where it can run, and what it would collide with; of a draft that can still be installed"`
	Session              *Session                 `json:"session,omitempty"`
	Installation         *ability.SagaOutcome     `json:"installation,omitempty" doc:"the newest one, step by step"`
	SchemaVersion        int                      `json:"schema_version" enum:"1"`

	bundle skill.Bundle
}

// SessionList is a page of sessions, newest first.
type SessionList struct {
	Sessions      []Session `json:"sessions"`
	Total         int       `json:"total" minimum:"0"`
	Page          int       `json:"page" minimum:"1"`
	PageSize      int       `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int       `json:"schema_version" enum:"1"`
}

// ProposalList is a page of proposals, newest first.
type ProposalList struct {
	Proposals     []Proposal `json:"proposals"`
	Total         int        `json:"total" minimum:"0"`
	Page          int        `json:"page" minimum:"1"`
	PageSize      int        `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// ValidationRuns is a page of runs with the steps of the runs on it.
type ValidationRuns struct {
	Runs          []rehearse.ValidationRun        `json:"runs"`
	Steps         []rehearse.ValidationStepResult `json:"steps"`
	Total         int                             `json:"total" minimum:"0"`
	Page          int                             `json:"page" minimum:"1"`
	PageSize      int                             `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int                             `json:"schema_version" enum:"1"`
}

// HistoryItem is one session as the history shows it (DOC3 0C.16A).
type HistoryItem struct {
	LearnSessionID string      `json:"learn_session_id" format:"uuid"`
	EntryMode      EntryMode   `json:"entry_mode"`
	State          State       `json:"state"`
	Title          string      `json:"title,omitempty" maxLength:"200"`
	CreatedAt      clock.Time  `json:"created_at" format:"date-time"`
	CompletedAt    *clock.Time `json:"completed_at,omitempty" format:"date-time"`
	ProposalID     string      `json:"proposal_id,omitempty" format:"uuid"`
	AbilityID      string      `json:"ability_id,omitempty" maxLength:"160"`
	ImportID       string      `json:"import_id,omitempty" format:"uuid" doc:"of an Import Skill session: the import that it shows"`
	Outcome        string      `json:"outcome,omitempty" enum:"approved,rejected,cancelled,in_progress,quarantined"`
}

// History is a page of all sessions, newest first, archived ones included.
type History struct {
	Items         []HistoryItem `json:"items"`
	Total         int           `json:"total" minimum:"0"`
	Page          int           `json:"page" minimum:"1"`
	PageSize      int           `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int           `json:"schema_version" enum:"1"`
}

// ReceiptList is a page of receipts, newest first.
type ReceiptList struct {
	Receipts      []journal.Receipt `json:"receipts"`
	Total         int               `json:"total" minimum:"0"`
	Page          int               `json:"page" minimum:"1"`
	PageSize      int               `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}

// BoundaryList is every boundary of a session, in order.
type BoundaryList struct {
	Boundaries    []Boundary `json:"boundaries"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// ObservationList is a page of kept observations, in order of arrival, with their details.
type ObservationList struct {
	Observations  []capture.Record `json:"observations"`
	Total         int              `json:"total" minimum:"0"`
	Page          int              `json:"page" minimum:"1"`
	PageSize      int              `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int              `json:"schema_version" enum:"1"`
}

// ToldList is what was kept, told in parts.
type ToldList struct {
	Parts         []tell.Told `json:"parts"`
	After         int64       `json:"after" minimum:"0" doc:"the observation after which the telling begins; 0: from the beginning"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// ValueView is one sealed value as review shows it, once, to the person alone (decisions B1).
type ValueView struct {
	LinkID  string            `json:"link_id"`
	Kind    capture.ValueKind `json:"kind"`
	Label   string            `json:"label,omitempty"`
	ParamID string            `json:"param_id,omitempty"`
	Role    string            `json:"role,omitempty" enum:"input,constant,example,dropped,undecided"`
	Value   string            `json:"value"`
}

// ValueList is what the person supplied while demonstrating, opened for the review on screen. It is never stored or logged.
type ValueList struct {
	Values        []ValueView `json:"values"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}
