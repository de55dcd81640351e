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
	Source    string     `json:"source" enum:"checkpoint_report,agent_run,rehearsal,canary,connector,event"`
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
	Canary        *CanaryConsent   `json:"canary,omitempty" doc:"the consent to automatic checks, if there is one"`
	Probe         HealthProbed     `json:"probe" doc:"what the manifest's health probe says"`
	Renamed       []RenamedControl `json:"renamed" doc:"what a repair would change"`
	Anchors       []UIAnchor       `json:"anchors" doc:"the controls that it acts on, in the order of its steps; empty for one that was not learned here"`
	SchemaVersion int              `json:"schema_version" enum:"1"`
}

// HealthProbed is what came of the health probe of a manifest (baseline 1.1B).
type HealthProbed struct {
	Kind   string `json:"kind" enum:"command,tool,browser,noop"`
	Target string `json:"target" maxLength:"240"`
	Result string `json:"result" enum:"passed,failed,not_run"`
	Told   string `json:"told" maxLength:"400" doc:"in words"`
}

// RenamedControl is a control that was found, or is reported, under another name than the ability has for it.
type RenamedControl struct {
	StepID  string            `json:"step_id" maxLength:"160"`
	Role    string            `json:"role,omitempty" maxLength:"80"`
	Name    string            `json:"name" maxLength:"240" doc:"what it is called now"`
	Place   *ObservedLandmark `json:"place,omitempty" doc:"where it is now, when it was somewhere else"`
	Changes []string          `json:"changes" maxLength:"400"`
	Guess   bool              `json:"guess,omitempty" doc:"the control is missing, and this one is new in its place: it may be the same"`
	Source  string            `json:"source" enum:"checkpoint_report,agent_run,rehearsal,canary,event"`
	Agent   string            `json:"agent,omitempty" maxLength:"160" doc:"who says so, where Showhow has not seen it"`
	RunID   string            `json:"run_id,omitempty" maxLength:"160"`
	Told    string            `json:"told" maxLength:"240" doc:"where it comes from, in words"`
	At      clock.Time        `json:"at" format:"date-time"`
}

// UIAnchor is a control that an ability acts on (baseline 1.1G).
type UIAnchor struct {
	AnchorID       string      `json:"anchor_id" maxLength:"160"`
	AppID          string      `json:"app_id" maxLength:"80"`
	WindowKind     string      `json:"window_kind" maxLength:"120" doc:"where it stands: page, dialog, form, row, ..."`
	SemanticRole   string      `json:"semantic_role" maxLength:"120"`
	LocatorType    string      `json:"locator_type" enum:"snapshot_label,aria_text,css_selector,app_menu_path,keyboard_shortcut,midi_binding,applescript_ref"`
	LocatorValue   string      `json:"locator_value" maxLength:"400" doc:"what it is called; {input} for one of several that an input names"`
	Alternates     []string    `json:"alternates" maxLength:"400"`
	LastVerifiedAt *clock.Time `json:"last_verified_at,omitempty" format:"date-time" doc:"when Showhow last found it"`
	Confidence     float64     `json:"confidence" minimum:"0" maximum:"1" doc:"that it is found again, from the latest 20 attempts; .5 when nobody has tried"`
	FailureCount   int         `json:"failure_count" minimum:"0" doc:"how often it was missed since it was last found"`
	FoundAs        string      `json:"found_as,omitempty" maxLength:"240" doc:"what it is called now, where that is another name"`
	AbilityID      string      `json:"ability_id" maxLength:"160"`
	CapabilityID   string      `json:"capability_id" maxLength:"160"`
	StepID         string      `json:"step_id" maxLength:"160"`
	SchemaVersion  int         `json:"schema_version" enum:"1"`
}

// UIAnchors lists the anchors of every ability.
type UIAnchors struct {
	Anchors       []UIAnchor `json:"anchors"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
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
