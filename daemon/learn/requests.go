package learn

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse"
	"showhow/internal/clock"
)

// Principals of a call.
const (
	PrincipalUser   = "user"
	PrincipalAgent  = "agent"
	PrincipalSystem = "system" // the daemon itself: time limits, lease, recovery, auto-install
)

// Meta is who calls and how; the API fills it for every mutation.
type Meta struct {
	Principal       string
	Source          string // user_click, hotkey, system_inferred, api_call
	IfMatch         *int   // the revision the caller saw, of the resource it changes
	CorrelationID   string
	ClientRequestID string
	AgentName       string
}

// CreateRequest makes a session (DOC3 0C.2, decisions A3, A4, A6, B11).
type CreateRequest struct {
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

	Goal            string         `json:"goal,omitempty" maxLength:"400"`
	Scope           *capture.Scope `json:"scope,omitempty"`
	Adapters        []capture.Kind `json:"adapters,omitempty" enum:"browser_dom,browser_snapshot,accessibility_ui,keyboard_shortcut,text_entry,mouse_click,clipboard,file_dialog,process_launch,terminal_command,midi,mcp_receipt,wrapper_receipt" doc:"kinds the session cannot do without; omitted: chosen from the scope"`
	ValuePolicy     string         `json:"value_policy,omitempty" enum:"literal,masked,hashed,omitted" default:"masked"`
	LiteralApps     []string       `json:"literal_apps,omitempty" maxItems:"50" maxLength:"160"`
	ExampleOf       string         `json:"example_of,omitempty" format:"uuid"`
	SourceRunIDs    []string       `json:"source_run_ids,omitempty" maxItems:"20"`
	SourceTraceIDs  []string       `json:"source_trace_ids,omitempty" maxItems:"20" format:"uuid" doc:"learn from copies of earlier sessions' traces"`
	SourceReceiptID string         `json:"source_receipt_id,omitempty" format:"uuid" doc:"learn from copies of the traces of this receipt's session"`
	ImportID        string         `json:"import_id,omitempty" format:"uuid"`
	Retain          bool           `json:"retain,omitempty" default:"false"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// CreateResponse tells the UI what to show first.
type CreateResponse struct {
	Session    Session `json:"session"`
	UIMode     string  `json:"ui_mode" enum:"overlay,drawer,recent-run,exploratory,import"`
	NextAction string  `json:"next_action" enum:"wait_for_first_meaningful_event,show_recent_run_picker,launch_exploration,show_skill_delta_editor,show_import_configurator"`
}

// SessionResponse answers every plain session action (SessionActionResponse).
type SessionResponse struct {
	Session Session `json:"session"`
}

// StartResponse answers start.
type StartResponse struct {
	Session           Session  `json:"session"`
	ObservationActive bool     `json:"observation_active"`
	AdaptersArmed     []string `json:"adapters_armed"`
}

// StopResponse answers stop.
type StopResponse struct {
	Session            Session  `json:"session"`
	CapturedEventCount int64    `json:"captured_event_count" minimum:"0"`
	CapturedTraceIDs   []string `json:"captured_trace_ids"`
	NextAction         string   `json:"next_action" enum:"review_captured,generate_proposal,cancel"`
}

// ActionRequest is the optional body of a plain session action.
type ActionRequest struct {
	Reason          string `json:"reason,omitempty" maxLength:"240"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// MarkGoalRequest marks what the person is after.
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
	Scope           capture.Scope `json:"scope"`
	ValuePolicy     string        `json:"value_policy,omitempty" enum:"literal,masked,hashed,omitted"`
	LiteralApps     []string      `json:"literal_apps,omitempty" maxItems:"50" maxLength:"160"`
	ClientRequestID string        `json:"client_request_id,omitempty" maxLength:"120"`
}

