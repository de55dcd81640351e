package wire

// Quarantine gives the reason for a quarantine.
type Quarantine struct {
	Post
	Reason        string `json:"reason,omitempty" maxLength:"240"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// AbilityApprove names the content that the person saw, and what the ability may use from now on.
type AbilityApprove struct {
	Post
	ContentHash string              `json:"content_hash" minLength:"1" maxLength:"80"`
	Permissions *AbilityPermissions `json:"permissions,omitempty" doc:"absent: the tools it asks for, and of hosts and credentials only those that were granted before"`
	// AcceptFindings and FindingsRead are for what the scanner finds and the approved content did not have.
	AcceptFindings bool     `json:"accept_findings,omitempty" doc:"approve although findings block it"`
	FindingsRead   []string `json:"findings_read,omitempty" maxItems:"200" doc:"those of findings_to_read that the person ticked; when there are any, all must be"`
	SchemaVersion  int      `json:"schema_version,omitempty" enum:"1"`
}

// AbilityReject gives the reason for a rejection.
type AbilityReject struct {
	Post
	Reason        string `json:"reason,omitempty" maxLength:"1000"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// AbilityPermissionsUpdate sets what an ability may use.
type AbilityPermissionsUpdate struct {
	AbilityPermissions
	SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
}

// AdoptRequest says which of several skills with the name is meant.
type AdoptRequest struct {
	Post
	Target        string `json:"target,omitempty" maxLength:"40" doc:"name of the target that holds it; needed only when targets hold different ones"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// AbilityEnabled answers activate and deactivate.
type AbilityEnabled struct {
	AbilityID string                   `json:"ability_id" maxLength:"160"`
	Enabled   bool                     `json:"enabled"`
	Ability   AbilityAvailabilityEntry `json:"ability"`
}

// AbilityQuarantined answers quarantine and unquarantine.
type AbilityQuarantined struct {
	AbilityID   string                   `json:"ability_id" maxLength:"160"`
	Quarantined bool                     `json:"quarantined"`
	Reason      string                   `json:"reason,omitempty" maxLength:"240"`
	Ability     AbilityAvailabilityEntry `json:"ability"`
}

// AbilityPromoted answers promote-shared.
type AbilityPromoted struct {
	AbilityID   string                   `json:"ability_id" maxLength:"160"`
	InstallLane string                   `json:"install_lane"`
	Ability     AbilityAvailabilityEntry `json:"ability"`
}

// AbilityDeleted answers a delete.
type AbilityDeleted struct {
	AbilityID string `json:"ability_id" maxLength:"160"`
	Deleted   bool   `json:"deleted"`
}

// CheckpointVerified is the receipt of a checkpoint report.
type CheckpointVerified struct {
	Receipt CheckpointVerificationReceipt `json:"receipt"`
}

// CheckpointReceipts is a page of checkpoint reports, oldest first.
type CheckpointReceipts struct {
	Receipts      []CheckpointVerificationReceipt `json:"receipts"`
	Total         int                             `json:"total" minimum:"0"`
	Page          int                             `json:"page" minimum:"1"`
	PageSize      int                             `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int                             `json:"schema_version" enum:"1"`
}

// SkillExport is a skill in the format of one kind of agent.
type SkillExport struct {
	Name          string              `json:"name"`
	Target        string              `json:"target" enum:"agentskills,openclaw,claude,codex"`
	ContentHash   string              `json:"content_hash" doc:"of what is exported; another than the approved one when the head was adapted"`
	Adapted       []SkillFinding      `json:"adapted" doc:"what was changed for the target"`
	Files         []SkillExportedFile `json:"files"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// SkillReading is a skill's current content, for the person who decides about it.
type SkillReading struct {
	ContentHash   string              `json:"content_hash"`
	Files         []SkillExportedFile `json:"files"`
	Report        ScanReport          `json:"report"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// SkillExportedFile is one file of an exported skill.
type SkillExportedFile struct {
	Path       string `json:"path"`
	Executable bool   `json:"executable"`
	Content    []byte `json:"content" doc:"base64"`
}
