// Package events stores what agents' runtimes send by the runtime event contract, projects feedback from it, and
// writes the operator's reports (docs/events.md). Package contract defines and parses the messages, package report the
// reports.
//
// Guaranteed: a message is accepted whole or not at all; its exact original is kept sealed, and everything else is
// redacted; a repeated delivery changes nothing, and a known id with other content is refused; an agent's events are
// attributed to the calling agent, whatever they say; a listener (Signals) receives every feedback at least once, in
// order, even across a crash. A report file is rewritten only when more than its times changed.
//
// Not guaranteed: that agents tell the truth. Nothing acts on what they say: reports suggest, a person decides.
//
// Package daemon makes it and fills its ports; store implements Store; api/routes serves it. Test it against a real
// store.
package events

import (
	"context"
	"log/slog"
	"sync"

	"showhow/daemon/events/contract"
	"showhow/daemon/events/report"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Paths of ledgers, relative to the memory root. The names are the contract's.
const (
	folder        = "system/events/"
	EventsPath    = folder + "events.jsonl"                  // routed sessions and direct feedback
	EnvelopesPath = folder + "runtime_event_envelopes.jsonl" // envelopes, redacted
	FeedbackPath  = folder + "projected_feedback.jsonl"
	WorkflowPath  = folder + "latest_workflow_state.json"
	HistoryPath   = folder + "workflow_history.jsonl"
)

// KeyTarget names the key that seals originals.
const KeyTarget = "runtime-events"

// Bounds against agents that fill the disk: events of one agent, and bytes of all originals.
const (
	MaxPerReporter = 50_000
	MaxOriginals   = 256 << 20
)

// User is the reporter of what a person handed in.
const User = "user"

// Feedback is a feedback record.
type Feedback = contract.Feedback

// Kept is an envelope as it is stored.
type Kept struct {
	Envelope   contract.Envelope `json:"envelope"`
	ReportedBy string            `json:"reported_by"`
	ReceivedAt clock.Time        `json:"received_at"`
	DeliveryID string            `json:"delivery_id"`
	Digest     string            `json:"digest"` // of its content, without its times
}

// Original is a message as it arrived, sealed.
type Original struct {
	DeliveryID string
	ReceivedAt clock.Time
	Sealed     []byte
}

// StoredSession is a session with what reports need besides its envelopes.
type StoredSession struct {
	wire.RuntimeSession
	Artifact map[string]any             `json:"artifact,omitempty"` // the operator's session, redacted
	Workflow *wire.RuntimeWorkflowState `json:"workflow,omitempty"`
	Sum      *report.Sum                `json:"sum,omitempty"` // of its evidence; nil in a record that an earlier release wrote
}

// Store is the storage that this package needs.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
	DeleteSession(ctx context.Context, id string) error // everything of it, to the last byte
	PurgeOriginals(ctx context.Context) error           // and their key
}

// Tx is one transaction. An empty session id or stage means all.
type Tx interface {
	journal.Writer
	PutText(path, text string) error
	File(path string) (body []byte, ok bool, err error) // a canonical JSON file as it is now

	PutOriginal(Original) error
	Original(deliveryID string) (sealed []byte, err error) // nil when it was purged
	Originals() (n int, bytes int64, err error)            // that are stored
	AddEnvelope(Kept) error
	Known(envelopeID, eventID string) (Kept, bool, error)
	CountOf(reporter string) (int, error)
	Envelopes(sessionID string, offset, limit int) ([]Kept, int, error)
	AddFeedback(Feedback) (added bool, err error)
	Feedback(sessionID string) ([]Feedback, error)
	Untold(limit int) ([]Feedback, error)
	Told(feedbackIDs []string) error
	PutSession(StoredSession) error
	Session(id string) (StoredSession, bool, error)
	Sessions(stage string, offset, limit int) ([]StoredSession, int, error)
}

// Signal is one feedback's statement about one skill that it names.
type Signal struct {
	FeedbackID string // with SkillID it identifies a signal: a duplicate is the same signal
	SessionID  string
	SkillID    string // as the runtime calls it
	AbilityID  string // the installed ability of that name; "" when there is none
	Status     string // success, failure, partial, cancelled, unknown
	Score      float64
	OccurredAt clock.Time
	ReportedBy string // an agent's name, or user
	Direct     bool   // a person's own word
}

// Signals receives feedback on selected skills. Take may be called again with the same feedback; an error makes the
// caller retry later.
type Signals interface {
	Take(ctx context.Context, signals []Signal) error
}

// Workbench is what reports join feedback with.
type Workbench interface {
	Drafts(ctx context.Context) ([]report.Draft, error) // that a person has not decided on
	Abilities(ctx context.Context) ([]report.Ability, error)
}

// Options configures a Service.
type Options struct {
	Store     Store
	Key       func(ctx context.Context) ([]byte, error) // seals originals
	DropKey   func(ctx context.Context) error           // none is left that it sealed; no key is no error
	Redact    func(string) string
	Secret    func(string) bool
	Workbench Workbench
	Signals   Signals
	Now       func() clock.Time
	NewID     func() string
	Log       *slog.Logger
}

// Service stores runtime events and reports on them.
type Service struct {
	o       Options
	sealing sync.RWMutex // held for writing while the key is destroyed
	telling sync.Mutex   // one after the other, so that signals come in order
	kept    tally
}

// New makes a service; Recover completes what an earlier process left.
func New(o Options) *Service { return &Service{o: o} }

// Recover delivers the signals that were not delivered before the last end.
func (s *Service) Recover(ctx context.Context) error { return s.tell(ctx) }

func (s *Service) cleaner() contract.Cleaner {
	return contract.Cleaner{Text: s.o.Redact, Secret: s.o.Secret}
}
