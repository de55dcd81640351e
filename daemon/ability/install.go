// Package ability manages installed skills as agents see them: the install saga, the catalog, availability and why
// something is not usable now, lookup, the bridge, and checkpoint receipts.
//
// Guarantees: after Install returns or fails, and after Recover, bundle, manifest, sidecar, bridge, catalog and
// availability agree, on disk and in the database; a failure or a crash at any step leaves the previous state. An
// ability that is disabled, quarantined, drifted or not approved is in no target (decisions C4). Only paths in the
// install ledger are ever written or removed; a path that somebody changed is set aside under
// system/learning/set-aside, not deleted.
//
// Not guaranteed: that an agent which has read a skill stops using it when it is withdrawn; that a target whose folder
// cannot be written gets its copy (it is logged, and the ability is usable as long as one target has it).
//
// To test against it: New over a store in t.TempDir with two targets beside it; a second New and Recover is a restart.
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
	// RequiredConnectors are the ids of connectors whose tools it calls.
	RequiredConnectors []string
	Checkpoints        []string // ids
	LastValidatedAt    *clock.Time
	Manifest           skill.Manifest
	Metadata           map[string]any
	Bundle             skill.Bundle
	ContentHash        string // what the person saw; the saga refuses another

	// Unreviewed installs content that nobody has approved: into the memory root, pending review, into no target.
	Unreviewed bool
	// Permissions is what it requests; nil means the tools that it asks for, and RequiredSites.
	Permissions *Permissions
	// Originals are the folders that it was adopted from.
	Originals []Original

	CorrelationID string

	// Replaces is the ability that this is a new version of: its slug, id and history stay. An ability from the same
	// proposal is replaced without being named (installed private, then approved).
	Replaces string
	// KeepReplaced sets the version that it replaces aside, because a person made changes in it that this one does not have.
	KeepReplaced bool

	// Finish runs in the saga's last transaction, so that the caller's own records change with the installation or not at all.
	// The writer is the transaction itself. It is not called when Recover finishes a saga: ask Saga for the outcome.
	Finish func(w journal.Writer, r InstallResult) error `json:"-"`
}

// Original is a folder of another program that an ability was adopted from. It is not touched before the approval.
type Original struct {
	Target string `json:"target"`
	Hash   string `json:"hash"`
	Kept   string `json:"kept,omitempty"` // where it was set aside when the ability replaced it
}
