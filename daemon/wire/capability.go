package wire

import "showhow/internal/clock"

// CapabilityHealth is the health of one capability (baseline 1.1D).
type CapabilityHealth struct {
	CapabilityID        string      `json:"capability_id" maxLength:"160"`
	AbilityID           string      `json:"ability_id,omitempty" maxLength:"160"`
	InstalledState      string      `json:"installed_state" enum:"present,missing"`
	HealthStatus        string      `json:"health_status" enum:"healthy,degraded,quarantined,disabled"`
	SessionAvailability string      `json:"session_availability" enum:"supported,degraded,unsupported,unknown"`
	ReasonCodes         []string    `json:"reason_codes" maxLength:"80"`
	LastVerifiedAt      *clock.Time `json:"last_verified_at,omitempty" format:"date-time" doc:"when Showhow itself last saw it work"`
	SchemaVersion       int         `json:"schema_version" enum:"1"`
}

// CapabilityHealthIndex is the health of every capability.
type CapabilityHealthIndex struct {
	Capabilities  []CapabilityHealth `json:"capabilities"`
	UpdatedAt     clock.Time         `json:"updated_at" format:"date-time"`
	SchemaVersion int                `json:"schema_version" enum:"1"`
}

// CapabilityStats counts the outcomes of a capability's uses and trials.
type CapabilityStats struct {
	CapabilityID  string      `json:"capability_id" maxLength:"160"`
	Passed        int         `json:"passed"`
	Failed        int         `json:"failed"`
	Inconclusive  int         `json:"inconclusive"`
	GoodCanaries  int         `json:"good_canaries" doc:"in a row since it was quarantined"`
	LastUsedAt    *clock.Time `json:"last_used_at,omitempty" format:"date-time"`
	LastFailedAt  *clock.Time `json:"last_failed_at,omitempty" format:"date-time"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// CapabilityStatsIndex holds the counts of every capability.
type CapabilityStatsIndex struct {
	Capabilities  []CapabilityStats `json:"capabilities"`
	UpdatedAt     clock.Time        `json:"updated_at" format:"date-time"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}

// AbilityOutcome is the outcome of one use or trial of an ability.
type AbilityOutcome struct {
	OutcomeID string     `json:"outcome_id" maxLength:"160"`
	Source    string     `json:"source" enum:"checkpoint_report,agent_run,rehearsal,canary,connector,drift,event"`
	Result    string     `json:"result" enum:"passed,failed,inconclusive"`
	StepID    string     `json:"step_id,omitempty" maxLength:"160"`
	Code      string     `json:"code,omitempty" maxLength:"120"`
	Critical  bool       `json:"critical,omitempty" doc:"it did what its policy forbids"`
	TraceID   string     `json:"trace_id,omitempty" maxLength:"160"`
	At        clock.Time `json:"at" format:"date-time"`
}

// AbilityHealthDetail is an ability's health in words, with its sources.
type AbilityHealthDetail struct {
	AbilityID     string           `json:"ability_id" maxLength:"160"`
	CapabilityID  string           `json:"capability_id" maxLength:"160"`
	Title         string           `json:"title" maxLength:"200"`
	Health        AbilityHealth    `json:"health"`
	Because       []string         `json:"because" maxLength:"400" doc:"why it is so, and what changes it, in words"`
	Stats         CapabilityStats  `json:"stats"`
	Outcomes      []AbilityOutcome `json:"outcomes" doc:"newest first, at most 200"`
	Canary        *CanaryConsent   `json:"canary,omitempty" doc:"the consent to look by itself, where there is one"`
	SchemaVersion int              `json:"schema_version" enum:"1"`
}

// CapabilityRequest names an ability or its capability.
type CapabilityRequest struct {
	AbilityID    string `json:"ability_id,omitempty" maxLength:"160" doc:"ability id or slug; or name the capability"`
	CapabilityID string `json:"capability_id,omitempty" maxLength:"160"`
	Post
}

// Reprobe is the result of a check that somebody asked for.
type Reprobe struct {
	AbilityID     string        `json:"ability_id" maxLength:"160"`
	Health        AbilityHealth `json:"health"`
	Canary        CanaryConsent `json:"canary"`
	SchemaVersion int           `json:"schema_version" enum:"1"`
}
