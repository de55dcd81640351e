package wire

import "showhow/internal/clock"

// PageQuery selects a page of a list. Zero values mean page 1 of 20.
type PageQuery struct {
	Page     int `query:"page" minimum:"1" default:"1"`
	PageSize int `query:"page_size" minimum:"1" maximum:"100" default:"20"`
}

// SessionFilter narrows a list of sessions; empty fields match everything.
type SessionFilter struct {
	PageQuery
	State      SessionState `query:"state"`
	Active     bool         `query:"active" doc:"only sessions that have not ended"`
	ProposalID string       `query:"proposal_id"`
}

// HistoryFilter narrows the history.
type HistoryFilter struct {
	PageQuery
	Outcome string `query:"outcome" enum:"approved,installed_private,rejected,cancelled,in_progress,quarantined" doc:"installed_private is the state of what has no outcome: installed for the person alone"`
	Search  string `query:"search" maxLength:"200" doc:"words of the title, in any case"`
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
	AbilityID  string `query:"ability_id" doc:"id or name"`
	Kind       string `query:"kind" maxLength:"1000" doc:"one or more, separated by commas"`
}

// ProposalDetailResponse is everything that a reviewer needs.
type ProposalDetailResponse struct {
	Proposal             SkillBundleProposal             `json:"proposal"`
	Interpretation       *SemanticWorkflowInterpretation `json:"interpretation,omitempty"`
	CheckpointLintReport *LintReport                     `json:"checkpoint_lint_report,omitempty"`
	Questions            []LearningQuestion              `json:"questions"`
	Verdict              *WorkflowVerdict                `json:"verdict,omitempty"`
	Graph                *WorkflowGraph                  `json:"graph,omitempty"`
	LeftOut              []string                        `json:"left_out"`
	SkillMD              string                          `json:"skill_md,omitempty"`
	Files                []BundleFile                    `json:"files"`
	Revisions            []RevisionInfo                  `json:"revisions"`
	Hindrance            *Hindrance                      `json:"hindrance,omitempty" doc:"why the runs on this revision do not add up to passed"`
	Permissions          AbilityPermissions              `json:"permissions" doc:"the tools and sites that it asks for"`
	ConnectorHints       []string                        `json:"connector_hints" maxLength:"120" doc:"the connectors whose tools it calls"`
	Compatibility        *SkillCompatibilityReport       `json:"compatibility,omitempty" doc:"where it can run, and what it would collide with; of a draft that can still be installed"`
	Dependencies         []LearningDocumentDependency    `json:"dependencies,omitempty" doc:"what the draft refers to"`
	Session              *LearnSession                   `json:"session,omitempty"`
	Installation         *SagaOutcome                    `json:"installation,omitempty" doc:"the newest one, step by step"`
	SchemaVersion        int                             `json:"schema_version" enum:"1"`
}

// LearningDocumentDependency is one thing that a draft refers to (DOC3 0C.10A). One that is not required may be
// absent.
type LearningDocumentDependency struct {
	ProposalID     string `json:"proposal_id" format:"uuid"`
	DependencyKind string `json:"dependency_kind" enum:"support_pack,app_manual,existing_skill,capability_manifest,test_artifact"`
	DependencyRef  string `json:"dependency_ref" maxLength:"240"`
	Required       bool   `json:"required"`
	SchemaVersion  int    `json:"schema_version" enum:"1"`
}

// LearnSessionsListResponse is a page of sessions, newest first.
type LearnSessionsListResponse struct {
	Sessions      []LearnSession `json:"sessions"`
	Total         int            `json:"total" minimum:"0"`
	Page          int            `json:"page" minimum:"1"`
	PageSize      int            `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}

// LearnProposalsListResponse is a page of proposals, newest first.
type LearnProposalsListResponse struct {
	Proposals     []SkillBundleProposal `json:"proposals"`
	Total         int                   `json:"total" minimum:"0"`
	Page          int                   `json:"page" minimum:"1"`
	PageSize      int                   `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int                   `json:"schema_version" enum:"1"`
}

