package wire

import "showhow/internal/clock"

// The records of connectors (DOC3 0.2D). Names of types follow the specification's schemas.

// MCPProviders are the providers that a record can name; each `enum` of a provider has the same.
var MCPProviders = []string{"m365", "gmail_google", "acrobat", "custom_remote", "provider_native"}

// MCPThrottleState says whether a service asked for fewer calls.
type MCPThrottleState struct {
	State          string `json:"state" enum:"none,cooldown,server_backoff,rate_limited" default:"none"`
	RetryAfterMs   *int64 `json:"retry_after_ms,omitempty" minimum:"0"`
	ReasonCode     string `json:"reason_code,omitempty" maxLength:"120"`
	LastHTTPStatus int    `json:"last_http_status,omitempty" minimum:"100" maximum:"599"`
	SchemaVersion  int    `json:"schema_version" enum:"1"`
}

// MCPAuthProfile is a sign-in to a service. Secrets are in the keychain; only their names are here.
type MCPAuthProfile struct {
	AuthProfileID               string      `json:"auth_profile_id" maxLength:"120"`
	Provider                    string      `json:"provider" enum:"m365,gmail_google,acrobat,custom_remote,provider_native"`
	AuthMode                    string      `json:"auth_mode" enum:"oauth2_delegated,oauth2_on_behalf_of,oauth2_client_credentials,api_key,none" default:"oauth2_delegated"`
	SecretRef                   string      `json:"secret_ref,omitempty" maxLength:"240" doc:"the name of a credential in the keychain"`
	TokenRef                    string      `json:"token_ref,omitempty" maxLength:"240" doc:"the name of the tokens in the keychain"`
	Scopes                      []string    `json:"scopes" maxLength:"160"`
	TenantID                    string      `json:"tenant_id,omitempty" maxLength:"120"`
	ClientID                    string      `json:"client_id,omitempty" maxLength:"120"`
	RedirectURI                 string      `json:"redirect_uri,omitempty" format:"uri"`
	TokenSubjectKind            string      `json:"token_subject_kind" enum:"user,service,delegated" default:"user"`
	IncrementalConsentSupported bool        `json:"incremental_consent_supported"`
	AuthChallengeSupported      bool        `json:"auth_challenge_supported"`
	ExpiresAt                   *clock.Time `json:"expires_at,omitempty" format:"date-time"`
	RefreshAt                   *clock.Time `json:"refresh_at,omitempty" format:"date-time"`
	RefreshPolicy               string      `json:"refresh_policy" enum:"manual,auto_if_refresh_token,deny" default:"manual"`
	Status                      string      `json:"status" enum:"healthy,challenge_required,expired,revoked,unknown" default:"unknown"`
	LastAuthErrorCode           string      `json:"last_auth_error_code,omitempty" maxLength:"120"`
	SharedProfile               bool        `json:"shared_profile"`
	CreatedAt                   clock.Time  `json:"created_at" format:"date-time"`
	UpdatedAt                   clock.Time  `json:"updated_at" format:"date-time"`
	SchemaVersion               int         `json:"schema_version" enum:"1"`
}

