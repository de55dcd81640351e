package wire

import (
	"showhow/daemon/ability"
	"showhow/daemon/journal"
)

// Quarantine says why.
type Quarantine struct {
	Post
	Reason        string `json:"reason,omitempty" maxLength:"240"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// AbilityApprove names the content that the person saw.
type AbilityApprove struct {
	Post
	ContentHash   string `json:"content_hash" minLength:"1" maxLength:"80"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// AbilityEnabled answers activate and deactivate.
type AbilityEnabled struct {
	AbilityID string                    `json:"ability_id" maxLength:"160"`
	Enabled   bool                      `json:"enabled"`
	Ability   ability.AvailabilityEntry `json:"ability"`
}

// AbilityQuarantined answers quarantine and unquarantine.
type AbilityQuarantined struct {
	AbilityID   string                    `json:"ability_id" maxLength:"160"`
	Quarantined bool                      `json:"quarantined"`
	Reason      string                    `json:"reason,omitempty" maxLength:"240"`
	Ability     ability.AvailabilityEntry `json:"ability"`
}

// AbilityPromoted answers promote-shared.
type AbilityPromoted struct {
	AbilityID   string                    `json:"ability_id" maxLength:"160"`
	InstallLane string                    `json:"install_lane"`
	Ability     ability.AvailabilityEntry `json:"ability"`
}

// AbilityDeleted answers a delete.
type AbilityDeleted struct {
	AbilityID string `json:"ability_id" maxLength:"160"`
	Deleted   bool   `json:"deleted"`
}

// CheckpointVerified is the receipt of a report.
type CheckpointVerified struct {
	Receipt journal.CheckpointReceipt `json:"receipt"`
}

// CheckpointReceipts is a page of reports, oldest first.
type CheckpointReceipts struct {
	Receipts      []journal.CheckpointReceipt `json:"receipts"`
	Total         int                         `json:"total" minimum:"0"`
	Page          int                         `json:"page" minimum:"1"`
	PageSize      int                         `json:"page_size" minimum:"1" maximum:"100"`
	SchemaVersion int                         `json:"schema_version" enum:"1"`
}
