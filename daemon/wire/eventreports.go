package wire

import "showhow/internal/clock"

// Reports over runtime events. Each is also a file below system/events/reports of the memory root.

// RuntimeCheckpoint is one checkpoint of an operator's session.
type RuntimeCheckpoint struct {
	CheckpointID        string   `json:"checkpoint_id,omitempty"`
	OccurredAt          string   `json:"occurred_at,omitempty"`
	Step                string   `json:"step,omitempty"`
	Status              string   `json:"status,omitempty"`
	MissingCapabilities []string `json:"missing_capabilities,omitempty"`
}

// RuntimeOutcome is how a session ended, by the newest feedback.
type RuntimeOutcome struct {
	Status     string     `json:"status"`
	Score      float64    `json:"score"`
	Comment    string     `json:"comment,omitempty"`
	OccurredAt clock.Time `json:"occurred_at" format:"date-time"`
	FeedbackID string     `json:"feedback_id"`
	Origin     string     `json:"origin" enum:"projected,direct"`
}

// RuntimeHandoffState is what the next operator is told.
type RuntimeHandoffState struct {
	State      string `json:"state" enum:"none,open,closed" doc:"open: somebody is to go on; closed: the session succeeded after all"`
	Summary    string `json:"summary,omitempty"`
	NextAction string `json:"next_action,omitempty"`
}

// RuntimeSignal is what feedback suggests: one sentence of a deterministic heuristic.
type RuntimeSignal struct {
	Signal     string  `json:"signal" enum:"selected_skill_succeeded,selected_skill_failed,selected_skill_unclear,capability_missing"`
	Subject    string  `json:"subject" doc:"the skill or the capability, as the event names it"`
	FeedbackID string  `json:"feedback_id"`
	Status     string  `json:"status"`
	Score      float64 `json:"score"`
}

// RuntimeRisk is the risk of building on something, with reasons.
type RuntimeRisk struct {
	Level string   `json:"level" enum:"low,medium,high"`
	Notes []string `json:"notes"`
}

// RuntimeEvidence is one envelope that a report is based on.
type RuntimeEvidence struct {
	EnvelopeID string     `json:"envelope_id"`
	EventID    string     `json:"event_id"`
	EventKind  string     `json:"event_kind"`
	OccurredAt clock.Time `json:"occurred_at" format:"date-time"`
	FeedbackID string     `json:"feedback_id,omitempty"`
}

// RuntimeSessionReport bundles the evidence on one session.
type RuntimeSessionReport struct {
	ArtifactKind        string              `json:"artifact_kind" enum:"runtime_session_report"`
	SchemaVersion       string              `json:"schema_version" enum:"1.0"`
	GeneratedAt         clock.Time          `json:"generated_at" format:"date-time"`
	SessionID           string              `json:"session_id"`
	Task                string              `json:"task"`
	Sources             []string            `json:"sources"`
	Operator            string              `json:"operator,omitempty"`
	StartedAt           *clock.Time         `json:"started_at,omitempty" format:"date-time"`
	Outcome             *RuntimeOutcome     `json:"outcome,omitempty"`
	SelectedSkills      []string            `json:"selected_skills"`
	MissingCapabilities []string            `json:"missing_capabilities"`
	Steps               []string            `json:"steps"`
	Checkpoints         []RuntimeCheckpoint `json:"checkpoints"`
	LastCheckpoint      *RuntimeCheckpoint  `json:"last_checkpoint,omitempty"`
	Handoff             RuntimeHandoffState `json:"handoff"`
	Signals             []RuntimeSignal     `json:"evolution_signals"`
	PromotionRisk       RuntimeRisk         `json:"promotion_risk"`
	Evidence            []RuntimeEvidence   `json:"evidence"`
}

// RuntimeHandoff is what the next operator needs.
type RuntimeHandoff struct {
	ArtifactKind        string              `json:"artifact_kind" enum:"openclaw_operator_handoff"`
	SchemaVersion       string              `json:"schema_version" enum:"1.0"`
	GeneratedAt         clock.Time          `json:"generated_at" format:"date-time"`
	SessionID           string              `json:"session_id"`
	Task                string              `json:"task"`
	Handoff             RuntimeHandoffState `json:"handoff"`
	Outcome             *RuntimeOutcome     `json:"outcome,omitempty"`
	LastCheckpoint      *RuntimeCheckpoint  `json:"last_checkpoint,omitempty"`
	MissingCapabilities []string            `json:"missing_capabilities"`
	ResumeCommands      []string            `json:"resume_commands"`
}