// MCPServerRegistryEntry is a connector as it was registered.
type MCPServerRegistryEntry struct {
	ServerID           string          `json:"server_id" maxLength:"120"`
	Provider           string          `json:"provider" enum:"m365,gmail_google,acrobat,custom_remote,provider_native"`
	DisplayName        string          `json:"display_name" maxLength:"160"`
	EndpointURL        string          `json:"endpoint_url,omitempty" format:"uri"`
	Transport          string          `json:"transport" enum:"remote_http,local_bridge,provider_native"`
	InteractionMode    string          `json:"interaction_mode" enum:"interactive_user,background_service" default:"interactive_user"`
	AuthProfileID      string          `json:"auth_profile_id,omitempty" maxLength:"120"`
	ProtocolRevision   string          `json:"protocol_revision,omitempty" maxLength:"40"`
	ToolSchemaHash     string          `json:"tool_schema_hash,omitempty" maxLength:"128" doc:"over the definitions of all tools, as a person last saw them"`
	RateLimitProfile   string          `json:"rate_limit_profile" enum:"unknown,low,medium,high" default:"unknown"`
	DataClasses        []string        `json:"data_classes" maxLength:"80"`
	SupportedTools     []string        `json:"supported_tools" maxLength:"120"`
	Enabled            bool            `json:"enabled"`
	ActiveBuildSurface bool            `json:"active_build_surface"`
	SupportsSmokeTest  bool            `json:"supports_smoke_test"`
	CreatedAt          clock.Time      `json:"created_at" format:"date-time"`
	UpdatedAt          clock.Time      `json:"updated_at" format:"date-time"`
	LocalBridge        *MCPLocalBridge `json:"local_bridge,omitempty"`
	// HeaderSecrets maps a header to the name of the credential whose value is sent in it.
	HeaderSecrets map[string]string `json:"header_secrets,omitempty" doc:"headers that are sent, each with the name of the credential that it holds"`
	TimeoutMs     int               `json:"timeout_ms,omitempty" minimum:"1000" maximum:"600000" doc:"how long a call may take; absent: a minute"`
	// What the service may ask in return while it works on a call; without these it is refused.
	AllowSampling    bool `json:"allow_sampling,omitempty" doc:"it may ask the model of the agent that calls (sampling)"`
	AllowElicitation bool `json:"allow_elicitation,omitempty" doc:"it may ask the person before the agent that calls (elicitation)"`
	AllowRoots       bool `json:"allow_roots,omitempty" doc:"it may learn the names of the folders that the agent that calls works in (roots)"`
	SchemaVersion    int  `json:"schema_version" enum:"1"`
	// M365 makes it Microsoft 365 itself, reached over Microsoft Graph.
	M365 *M365Registration `json:"m365,omitempty"`
}

// MCPLocalBridge is a server that runs on this computer, in a sandbox that holds only what is named here.
type MCPLocalBridge struct {
	Command     []string          `json:"command" minItems:"1" maxItems:"64" maxLength:"4096" doc:"the program and its arguments"`
	Folders     []string          `json:"folders,omitempty" maxItems:"32" maxLength:"4096" doc:"folders that it may read and change"`
	ReadFolders []string          `json:"read_folders,omitempty" maxItems:"32" maxLength:"4096" doc:"folders and files that it may read"`
	Hosts       []string          `json:"hosts,omitempty" maxItems:"32" maxLength:"260" doc:"hosts that it may reach"`
	Credentials map[string]string `json:"credentials,omitempty" doc:"variables of its environment, each with the name of the credential that it holds"`
	Package     *MCPLocalPackage  `json:"package,omitempty" doc:"what was installed for it, pinned"`
}

// MCPLocalPackage is an installed package of a local server.
type MCPLocalPackage struct {
	Name      string `json:"name" maxLength:"214"`
	Version   string `json:"version" maxLength:"80"`
	Integrity string `json:"integrity" maxLength:"200" doc:"the registry's checksum of the package itself"`
	FilesHash string `json:"files_hash" maxLength:"64" doc:"SHA-256 over all files that were installed; it is checked before they run"`
	// Kind and Command are absent in what was registered before there were Python packages.
	Kind    string   `json:"kind,omitempty" enum:"npm,pypi" default:"npm"`
	Command []string `json:"command,omitempty" maxItems:"64" maxLength:"4096" doc:"the command as it was registered, which would have fetched it"`
}

// MCPToolHealth is the health of one tool's calls.
type MCPToolHealth struct {
	OK             bool        `json:"ok"`
	LastError      string      `json:"last_error,omitempty" maxLength:"240" doc:"a code, never what the service said"`
	LastCheckedAt  *clock.Time `json:"last_checked_at,omitempty" format:"date-time"`
	LastHTTPStatus int         `json:"last_http_status,omitempty" minimum:"100" maximum:"599"`
}

