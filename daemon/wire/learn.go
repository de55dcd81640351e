package wire

import "showhow/internal/clock"

// Hindrance is why the runs on a revision do not add up to passed: the deciding run, where it ended, what to do. Every
// text about a draft's validation uses these words.
type Hindrance struct {
	ValidationRunID string    `json:"validation_run_id" format:"uuid"`
	RunKind         RunKind   `json:"run_kind,omitempty" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal"`
	Result          RunResult `json:"result" enum:"failed,partial"`
	CheckpointID    string    `json:"checkpoint_id,omitempty" maxLength:"160"`
	Step            string    `json:"step,omitempty" maxLength:"240" doc:"what failed or was not looked at, in words"`
	Details         string    `json:"details,omitempty" maxLength:"1000"`
	Message         string    `json:"message" maxLength:"400"`
	Next            string    `json:"next" maxLength:"400" doc:"what leads on"`
}

// SessionState is a session's state (DOC3 0C.1). It is serialised, so it is a string.
type SessionState string

// PreviewRequest names what a preview watches, as a session would.
type PreviewRequest struct {
	ObservationMode ObservationMode `json:"observation_mode,omitempty" enum:"inside_agent,outside_agent,mixed" default:"outside_agent"`
	Scope           Scope           `json:"scope"`
	Adapters        []AdapterKind   `json:"adapters,omitempty" maxItems:"13" enum:"browser_dom,browser_snapshot,accessibility_ui,keyboard_shortcut,text_entry,mouse_click,clipboard,file_dialog,process_launch,terminal_command,midi,mcp_receipt,wrapper_receipt"`
	ValuePolicy     string          `json:"value_policy,omitempty" enum:"literal,masked,omitted" default:"masked"`
	LiteralApps     []string        `json:"literal_apps,omitempty" maxItems:"50" maxLength:"160"`
}

// PreviewUpdate is one item of a preview: an adapter's state, a record that would be kept, or a count of those that
// would not.
type PreviewUpdate struct {
	Adapters []string     `json:"adapters_armed,omitempty"`
	Record   *Observation `json:"record,omitempty"`
	Withheld []Withheld   `json:"withheld,omitempty"`
}

