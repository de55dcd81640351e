package wire

import "showhow/internal/clock"

// Requests and responses of the connector routes (DOC3 0.2D with its normalisation, 0.2H; decisions H).

// MCPServerCreateRequest registers a connector.
type MCPServerCreateRequest struct {
	Provider        string            `json:"provider" enum:"m365,gmail_google,acrobat,custom_remote,provider_native"`
	DisplayName     string            `json:"display_name" minLength:"1" maxLength:"160"`
	EndpointURL     string            `json:"endpoint_url,omitempty" format:"uri" maxLength:"2000"`
	Transport       string            `json:"transport" enum:"remote_http,local_bridge,provider_native"`
	InteractionMode string            `json:"interaction_mode,omitempty" enum:"interactive_user,background_service" default:"interactive_user"`
	AuthProfileID   string            `json:"auth_profile_id,omitempty" maxLength:"120"`
	DataClasses     []string          `json:"data_classes,omitempty" maxItems:"32" maxLength:"80"`
	SupportedTools  []string          `json:"supported_tools,omitempty" maxItems:"1000" maxLength:"120" doc:"only these; none: all that it offers"`
	Enabled         *bool             `json:"enabled,omitempty" default:"true"`
	LocalBridge     *MCPLocalBridge   `json:"local_bridge,omitempty" doc:"of transport local_bridge"`
	HeaderSecrets   map[string]string `json:"header_secrets,omitempty"`
	TimeoutMs       int               `json:"timeout_ms,omitempty" minimum:"1000" maximum:"600000"`
	ClientRequestID string            `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int               `json:"schema_version" enum:"1"`
	M365Registration
}

// MCPPreset is a well-known service: what a person would otherwise have to look up to connect it.
type MCPPreset struct {
	PresetID    string   `json:"preset_id" maxLength:"24"`
	Title       string   `json:"title" maxLength:"160"`
	About       string   `json:"about" maxLength:"240"`
	EndpointURL string   `json:"endpoint_url,omitempty" format:"uri" maxLength:"2000"`
	Command     []string `json:"command,omitempty" maxItems:"64" maxLength:"4096" doc:"of a program, instead of an address"`
	// FolderArguments: the folders that the person names are the last arguments of the command.
	FolderArguments bool     `json:"folder_arguments,omitempty" doc:"the folders that it may change are named in the command, too"`
	SignIn          string   `json:"sign_in" enum:"none,oauth,key" doc:"key: with an API key, which is a credential"`
	KeyHint         string   `json:"key_hint,omitempty" maxLength:"240" doc:"where a person gets the key"`
	Scopes          []string `json:"scopes,omitempty" maxLength:"160" doc:"what to ask for; none: what the service names"`
	DataClasses     []string `json:"data_classes" maxLength:"80"`
}

// MCPPresetList lists presets, by id.
type MCPPresetList struct {
	Presets       []MCPPreset `json:"presets"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// MCPFound is a service that an agent's own configuration names; of secrets only the names are here.
type MCPFound struct {
	Name    string   `json:"name" maxLength:"160"`
	Agents  []string `json:"agents" maxLength:"40" doc:"whose configurations name it"`
	Where   string   `json:"where" maxLength:"4000" doc:"its address or command"`
	Program bool     `json:"program" doc:"it runs on this computer"`
	Needs   []string `json:"needs" maxLength:"160" doc:"variables and headers whose values are secrets"`
	Lent    []string `json:"lent" maxLength:"4200" doc:"what it would be lent"`
	State   string   `json:"state" enum:"new,connected,refused"`
	Reason  string   `json:"reason,omitempty" maxLength:"240" doc:"why it cannot be taken over"`
}

// MCPFoundList lists what agents have set up.
type MCPFoundList struct {
	Servers       []MCPFound `json:"servers"`
	Unreadable    []string   `json:"unreadable" maxLength:"40" doc:"agents whose configuration cannot be read"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// MCPTakeRequest connects what an agent has set up.
type MCPTakeRequest struct {
	Agent           string   `json:"agent" enum:"claude-code,codex,openclaw,vscode"`
	Name            string   `json:"name" minLength:"1" maxLength:"160"`
	Folders         []string `json:"folders,omitempty" maxItems:"32" maxLength:"4096" doc:"folders that the program may read and change"`
	ClientRequestID string   `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int      `json:"schema_version" enum:"1"`
}

// MCPTakeResponse is the connected service.
type MCPTakeResponse struct {
	Server        MCPServerListItem `json:"server"`
	Missing       []string          `json:"missing" maxLength:"120" doc:"credentials that only the agent knows: a person stores them"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}

// MCPServerPatchRequest changes a connector.
type MCPServerPatchRequest struct {
	DisplayName      *string   `json:"display_name,omitempty" minLength:"1" maxLength:"160"`
	EndpointURL      *string   `json:"endpoint_url,omitempty" format:"uri" maxLength:"2000"`
	AuthProfileID    *string   `json:"auth_profile_id,omitempty" nullable:"true" maxLength:"120" doc:"null takes it away"`
	Enabled          *bool     `json:"enabled,omitempty"`
	DataClasses      *[]string `json:"data_classes,omitempty" maxItems:"32"`
	SupportedTools   *[]string `json:"supported_tools,omitempty" maxItems:"1000"`
	AcceptTools      bool      `json:"accept_tools,omitempty" doc:"the person has seen what changed in the definitions of its tools, and takes them as they are"`
	TimeoutMs        *int      `json:"timeout_ms,omitempty" minimum:"1000" maximum:"600000"`
	AllowSampling    *bool     `json:"allow_sampling,omitempty" doc:"it may ask the model of the agent that calls"`
	AllowElicitation *bool     `json:"allow_elicitation,omitempty" doc:"it may ask the person before the agent that calls"`
	AllowRoots       *bool     `json:"allow_roots,omitempty" doc:"it may learn the names of the folders that the agent that calls works in"`
	SchemaVersion    int       `json:"schema_version" enum:"1"`
}

// MCPTrouble says why a connector does not work. It is in the first answer alone: nothing of it is stored.
type MCPTrouble struct {
	Reason string   `json:"reason" maxLength:"500"`
	Output []string `json:"output,omitempty" maxItems:"10" maxLength:"240" doc:"the last lines that the program wrote to its error output, without the secrets that it was given; in no repeated answer"`
}

// MCPServerMutationResponse is a connector after a change.
type MCPServerMutationResponse struct {
	Server        MCPServerListItem `json:"server"`
	Trouble       *MCPTrouble       `json:"trouble,omitempty" doc:"why it could not be reached, if it was tried"`
	Updated       bool              `json:"updated"`
	Accepted      bool              `json:"accepted"`
	ReceiptID     string            `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}

// MCPServerDeleteResponse says what happened to the sign-in.
type MCPServerDeleteResponse struct {
	ServerID              string `json:"server_id" maxLength:"120"`
	Deleted               bool   `json:"deleted"`
	AuthProfileAction     string `json:"auth_profile_action" enum:"none,retained_shared,retained_unreferenced,deleted_unreferenced"`
	DetachedAuthProfileID string `json:"detached_auth_profile_id,omitempty" maxLength:"120"`
	ReceiptID             string `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion         int    `json:"schema_version" enum:"1"`
}

// MCPServerListResponse is the data of cards and badges.
type MCPServerListResponse struct {
	Servers       []MCPServerListItem `json:"servers"`
	Switches      []MCPSwitch         `json:"switches" doc:"what is turned off as a whole"`
	GlobalPolicy  MCPEffectivePolicy  `json:"global_policy" doc:"what was decided for all of them; enabled: what a tool does decides"`
	GeneratedAt   clock.Time          `json:"generated_at" format:"date-time"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// MCPSwitch turns something off as a whole; no other permission overrides it (R9 1.1R).
type MCPSwitch struct {
	Scope string `json:"scope" enum:"global,provider,runtime"`
	Name  string `json:"name,omitempty" maxLength:"160" doc:"the provider, or the agent"`
	// ServerID and ToolName make it an entry of a runtime's deny-list.
	ServerID string `json:"server_id,omitempty" maxLength:"120"`
	ToolName string `json:"tool_name,omitempty" maxLength:"120"`
	Off      bool   `json:"off"`
}

// MCPToggleRequest turns a switch.
type MCPToggleRequest struct {
	MCPSwitch
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// MCPToggleResponse lists every switch that is off.
type MCPToggleResponse struct {
	Switches      []MCPSwitch `json:"switches"`
	ReceiptID     string      `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// MCPHealthListResponse is the health of all connectors (R9 1.8B).
type MCPHealthListResponse struct {
	Health        []MCPConnectionHealth `json:"health"`
	SchemaVersion int                   `json:"schema_version" enum:"1"`
}

// MCPAuthProfileCreateRequest makes an auth profile.
type MCPAuthProfileCreateRequest struct {
	Provider         string   `json:"provider" enum:"m365,gmail_google,acrobat,custom_remote,provider_native"`
	AuthMode         string   `json:"auth_mode" enum:"oauth2_delegated,oauth2_on_behalf_of,oauth2_client_credentials,api_key,none"`
	Scopes           []string `json:"scopes,omitempty" maxItems:"64" maxLength:"160"`
	TenantID         string   `json:"tenant_id,omitempty" maxLength:"120"`
	ClientID         string   `json:"client_id,omitempty" maxLength:"120"`
	RedirectURI      string   `json:"redirect_uri,omitempty" format:"uri" maxLength:"2000"`
	TokenSubjectKind string   `json:"token_subject_kind,omitempty" enum:"user,service,delegated" default:"user"`
	RefreshPolicy    string   `json:"refresh_policy,omitempty" enum:"manual,auto_if_refresh_token,deny" default:"manual"`
	SharedProfile    bool     `json:"shared_profile,omitempty"`
	SecretRef        string   `json:"secret_ref,omitempty" maxLength:"240" doc:"the name of a stored credential: an API key, or a client's secret"`
	ClientRequestID  string   `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion    int      `json:"schema_version" enum:"1"`
}

// MCPAuthProfilePatchRequest changes an auth profile.
type MCPAuthProfilePatchRequest struct {
	Scopes        *[]string `json:"scopes,omitempty" maxItems:"64"`
	RedirectURI   *string   `json:"redirect_uri,omitempty" nullable:"true" format:"uri" maxLength:"2000"`
	RefreshPolicy *string   `json:"refresh_policy,omitempty" enum:"manual,auto_if_refresh_token,deny"`
	SharedProfile *bool     `json:"shared_profile,omitempty"`
	SchemaVersion int       `json:"schema_version" enum:"1"`
}

// MCPAuthProfileDeleteResponse says whether the profile is gone.
type MCPAuthProfileDeleteResponse struct {
	AuthProfileID      string   `json:"auth_profile_id" maxLength:"120"`
	Deleted            bool     `json:"deleted"`
	BlockedByServerIDs []string `json:"blocked_by_server_ids" maxLength:"120"`
	ReceiptID          string   `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion      int      `json:"schema_version" enum:"1"`
}

// MCPAuthProfileListResponse lists auth profiles, oldest first.
type MCPAuthProfileListResponse struct {
	AuthProfiles  []MCPAuthProfile `json:"auth_profiles"`
	SchemaVersion int              `json:"schema_version" enum:"1"`
}

// MCPPolicyUpdateRequest decides what may be called.
type MCPPolicyUpdateRequest struct {
	Target          MCPPolicyTarget       `json:"target"`
	Decision        MCPPolicyDecisionWish `json:"decision"`
	ClientRequestID string                `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int                   `json:"schema_version" enum:"1"`
}

// MCPPolicyDecisionWish is a requested decision; the daemon sets who decided and when, whatever the request says.
type MCPPolicyDecisionWish struct {
	Mode          string      `json:"mode" enum:"enabled,disabled,ask_first,default" doc:"default: take the decision away, so that what is less specific counts"`
	ExpiresAt     *clock.Time `json:"expires_at,omitempty" format:"date-time"`
	ReasonCode    string      `json:"reason_code,omitempty" maxLength:"120"`
	UpdatedBy     string      `json:"updated_by,omitempty" enum:"user,system,migration"`
	UpdatedAt     *clock.Time `json:"updated_at,omitempty" format:"date-time"`
	SchemaVersion int         `json:"schema_version,omitempty" enum:"1"`
}

// MCPAskFirstPendingListResponse lists the calls that wait, and those that expired unanswered, oldest first.
type MCPAskFirstPendingListResponse struct {
	Dispatches    []MCPAskFirstDispatchRecord `json:"dispatches"`
	SchemaVersion int                         `json:"schema_version" enum:"1"`
}

// MCPAskFirstDecisionRequest is a person's answer.
type MCPAskFirstDecisionRequest struct {
	Decision        string `json:"decision" enum:"approve_once,approve_until_end_of_turn,approve_for_session,approve_for_project,deny"`
	Reason          string `json:"reason,omitempty" maxLength:"500"`
	AnyArguments    bool   `json:"any_arguments,omitempty" doc:"for the turn or the session: this tool with any arguments, not these alone"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// MCPAskFirstDecisionResponse is the outcome of the call.
type MCPAskFirstDecisionResponse struct {
	Dispatch      MCPAskFirstDispatchRecord `json:"dispatch"`
	Resumed       bool                      `json:"resumed" doc:"the agent waited, and the call goes on"`
	ReceiptID     string                    `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion int                       `json:"schema_version" enum:"1"`
}

// MCPGrant is an approval that covers more than one call.
type MCPGrant struct {
	DispatchID   string     `json:"dispatch_id" format:"uuid" doc:"of the call that a person was asked for"`
	Agent        string     `json:"agent" maxLength:"160"`
	ServerID     string     `json:"server_id" maxLength:"120"`
	ToolName     string     `json:"tool_name" maxLength:"120"`
	ProjectID    string     `json:"project_id,omitempty" maxLength:"160"`
	Scope        string     `json:"scope" enum:"approved_until_end_of_turn,approved_for_session,approved_for_project"`
	AnyArguments bool       `json:"any_arguments"`
	Words        string     `json:"words" maxLength:"500" doc:"what it covers"`
	GrantedAt    clock.Time `json:"granted_at" format:"date-time"`
	ExpiresAt    clock.Time `json:"expires_at" format:"date-time" doc:"at the latest"`
}

// MCPGrantList lists approvals in force, oldest first.
type MCPGrantList struct {
	Grants        []MCPGrant `json:"grants"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// MCPGrantEnded says that an approval is over.
type MCPGrantEnded struct {
	DispatchID    string `json:"dispatch_id" format:"uuid"`
	Ended         bool   `json:"ended"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// MCPReceiptListResponse is a page of receipts, newest first.
type MCPReceiptListResponse struct {
	Receipts      []MCPReceiptSummary `json:"receipts"`
	NextCursor    string              `json:"next_cursor,omitempty" maxLength:"240"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// MCPSmokeTestRequest tests a connector.
type MCPSmokeTestRequest struct {
	ServerID             string         `json:"server_id" maxLength:"120"`
	ToolName             string         `json:"tool_name,omitempty" maxLength:"160" doc:"a tool that only reads, to be called; absent: none is called"`
	PayloadPreview       map[string]any `json:"payload_preview,omitempty" doc:"its arguments"`
	CorrelationID        string         `json:"correlation_id,omitempty" format:"uuid"`
	ProjectID            string         `json:"project_id,omitempty" maxLength:"160"`
	IncludeToolDiscovery *bool          `json:"include_tool_discovery,omitempty" default:"true"`
	MaxDurationMs        int            `json:"max_duration_ms,omitempty" minimum:"1000" maximum:"60000" default:"10000"`
	ClientRequestID      string         `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion        int            `json:"schema_version" enum:"1"`
}

// MCPSmokeTestResponse is the result of a test.
type MCPSmokeTestResponse struct {
	ServerID          string      `json:"server_id" maxLength:"120"`
	SmokeTestID       string      `json:"smoke_test_id" format:"uuid"`
	Status            string      `json:"status" enum:"passed,failed,blocked,degraded"`
	OverallStatus     string      `json:"overall_status" enum:"healthy,degraded,failed"`
	AuthOK            bool        `json:"auth_ok" doc:"false also while it is not known, because it cannot be reached"`
	TransportOK       bool        `json:"transport_ok"`
	ToolDiscoveryOK   bool        `json:"tool_discovery_ok"`
	FailureReasonCode string      `json:"failure_reason_code,omitempty" maxLength:"120"`
	ErrorCode         string      `json:"error_code,omitempty" maxLength:"160"`
	Summary           string      `json:"summary,omitempty" maxLength:"500"`
	Trouble           *MCPTrouble `json:"trouble,omitempty" doc:"why it could not be reached"`
	ReceiptID         string      `json:"receipt_id,omitempty" format:"uuid"`
	StartedAt         clock.Time  `json:"started_at" format:"date-time"`
	CompletedAt       *clock.Time `json:"completed_at,omitempty" format:"date-time"`
	SchemaVersion     int         `json:"schema_version" enum:"1"`
}

// MCPAuthStartRequest begins a sign-in.
type MCPAuthStartRequest struct {
	ServerID                string   `json:"server_id" maxLength:"120"`
	RequestedScopesOverride []string `json:"requested_scopes_override,omitempty" maxItems:"64" maxLength:"160"`
	InteractiveHint         string   `json:"interactive_hint,omitempty" enum:"same_window,popup,new_tab" default:"same_window"`
	ConfirmIssuer           string   `json:"confirm_issuer,omitempty" maxLength:"2000" doc:"the authorization server that the person was shown and agreed to"`
	ClientRequestID         string   `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion           int      `json:"schema_version" enum:"1"`
}

// MCPAuthStartResponse is where the person signs in.
type MCPAuthStartResponse struct {
	ServerID         string     `json:"server_id" maxLength:"120"`
	AuthProfileID    string     `json:"auth_profile_id" maxLength:"120"`
	AuthURL          string     `json:"auth_url" format:"uri"`
	AuthorizationURL string     `json:"authorization_url" format:"uri" doc:"the same"`
	OAuthStateRef    string     `json:"oauth_state_ref" maxLength:"240"`
	PKCEVerifierRef  string     `json:"pkce_verifier_ref" maxLength:"240"`
	ChallengeID      string     `json:"challenge_id,omitempty" maxLength:"160"`
	CorrelationID    string     `json:"correlation_id,omitempty" format:"uuid"`
	Issuer           string     `json:"issuer,omitempty" maxLength:"2000"`
	ExpiresAt        clock.Time `json:"expires_at" format:"date-time"`
	SchemaVersion    int        `json:"schema_version" enum:"1"`
}

// MCPAuthRefreshRequest renews tokens.
type MCPAuthRefreshRequest struct {
	ServerID        string `json:"server_id" maxLength:"120"`
	Force           bool   `json:"force,omitempty"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// MCPAuthRevokeRequest revokes tokens.
type MCPAuthRevokeRequest struct {
	ServerID        string `json:"server_id" maxLength:"120"`
	RevokeRemote    bool   `json:"revoke_remote,omitempty"`
	KeepAuthProfile *bool  `json:"keep_auth_profile,omitempty" default:"true"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// MCPAuthRevokeResponse says what happened to the tokens.
type MCPAuthRevokeResponse struct {
	ServerID      string `json:"server_id" maxLength:"120"`
	Revoked       bool   `json:"revoked"`
	Status        string `json:"status" enum:"revoked,already_revoked,noop"`
	ReceiptID     string `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// MCPAuthChallengeRespondRequest answers what a service asked for.
type MCPAuthChallengeRespondRequest struct {
	ChallengeID           string `json:"challenge_id" maxLength:"160"`
	Decision              string `json:"decision" enum:"approve,deny,retry"`
	SelectedAuthProfileID string `json:"selected_auth_profile_id,omitempty" maxLength:"120"`
	Note                  string `json:"note,omitempty" maxLength:"1000"`
	ClientRequestID       string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion         int    `json:"schema_version,omitempty" enum:"1" default:"1"`
}

// MCPAuthChallengeRespondResponse says what comes next.
type MCPAuthChallengeRespondResponse struct {
	ChallengeID   string              `json:"challenge_id" maxLength:"160"`
	ServerID      string              `json:"server_id" maxLength:"120"`
	Resolved      bool                `json:"resolved"`
	Accepted      bool                `json:"accepted"`
	Resolution    string              `json:"resolution" enum:"approved,denied,retried,expired"`
	NextStep      string              `json:"next_step" enum:"retry_connection,await_user_signin,closed"`
	AuthStatus    MCPServerAuthStatus `json:"auth_status"`
	ReceiptID     string              `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// MCPAuthCallbackQuery is what an authorization server sends to the callback.
type MCPAuthCallbackQuery struct {
	Code, State, Error, Issuer string
}

// UpgradeMCP names the protocol that a connection to /mcp is upgraded to: MCP as over stdio.
const UpgradeMCP = "mcp-stdio"

// ProjectHeader names the project that an agent works for, at the door.
const ProjectHeader = "Showhow-Project"

// MCPOfferedSkill is a skill that a connector offers (SEP-2640). It is imported like any other.
type MCPOfferedSkill struct {
	URI         string `json:"uri" maxLength:"400"`
	Name        string `json:"name" maxLength:"64"`
	Description string `json:"description" maxLength:"1024" doc:"as the service says"`
	Files       int    `json:"files"`
	Bytes       int    `json:"bytes"`
	Digest      string `json:"digest,omitempty" maxLength:"80" doc:"over all of its files; an import of exactly this names it"`
	Refused     string `json:"refused,omitempty" maxLength:"240" doc:"why it cannot be imported"`
}

// MCPOfferedSkillList lists a connector's skills, by URI.
type MCPOfferedSkillList struct {
	ServerID      string            `json:"server_id" maxLength:"120"`
	Skills        []MCPOfferedSkill `json:"skills"`
	More          bool              `json:"more,omitempty" doc:"it offers more than are listed"`
	SchemaVersion int               `json:"schema_version" enum:"1"`
}
