package imports

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan"
	"showhow/internal/clock"
)

// Lifetimes of uploads (DOC3 0C.20).
const (
	uploadLife    = 24 * time.Hour
	expiringSoon  = 2 * time.Hour
	retryWarning  = 3
	uploadsAtOnce = 32 // that wait for a decision
	ofAgents      = 12 // of these, made by agents: they never take the person's places
)

// CurrentPath is the current view that other programs read.
const CurrentPath = "system/skills/imports_current.json"

// Store stores imports and uploads. Update commits durably or not at all.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
	// Join makes a Tx of another capability's transaction (the Finish of a saga).
	Join(w journal.Writer) (Tx, error)
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutImport(Item) error
	Import(id string) (Item, bool, error)
	Imports(f Filter) ([]Item, int, error) // newest first; page 0 means all
	// Pulls are the imports in a state that were pulled with a digest.
	Pulls(state State, digest string) ([]Item, error)
	// ListedImports returns Item.Listed of the newest imports, as JSON.
	ListedImports(n int) (newest []json.RawMessage, total int, err error)
	// LegacyImports returns the records of older versions, by id.
	LegacyImports() (map[string][]byte, error)

	PutUpload(Stored) error
	Upload(ref string) (Stored, bool, error)
	Uploads() ([]Stored, error) // oldest first
	DeleteUpload(ref string) error
}

// Installer runs the install saga; *ability.Service implements it.
type Installer interface {
	Install(ctx context.Context, r ability.InstallRequest) (ability.InstallResult, error)
	Saga(ctx context.Context, id string) (ability.SagaOutcome, error)
	Catalog(ctx context.Context) (ability.Catalog, error)
	TakenSlugs(ctx context.Context) ([]string, error)
	Availability(ctx context.Context) (ability.AvailabilitySnapshot, error)
	BridgeEntries(ctx context.Context) (ability.Bridge, error)
	ExplainMatch(ctx context.Context, r ability.ExplainMatchRequest) (ability.ExplainMatchResponse, error)
	Collisions(ctx context.Context, d ability.Phrases) ([]ability.Rival, error)
	Origins(ctx context.Context) ([]ability.Origin, error)
	Approved(ctx context.Context, id string) (skill.Bundle, error)
	ExplainDraft(ctx context.Context, r ability.ExplainMatchRequest, d ability.Phrases) (ability.ExplainMatchResponse, error)
}

// Mirror follows every state change in its transaction: a learn session shows the import and moves along (decisions
// A7).
type Mirror interface {
	// ImportTransition returns the ids of what mirrors the import.
	ImportTransition(w journal.Writer, h Transition) (Shown, error)
}

// Shown is the learn session that shows an import, and its draft if there is one.
type Shown struct{ SessionID, ProposalID string }

// Remote reads skills from registries, or from connectors; *oci.Service and *offered.Service implement it.
type Remote interface {
	// Fetch returns the files of the skill that a request names, its name, and where it came from.
	Fetch(ctx context.Context, q SourceRequest) ([]skill.File, string, Provenance, error)
}

// Transition is one state change of an import, or of an upload that is no import yet.
type Transition struct {
	Session     string // that has mirrored it so far, "" for none
	Upload      string // the upload's ref, when there is no import yet
	Item        *Item  // the import as it is now, nil for an upload
	From, To    State
	Reason      string
	Over        bool // it failed, and nothing is left that a retry could use
	Backfill    bool // nothing happened: it is older than its session
	Correlation string
}

// Options configures a Service. Store, Dir, Installer and Scan are required.
type Options struct {
	Store     Store
	Dir       string // uploads and staged skills, absolute; only imports writes there
	Installer Installer
	// Scan scans a skill's folder under its future name.
	Scan    func(ctx context.Context, fsys fs.FS, name string) (scan.Report, error)
	Mirror  Mirror // may be nil
	Remote  Remote // registries; may be nil
	Offered Remote // connectors; may be nil
	Limits  archive.Limits
	PackDir string // of pack manifests, may be ""
	Now     func() clock.Time
	NewID   func() string
	Log     *slog.Logger
}

// Meta says who asks and what they saw.
type Meta struct {
	Principal       string // user or agent, for keys of idempotency
	User            bool
	CorrelationID   string
	IfMatch         *int
	ClientRequestID string
}
