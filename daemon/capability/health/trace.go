package health

import "showhow/internal/clock"

// Trace is the record of one use or trial (baseline 1.1F): ids, labels and outcomes, never what was typed or read.
type Trace struct {
	TraceID            string         `json:"trace_id"`
	CapabilityID       string         `json:"capability_id"`
	AppID              string         `json:"app_id"`
	Goal               string         `json:"goal"`
	SessionKey         string         `json:"session_key,omitempty"`
	AgentID            string         `json:"agent_id,omitempty"`
	SurfacesAttempted  []string       `json:"surfaces_attempted"`
	Steps              []TraceStep    `json:"steps"`
	Verification       []Verification `json:"verification_results"`
	FallbackUsed       bool           `json:"fallback_used"`
	UserTakeover       bool           `json:"user_takeover"`
	Success            bool           `json:"success"`
	FailureFingerprint string         `json:"failure_fingerprint,omitempty"`
	ElapsedMS          int64          `json:"elapsed_ms"`
	CreatedAt          clock.Time     `json:"created_at"`
	SchemaVersion      int            `json:"schema_version"`
}

// TraceStep is one step of it.
type TraceStep struct {
	StepID      string `json:"step_id"`
	ActionLabel string `json:"action_label"`
	Surface     string `json:"surface"`
	Success     bool   `json:"success"`
}

// Verification is one check of it.
type Verification struct {
	Kind   string `json:"kind"`
	Passed bool   `json:"passed"`
	Detail string `json:"detail,omitempty"`
}
