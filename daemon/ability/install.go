// Package ability is the installed skill as agents see it: the install saga, the catalog, availability and the reason when
// something is not usable now, lookup, the bridge, and checkpoint receipts.
//
// Guarantee: after Install returns or fails, bundle, manifest, sidecar, bridge, catalog and availability agree, on disk and in
// the database; a failure at any step leaves what was there before. An ability that is not usable is not projected anywhere.
package ability

import (
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/clock"
)

// Lanes in which an ability is installed.
const (
	LanePrivate     = "experimental_private"
	LaneApproved    = "approved_workspace"
	LaneShared      = "shared_promoted"
	LaneQuarantined = "quarantined"
)

// InstallRequest is what the saga installs. The caller has already checked the gate (validated revision, presence).
type InstallRequest struct {
	SagaID           string
	LearnSessionID   string
	ProposalID       string
	Lane             string
	Source           string // learned, imported, native, promoted
	Title            string
	Family           string
	Slug             string
	CapabilityID     string
	TriggerPhrases   []string
	NegativeTriggers []string
	Aliases          []string
	ProjectScopes    []string
	ControlSurfaces  []string
	SupportPackRefs  []string
	RequiredSites    []string
	RequiredCommands []string
	RequiredAdapters []string
	Checkpoints      []string // ids
	LastValidatedAt  *clock.Time
	Manifest         skill.Manifest
	Metadata         map[string]any
	Bundle           skill.Bundle
	ContentHash      string // what the person saw; the saga refuses another
	CorrelationID    string

	// Replaces is the ability this is a new version of: its slug, id and history stay. An ability that came from the same
	// proposal is replaced without being named (installed private, then approved).
	Replaces string

	// Finish runs in the saga's last transaction, so that the caller's own records change with the installation or not at all.
	// The writer is the transaction itself. It is not called when Recover finishes a saga: ask Saga for the outcome.
	Finish func(w journal.Writer, r InstallResult) error `json:"-"`
}

// InstallResult names what the saga made.
type InstallResult struct {
	AbilityID     string   `json:"ability_id"`
	CapabilityID  string   `json:"capability_id"`
	Slug          string   `json:"slug"`
	CanonicalPath string   `json:"canonical_path"` // the bundle's folder under the memory root, absolute
	Projected     []string `json:"projected"`      // its copies in the targets, absolute
	FilesWritten  []string `json:"files_written"`
}