// RuntimeHandoffBundle can be imported elsewhere: it keeps everything of a session together, redacted.
type RuntimeHandoffBundle struct {
	ArtifactKind   string                    `json:"artifact_kind" enum:"openclaw_operator_handoff_bundle"`
	SchemaVersion  string                    `json:"schema_version" enum:"1.0"`
	SessionID      string                    `json:"session_id"`
	ReportedBy     string                    `json:"reported_by"`
	SourceArtifact map[string]any            `json:"source_artifact,omitempty" doc:"the operator's session, redacted; none when the session came as events"`
	SessionReport  RuntimeSessionReport      `json:"runtime_session_report"`
	Handoff        RuntimeHandoff            `json:"handoff"`
	Envelopes      []RuntimeEnvelope         `json:"envelopes"`
	Feedback       []ProjectedFeedbackRecord `json:"projected_feedback"`
}

// RuntimeImportReport is the result of importing an operator's session.
type RuntimeImportReport struct {
	ArtifactKind   string                    `json:"artifact_kind" enum:"openclaw_import"`
	SchemaVersion  string                    `json:"schema_version" enum:"1.0"`
	SessionID      string                    `json:"session_id"`
	SourceArtifact map[string]any            `json:"source_artifact"`
	Envelopes      []RuntimeEnvelope         `json:"envelopes"`
	Feedback       []ProjectedFeedbackRecord `json:"projected_feedback"`
}

// RuntimeInspection is the raw-to-projected chain of one session, or of all.
type RuntimeInspection struct {
	ArtifactKind  string              `json:"artifact_kind" enum:"runtime_event_inspection"`
	SchemaVersion string              `json:"schema_version" enum:"1.0"`
	GeneratedAt   clock.Time          `json:"generated_at" format:"date-time"`
	SessionID     string              `json:"session_id,omitempty"`
	Entries       []RuntimeEventEntry `json:"entries"`
}

// GateRequirement is one requirement of a gate.
type GateRequirement struct {
	Name     string `json:"name"`
	Required string `json:"required"`
	Actual   string `json:"actual"`
	Met      bool   `json:"met"`
}

// GatePolicy is what must hold before something is built upon.
type GatePolicy struct {
	Name         string            `json:"name" enum:"draft_installation,skill_review,learn_candidate"`
	Requirements []GateRequirement `json:"requirements"`
}

// EvolutionEvidence counts the evidence behind a proposal. Of each session only the newest feedback counts.
type EvolutionEvidence struct {
	Sessions   int      `json:"sessions"`
	Failures   int      `json:"failures"`
	Successes  int      `json:"successes"`
	MeanScore  *float64 `json:"mean_score,omitempty"`
	Reporters  []string `json:"reporters"`
	SessionIDs []string `json:"session_ids" doc:"the first twenty"`
}

// RollbackContext says how to undo a proposal after it was followed.
type RollbackContext struct {
	Available   bool   `json:"available"`
	How         string `json:"how"`
	Command     string `json:"command,omitempty"`
	ContentHash string `json:"content_hash,omitempty" doc:"of what is in use now"`
}

// EvolutionProposal is one possible improvement, with the gate's verdict.
type EvolutionProposal struct {
	ProposalID      string            `json:"proposal_id"`
	Kind            string            `json:"kind" enum:"draft,skill_review,learn_candidate"`
	Title           string            `json:"title"`
	Subject         string            `json:"subject" doc:"the draft, skill or capability that it is about"`
	AbilityID       string            `json:"ability_id,omitempty"`
	Revision        int               `json:"revision,omitempty"`
	ContentHash     string            `json:"content_hash,omitempty"`
	Evidence        EvolutionEvidence `json:"evidence"`
	Gate            GatePolicy        `json:"gate_policy"`
	Readiness       string            `json:"readiness" enum:"ready_for_promotion,operator_review_required,blocked"`
	Risk            RuntimeRisk       `json:"risk"`
	OperatorActions []string          `json:"operator_actions"`
	Rollback        RollbackContext   `json:"rollback"`
}

