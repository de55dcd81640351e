package skill

// Manifest is a capability manifest (baseline 1.1B).
type Manifest struct {
	CapabilityID        string         `json:"capability_id" maxLength:"160"`
	Family              string         `json:"family" maxLength:"80"`
	Kind                string         `json:"kind" enum:"native_openclaw_tool,bridge_tool,wrapper_script,workflow_pattern,promoted_skill"`
	Title               string         `json:"title" maxLength:"200"`
	OriginSkill         string         `json:"origin_skill" maxLength:"120"`
	Aliases             []string       `json:"aliases"`
	ActionVerbs         []string       `json:"action_verbs"`
	SurfaceOrder        []string       `json:"surface_order" minItems:"1"`
	RuntimeBinding      RuntimeBinding `json:"runtime_binding"`
	RequiredRuntimeCaps []string       `json:"required_runtime_caps"`
	Permissions         []string       `json:"permissions"`
	RequiresSupervision bool           `json:"requires_supervision"`
	DryRunSupported     bool           `json:"dry_run_supported"`
	RoutingEligible     bool           `json:"routing_eligible"`
	Verification        []Verification `json:"verification" minItems:"1"`
	HealthProbe         HealthProbe    `json:"health_probe"`
	LearningPolicy      LearningPolicy `json:"learning_policy"`
	SchemaVersion       int            `json:"schema_version" enum:"1"`
}

// RuntimeBinding says what performs the capability.
type RuntimeBinding struct {
	BindingKind string `json:"binding_kind" enum:"native_tool,bridge_tool,script,workflow_pattern"`
	Target      string `json:"target" maxLength:"240"`
}

// Verification is one rule by which success is recognised.
type Verification struct {
	Kind     string `json:"kind" enum:"tool_result,file_hash,window_state,snapshot_label,api_state,manual_confirmation"`
	Target   string `json:"target" maxLength:"240"`
	Expected string `json:"expected,omitempty" maxLength:"240"`
}

// HealthProbe says how to check whether the capability can work now.
type HealthProbe struct {
	Kind      string `json:"kind" enum:"command,tool,browser,noop"`
	Target    string `json:"target" maxLength:"240"`
	TimeoutMS int    `json:"timeout_ms" minimum:"1"`
}

// LearningPolicy says what may be learned on top of it.
type LearningPolicy struct {
	TeachModeAllowed            bool   `json:"teach_mode_allowed"`
	PromotionSourceTemplateID   string `json:"promotion_source_template_id,omitempty" maxLength:"160"`
	AutoCaptureTrace            bool   `json:"auto_capture_trace"`
	ProposalRequiredForMutation bool   `json:"proposal_required_for_mutation"`
}
