package learn

import (
	"context"
	"log/slog"
	"time"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/model"
	"showhow/daemon/rehearse"
	"showhow/internal/clock"
)

// Store is where sessions, boundaries, proposals, questions and runs live. Update commits durably (synchronous=FULL) or not
// at all. Inside Update no other Update may be called.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
	// Join makes a Tx of a transaction that another capability runs (the Finish of a saga or a validation run).
	Join(w journal.Writer) (Tx, error)
}

// Tx is one transaction. Lookups answer false when there is nothing; lists are newest first unless said otherwise.
type Tx interface {
	journal.Writer

	PutSession(Session) error
	Session(id string) (Session, bool, error)
	DeleteSession(id string) error                                // with its boundaries
	Sessions(SessionFilter) ([]Session, int, error)               // archived ones excluded
	History(PageQuery) ([]Session, int, error)                    // archived ones included
	OpenSessions() ([]Session, error)                             // not ended, oldest first
	TargetSessions(targetID string) ([]Session, error)            // oldest first
	LastSession() (Session, bool, error)                          // the one updated last
	UnpurgedSessions() ([]Session, error)                         // with raw data, oldest first
	UnarchivedSessions(endedBefore clock.Time) ([]Session, error) // ended until then and not archived

	PutBoundary(Boundary) error
	Boundaries(sessionID string) ([]Boundary, error) // in order

	PutProposal(Proposal) error
	Proposal(id string) (Proposal, bool, error)
	DeleteProposal(id string) error // with its revisions and questions
	// ArchiveRuns moves the canonical lines of a proposal's validation runs into the file to.
	ArchiveRuns(proposalID, to string) error
	Proposals(ProposalFilter) ([]Proposal, int, error)
	UnarchivedProposals(state string, updatedBefore clock.Time) ([]Proposal, error)
	ProposalIDs() ([]string, error)
	Slugs(exceptProposal string) ([]string, error) // of the other proposals that may still be installed

	PutRevision(Revision) error
	Revision(proposalID string, n int) (Revision, bool, error)
	RevisionInfos(proposalID string) ([]RevisionInfo, error) // oldest first

	PutQuestion(QuestionRecord) error
	Questions(proposalID string) ([]QuestionRecord, error) // in the order they were asked
	DeleteQuestion(questionID string) error

	PutDeletion(Deletion) error
	Deletions() ([]Deletion, error) // oldest first
	DropDeletion(id string) error

	// AppendRecords stores observations with this transaction.
	AppendRecords([]capture.Record) error

	Receipt(id string) (journal.Receipt, bool, error)
	Receipts(ReceiptFilter) ([]journal.Receipt, int, error)
}

// Deletion is what is left to purge of sessions whose records are gone.
type Deletion struct {
	DeletionID string   `json:"deletion_id"`
	Sessions   []string `json:"sessions"`
	Targets    []string `json:"targets"` // whose keys go
}

// Revision is one kept revision of a draft: what was compiled and why.
type Revision struct {
	ProposalID   string         `json:"proposal_id"`
	Number       int            `json:"number"`
	Cause        string         `json:"cause"` // generated, answers, revised, examples
	Instructions string         `json:"instructions,omitempty"`
	Edits        map[string]any `json:"edits,omitempty"`   // all edits so far
	Changed      []string       `json:"changed,omitempty"` // names edited in this revision
	Changes      []string       `json:"changes,omitempty"` // what is otherwise than before, in sentences
	ContentHash  string         `json:"content_hash"`
	Folder       string         `json:"folder"`   // of the draft files, relative to the memory root
	Adapters     []string       `json:"adapters"` // kinds that saw something
	Output       compile.Output `json:"output"`
	CreatedAt    clock.Time     `json:"created_at"`
}

// Info is the revision as reviewers see it.
func (r Revision) Info() RevisionInfo {
	return RevisionInfo{Revision: r.Number, ContentHash: r.ContentHash, Cause: r.Cause, Instructions: r.Instructions,
		EditedFields: r.Changed, Changes: r.Changes, DraftSkillPath: r.Folder + "/SKILL.md", CreatedAt: r.CreatedAt}
}

// QuestionRecord is a question with its answer. Key names its subject across compilations.
type QuestionRecord struct {
	compile.Question
	Key        string      `json:"key"`
	Order      int         `json:"order"`
	Answer     *string     `json:"answer,omitempty"`
	AnsweredAt *clock.Time `json:"answered_at,omitempty"`
}

// Counts is what a running capture has done so far.
type Counts struct {
	Kept     int64
	Withheld []capture.Withheld
	LastKept time.Time // zero when nothing was kept yet

	Observing []string // ids of the adapters that observe, sorted; a change of the scope may start and end some
}