// MCPConnectionHealth is the health of a connector.
type MCPConnectionHealth struct {
	ServerID            string                   `json:"server_id" maxLength:"120"`
	HealthStatus        string                   `json:"health_status" enum:"healthy,degraded,disabled,unknown"`
	HealthReasonCode    string                   `json:"health_reason_code,omitempty" maxLength:"120"`
	LastCheckedAt       *clock.Time              `json:"last_checked_at,omitempty" format:"date-time"`
	FailureCountRolling int                      `json:"failure_count_rolling" minimum:"0"`
	BackoffUntil        *clock.Time              `json:"backoff_until,omitempty" format:"date-time"`
	ThrottleState       MCPThrottleState         `json:"throttle_state"`
	AuthState           string                   `json:"auth_state" enum:"healthy,challenge_required,expired,revoked,unknown" default:"unknown"`
	InteractiveCapable  bool                     `json:"interactive_capable"`
	ToolHealth          map[string]MCPToolHealth `json:"tool_health"`
	SchemaVersion       int                      `json:"schema_version" enum:"1"`
}

// MCPServerAuthStatus is the sign-in state of one connector.
type MCPServerAuthStatus struct {
	ServerID          string      `json:"server_id" maxLength:"120"`
	AuthProfileID     string      `json:"auth_profile_id,omitempty" maxLength:"120"`
	AuthState         string      `json:"auth_state" enum:"healthy,challenge_required,expired,revoked,unknown"`
	AuthMode          string      `json:"auth_mode,omitempty" enum:"oauth2_delegated,oauth2_on_behalf_of,oauth2_client_credentials,api_key,none"`
	ScopesGranted     []string    `json:"scopes_granted" maxLength:"160"`
	ScopesMissing     []string    `json:"scopes_missing" maxLength:"160"`
	ExpiresAt         *clock.Time `json:"expires_at,omitempty" format:"date-time"`
	RefreshAt         *clock.Time `json:"refresh_at,omitempty" format:"date-time"`
	RedirectURI       string      `json:"redirect_uri,omitempty" format:"uri"`
	LastAuthErrorCode string      `json:"last_auth_error_code,omitempty" maxLength:"120"`
	ChallengeID       string      `json:"challenge_id,omitempty" maxLength:"160" doc:"what the service asked for and nobody answered yet"`
	SchemaVersion     int         `json:"schema_version" enum:"1"`
}

// MCPPolicyTarget is the subject of a policy. target_kind decides which fields it needs.
type MCPPolicyTarget struct {
	TargetKind string `json:"target_kind" enum:"global,provider,server,tool,temporary_grant"`
	Provider   string `json:"provider,omitempty" enum:"m365,gmail_google,acrobat,custom_remote,provider_native"`
	ServerID   string `json:"server_id,omitempty" maxLength:"120"`
	ToolName   string `json:"tool_name,omitempty" maxLength:"120"`
	DispatchID string `json:"dispatch_id,omitempty" format:"uuid"`
}