// ValidationRunsListResponse is a page of runs with the steps of the runs on it.
type ValidationRunsListResponse struct {
	Runs          []ValidationRun        `json:"runs"`
	Steps         []ValidationStepResult `json:"steps"`
	Total         int                    `json:"total" minimum:"0"`
	Page          int                    `json:"page" minimum:"1"`
	PageSize      int                    `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int                    `json:"schema_version" enum:"1"`
}

// HistoryItem is one session as the history shows it (DOC3 0C.16A).
type HistoryItem struct {
	LearnSessionID string       `json:"learn_session_id" format:"uuid"`
	EntryMode      EntryMode    `json:"entry_mode"`
	State          SessionState `json:"state"`
	Title          string       `json:"title,omitempty" maxLength:"200"`
	CreatedAt      clock.Time   `json:"created_at" format:"date-time"`
	CompletedAt    *clock.Time  `json:"completed_at,omitempty" format:"date-time"`
	ProposalID     string       `json:"proposal_id,omitempty" format:"uuid"`
	AbilityID      string       `json:"ability_id,omitempty" maxLength:"160"`
	ImportID       string       `json:"import_id,omitempty" format:"uuid" doc:"of an Import Skill session: the import that it shows"`
	Outcome        string       `json:"outcome,omitempty" enum:"approved,rejected,cancelled,in_progress,quarantined"`
}

// LearnHistoryResponse is a page of all sessions, newest first, archived ones included.
type LearnHistoryResponse struct {
	Items         []HistoryItem `json:"items"`
	Total         int           `json:"total" minimum:"0"`
	Page          int           `json:"page" minimum:"1"`
	PageSize      int           `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int           `json:"schema_version" enum:"1"`
}

// LearnReceiptsResponse is a page of receipts, newest first.
type LearnReceiptsResponse struct {
	Receipts      []LearningReceipt `json:"receipts"`
	Total         int               `json:"total" minimum:"0"`
	Page          int               `json:"page" minimum:"1"`
	PageSize      int               `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}

// BoundaryList is every boundary of a session, in order.
type BoundaryList struct {
	Boundaries    []WorkflowBoundary `json:"boundaries"`
	SchemaVersion int                `json:"schema_version" enum:"1"`
}

// ObservationList is a page of kept observations, in order of arrival, with their details.
type ObservationList struct {
	Observations  []Observation `json:"observations"`
	Total         int           `json:"total" minimum:"0"`
	Page          int           `json:"page" minimum:"1"`
	PageSize      int           `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int           `json:"schema_version" enum:"1"`
}

// ValueView is one sealed value as review shows it, once, to the person only (decisions B1).
type ValueView struct {
	LinkID  string    `json:"link_id"`
	Kind    ValueKind `json:"kind"`
	Label   string    `json:"label,omitempty"`
	ParamID string    `json:"param_id,omitempty"`
	Role    string    `json:"role,omitempty" enum:"input,constant,example,dropped,undecided"`
	Value   string    `json:"value"`
}

// ValueList is what the person entered while demonstrating, opened for the review on screen. It is never stored or
// logged.
type ValueList struct {
	Values        []ValueView `json:"values"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// ImproveTextRequest asks the configured model for a better wording of a draft.
type ImproveTextRequest struct {
	ConsentTo string `json:"consent_to,omitempty" maxLength:"300" doc:"the model on another machine that may see the texts of this session's draft from now on: details.endpoint of the refusal"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// ImproveTextResponse is a suggested wording. The person may accept it, as a revision with edited_fields, or ignore
// it.
type ImproveTextResponse struct {
	ProposalID    string         `json:"proposal_id" format:"uuid"`
	Revision      int            `json:"revision" doc:"that the texts are of"`
	Endpoint      string         `json:"endpoint" doc:"who saw the texts"`
	Model         string         `json:"model"`
	Remote        bool           `json:"remote"`
	TextsSent     int            `json:"texts_sent" doc:"texts that hold a value are not sent"`
	EditedFields  map[string]any `json:"edited_fields" doc:"empty: nothing became better"`
	Texts         []TextChange   `json:"texts"`
	Refused       []TextRefusal  `json:"refused" doc:"texts of the answer that were thrown away"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}

// TextChange is one text that could be worded better.
type TextChange struct {
	Text   string `json:"text" doc:"which: title, goal, use 0, input order, state of cp-01, step s3, ..."`
	Before string `json:"before"`
	After  string `json:"after"`
}

// TextRefusal is a text that stays as it is.
type TextRefusal struct {
	Text   string `json:"text"`
	Before string `json:"before"`
	Reason string `json:"reason"`
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

// ToldList is a session's observations, grouped into parts and retold.
type ToldList struct {
	Parts         []Told `json:"parts"`
	After         int64  `json:"after" minimum:"0" doc:"the observation after which the telling begins; 0: from the beginning"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}
