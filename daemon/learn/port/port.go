package port

import (
	"context"
	"time"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/compile"
	"showhow/daemon/learn/state"
	"showhow/daemon/model"
	"showhow/daemon/rehearse"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
)

// Counts are the counts of a running capture.
type Counts struct {
	Kept     int64
	Withheld []capture.Withheld
	LastKept time.Time // zero when nothing was kept yet

	Observing []string // ids of the adapters that observe, sorted; a change of the scope may start and end some
}

// Capturer runs the adapters and the pipeline of one capturing session at a time.
type Capturer interface {
	// Check reports whether every kind could observe now; otherwise ADAPTER_UNAVAILABLE with details.unavailable and
	// details.alternatives. It changes nothing.
	Check(ctx context.Context, kinds []capture.Kind) error
	// Start arms the session's adapters to record into the trace and returns those that observe, once they do.
	Start(ctx context.Context, s state.Session, traceID string) (armed []string, err error)
	Pause(sessionID string) // emission has stopped when it returns
	Resume(sessionID string) error
	// Rescope applies the session's scope and value policy to the adapters, and starts those that are new.
	Rescope(ctx context.Context, s state.Session)
	Stop(ctx context.Context, sessionID string) error // returns after everything kept is durable; nil when not running
	Counts(sessionID string) Counts                   // zero when not running
	// Preview observes without keeping anything, until ctx ends, show fails or a session starts.
	Preview(ctx context.Context, s state.Session, show func(wire.PreviewUpdate) error) error
}

// Observations reads and deletes kept observations.
type Observations interface {
	Page(ctx context.Context, sessionID string, q wire.PageQuery) ([]capture.Record, int, error) // in order of arrival
	After(ctx context.Context, sessionID string, seq int64) ([]capture.Record, error)            // those after one, in order of arrival
	Get(ctx context.Context, sessionID, eventID string) (capture.Record, bool, error)
	// Delete removes one observation with its details and the sealed values that nothing else uses.
	Delete(ctx context.Context, sessionID, eventID string) (bool, error)
	ByTrace(ctx context.Context, traceID string) ([]capture.Record, error) // all, in order of arrival
	// Adopt copies the records of a target's traces for a session of another target, with their sealed values. The
	// originals stay.
	Adopt(ctx context.Context, traces []string, from, session, trace, target string) ([]capture.Record, error)
	// Open returns the sealed values of a learning target, by link id. Memory only.
	Open(ctx context.Context, targetID string) (map[string]string, error)
}

// Purger erases raw data for good: observations, details, sealed values, evidence (the protocol of decisions B13).
type Purger interface {
	// Purge removes everything raw of the sessions and destroys the keys of the targets; it returns when no byte is left.
	Purge(ctx context.Context, sessionIDs, targets []string) error
}

// Compiler is compile.Compile.
type Compiler func(compile.Input) (compile.Output, error)

// Validator runs validations; *rehearse.Runner implements it.
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

// Installer runs the install saga and knows an ability's state; *ability.Service implements it.
type Installer interface {
	Install(ctx context.Context, req ability.InstallRequest) (ability.InstallResult, error)
	Saga(ctx context.Context, sagaID string) (ability.SagaOutcome, error)
	LastSaga(ctx context.Context, proposalID string) (*ability.SagaOutcome, error) // nil: none was begun
	AvailabilityOf(ctx context.Context, id string) (ability.AvailabilityEntry, error)
	Availability(ctx context.Context) (ability.AvailabilitySnapshot, error)
	Catalog(ctx context.Context) (ability.Catalog, error)
	TakenSlugs(ctx context.Context) ([]string, error)
	Taught(ctx context.Context, b skill.Bundle, sites []string) (ability.Permissions, error) // what a draft asks for
}

// Writer improves wording; *model.Writer implements it.
type Writer interface {
	Endpoint() model.Endpoint
	Improve(ctx context.Context, r model.Request) (model.Answer, error)
}

// Signal is an event of the platform (decisions A9).
type Signal string

const (
	ScreenLocked Signal = "screen_locked"
	UserSwitched Signal = "user_switched"
	Suspending   Signal = "suspended"
)

// Runs are the kept runs of agents (decisions B11).
type Runs interface {
	// Ready makes the runs' reports so far durable and returns their agents; NOT_FOUND for a run that is not kept.
	Ready(ctx context.Context, ids []string) (agents []string, err error)
	// Adopt copies the runs' records, in order, for a session of a learning target. It may be called inside an Update.
	Adopt(ctx context.Context, ids []string, session, trace, target string) ([]capture.Record, error)
}

// Recordings convert a recording made elsewhere into records: through scope, redactor and vault, like any observation.
type Recordings interface {
	Keep(ctx context.Context, s state.Session, trace string, seen []capture.Observation) ([]capture.Record, []capture.Withheld, error)
}