// Capturer runs the adapters and the pipeline of one capturing session at a time.
type Capturer interface {
	// Check says whether every kind could observe now; ADAPTER_UNAVAILABLE with details.unavailable and
	// details.alternatives otherwise. It changes nothing.
	Check(ctx context.Context, kinds []capture.Kind) error
	// Start arms the session's adapters into the trace and returns those that observe, once they do.
	Start(ctx context.Context, s Session, traceID string) (armed []string, err error)
	Pause(sessionID string) // emission has stopped when it returns
	Resume(sessionID string) error
	// Rescope brings the adapters to the session's scope and values, and starts those that it has now and had not.
	Rescope(ctx context.Context, s Session)
	Stop(ctx context.Context, sessionID string) error // returns after everything kept is durable; nil when not running
	Counts(sessionID string) Counts                   // zero when not running
	// Preview observes without keeping anything, until ctx ends, show fails or a session starts.
	Preview(ctx context.Context, s Session, show func(PreviewUpdate) error) error
}

// Observations is what was kept.
type Observations interface {
	Page(ctx context.Context, sessionID string, q PageQuery) ([]capture.Record, int, error) // in order of arrival
	After(ctx context.Context, sessionID string, seq int64) ([]capture.Record, error)       // those after one, in order of arrival
	Get(ctx context.Context, sessionID, eventID string) (capture.Record, bool, error)
	// Delete removes one observation with its details and the sealed values that nothing else uses.
	Delete(ctx context.Context, sessionID, eventID string) (bool, error)
	ByTrace(ctx context.Context, traceID string) ([]capture.Record, error) // all, in order of arrival
	// Adopt copies the records of a target's traces for a session of another target, with their sealed values. It only reads.
	Adopt(ctx context.Context, traces []string, from, session, trace, target string) ([]capture.Record, error)
	// Open returns the sealed values of a learning target, by link id. Memory only.
	Open(ctx context.Context, targetID string) (map[string]string, error)
}

// Purger removes raw data for good: observations, details, sealed values, evidence (the protocol of decisions B13).
type Purger interface {
	// Purge removes everything raw of the sessions and destroys the keys of the targets; it returns when no byte is left.
	Purge(ctx context.Context, sessionIDs, targets []string) error
}

// Compiler is compile.Compile.
type Compiler func(compile.Input) (compile.Output, error)

// Validator keeps validation runs; *rehearse.Runner is one.
type Validator interface {
	Start(ctx context.Context, req rehearse.Request) (rehearse.ValidationRun, error)
	Wait(ctx context.Context, runID string) (rehearse.ValidationRun, error)
	Cancel(ctx context.Context, runID string) (rehearse.ValidationRun, error)
	Continue(ctx context.Context, runID string) (rehearse.ValidationRun, error)
	EvidenceOf(ctx context.Context, runID string) ([]rehearse.Evidence, error)
	EvidencePicture(ctx context.Context, runID string, id int64) ([]byte, error)
	Get(ctx context.Context, runID string) (rehearse.ValidationRun, []rehearse.ValidationStepResult, error)
	List(ctx context.Context, proposalID string, page, pageSize int) ([]rehearse.ValidationRun, []rehearse.ValidationStepResult, int, error)
	Standing(ctx context.Context, proposalID string, revision int, contentHash string) (rehearse.Standing, error)
}

// Installer is the install saga and what is true of an ability now; *ability.Service is one.
type Installer interface {
	Install(ctx context.Context, req ability.InstallRequest) (ability.InstallResult, error)
	Saga(ctx context.Context, sagaID string) (ability.SagaOutcome, error)
	LastSaga(ctx context.Context, proposalID string) (*ability.SagaOutcome, error) // nil: none was begun
	AvailabilityOf(ctx context.Context, id string) (ability.AvailabilityEntry, error)
	Availability(ctx context.Context) (ability.AvailabilitySnapshot, error)
	Catalog(ctx context.Context) (ability.Catalog, error)
	TakenSlugs(ctx context.Context) ([]string, error)
}

// Writer words texts better; *model.Writer is one.
type Writer interface {
	Endpoint() model.Endpoint
	Improve(ctx context.Context, r model.Request) (model.Answer, error)
}

// Signal is something the platform tells (decisions A9).
type Signal string

const (
	ScreenLocked Signal = "screen_locked"
	UserSwitched Signal = "user_switched"
	Suspending   Signal = "suspended"
)

// Deps is everything a Service stands on.
type Deps struct {
	Store        Store
	Capturer     Capturer
	Observations Observations
	Purger       Purger
	Runs         Runs                // may be nil: nothing is learned from runs
	Recordings   Recordings          // may be nil: nothing is imported
	Redact       func(string) string // for text of strangers; needed with Recordings
	Compile      Compiler
	Validator    Validator
	Installer    Installer
	Writer       Writer                 // may be nil: no model is configured
	MemoryRoot   string                 // where drafts are written, absolute
	Signals      <-chan Signal          // may be nil
	Logger       *slog.Logger           // nil: nothing is logged
	Now          func() time.Time       // wall clock; nil: time.Now
	Every        time.Duration          // how often Run does what is due; 0: every second while something captures, else every 30 s
	Grace        time.Duration          // how long a capture that has just begun may take to be shown; 0: as long as an indicator counts
	NewID        func() string          // nil: clock.NewID
	DataClasses  func(Session) []string // what its adapters and its evidence observe, in words (adapters.Info); may be nil
}
