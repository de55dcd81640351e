package mining

import (
	"context"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// The API's records that this package uses.
type (
	Settings = wire.SkillMiningSettings
	Change   = wire.SkillMiningSettingsChange
	Routine  = wire.MinedRoutine

	// Candidate is a routine that waits for a decision, as returned by Service.Waiting.
	Candidate = wire.MinedRoutine
	Scan      = wire.MiningScan
	Gate      = wire.MiningGate
	Question  = wire.MiningQuestion
)

// Modes of mining (baseline 0.4D).
const (
	Off         wire.MiningMode = "off"
	AskFirst    wire.MiningMode = "ask_before_build"
	ThenReview  wire.MiningMode = "build_then_review"
	AutoInstall wire.MiningMode = "auto_install_private"
)

// States of a candidate.
const (
	Waiting  = "waiting"
	HeldBack = "held_back" // a gate does not let it pass
	NotNow   = "not_now"
	Never    = "never"
	Learned  = "learned"
)

// Kind is a kind of source. Each has a consent of its own.
type Kind string

// The kinds.
const (
	Runs     Kind = "runs"
	Receipts Kind = "receipts"
	Sessions Kind = "sessions"
)

var kinds = []Kind{Runs, Receipts, Sessions}

// KeepFor is how long fingerprints are kept.
const KeepFor = 60 * 24 * time.Hour

// Work is one piece of work as it was kept: an agent's run, a stretch of its calls, a person's demonstration.
type Work struct {
	Kind    Kind      `json:"kind"`
	ID      string    `json:"id"`              // of the run, the session, the first receipt
	Agent   string    `json:"agent,omitempty"` // "" the person
	Trace   string    `json:"trace,omitempty"` // a session's
	Goal    string    `json:"-"`               // the person's name for it: nothing typed is kept
	Project string    `json:"project,omitempty"`
	At      time.Time `json:"at"`
	Marks   []Mark    `json:"marks"`
	Kept    bool      `json:"-"` // its records are still there
}

// Stored is a routine as it is stored.
type Stored struct {
	Routine   Routine  `json:"routine"`
	Signature []uint64 `json:"signature"` // of its steps: by it the routine is known again
	Sources   []Ref    `json:"sources"`
	Announced bool     `json:"announced,omitempty"`
}

// Ref is where a candidate occurred: a piece of work, and the range of records in it.
type Ref struct {
	Kind     Kind   `json:"kind"`
	ID       string `json:"id"`
	Trace    string `json:"trace,omitempty"`
	From, To int
	Failed   bool `json:"failed,omitempty"`
}

// Store stores settings, fingerprints and candidates.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	MiningSettings() (Settings, bool, error)
	PutMiningSettings(Settings) error
	Fingerprints() ([]Work, error) // oldest first
	PutFingerprint(Work) error
	// DropFingerprints deletes those of a kind ("" means all), with ids (nil means all), of work before a time (zero
	// means all), and returns their number.
	DropFingerprints(k Kind, ids []string, before clock.Time) (int, error)
	// Deletions counts how often a person deleted work; CountDeletion adds one.
	Deletions() (int, error)
	CountDeletion() error
	Candidates() ([]Stored, error)
	PutCandidate(Stored) error
	DropCandidate(clusterID string) error
}

// Learn is the part of package learn that learning a routine needs.
type Learn interface {
	Create(ctx context.Context, m state.Meta, r wire.CreateLearnSessionRequest) (wire.CreateLearnSessionResponse, error)
	Cancel(ctx context.Context, m state.Meta, id, reason string) (state.Session, error)
	Trim(ctx context.Context, m state.Meta, id string, r wire.TrimRequest) (state.Session, error)
	Observations(ctx context.Context, id string, q wire.PageQuery) (wire.ObservationList, error)
	GenerateProposal(ctx context.Context, m state.Meta, id string) (wire.GenerateProposalResponse, error)
	Revise(ctx context.Context, m state.Meta, proposalID string, r wire.ProposalReviseRequest) (state.ProposalDetail, error)
	Proposal(ctx context.Context, id string) (state.ProposalDetail, error)
}
