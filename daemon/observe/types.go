package observe

import (
	"context"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// Limits of the journal (decisions B11). A purge of what is due happens at most every purgeEvery, because it rewrites the
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

// Agent is what is known of an agent that reports.
type Agent struct {
	Agent        string      `json:"agent" maxLength:"60"`
	Hook         *Hook       `json:"hook,omitempty" doc:"the hook that Showhow installed; absent: none"`
	Journal      bool        `json:"journal" doc:"its last runs are kept for a day, by the person's consent"`
	JournalSince *clock.Time `json:"journal_since,omitempty" format:"date-time"`
	LastHeardAt  *clock.Time `json:"last_heard_at,omitempty" format:"date-time" doc:"when a receipt of it was last taken"`
	Runs         int         `json:"runs" minimum:"0" doc:"runs that are kept now"`
	Missed       int64       `json:"missed" minimum:"0" doc:"receipts that could not be delivered; never what they were"`
}

// Hook is an agent's hook as it was installed, and how it is.
type Hook struct {
	Path        string     `json:"path" maxLength:"1000" doc:"the agent's file, or our plugin's folder"`
	State       string     `json:"state" enum:"present,changed,gone" doc:"changed: somebody edited our entry; gone: it is not there any more"`
	Next        string     `json:"next,omitempty" maxLength:"240" doc:"what the person has to do for it to take effect"`
	InstalledAt clock.Time `json:"installed_at" format:"date-time"`
}

// Agents lists every agent that has a hook or a journal, or that reported.
type Agents struct {
	Agents        []Agent `json:"agents"`
	SchemaVersion int     `json:"schema_version" enum:"1"`
}

// Run is one kept run of an agent.
type Run struct {
	RunID         string      `json:"run_id" format:"uuid"`
	Agent         string      `json:"agent" maxLength:"60"`
	AgentRunID    string      `json:"agent_run_id,omitempty" maxLength:"120" doc:"the agent's own id of it"`
	StartedAt     clock.Time  `json:"started_at" format:"date-time"`
	EndedAt       *clock.Time `json:"ended_at,omitempty" format:"date-time" doc:"when the agent said that it was over"`
	LastAt        *clock.Time `json:"last_at,omitempty" format:"date-time" doc:"when the last thing in it happened"`
	ExpiresAt     clock.Time  `json:"expires_at" format:"date-time" doc:"when it is purged at the latest"`
	Observations  int         `json:"observations" minimum:"0"`
	First         string      `json:"first,omitempty" maxLength:"240" doc:"the first thing that was done, redacted"`
	Last          string      `json:"last,omitempty" maxLength:"240"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// RunList is a page of runs, newest first.
type RunList struct {
	Runs          []Run `json:"runs"`
	Total         int   `json:"total" minimum:"0"`
	Page          int   `json:"page" minimum:"1"`
	PageSize      int   `json:"page_size" minimum:"1"`
	SchemaVersion int   `json:"schema_version" enum:"1"`
}

// RunDetail is a run with a page of what was kept of it, in order.
type RunDetail struct {
	Run           Run              `json:"run"`
	Observations  []capture.Record `json:"observations"`
	Total         int              `json:"total" minimum:"0"`
	Page          int              `json:"page" minimum:"1"`
	PageSize      int              `json:"page_size" minimum:"1"`
	SchemaVersion int              `json:"schema_version" enum:"1"`
}

// StoredAgent is an agent as it is stored.
type StoredAgent struct {
	Agent        string      `json:"agent"`
	Journal      bool        `json:"journal"`
	JournalSince *clock.Time `json:"journal_since,omitempty"`
	LastHeardAt  *clock.Time `json:"last_heard_at,omitempty"`
}

// StoredRun is a run as it is stored. Gone: it is in no list any more and waits for its purge.
type StoredRun struct {
	RunID      string      `json:"run_id"`
	Agent      string      `json:"agent"`
	AgentRunID string      `json:"agent_run_id,omitempty"`
	StartedAt  clock.Time  `json:"started_at"`
	EndedAt    *clock.Time `json:"ended_at,omitempty"`
	Gone       bool        `json:"gone,omitempty"`
}

// Store is where agents and runs live. Records of a run are observations of a session and trace that both have the run's id.
type Store interface {
	capture.Log
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
	// Sealed reads the vault's rows of a learning target; a run is one.
	Sealed(ctx context.Context, target string) ([]capture.SealedRow, error)
	// Page reads records of a run, in order of arrival, and says how many there are.
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
	Runs() ([]StoredRun, error) // newest first, those that are gone too
	DeleteRun(id string) error
	Kept(runID string) (n int, first, last *capture.Record, err error)
}

// Meta says who asks, for the receipt.
type Meta struct {
	CorrelationID string
}