// RecordingRequest imports a recording made elsewhere.
type RecordingRequest struct {
	Content   string   `json:"content" minLength:"2" maxLength:"921600" doc:"the file: Chrome DevTools Recorder JSON or Playwright codegen JSONL; what it is shows by itself"`
	Goal      string   `json:"goal,omitempty" maxLength:"400" doc:"what it is for; omitted: the recording's title"`
	Sites     []string `json:"sites,omitempty" maxItems:"50" maxLength:"160" doc:"only what was done on these; omitted: every site of the recording"`
	ExampleOf string   `json:"example_of,omitempty" format:"uuid" doc:"the session whose second example it is"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// RecordingResponse is the session that holds the recording.
type RecordingResponse struct {
	Session       LearnSession `json:"session"`
	Format        string       `json:"format" enum:"devtools,playwright"`
	LeftOut       []string     `json:"left_out" doc:"what the recording holds and Showhow does not take"`
	SchemaVersion int          `json:"schema_version" enum:"1"`
}

// ProposalExportRequest asks for a draft's browser part in another program's format.
type ProposalExportRequest struct {
	Format string            `json:"format" enum:"devtools,playwright"`
	Values map[string]string `json:"values,omitempty" doc:"for inputs, by name: the formats have none"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// ProposalExport is a draft's browser part for another player.
type ProposalExport struct {
	FileName      string   `json:"file_name"`
	Content       string   `json:"content"`
	Notes         []string `json:"notes" doc:"what the format cannot say, and inputs that have no value"`
	SchemaVersion int      `json:"schema_version" enum:"1"`
}

// CreateLearnSessionRequest makes a session (DOC3 0C.2, decisions A3, A4, A6, B11).
type CreateLearnSessionRequest struct {
	EntryMode              EntryMode       `json:"entry_mode" enum:"demonstrating_skill,coaching_agent,autonomous_agent_practice,improving_existing_skill,import_skill"`
	ObservationMode        ObservationMode `json:"observation_mode,omitempty" enum:"none,inside_agent,outside_agent,mixed" default:"none"`
	BuildPolicy            BuildPolicy     `json:"build_policy,omitempty" enum:"ask_before_build,build_then_review,private_auto_install" default:"build_then_review"`
	ExecutionMode          ExecutionMode   `json:"execution_mode,omitempty" enum:"strict,guided,adaptive" default:"guided"`
	TargetKind             TargetKind      `json:"target_kind,omitempty" enum:"new_skill,existing_skill,imported_skill" default:"new_skill"`
	ProjectID              string          `json:"project_id,omitempty" maxLength:"120"`
	RoomID                 string          `json:"room_id,omitempty" maxLength:"160"`
	TargetSkillID          string          `json:"target_skill_id,omitempty" maxLength:"160"`
	TargetAppFamily        string          `json:"target_app_family,omitempty" maxLength:"80"`
	TargetAppWhitelist     []string        `json:"target_app_whitelist,omitempty" maxItems:"50" maxLength:"160" doc:"an older name of scope.apps; both are joined"`
	AskBeforeBuild         bool            `json:"ask_before_build,omitempty" default:"false"`
	AllowPrivateInstall    bool            `json:"allow_private_install,omitempty" default:"false"`
	RequestedSafeTargetRef string          `json:"requested_safe_target_ref,omitempty" maxLength:"240"`

	Goal            string        `json:"goal,omitempty" maxLength:"400"`
	Scope           *Scope        `json:"scope,omitempty"`
	Adapters        []AdapterKind `json:"adapters,omitempty" enum:"browser_dom,browser_snapshot,accessibility_ui,keyboard_shortcut,text_entry,mouse_click,clipboard,file_dialog,process_launch,terminal_command,midi,mcp_receipt,wrapper_receipt" doc:"kinds the session cannot do without; omitted: chosen from the scope"`
	ValuePolicy     string        `json:"value_policy,omitempty" enum:"literal,masked,hashed,omitted" default:"masked"`
	LiteralApps     []string      `json:"literal_apps,omitempty" maxItems:"50" maxLength:"160"`
	ExampleOf       string        `json:"example_of,omitempty" format:"uuid"`
	SourceRunIDs    []string      `json:"source_run_ids,omitempty" maxItems:"20"`
	SourceTraceIDs  []string      `json:"source_trace_ids,omitempty" maxItems:"20" format:"uuid" doc:"learn from copies of earlier sessions' traces"`
	SourceReceiptID string        `json:"source_receipt_id,omitempty" format:"uuid" doc:"learn from copies of the traces of this receipt's session"`
	ImportID        string        `json:"import_id,omitempty" format:"uuid"`
	Retain          bool          `json:"retain,omitempty" default:"false"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// CreateLearnSessionResponse tells the UI what to show first.
type CreateLearnSessionResponse struct {
	Session    LearnSession `json:"session"`
	UIMode     string       `json:"ui_mode" enum:"overlay,drawer,recent-run,exploratory,import"`
	NextAction string       `json:"next_action" enum:"wait_for_first_meaningful_event,show_recent_run_picker,launch_exploration,show_skill_delta_editor,show_import_configurator"`
}

// SessionActionResponse answers every plain session action (SessionActionResponse).
type SessionActionResponse struct {
	Session LearnSession `json:"session"`
}

// PutAsideResponse answers put-aside.
type PutAsideResponse struct {
	Session       LearnSession `json:"session"`
	ProposalID    string       `json:"proposal_id" format:"uuid"`
	PutAsideUntil clock.Time   `json:"put_aside_until" format:"date-time" doc:"until then the draft can be taken up again, and the key of its values is kept"`
}

// TakeUpResponse answers take-up.
type TakeUpResponse struct {
	Session    LearnSession `json:"session"`
	ProposalID string       `json:"proposal_id" format:"uuid"`
}

// StartSessionResponse answers start.
type StartSessionResponse struct {
	Session           LearnSession `json:"session"`
	ObservationActive bool         `json:"observation_active"`
	AdaptersArmed     []string     `json:"adapters_armed"`
}

// StopSessionResponse answers stop.
type StopSessionResponse struct {
	Session            LearnSession `json:"session"`
	CapturedEventCount int64        `json:"captured_event_count" minimum:"0"`
	CapturedTraceIDs   []string     `json:"captured_trace_ids"`
	NextAction         string       `json:"next_action" enum:"review_captured,generate_proposal,cancel"`
}

// ActionRequest is the optional body of a plain session action.
type ActionRequest struct {
	Reason          string `json:"reason,omitempty" maxLength:"240"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// MarkGoalRequest marks the person's goal.
type MarkGoalRequest struct {
	GoalDescription string `json:"goal_description" maxLength:"400"`
	AtEventID       string `json:"at_event_id,omitempty" format:"uuid"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// MarkStepRequest names a step. A note is a step of kind other (decisions A11).
type MarkStepRequest struct {
	StepLabel       string `json:"step_label" maxLength:"240"`
	StepKindHint    string `json:"step_kind_hint,omitempty" enum:"action,guard,verification,decision,other" default:"action"`
	AtEventID       string `json:"at_event_id,omitempty" format:"uuid"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// TrimRequest moves the beginning or the end of the demonstration to an event, which stays inside.
type TrimRequest struct {
	TrimKind        string `json:"trim_kind" enum:"trim_start,trim_end"`
	ToEventID       string `json:"to_event_id" format:"uuid"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// ScopeRequest replaces what a session may watch, and optionally how values are kept (decisions A4).
type ScopeRequest struct {
	Scope           Scope    `json:"scope"`
	ValuePolicy     string   `json:"value_policy,omitempty" enum:"literal,masked,hashed,omitted"`
	LiteralApps     []string `json:"literal_apps,omitempty" maxItems:"50" maxLength:"160"`
	ClientRequestID string   `json:"client_request_id,omitempty" maxLength:"120"`
}

// RetainRequest keeps the raw observations of a session, or not.
type RetainRequest struct {
	Retain          bool   `json:"retain"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// AnswerItem is one answer; for a value it is input, constant, example or drop, `constant: TEXT`, or one of the page's
// options.
type AnswerItem struct {
	QuestionID string `json:"question_id" maxLength:"80"`
	AnswerText string `json:"answer_text,omitempty" maxLength:"2000"`
	// Each answers a question about several values, instead of AnswerText.
	Each []SubjectAnswer `json:"each,omitempty" maxItems:"40" doc:"instead of answer_text, where the question is about several values"`
}

// SubjectAnswer is the decision on one of a question's values.
type SubjectAnswer struct {
	Ref    string `json:"ref" maxLength:"80" doc:"of question.about"`
	Answer string `json:"answer" maxLength:"2000"`
}

// AnswerQuestionsRequest answers clarification questions.
type AnswerQuestionsRequest struct {
	Answers         []AnswerItem `json:"answers" minItems:"1"`
	ClientRequestID string       `json:"client_request_id,omitempty" maxLength:"120"`
}

// AnswerQuestionsResponse lists what is still open.
type AnswerQuestionsResponse struct {
	Session            LearnSession `json:"session"`
	Understood         []string     `json:"understood" doc:"each answer in one line, as it is understood"`
	RemainingQuestions int          `json:"remaining_questions" minimum:"0"`
	NextAction         string       `json:"next_action" enum:"more_questions,generate_proposal,ready_for_review"`
}

// SetTestPolicyRequest sets the rehearsal policy.
type SetTestPolicyRequest struct {
	TestPolicy      TestPolicy `json:"test_policy"`
	ClientRequestID string     `json:"client_request_id,omitempty" maxLength:"120"`
}

// GenerateProposalResponse answers generate-proposal.
type GenerateProposalResponse struct {
	Session    LearnSession `json:"session"`
	ProposalID string       `json:"proposal_id" format:"uuid"`
}

// ProposalReviseRequest asks for another revision of a draft.
type ProposalReviseRequest struct {
	RevisionInstructions string         `json:"revision_instructions" maxLength:"2000"`
	EditedFields         map[string]any `json:"edited_fields,omitempty"`
	ClientRequestID      string         `json:"client_request_id,omitempty" maxLength:"120"`
}

// SplitRequest makes one draft of each part of a work; the draft itself stays.
type SplitRequest struct {
	After []string `json:"after" minItems:"1" maxItems:"10" maxLength:"40" doc:"ids of steps: a part ends there"`
	Goals []string `json:"goals,omitempty" maxItems:"11" maxLength:"400" doc:"what each part is for; omitted: the clauses of the goal, else what the part comes to"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// ValidationRunResponse answers validate (body: rehearse.ValidateRequest) and the cancelling of a run.
type ValidationRunResponse struct {
	ValidationRun ValidationRun `json:"validation_run"`
	SchemaVersion int           `json:"schema_version" enum:"1"`
}

// RunEvidence is the state where a run's steps failed. It is raw data: purged with the session's observations.
type RunEvidence struct {
	Evidence      []RehearsalEvidence `json:"evidence"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// RunPicture is a screenshot of a failure: raw data, painted over where it could show personal data.
type RunPicture struct {
	MediaType     string `json:"media_type" enum:"image/png"`
	Content       []byte `json:"content" doc:"base64"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// ProposalInstallRequest installs a validated draft. revision and content_hash are what the person saw (decisions C13).
type ProposalInstallRequest struct {
	InstallLane    string `json:"install_lane" enum:"experimental_private,approved_workspace"`
	Revision       int    `json:"revision" minimum:"1"`
	ContentHash    string `json:"content_hash" maxLength:"120"`
	ConfirmPartial bool   `json:"confirm_partial,omitempty" default:"false" doc:"install although validation was only partial; kept in the receipt"`
	// Permissions are what the person ticked; absent means what the draft asks for.
	Permissions     *AbilityPermissions `json:"permissions,omitempty" doc:"what it may use; absent: the tools and sites that it asks for"`
	ClientRequestID string              `json:"client_request_id,omitempty" maxLength:"120"`
}

// ProposalInstallResponse answers install.
type ProposalInstallResponse struct {
	Proposal  SkillBundleProposal `json:"proposal"`
	AbilityID string              `json:"ability_id" maxLength:"160"`
	SagaID    string              `json:"saga_id" format:"uuid"`
}

// ApproveProposalRequest approves a draft for workspace or shared use (DOC3 0C.28, decisions C1, C2, C13).
type ApproveProposalRequest struct {
	ApprovalScope   string              `json:"approval_scope,omitempty" enum:"approved_workspace,shared_promoted" default:"approved_workspace"`
	ApprovalNote    string              `json:"approval_note,omitempty" maxLength:"1000"`
	Revision        int                 `json:"revision" minimum:"1"`
	ContentHash     string              `json:"content_hash" maxLength:"120"`
	ConfirmPartial  bool                `json:"confirm_partial,omitempty" default:"false"`
	Permissions     *AbilityPermissions `json:"permissions,omitempty" doc:"what it may use; absent: the tools and sites that it asks for"`
	ClientRequestID string              `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int                 `json:"schema_version" enum:"1"`
}

// RejectProposalRequest rejects a draft.
type RejectProposalRequest struct {
	Reason          string `json:"reason" minLength:"1" maxLength:"1000"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// DeletedResponse answers a delete.
type DeletedResponse struct {
	Deleted bool `json:"deleted"`
}

// RenewIndicatorRequest asserts that a person can see right now that capture is on (decisions A8).
type RenewIndicatorRequest struct {
	Indicator string `json:"indicator" enum:"window,tray,overlay,terminal,shell_mark,browser_badge"`
}

// LeaseResponse is the current indicator lease.
type LeaseResponse struct {
	Indicators []string    `json:"indicators" doc:"live ones"`
	ExpiresAt  *clock.Time `json:"expires_at,omitempty" format:"date-time"`
}

type LearningQuestion struct {
	WorkflowQuestion
	About        []QuestionSubject `json:"about,omitempty" doc:"the values of a question about several, each of which has an answer of its own"`
	Number       int               `json:"number" doc:"what people call it; no other question of this draft ever has it"`
	QuestionText string            `json:"question_text" maxLength:"400"`
	Answered     bool              `json:"answered"`
	AnswerText   string            `json:"answer_text,omitempty" maxLength:"2000"`
	AnsweredAt   *clock.Time       `json:"answered_at,omitempty" format:"date-time"`
}

// QuestionSubject is one value that a question is about.
type QuestionSubject struct {
	Ref   string `json:"ref" maxLength:"80"`
	Label string `json:"label" maxLength:"200"`
}

// EntryMode is how a session began, as the person chose it (DOC3 0C.1, 0C.4).
type EntryMode string

// ObservationMode says whose actions are watched.
type ObservationMode string

// BuildPolicy is how far a draft goes without asking (decisions A6).
type BuildPolicy string

// ExecutionMode is how binding the skill's checkpoints are.
type ExecutionMode string

// TargetKind is what is being learned.
type TargetKind string

// PauseReason says why capture is paused.
type PauseReason string

// SessionAction is an action that the caller may take next on a session or proposal; the UI shows these and computes
// none itself.
type SessionAction string

// LearnSession is LearnSession (DOC3 0C.1) with what decisions A2-A9 add: one struct for detail, lists and responses.
type LearnSession struct {
	LearnSessionID            string          `json:"learn_session_id" format:"uuid"`
	EntryMode                 EntryMode       `json:"entry_mode" enum:"demonstrating_skill,coaching_agent,autonomous_agent_practice,improving_existing_skill,import_skill"`
	ObservationMode           ObservationMode `json:"observation_mode" enum:"none,inside_agent,outside_agent,mixed"`
	BuildPolicy               BuildPolicy     `json:"build_policy" enum:"ask_before_build,build_then_review,private_auto_install"`
	ExecutionMode             ExecutionMode   `json:"execution_mode" enum:"strict,guided,adaptive"`
	TargetKind                TargetKind      `json:"target_kind" enum:"new_skill,existing_skill,imported_skill"`
	State                     SessionState    `json:"state" enum:"idle,armed,capturing,paused,stopped,reviewing,awaiting_questions,drafting_proposal,testing_proposal,ready_for_review,installing_private,installed_private,approved,rejected,cancelled,quarantined"`
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

	Goal                   string          `json:"goal,omitempty" maxLength:"400" doc:"what the person wants an agent to be able to do"`
	Scope                  Scope           `json:"scope" doc:"what may be watched; nothing else is kept"`
	Adapters               []AdapterKind   `json:"adapters" doc:"adapter kinds this session observes with"`
	AdaptersArmed          []string        `json:"adapters_armed" doc:"adapters that observe right now"`
	ValuePolicy            ValuePolicy     `json:"value_policy" enum:"literal,masked,omitted"`
	LiteralApps            []string        `json:"literal_apps,omitempty" doc:"apps whose values are kept readable; secrets never are"`
	AllowPrivateInstall    bool            `json:"allow_private_install"`
	AskBeforeBuild         bool            `json:"ask_before_build"`
	RequestedSafeTargetRef string          `json:"requested_safe_target_ref,omitempty" maxLength:"240"`
	SourceRunIDs           []string        `json:"source_run_ids,omitempty"`
	SourceTraceIDs         []string        `json:"source_trace_ids,omitempty" doc:"of earlier sessions, which it learned from"`
	SourceReceiptID        string          `json:"source_receipt_id,omitempty" format:"uuid"`
	SplitFrom              *SplitFrom      `json:"split_from,omitempty" doc:"the draft that it is a part of"`
	SlotID                 string          `json:"slot_id,omitempty" format:"uuid" doc:"of parts: they may be open beside the session they were split from"`
	ImportID               string          `json:"import_id,omitempty" format:"uuid" doc:"the import that it shows; what is decided is decided there"`
	TempArtifactRef        string          `json:"temp_artifact_ref,omitempty" maxLength:"240" doc:"the upload that it shows, until it is scanned"`
	TargetID               string          `json:"target_id" format:"uuid" doc:"the learning target: the first session's id, shared by its examples and by those that take it up again"`
	ExampleOf              string          `json:"example_of,omitempty" format:"uuid"`
	ExampleIDs             []string        `json:"example_ids" format:"uuid"`
	TakesUp                string          `json:"takes_up,omitempty" format:"uuid" doc:"the session whose draft was put aside and is taken up here, with what was demonstrated"`
	TakenUpBy              string          `json:"taken_up_by,omitempty" format:"uuid" doc:"the session that took up the draft of this one; what was demonstrated is there now"`
	Retain                 bool            `json:"retain" doc:"keep the raw observations beyond the usual seven days"`
	ModelConsent           string          `json:"model_consent,omitempty" maxLength:"300" doc:"the model on another machine that the person lets see the draft's texts"`
	PauseReason            PauseReason     `json:"pause_reason,omitempty"`
	Reason                 string          `json:"reason,omitempty" maxLength:"240" doc:"why it was cancelled, rejected or quarantined, as a code"`
	TestPolicy             *TestPolicy     `json:"test_policy,omitempty"`
	EventsKept             int64           `json:"events_kept" minimum:"0"`
	EventsWithheld         int64           `json:"events_withheld" minimum:"0"`
	Withheld               []Withheld      `json:"withheld"`
	StartedAt              *clock.Time     `json:"started_at,omitempty" format:"date-time" doc:"when capture began"`
	StoppedAt              *clock.Time     `json:"stopped_at,omitempty" format:"date-time" doc:"when capture ended for good"`
	CapturingSince         *clock.Time     `json:"capturing_since,omitempty" format:"date-time" doc:"when it last began or resumed"`
	TimedOut               bool            `json:"timed_out,omitempty" doc:"cancelled because it was never started"`
	Ended                  bool            `json:"ended" doc:"nothing more will happen to it; the slot is free (decisions A2)"`
	EndedAt                *clock.Time     `json:"ended_at,omitempty" format:"date-time"`
	RawPurgedAt            *clock.Time     `json:"raw_purged_at,omitempty" format:"date-time"`
	PurgeWarnedAt          *clock.Time     `json:"purge_warned_at,omitempty" format:"date-time" doc:"its raw data will be purged because nobody touched it"`
	ArchivedAt             *clock.Time     `json:"archived_at,omitempty" format:"date-time"`
	Title                  string          `json:"title,omitempty" maxLength:"200"`
	Outcome                string          `json:"outcome,omitempty" enum:"approved,rejected,cancelled,in_progress,quarantined"`
	UIState                string          `json:"ui_state" enum:"capturing,awaiting_input,drafting,testing,ready_for_review,private_active,revision_required"`
	Notices                []string        `json:"notices" doc:"what the person should know now, in words"`
	AllowedActions         []SessionAction `json:"allowed_actions"`
	Revision               int             `json:"revision" minimum:"1" doc:"for If-Match"`
	SagaID                 string          `json:"saga_id,omitempty" format:"uuid"`
	WantedLane             string          `json:"wanted_lane,omitempty" enum:"experimental_private,approved_workspace,shared_promoted"`
	ConfirmedPartial       bool            `json:"confirmed_partial,omitempty"`
}

// BoundaryKind is what a boundary marks (DOC3 0C.22).
type BoundaryKind string

// WorkflowBoundary is WorkflowBoundary (DOC3 0C.22).
type WorkflowBoundary struct {
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

// SplitFrom says which draft the session's draft is a part of. The session has no observations of its own: it is
// compiled from those of the session it was split from, as long as they are kept.
type SplitFrom struct {
	ProposalID     string `json:"proposal_id" format:"uuid"`
	LearnSessionID string `json:"learn_session_id" format:"uuid" doc:"whose demonstration it is a part of"`
	Part           int    `json:"part" minimum:"1"`
}

// LearningRuntimeSnapshot is LearningRuntimeSnapshot (DOC3 0C.7): what is being learned right now and how far along it
// is.
type LearningRuntimeSnapshot struct {
	LearnSessionID      string          `json:"learn_session_id" format:"uuid"`
	EntryMode           EntryMode       `json:"entry_mode" enum:"demonstrating_skill,coaching_agent,autonomous_agent_practice,improving_existing_skill,import_skill"`
	ObservationMode     ObservationMode `json:"observation_mode" enum:"none,inside_agent,outside_agent,mixed"`
	BuildPolicy         BuildPolicy     `json:"build_policy" enum:"ask_before_build,build_then_review,private_auto_install"`
	State               SessionState    `json:"state" enum:"idle,armed,capturing,paused,stopped,reviewing,awaiting_questions,drafting_proposal,testing_proposal,ready_for_review,installing_private,installed_private,approved,rejected,cancelled,quarantined"`
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

// ObservationScopeRuntime is what is being observed (DOC3 0C.8) and the counts of it (decisions A5).
type ObservationScopeRuntime struct {
	LearnSessionID         string            `json:"learn_session_id" format:"uuid"`
	AdaptersActive         []string          `json:"adapters_active"`
	DataClassesObserved    []string          `json:"data_classes_observed"`
	RedactionModes         map[string]string `json:"redaction_modes" doc:"data class to what is kept of it"`
	Scope                  ObservationMode   `json:"scope" enum:"inside_agent,outside_agent,mixed,none"`
	TargetAppWhitelist     []string          `json:"target_app_whitelist"`
	Allowed                Scope             `json:"allowed" doc:"what may be watched, in full"`
	OffTargetEventsDropped int64             `json:"off_target_events_dropped" minimum:"0"`
	CaptureState           string            `json:"capture_state" enum:"idle,capturing,paused,stopped"`
	PauseReason            PauseReason       `json:"pause_reason,omitempty"`
	EventsKept             int64             `json:"events_kept" minimum:"0"`
	Withheld               []Withheld        `json:"withheld"`
	Indicators             []string          `json:"indicators" doc:"what shows the person, right now, that capture is on"`
	StartedAt              clock.Time        `json:"started_at" format:"date-time" doc:"when capture began, or the session before that"`
	StoppedAt              *clock.Time       `json:"stopped_at,omitempty" format:"date-time"`
	SchemaVersion          int               `json:"schema_version" enum:"1"`
}

// SkillBundleProposal is SkillBundleProposal (DOC3 0C.10A) with what a decision must name: revision and content hash.
type SkillBundleProposal struct {
	ProposalID          string          `json:"proposal_id" format:"uuid"`
	LearnSessionID      string          `json:"learn_session_id,omitempty" format:"uuid"`
	ImportID            string          `json:"import_id,omitempty" format:"uuid" doc:"the import that it stands for: read it and decide there"`
	InterpretationID    string          `json:"interpretation_id,omitempty" format:"uuid"`
	SourceTraceIDs      []string        `json:"source_trace_ids" format:"uuid"`
	Title               string          `json:"title" maxLength:"160"`
	ProposedSkillSlug   string          `json:"proposed_skill_slug" maxLength:"120"`
	TriggerPhrases      []string        `json:"trigger_phrases"`
	NegativeTriggers    []string        `json:"negative_triggers"`
	DraftSkillPath      string          `json:"draft_skill_path" maxLength:"240" doc:"relative to the memory root"`
	DraftManifestPath   string          `json:"draft_manifest_path" maxLength:"240"`
	DraftGraphRef       string          `json:"draft_graph_ref,omitempty" maxLength:"240"`
	ProposalState       string          `json:"proposal_state" enum:"draft,awaiting_questions,testing,ready_for_review,installing_private,installed_private,approved,rejected,cancelled,quarantined"`
	InstallLane         string          `json:"install_lane" enum:"pending,experimental_private,approved_workspace,shared_promoted,quarantined"`
	AbilityID           string          `json:"ability_id,omitempty" maxLength:"160"`
	PrimaryCapabilityID string          `json:"primary_capability_id,omitempty" maxLength:"160"`
	SupportPackRefs     []string        `json:"support_pack_refs"`
	CreatedAt           clock.Time      `json:"created_at" format:"date-time"`
	UpdatedAt           clock.Time      `json:"updated_at" format:"date-time"`
	SchemaVersion       int             `json:"schema_version" enum:"1"`
	Revision            int             `json:"revision" minimum:"0" doc:"of the draft; 0 while questions come before the first draft"`
	ContentHash         string          `json:"content_hash,omitempty" maxLength:"120" doc:"of the bundle of this revision"`
	ImprovesSkill       string          `json:"improves_skill,omitempty" maxLength:"160"`
	SplitFrom           string          `json:"split_from,omitempty" format:"uuid" doc:"the proposal that this is a part of"`
	SplitInto           []string        `json:"split_into,omitempty" format:"uuid" doc:"the proposals that were made of its parts"`
	OpenQuestions       int             `json:"open_questions" minimum:"0"`
	QuestionsAsked      int             `json:"questions_asked" minimum:"0" doc:"ever, withdrawn ones included: their numbers are not used again"`
	LintPassed          bool            `json:"lint_passed"`
	Validation          string          `json:"validation" enum:"none,running,passed,partial,failed" doc:"of this revision"`
	LastValidatedAt     *clock.Time     `json:"last_validated_at,omitempty" format:"date-time"`
	Reason              string          `json:"reason,omitempty" maxLength:"1000" doc:"why it was rejected, in the person's words, or a code"`
	ApprovalNote        string          `json:"approval_note,omitempty" maxLength:"1000"`
	ConfirmedPartial    bool            `json:"confirmed_partial,omitempty" doc:"the person accepted a partial validation"`
	ArchivedAt          *clock.Time     `json:"archived_at,omitempty" format:"date-time"`
	PutAsideUntil       *clock.Time     `json:"put_aside_until,omitempty" format:"date-time" doc:"it was put aside, and can be taken up again until then"`
	AllowedActions      []SessionAction `json:"allowed_actions"`
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
