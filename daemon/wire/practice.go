package wire

import "showhow/internal/clock"

// PracticeRequest starts a practice or a coaching.
type PracticeRequest struct {
	EntryMode  EntryMode     `json:"entry_mode,omitempty" enum:"autonomous_agent_practice,coaching_agent" default:"autonomous_agent_practice"`
	Goal       string        `json:"goal" minLength:"1" maxLength:"400"`
	Hints      []string      `json:"hints,omitempty" maxItems:"20" maxLength:"1000" doc:"the coach's"`
	Command    []string      `json:"command,omitempty" maxItems:"200" maxLength:"32768" doc:"omitted: agent_command of the configuration"`
	Agent      string        `json:"agent,omitempty" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$"`
	Attempts   int           `json:"attempts,omitempty" minimum:"1" maximum:"5" default:"1"`
	Verify     string        `json:"verify,omitempty" maxLength:"2000" doc:"a line of shell that succeeds in the workspace when the goal was reached"`
	ReadOnly   []string      `json:"read_only,omitempty" maxItems:"20" maxLength:"1000"`
	TestPolicy *TestPolicy   `json:"test_policy,omitempty" doc:"its hosts and its number of actions hold for each attempt"`
	Limits     SandboxLimits `json:"limits,omitempty"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// Practice is the state of a practice.
type Practice struct {
	PracticeID     string            `json:"practice_id" format:"uuid"`
	State          string            `json:"state" enum:"running,drafted,failed,interrupted" doc:"interrupted: the daemon ended while it ran; what had worked can still be drafted"`
	Goal           string            `json:"goal" maxLength:"400"`
	Attempts       []PracticeAttempt `json:"attempts"`
	LearnSessionID string            `json:"learn_session_id,omitempty" doc:"of the first attempt that worked; the others are its examples"`
	ProposalID     string            `json:"proposal_id,omitempty"`
	Reason         string            `json:"reason,omitempty" maxLength:"400"`
	StartedAt      clock.Time        `json:"started_at" format:"date-time"`
	SchemaVersion  int               `json:"schema_version" enum:"1"`
}

// PracticeAttempt is one run of the agent.
type PracticeAttempt struct {
	RunID          string `json:"run_id" format:"uuid"`
	LearnSessionID string `json:"learn_session_id" format:"uuid"`
	Worked         bool   `json:"worked"`
	Ended          bool   `json:"ended"`
	Reason         string `json:"reason,omitempty" maxLength:"400"`
}