// EvolutionReport lists all proposals.
type EvolutionReport struct {
	ArtifactKind  string              `json:"artifact_kind" enum:"evolution_report"`
	SchemaVersion string              `json:"schema_version" enum:"1.0"`
	GeneratedAt   clock.Time          `json:"generated_at" format:"date-time"`
	Feedback      int                 `json:"feedback_records"`
	Sessions      int                 `json:"sessions"`
	Proposals     []EvolutionProposal `json:"proposals"`
}

// GovernanceReport tells the operator what may be promoted, what waits, what is blocked, and how each is undone.
type GovernanceReport struct {
	ArtifactKind  string              `json:"artifact_kind" enum:"governance_report"`
	SchemaVersion string              `json:"schema_version" enum:"1.0"`
	GeneratedAt   clock.Time          `json:"generated_at" format:"date-time"`
	Feedback      int                 `json:"feedback_records"`
	Sessions      int                 `json:"sessions"`
	Ready         int                 `json:"ready_for_promotion"`
	Review        int                 `json:"operator_review_required"`
	Blocked       int                 `json:"blocked"`
	Proposals     []EvolutionProposal `json:"proposals"`
}

// OperatorReviewItem is one thing that waits for a person.
type OperatorReviewItem struct {
	Kind      string `json:"kind" enum:"handoff,draft,skill_review,learn_candidate"`
	ID        string `json:"id"`
	Title     string `json:"title"`
	Readiness string `json:"readiness,omitempty"`
	Risk      string `json:"risk,omitempty"`
	Action    string `json:"action"`
}

// OperatorReview is the queue of review items.
type OperatorReview struct {
	ArtifactKind  string               `json:"artifact_kind" enum:"operator_review"`
	SchemaVersion string               `json:"schema_version" enum:"1.0"`
	GeneratedAt   clock.Time           `json:"generated_at" format:"date-time"`
	Items         []OperatorReviewItem `json:"items"`
}

// PromotionArtifact says what a promotion would install. It is always a dry run: only a person installs.
type PromotionArtifact struct {
	ArtifactKind  string              `json:"artifact_kind" enum:"promotion_artifact"`
	SchemaVersion string              `json:"schema_version" enum:"1.0"`
	GeneratedAt   clock.Time          `json:"generated_at" format:"date-time"`
	Mode          string              `json:"mode" enum:"dry_run"`
	Candidates    []EvolutionProposal `json:"candidates"`
	NotReady      int                 `json:"not_ready"`
}

// RuntimeWorkflowState is the state of the newest hand-over.
type RuntimeWorkflowState struct {
	SessionID      string             `json:"session_id"`
	Stage          string             `json:"stage" enum:"reported,handed_off,finished"`
	Cause          string             `json:"cause" enum:"import,replay"`
	LastCheckpoint *RuntimeCheckpoint `json:"last_checkpoint,omitempty"`
	NextAction     string             `json:"next_action,omitempty"`
	ResumeCommands []string           `json:"resume_commands"`
	Sequence       int                `json:"sequence" doc:"of this session's checkpoints of the workflow, from 1"`
	UpdatedAt      clock.Time         `json:"updated_at" format:"date-time"`
	SchemaVersion  int                `json:"schema_version" enum:"1"`
}

// RuntimeSessionReportAnswer is a report as data and as text.
type RuntimeSessionReportAnswer struct {
	Report        RuntimeSessionReport `json:"report"`
	Markdown      string               `json:"markdown"`
	SchemaVersion int                  `json:"schema_version" enum:"1"`
}

// RuntimeReportPreview holds the reports on a payload of which nothing is kept.
type RuntimeReportPreview struct {
	Shape         string                       `json:"shape"`
	Reports       []RuntimeSessionReportAnswer `json:"reports"`
	Written       []string                     `json:"written" doc:"report files that changed, relative to the memory root"`
	SchemaVersion int                          `json:"schema_version" enum:"1"`
}

// GovernanceAnswer is the report as data and as text.
type GovernanceAnswer struct {
	Report        GovernanceReport  `json:"report"`
	Review        OperatorReview    `json:"operator_review"`
	Promotion     PromotionArtifact `json:"promotion"`
	Markdown      string            `json:"markdown"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}
