package wire

// The records of Microsoft 365 connectors (DOC3 0.2E). What an operation is asked and answers is in package m365.

// M365Registration is what a registration of provider m365 adds. Without operation_families the connector is an MCP server
// like any other.
type M365Registration struct {
	OperationFamilies []string `json:"operation_families,omitempty" maxItems:"14" enum:"search,sharepoint_list_documents,onedrive_fetch_file,project_get_latest_document,outlook_mail_search,outlook_get_thread,outlook_draft_reply,calendar_check_availability,calendar_create_event,calendar_update_event,word_fetch_content,word_fetch_comments,teams_post_message,teams_get_channel_context" doc:"what agents may be offered of Microsoft 365; endpoint_url is Microsoft Graph then"`
	RequestedScopes   []string `json:"requested_scopes,omitempty" maxItems:"64" maxLength:"160" doc:"what the sign-in asks for; it covers what the operations need"`
	// AuthMode, SecretRef, TenantID, ClientID and RedirectURI make an auth profile if auth_profile_id names none.
	AuthMode                    string `json:"auth_mode,omitempty" enum:"oauth2_delegated,oauth2_on_behalf_of,oauth2_client_credentials,api_key,none" doc:"absent: the auth profile's, or oauth2_delegated"`
	SecretRef                   string `json:"secret_ref,omitempty" maxLength:"240" doc:"the name of the credential that is the client's secret, if it has one"`
	TenantID                    string `json:"tenant_id,omitempty" maxLength:"120" doc:"of your organisation; absent: any organisation's account"`
	ClientID                    string `json:"client_id,omitempty" maxLength:"120" doc:"of the application that you registered at Microsoft"`
	RedirectURI                 string `json:"redirect_uri,omitempty" format:"uri" maxLength:"2000" doc:"a port of this computer, as registered there"`
	IncrementalConsentSupported *bool  `json:"incremental_consent_supported,omitempty" default:"true"`
	VerifiedOBOChain            bool   `json:"verified_obo_chain,omitempty"`
	AllowBackgroundServiceOps   bool   `json:"allow_background_service_ops,omitempty"`
}

// M365Operation is one operation with the scopes that it needs (M365ScopeRuleSchema), and what it does.
type M365Operation struct {
	OperationFamily        string   `json:"operation_family" maxLength:"120"`
	MinimumDelegatedScopes []string `json:"minimum_delegated_scopes" maxLength:"160"`
	OptionalScopes         []string `json:"optional_delegated_scopes" maxLength:"160"`
	AdminConsentLikely     bool     `json:"admin_consent_likely"`
	DelegatedOnly          bool     `json:"delegated_only"`
	DataClasses            []string `json:"data_classes" maxLength:"80" doc:"what it is about; the first names its group"`
	ActionClass            string   `json:"action_class" enum:"read,write,send"`
	Sends                  string   `json:"sends" maxLength:"400" doc:"what it sends to Microsoft, before it is sent"`
	SchemaVersion          int      `json:"schema_version" enum:"1"`
}

// M365OperationList lists the operations.
type M365OperationList struct {
	Operations    []M365Operation `json:"operations"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}
