package wire

import "showhow/internal/clock"

// InboxItem is one thing that waits for a person.
type InboxItem struct {
	ItemID    string      `json:"item_id" maxLength:"240" doc:"stable: its kind and what it is about"`
	Kind      string      `json:"kind" enum:"call_waiting,run_question,agent_question,remote_sign_in,remote_task,connector_auth,reapproval,quarantined,degraded,repair_ready,import_needs_adapter,agent_proposal,review_waiting,note_proposal,promotion_candidate,done_again"`
	Title     string      `json:"title" maxLength:"240" doc:"what it is, in one line"`
	Detail    string      `json:"detail,omitempty" maxLength:"600" doc:"why, and what happens otherwise"`
	Ref       string      `json:"ref" maxLength:"160" doc:"id of what it is about: a dispatch, run, question, sign-in, connector, ability, import or routine"`
	Action    InboxAction `json:"action"`
	Since     *clock.Time `json:"since,omitempty" format:"date-time"`
	ExpiresAt *clock.Time `json:"expires_at,omitempty" format:"date-time"`
}

// InboxAction is what to do about an item.
type InboxAction struct {
	Label   string `json:"label" maxLength:"80"`
	Command string `json:"command" maxLength:"240" doc:"that does it, or leads to it, on the command line"`
	Page    string `json:"page" maxLength:"240" doc:"of the window, where it is done"`
}

// Inbox is everything that waits for a person, most urgent first.
type Inbox struct {
	Items         []InboxItem `json:"items"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}
