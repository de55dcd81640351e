package wire

import "showhow/internal/clock"

// LearningReceipt is the durable record of one lifecycle change (DOC3 0C.12).
type LearningReceipt struct {
	ReceiptID      string     `json:"receipt_id" format:"uuid"`
	Kind           EventKind  `json:"kind" maxLength:"80"`
	LearnSessionID string     `json:"learn_session_id,omitempty" format:"uuid"`
	ProposalID     string     `json:"proposal_id,omitempty" format:"uuid"`
	AbilityID      string     `json:"ability_id,omitempty" maxLength:"160"`
	SkillSlug      string     `json:"skill_slug,omitempty" maxLength:"120" doc:"the skill's name, as it was when the receipt was written"`
	DispatchID     string     `json:"dispatch_id,omitempty" maxLength:"160"`
	Reason         string     `json:"reason,omitempty" maxLength:"1000"`
	Summary        string     `json:"summary" maxLength:"400"`
	CorrelationID  string     `json:"correlation_id,omitempty" maxLength:"200"`
	CreatedAt      clock.Time `json:"created_at" format:"date-time"`
	SchemaVersion  int        `json:"schema_version" enum:"1"`
}

// EventKind names a lifecycle event (DOC3 0C.13 and decisions 5.7).
type EventKind string

// The events that end a session's stream.
const (
	EventSessionDeleted EventKind = "learn.session.deleted"
	EventSessionEnded   EventKind = "learn.session.ended"
)

// CheckpointVerificationReceipt is one voluntary or mechanical verification of a checkpoint.
type CheckpointVerificationReceipt struct {
	ReceiptID      string     `json:"receipt_id" format:"uuid"`
	CheckpointID   string     `json:"checkpoint_id" maxLength:"160"`
	AbilityID      string     `json:"ability_id,omitempty" maxLength:"160"`
	LearnSessionID string     `json:"learn_session_id,omitempty" format:"uuid"`
	DispatchID     string     `json:"dispatch_id,omitempty" maxLength:"160"`
	Status         string     `json:"status" enum:"reached,skipped,failed"`
	Evidence       string     `json:"evidence" maxLength:"1000"`
	Reason         string     `json:"reason,omitempty" maxLength:"1000"`
	CheckedBy      string     `json:"checked_by" enum:"agent,rehearsal,machine"`
	ReportedBy     string     `json:"reported_by,omitempty" maxLength:"200" doc:"the agent, or terminal for a person"`
	CreatedAt      clock.Time `json:"created_at" format:"date-time"`
	SchemaVersion  int        `json:"schema_version" enum:"1"`
}
