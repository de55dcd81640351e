// Package ability is the installed skill as agents see it: the install saga, the catalog, availability and the reason when
// something is not usable now, lookup, the bridge, and checkpoint receipts.
//
// Guarantee: after Install returns or fails, bundle, manifest, sidecar, bridge, catalog and availability agree, on disk and in
// the database; a failure at any step leaves what was there before. An ability that is not usable is not projected anywhere.
package ability

import (
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
}

// InstallResult names what the saga made.
type InstallResult struct {
	AbilityID     string
	CapabilityID  string
	CanonicalPath string   // the bundle's folder under the memory root, absolute
	Projected     []string // its copies in the targets, absolute
	FilesWritten  []string
}