// RetainRequest keeps the raw observations of a session, or not.
type RetainRequest struct {
	Retain          bool   `json:"retain"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// AnswerItem is one answer; for a value it is input, constant, example or drop, `constant: TEXT`, or one of the page's options.
type AnswerItem struct {
	QuestionID string `json:"question_id" maxLength:"80"`
	AnswerText string `json:"answer_text" maxLength:"2000"`
}

// AnswerQuestionsRequest answers clarification questions.
type AnswerQuestionsRequest struct {
	Answers         []AnswerItem `json:"answers" minItems:"1"`
	ClientRequestID string       `json:"client_request_id,omitempty" maxLength:"120"`
}

// AnswerQuestionsResponse says what is still open.
type AnswerQuestionsResponse struct {
	Session            Session  `json:"session"`
	Understood         []string `json:"understood" doc:"each answer in one line, as it is understood"`
	RemainingQuestions int      `json:"remaining_questions" minimum:"0"`
	NextAction         string   `json:"next_action" enum:"more_questions,generate_proposal,ready_for_review"`
}

// SetTestPolicyRequest sets the rehearsal policy.
type SetTestPolicyRequest struct {
	TestPolicy      rehearse.TestPolicy `json:"test_policy"`
	ClientRequestID string              `json:"client_request_id,omitempty" maxLength:"120"`
}

// GenerateProposalResponse answers generate-proposal.
type GenerateProposalResponse struct {
	Session    Session `json:"session"`
	ProposalID string  `json:"proposal_id" format:"uuid"`
}

// ReviseRequest asks for another revision of a draft.
type ReviseRequest struct {
	RevisionInstructions string         `json:"revision_instructions" maxLength:"2000"`
	EditedFields         map[string]any `json:"edited_fields,omitempty"`
	ClientRequestID      string         `json:"client_request_id,omitempty" maxLength:"120"`
}

// SplitRequest makes drafts of the parts of a work; the draft itself stays.
type SplitRequest struct {
	After []string `json:"after" minItems:"1" maxItems:"10" maxLength:"40" doc:"ids of steps: a part ends there"`
	Goals []string `json:"goals,omitempty" maxItems:"11" maxLength:"400" doc:"what each part is for; omitted: the clauses of the goal, else what the part comes to"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// ValidationRunResponse answers validate (body: rehearse.ValidateRequest) and the cancelling of a run.
type ValidationRunResponse struct {
	ValidationRun rehearse.ValidationRun `json:"validation_run"`
	SchemaVersion int                    `json:"schema_version" enum:"1"`
}

// RunEvidence is how things were where a run's steps failed. It is raw data: purged with the session's observations.
type RunEvidence struct {
	Evidence      []rehearse.Evidence `json:"evidence"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// RunPicture is a screenshot of a failure: raw data, painted over where it could show some of anybody's.
type RunPicture struct {
	MediaType     string `json:"media_type" enum:"image/png"`
	Content       []byte `json:"content" doc:"base64"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// InstallRequest installs a validated draft. revision and content_hash are what the person saw (decisions C13).
type InstallRequest struct {
	InstallLane    string `json:"install_lane" enum:"experimental_private,approved_workspace"`
	Revision       int    `json:"revision" minimum:"1"`
	ContentHash    string `json:"content_hash" maxLength:"120"`
	ConfirmPartial bool   `json:"confirm_partial,omitempty" default:"false" doc:"install although validation was only partial; kept in the receipt"`
	// Permissions are what the person ticked; absent: what the draft asks for.
	Permissions     *ability.Permissions `json:"permissions,omitempty" doc:"what it may use; absent: the tools and sites that it asks for"`
	ClientRequestID string               `json:"client_request_id,omitempty" maxLength:"120"`
}

// InstallResponse answers install.
type InstallResponse struct {
	Proposal  Proposal `json:"proposal"`
	AbilityID string   `json:"ability_id" maxLength:"160"`
	SagaID    string   `json:"saga_id" format:"uuid"`
}

// ApproveRequest approves a draft for workspace or shared use (DOC3 0C.28, decisions C1, C2, C13).
type ApproveRequest struct {
	ApprovalScope   string               `json:"approval_scope,omitempty" enum:"approved_workspace,shared_promoted" default:"approved_workspace"`
	ApprovalNote    string               `json:"approval_note,omitempty" maxLength:"1000"`
	Revision        int                  `json:"revision" minimum:"1"`
	ContentHash     string               `json:"content_hash" maxLength:"120"`
	ConfirmPartial  bool                 `json:"confirm_partial,omitempty" default:"false"`
	Permissions     *ability.Permissions `json:"permissions,omitempty" doc:"what it may use; absent: the tools and sites that it asks for"`
	ClientRequestID string               `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int                  `json:"schema_version" enum:"1"`
}

// RejectRequest rejects a draft.
type RejectRequest struct {
	Reason          string `json:"reason" minLength:"1" maxLength:"1000"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// DeletedResponse answers a delete.
type DeletedResponse struct {
	Deleted bool `json:"deleted"`
}

// RenewIndicatorRequest says that a person can see, right now, that capture is on (decisions A8).
type RenewIndicatorRequest struct {
	Indicator string `json:"indicator" enum:"window,tray,overlay,terminal,shell_mark,browser_badge"`
}

// LeaseResponse is the indicator lease as it stands.
type LeaseResponse struct {
	Indicators []string    `json:"indicators" doc:"live ones"`
	ExpiresAt  *clock.Time `json:"expires_at,omitempty" format:"date-time"`
}

// PageQuery selects a page of a list. Zero values mean page 1 of 20.
type PageQuery struct {
	Page     int `query:"page" minimum:"1" default:"1"`
	PageSize int `query:"page_size" minimum:"1" maximum:"100" default:"20"`
}

// OrDefault fills in page 1 and a size of 20, and keeps the size within 1 to 100.
func (q PageQuery) OrDefault() PageQuery {
	if q.Page < 1 {
		q.Page = 1
	}
	if q.PageSize < 1 {
		q.PageSize = 20
	}
	q.PageSize = min(q.PageSize, 100)
	return q
}

// SessionFilter narrows a list of sessions; empty fields match everything.
type SessionFilter struct {
	PageQuery
	State      State  `query:"state"`
	Active     bool   `query:"active" doc:"only sessions that have not ended"`
	ProposalID string `query:"proposal_id"`
}

// HistoryFilter narrows the history.
type HistoryFilter struct {
	PageQuery
	Outcome string `query:"outcome" enum:"approved,installed_private,rejected,cancelled,in_progress,quarantined" doc:"installed_private is the state of what has no outcome: installed for the person alone"`
	Search  string `query:"search" maxLength:"200" doc:"words of the title, in any case"`
}

func (f HistoryFilter) matches(i HistoryItem) bool {
	outcome := i.Outcome
	if outcome == "" {
		outcome = string(i.State)
	}
	return (f.Outcome == "" || outcome == f.Outcome) && strings.Contains(strings.ToLower(i.Title), strings.ToLower(strings.TrimSpace(f.Search)))
}

// ProposalFilter narrows a list of proposals.
type ProposalFilter struct {
	PageQuery
	State     string `query:"state"`
	SessionID string `query:"session_id"`
	Pending   bool   `query:"pending" doc:"only those that nothing has come of yet"`
}

// ReceiptFilter narrows a list of receipts.
type ReceiptFilter struct {
	PageQuery
	SessionID  string `query:"session_id"`
	ProposalID string `query:"proposal_id"`
	AbilityID  string `query:"ability_id"`
	Kind       string `query:"kind"`
}

// QuestionView is a question as the person sees it, with its answer.
type QuestionView struct {
	compile.Question
	Number       int         `json:"number" doc:"what people call it; no other question of this draft ever has it"`
	QuestionText string      `json:"question_text" maxLength:"400"`
	Answered     bool        `json:"answered"`
	AnswerText   string      `json:"answer_text,omitempty" maxLength:"2000"`
	AnsweredAt   *clock.Time `json:"answered_at,omitempty" format:"date-time"`
}
