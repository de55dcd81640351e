package observe

import (
	"context"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// Limits of the journal (decisions B11). Due runs are purged at most every purgeEvery, because a purge rewrites the
// database; runs are due that much earlier.
const (
	MaxRuns    = 20
	KeepFor    = 24 * time.Hour
	purgeEvery = 10 * time.Minute
	dueAfter   = KeepFor - purgeEvery - 5*time.Minute
	runSpan    = 12 * time.Hour
	openFor    = 2 * time.Minute // without a call; then the run's pipeline rests
	restAfter  = time.Minute     // without an open run; then the redaction rules go (decisions B10)
)

// StoredAgent is an agent as it is stored.
type StoredAgent struct {
	Agent        string      `json:"agent"`
	Journal      bool        `json:"journal"`
	JournalSince *clock.Time `json:"journal_since,omitempty"`
	LastHeardAt  *clock.Time `json:"last_heard_at,omitempty"`
}

// StoredRun is a run as it is stored. Gone means that it is in no list any more and waits for its purge.
type StoredRun struct {
	RunID      string      `json:"run_id"`
	Agent      string      `json:"agent"`
	AgentRunID string      `json:"agent_run_id,omitempty"`
	StartedAt  clock.Time  `json:"started_at"`
	EndedAt    *clock.Time `json:"ended_at,omitempty"`
	Gone       bool        `json:"gone,omitempty"`
}

// Store stores agents and runs. Records of a run are observations of a session and trace that both have the run's id.
type Store interface {
	capture.Log
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
	// Sealed reads the vault's rows of a learning target; a run is one.
	Sealed(ctx context.Context, target string) ([]capture.SealedRow, error)
	// Page reads records of a run, in order of arrival, and their total.
	Page(ctx context.Context, runID string, offset, limit int) ([]capture.Record, int, error)
	// Records reads all records of a run, in order of arrival.
	Records(ctx context.Context, runID string) ([]capture.Record, error)
	// Purge removes the runs' records, values and keys; it returns when no byte is left (decisions B13).
	Purge(ctx context.Context, runIDs []string) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutAgent(StoredAgent) error
	Agents() ([]StoredAgent, error) // by name
	PutRun(StoredRun) error
	Run(id string) (StoredRun, bool, error)
	Runs() ([]StoredRun, error) // newest first, including purged ones
	DeleteRun(id string) error
	// DropDerived deletes what others derived from runs, because the person deletes them; with agent, from all runs
	// that this agent ever had ("*": any agent).
	DropDerived(agent string, runIDs []string) error
	Kept(runID string) (n int, first, last *capture.Record, err error)
}

// Meta says who asks, for the receipt.
type Meta struct {
	CorrelationID string
}
