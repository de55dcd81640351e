// Package record defines the records of validation runs: request, result, the codes of the steps, and the store. Every
// package below daemon/rehearse may import it; others use the names of daemon/rehearse. Evidence holds no personal
// data; a Request may, and lives in memory only.
package record

import (
	"context"

	"showhow/capture"
	"showhow/daemon/capability/health"
	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// The kinds of a run.
const (
	RunLint            = wire.RunLint
	RunTrigger         = wire.RunTrigger
	RunDryRun          = wire.RunDryRun
	RunCanary          = wire.RunCanary
	RunAdapterCheck    = wire.RunAdapterCheck
	RunDependencyCheck = wire.RunDependencyCheck
	RunRehearsal       = wire.RunRehearsal
)

// DefaultKinds run, in this order, when a request names none.
var DefaultKinds = []RunKind{RunLint, RunTrigger, RunDependencyCheck, RunAdapterCheck, RunDryRun}

const (
	Passed    Overall = "passed"
	Failed    Overall = "failed"
	Partial   Overall = "partial" // nothing failed, but something could not be looked at here
	Cancelled Overall = "cancelled"
)

// Values of ValidationRun.Status and of ValidationStepResult.Result and Code.
const (
	StatusRunning   = "running"
	StatusCompleted = "completed"

	StepPassed  = "passed"
	StepFailed  = "failed"
	StepSkipped = "skipped"

	CodeNeedsValue      = "needs_value"           // an input has no value: name it in `parameters`
	CodePolicyViolation = "TEST_POLICY_VIOLATION" // the step would do what the test policy forbids
	CodeNotExamined     = "not_examined"          // could not be looked at here
	CodeGiven           = "given_value"           // the one code of a step that passed: its value was given for this run
	CodeCollision       = "trigger_collision"     // another ability answers this phrase better, or as well
)

// Evidence is the state in which a step failed: a digest without personal values. It is raw data and is purged as
// such.
type Evidence struct {
	ValidationRunID string        `json:"validation_run_id" format:"uuid"`
	LearnSessionID  string        `json:"learn_session_id,omitempty" format:"uuid"`
	TestCaseID      string        `json:"test_case_id" maxLength:"160"`
	State           capture.State `json:"state"`
	EvidenceID      int64         `json:"evidence_id" minimum:"1"`
	Picture         bool          `json:"picture" doc:"there is a screenshot, painted over where it could show data"`
	CreatedAt       clock.Time    `json:"created_at" format:"date-time"`

	PNG []byte `json:"-"`
}

// WaitingSignIn is the value of WaitingFor while the person signs in, in the run's window.
const WaitingSignIn = "sign_in"

// The profiles that a run's browser can use.
const (
	ProfileFresh   = "fresh"
	ProfileManaged = "managed"
)

// Request is one run to perform on one revision of a draft.
type Request struct {
	Run           ValidationRun // proposal, session, ability, revision and kinds; id, hash and times are filled in when absent
	Goal          string
	Draft         compile.Output // the revision, with its bundle
	Adapters      []string       // observation kinds the demonstration needed, for adapter_check
	Policy        *TestPolicy    // nil: the runner's safest (dry_run_only)
	Parameters    map[string]string
	StartURL      string
	StartURLs     map[string]string
	AllowHosts    []string
	SelectedTests []string
	Headed        bool
	Managed       bool                                             // the browser is in the managed profile
	Pictures      bool                                             // of failures are stored, too
	LookLater     bool                                             // the last change is looked up once more later
	Values        func(context.Context) (map[string]string, error) // opens the sealed values when the policy allows one; may be nil

	// Finish runs in the transaction that records the run's end, so that the caller's records change with it or not at
	// all. st is the sum of all runs on this revision. It is not called for runs that Recover ends.
	Finish func(w journal.Writer, run ValidationRun, st Standing) error
}

// Result is the result of a run.
type Result struct {
	Overall    Overall
	Reason     string // safe to show
	Steps      []ValidationStepResult
	Repairs    []Repair
	Beside     []health.Beside
	Glimpsed   []health.Glimpse
	Requests   int // that the browser made or wanted to make
	Kinds      []KindResult
	ResultRefs []string
}

// Standing is the sum of the runs on one revision (decisions C1): per kind the latest outcome counts, and of those the
// worst. So a failure stays until that very kind has passed. Runs that covered only a part of the work, as a canary or
// a lint alone does, add up to partial at most.
type Standing struct {
	Overall Overall // "" when nothing has run to its end on this revision
	RunID   string  // the run that decides
	Kind    RunKind // and the kind of it that does
	Running bool    // a run is under way: VALIDATION_IN_PROGRESS
	Reason  string
}