// MCPPolicyDecision is the decision for a target.
type MCPPolicyDecision struct {
	Mode          string      `json:"mode" enum:"enabled,disabled,ask_first"`
	ExpiresAt     *clock.Time `json:"expires_at,omitempty" format:"date-time"`
	ReasonCode    string      `json:"reason_code,omitempty" maxLength:"120"`
	UpdatedBy     string      `json:"updated_by" enum:"user,system,migration"`
	UpdatedAt     clock.Time  `json:"updated_at" format:"date-time"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// MCPEffectivePolicy is the policy that applies to a target, and where it comes from.
type MCPEffectivePolicy struct {
	Target          MCPPolicyTarget   `json:"target"`
	Decision        MCPPolicyDecision `json:"decision"`
	InheritedFrom   string            `json:"inherited_from" enum:"none,global,provider,server" default:"none"`
	PrecedenceTrace []string          `json:"precedence_trace,omitempty" maxLength:"160" doc:"each level that was asked, and what it said"`
	SchemaVersion   int               `json:"schema_version" enum:"1"`
}

// MCPAskFirstDispatchRecord is a call that waits for a person, or its outcome.
type MCPAskFirstDispatchRecord struct {
	DispatchID            string          `json:"dispatch_id" format:"uuid"`
	CorrelationID         string          `json:"correlation_id" format:"uuid"`
	ServerID              string          `json:"server_id" maxLength:"120"`
	ToolName              string          `json:"tool_name" maxLength:"120"`
	RequestSummary        string          `json:"request_summary" maxLength:"500"`
	RequestPayloadRef     string          `json:"request_payload_ref,omitempty" maxLength:"240"`
	Status                string          `json:"status" enum:"pending,approved_once,approved_until_end_of_turn,approved_for_session,approved_for_project,denied,expired,cancelled,resumed"`
	PausedDispatchRef     string          `json:"paused_dispatch_ref" maxLength:"240"`
	EffectivePolicyTarget MCPPolicyTarget `json:"effective_policy_target"`
	ExpiresAt             clock.Time      `json:"expires_at" format:"date-time"`
	DecisionReason        string          `json:"decision_reason,omitempty" maxLength:"500"`
	ApprovedBy            string          `json:"approved_by,omitempty" maxLength:"160"`
	DecidedAt             *clock.Time     `json:"decided_at,omitempty" format:"date-time"`
	CreatedAt             clock.Time      `json:"created_at" format:"date-time"`
	UpdatedAt             clock.Time      `json:"updated_at" format:"date-time"`
	// The subject of the person's decision (R9 0.9D). Arguments and changes exist only while the call waits, and in no
	// file.
	Provider      string         `json:"provider,omitempty" enum:"m365,gmail_google,acrobat,custom_remote,provider_native"`
	Agent         string         `json:"agent,omitempty" maxLength:"160" doc:"who wants to call"`
	ProjectID     string         `json:"project_id,omitempty" maxLength:"160" doc:"the project that it works for, as its configuration says; absent: none that is bound"`
	ActionClass   string         `json:"action_class,omitempty" enum:"read,write,send,delete,other"`
	DataClasses   []string       `json:"data_classes,omitempty" maxLength:"80"`
	Arguments     map[string]any `json:"arguments,omitempty" doc:"exactly what will be sent, but for a password to one of Showhow's own tools; absent once it is decided"`
	About         []string       `json:"about,omitempty" maxLength:"480" maxItems:"60" doc:"what the arguments stand for and what would come of the call, as Showhow found it; absent once it is decided"`
	Changed       []string       `json:"changed,omitempty" maxLength:"240" doc:"arguments that differ from the last approved call of this tool"`
	CallerWaits   bool           `json:"caller_waits,omitempty" doc:"the agent still waits for the answer"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}

// MCPLinkedAbilityRef names an ability that uses a connector.
type MCPLinkedAbilityRef struct {
	AbilityID string `json:"ability_id" maxLength:"160"`
	Label     string `json:"label,omitempty" maxLength:"160"`
	Relation  string `json:"relation" enum:"primary,secondary,suggested" default:"primary"`
}

// MCPServerListItem is everything that a connector's card shows.
type MCPServerListItem struct {
	Registry           MCPServerRegistryEntry `json:"registry"`
	Health             MCPConnectionHealth    `json:"health"`
	Auth               *MCPServerAuthStatus   `json:"auth,omitempty"`
	EffectivePolicy    MCPEffectivePolicy     `json:"effective_policy"`
	BadgeStates        []string               `json:"badge_states" enum:"connected,approval_required,auth_required,degraded,disabled,deferred,background_only"`
	LinkedAbilities    []MCPLinkedAbilityRef  `json:"linked_abilities"`
	AvailableActions   []string               `json:"available_actions" enum:"connect_auth,refresh_auth,revoke_auth,edit,delete,smoke_test,policy_update"`
	LastReceiptID      string                 `json:"last_receipt_id,omitempty" format:"uuid"`
	DeferredDesignOnly bool                   `json:"deferred_design_only"`
	Tools              []MCPTool              `json:"tools"`
	Findings           []ScanFinding          `json:"findings,omitempty" doc:"what the scanner says of the descriptions"`
	Revision           int                    `json:"revision" doc:"for If-Match"`
	SchemaVersion      int                    `json:"schema_version" enum:"1"`
}

