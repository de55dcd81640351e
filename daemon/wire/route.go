package wire

// RouteAsk asks for the best route to a capability now (baseline 0.2E).
type RouteAsk struct {
	AbilityID    string `json:"ability_id,omitempty" maxLength:"160" doc:"ability id or slug; or name the capability"`
	CapabilityID string `json:"capability_id,omitempty" maxLength:"160"`
	Provider     string `json:"provider,omitempty" maxLength:"80" doc:"only connectors of this provider"`
	ActionClass  string `json:"action_class,omitempty" enum:"read,write,admin"`
	ProjectID    string `json:"project_id,omitempty" maxLength:"160" doc:"or one of its names"`
	DesiredTool  string `json:"desired_tool,omitempty" maxLength:"120"`
	Post
}

// RouteScore is how well a connector serves, and why.
type RouteScore struct {
	ServerID string   `json:"server_id" maxLength:"120"`
	Score    float64  `json:"score" minimum:"0" maximum:"1"`
	Reasons  []string `json:"reasons" maxLength:"240" doc:"one a criterion, the weightiest first"`
}

// RouteSurface is one surface through which the capability's object can be reached.
type RouteSurface struct {
	Surface string `json:"surface" maxLength:"80"`
	Tier    int    `json:"tier" minimum:"1" maximum:"5" doc:"1 is the most semantic"`
	Why     string `json:"why" maxLength:"240"`
}

// HybridStep is one step of a plan (baseline 1.1Q).
type HybridStep struct {
	StepID           string   `json:"step_id" maxLength:"120"`
	Purpose          string   `json:"purpose" maxLength:"240"`
	ActSurface       string   `json:"act_surface"`
	VerifySurface    string   `json:"verify_surface" doc:"where it is seen that it worked"`
	FallbackSurfaces []string `json:"fallback_surfaces"`
	SupervisionClass string   `json:"supervision_class" enum:"none,confirm_critical,always_confirm"`
	Writes           bool     `json:"writes"`
}

// HybridPlan is the route step by step.
type HybridPlan struct {
	CapabilityID  string       `json:"capability_id" maxLength:"160"`
	Goal          string       `json:"goal" maxLength:"500"`
	Steps         []HybridStep `json:"steps"`
	SchemaVersion int          `json:"schema_version" enum:"1"`
}

// RouteExplained is the best route now, and why.
type RouteExplained struct {
	AbilityID      string         `json:"ability_id" maxLength:"160"`
	CapabilityID   string         `json:"capability_id" maxLength:"160"`
	Decision       string         `json:"decision" enum:"allow,deny,ask_first,degraded,no_route"`
	ServerID       string         `json:"server_id,omitempty" maxLength:"120" doc:"the connector that serves best"`
	Because        []string       `json:"because" maxLength:"400"`
	Surfaces       []RouteSurface `json:"surfaces" doc:"the preferred one first"`
	ScoreBreakdown []RouteScore   `json:"score_breakdown"`
	Plan           *HybridPlan    `json:"plan,omitempty" doc:"of what was learned from a demonstration here"`
	SchemaVersion  int            `json:"schema_version" enum:"1"`
}
