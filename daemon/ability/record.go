package ability

import (
	"context"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Ability is the durable record of an installed ability. Its current state is AvailabilityEntry.
type Ability struct {
	AbilityID          string         `json:"ability_id"`
	CapabilityID       string         `json:"capability_id"`
	Slug               string         `json:"slug"`
	Title              string         `json:"title"`
	Description        string         `json:"description"`
	Inputs             []string       `json:"inputs,omitempty"` // their names, as SKILL.md has them
	Family             string         `json:"family"`
	Source             string         `json:"source"`
	Lane               string         `json:"lane"`
	LaneBefore         string         `json:"lane_before,omitempty"` // where unquarantine returns it to
	QuarantineReason   string         `json:"quarantine_reason,omitempty"`
	QuarantinedBy      string         `json:"quarantined_by,omitempty"` // health: its failures did; "" a person
	Health             health.State   `json:"health"`                   // what its uses and trials add up to
	Enabled            bool           `json:"enabled"`
	BuiltIn            bool           `json:"built_in,omitempty"` // it comes with the program
	Trust              string         `json:"trust"`
	ApprovedHash       string         `json:"approved_hash"`          // of the content that a person approved last; "" never
	ContentHash        string         `json:"content_hash,omitempty"` // of the content that was installed, extracted or adopted last
	Drift              string         `json:"drift,omitempty"`        // where a change was found: bundle, permissions, or a target's name
	DriftKept          string         `json:"drift_kept,omitempty"`   // where a changed copy was set aside
	DriftAt            *clock.Time    `json:"drift_at,omitempty"`
	RejectedAt         *clock.Time    `json:"rejected_at,omitempty"` // a person rejected this content
	RejectReason       string         `json:"reject_reason,omitempty"`
	Scan               *ScanVerdict   `json:"scan,omitempty"`                // of this content; nil: it was not scanned
	Permissions        Permissions    `json:"permissions"`                   // what it asks for, and has once it is approved
	Granted            *Permissions   `json:"granted_permissions,omitempty"` // the last approved permissions; nil when never approved
	SetAside           []Original     `json:"set_aside,omitempty"`           // folders it took the place of; they return when it is removed
	Originals          []Original     `json:"originals,omitempty"`           // folders it was adopted from, until it is approved
	TriggerPhrases     []string       `json:"trigger_phrases"`
	NegativeTriggers   []string       `json:"negative_triggers"`
	Aliases            []string       `json:"aliases"`
	ProjectScopes      []string       `json:"project_scopes"`
	ControlSurfaces    []string       `json:"control_surfaces"`
	SupportPackRefs    []string       `json:"support_pack_refs"`
	RequiredSites      []string       `json:"required_sites"`
	RequiredCommands   []string       `json:"required_commands"`
	RequiredAdapters   []string       `json:"required_adapters"`
	RequiredConnectors []string       `json:"required_connectors,omitempty"`
	RequiredProviders  []string       `json:"required_providers,omitempty"` // a connector to each, whatever its name
	Checkpoints        []string       `json:"checkpoints"`
	Manifest           skill.Manifest `json:"manifest"`
	// Capabilities are the manifests of what else it can do; each is an entry of the bridge.
	Capabilities []skill.Manifest `json:"capabilities,omitempty"`
	Metadata     map[string]any   `json:"metadata"`
	// Pushed is where a person pushed it to last, since it was pulled itself.
	Pushed          *wire.ImportProvenance `json:"pushed,omitempty"`
	ProposalID      string                 `json:"proposal_id,omitempty"`
	LearnSessionID  string                 `json:"learn_session_id,omitempty"`
	LastValidatedAt *clock.Time            `json:"last_validated_at,omitempty"`
	LastUsedAt      *clock.Time            `json:"last_used_at,omitempty"`
	Revision        int                    `json:"revision"`
	CreatedAt       clock.Time             `json:"created_at"`
	UpdatedAt       clock.Time             `json:"updated_at"`
}

// Content is a bundle as a person approved it, kept to show what changed and to restore it.
type Content struct {
	AbilityID string       `json:"ability_id"`
	Hash      string       `json:"hash"`
	Bundle    skill.Bundle `json:"bundle"`
}

// Kinds of paths in the install ledger.
const (
	PathBundle = "bundle" // the canonical folder
	PathCopy   = "copy"   // a projection in a target
	PathFolder = "folder" // a target's folder that Showhow had to make; removed again only when empty
)

// States of a path in the install ledger.
const (
	PathPlanned = "planned" // about to be written, or half written when a crash came
	PathPresent = "present"
)

// LedgerEntry is one path that Showhow made: its proof that it may remove it (decisions C4, D8).
type LedgerEntry struct {
	Path      string     `json:"path"` // absolute
	Kind      string     `json:"kind"`
	Target    string     `json:"target,omitempty"`
	AbilityID string     `json:"ability_id,omitempty"`
	SagaID    string     `json:"saga_id,omitempty"`
	Hash      string     `json:"hash,omitempty"`   // of the folder's content
	Source    string     `json:"source,omitempty"` // of the skill that a copy was made of; a target may read another form of it
	State     string     `json:"state"`
	CreatedAt clock.Time `json:"created_at"`
}

// Saga states.
const (
	SagaRunning     = "running"
	SagaCompleted   = "completed"
	SagaCompensated = "compensated"
)

// Saga is the durable state of one installation.
type Saga struct {
	SagaOutcome
	Slug      string        `json:"slug"`
	Hash      string        `json:"hash"`
	Folders   []SagaFolder  `json:"folders"`
	MadeDirs  []LedgerEntry `json:"made_dirs,omitempty"`
	Cleaned   bool          `json:"cleaned"` // nothing of it is left on disk but what it installed
	CreatedAt clock.Time    `json:"created_at"`
	EndedAt   *clock.Time   `json:"ended_at,omitempty"`
}

// SagaFolder is one folder that a saga writes.
type SagaFolder struct {
	Path     string `json:"path"`
	Kind     string `json:"kind"`
	Target   string `json:"target,omitempty"`
	Replaces bool   `json:"replaces,omitempty"` // an earlier version of the same ability is there
	PrevHash string `json:"prev_hash,omitempty"`
	KeepPrev bool   `json:"keep_prev,omitempty"` // that version is set aside, not removed
	Hash     string `json:"hash,omitempty"`      // of what is written there; absent in sagas from before targets had forms of their own
}

// CheckpointCounts sums up the latest receipts of an ability.
type CheckpointCounts struct{ Reached, Skipped, Failed int }

// ConfigRecord is a configuration document and the digest of the intent that wrote it last.
type ConfigRecord struct {
	ConfigDocument
	IntentDigest string `json:"intent_digest"`
}

// Store stores abilities, sagas, the ledger, checkpoint receipts and configuration.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutAbility(Ability) error
	Abilities() ([]Ability, error) // oldest first
	Slugs() ([]string, error)      // of all abilities, oldest first
	DeleteAbility(id string) error // and its approved content

	PutContent(Content) error // replaces the ability's earlier one
	Content(abilityID string) (Content, bool, error)

	PutSaga(Saga) error
	Saga(id string) (Saga, bool, error)
	LastSaga(proposalID string) (Saga, bool, error)
	OpenSagas() ([]Saga, error) // running, or ended and not cleaned

	PutLedger(LedgerEntry) error
	Ledger() ([]LedgerEntry, error)
	DeleteLedger(path string) error

	// PutAbilityState and AbilityState keep the current snapshot, catalog and bridge by name.
	PutAbilityState(name string, v any) error
	AbilityState(name string, v any) (bool, error)

	PutCheckpointReceipt(journal.CheckpointReceipt) error
	CheckpointReceipts(f ReceiptFilter, page, pageSize int) ([]journal.CheckpointReceipt, int, error)
	// same session or dispatch, ability, checkpoint and status
	SameCheckpoint(r journal.CheckpointReceipt) (journal.CheckpointReceipt, bool, error)
	CheckpointCounts(abilityID string, latest int) (CheckpointCounts, error)

	// PutOutcome stores one outcome of an ability; Outcomes returns the latest, newest first.
	PutOutcome(health.Outcome) error
	Outcomes(abilityID string, limit int) ([]health.Outcome, error)

	PutConfig(ConfigRecord) error
	Configs() ([]ConfigRecord, error)
	Config(path string) (ConfigRecord, bool, error)
	PutIntent(intentID string, r ConfigRecord) error
	Intent(intentID string) (ConfigRecord, bool, error)
}

// ReceiptFilter names the session or the dispatch; empty fields do not filter.
type ReceiptFilter struct {
	LearnSessionID string
	DispatchID     string
	AbilityID      string
}

// installedHash is the hash of what was last written into the ability's folder.
func (a Ability) installedHash() string {
	if a.ContentHash != "" {
		return a.ContentHash
	}
	return a.ApprovedHash
}

// driftPermissions means that its permissions differ from what was approved, though no file changed.
const driftPermissions = "permissions"