// MCPTool is a connector's tool as agents would use it.
type MCPTool struct {
	Name           string   `json:"name" maxLength:"120"`
	DoorName       string   `json:"door_name" maxLength:"64" doc:"what agents call it"`
	Title          string   `json:"title,omitempty" maxLength:"160"`
	Description    string   `json:"description,omitempty" maxLength:"4000"`
	ActionClass    string   `json:"action_class" enum:"read,write,send,delete,other"`
	Why            string   `json:"why" maxLength:"240" doc:"why it counts as that"`
	ToolSchemaHash string   `json:"tool_schema_hash" maxLength:"128"`
	State          string   `json:"state" enum:"usable,changed,new,gone,refused" doc:"changed and new: no agent sees it until a person has seen the difference"`
	Difference     []string `json:"difference,omitempty" maxLength:"500" doc:"what changed, line by line"`
	Mode           string   `json:"mode" enum:"enabled,disabled,ask_first"`
	InheritedFrom  string   `json:"inherited_from" enum:"none,global,provider,server"`
	DecidedBy      string   `json:"decided_by" enum:"tool,server,provider,global,default,switch" doc:"the level whose word counts; default: nobody decided, so what it does counts"`
	Trace          []string `json:"precedence_trace" maxLength:"160"`
}

// MCPReceiptSummary is one event of a connector or of a call through it.
type MCPReceiptSummary struct {
	ReceiptID     string          `json:"receipt_id" format:"uuid"`
	ServerID      string          `json:"server_id,omitempty" maxLength:"120"`
	ReceiptKind   string          `json:"receipt_kind" enum:"auth_start,auth_callback,auth_refresh,auth_revoke,smoke_test,policy_update,ask_first_decision,migration_backfill,server_create,server_patch,server_delete,auth_profile_delete,tool_call"`
	Status        string          `json:"status" enum:"ok,degraded,blocked,failed"`
	CreatedAt     clock.Time      `json:"created_at" format:"date-time"`
	Summary       string          `json:"summary" maxLength:"500"`
	CorrelationID string          `json:"correlation_id,omitempty" format:"uuid"`
	Call          *MCPCallReceipt `json:"call,omitempty" doc:"of a tool_call"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}

// MCPCallReceipt says who called what, why it was allowed and how it ended. Arguments and answers appear as kinds and
// sizes only.
type MCPCallReceipt struct {
	Agent                string      `json:"agent" maxLength:"160"`
	Provider             string      `json:"provider" maxLength:"80"`
	ToolName             string      `json:"tool_name" maxLength:"120"`
	ActionClass          string      `json:"action_class" enum:"read,write,send,delete,other"`
	DataClasses          []string    `json:"data_classes" maxLength:"80"`
	ApprovalMode         string      `json:"approval_mode" enum:"autonomous,standing_order,ask_first,manual_click"`
	DispatchID           string      `json:"dispatch_id,omitempty" format:"uuid"`
	AuthProfileID        string      `json:"auth_profile_id,omitempty" maxLength:"120"`
	IdentityAssertedKind string      `json:"identity_asserted_kind" enum:"local_user,oauth_user,service_principal,unknown" default:"unknown"`
	IdentityAssertedRef  string      `json:"identity_asserted_ref,omitempty" maxLength:"240"`
	Result               string      `json:"result" enum:"success,failure,denied,cancelled,unknown,pending" doc:"unknown: it was sent, and Showhow ended before the answer"`
	ErrorCode            string      `json:"error_code,omitempty" maxLength:"120"`
	Sent                 []string    `json:"sent" maxLength:"160" doc:"what was sent, as kinds and sizes"`
	Answered             []string    `json:"answered" maxLength:"160" doc:"what came back, as kinds and sizes"`
	Flags                []string    `json:"flags,omitempty" maxLength:"80" doc:"rules of docs/scanning.md by which what came back gives an agent orders"`
	CompletedAt          *clock.Time `json:"completed_at,omitempty" format:"date-time"`
}
