// Package rehearse tries a draft before a person decides on it: validation runs of several kinds under a test policy.
//
// Guarantees: a run never does what its policy forbids, stops rather than act on a doubtful target, and says honestly what
// came of it (passed, failed, partial, cancelled). It belongs to one revision of a proposal and to the content hash of its
// bundle; another revision makes it void (decisions C1). Runs are durable and cancellable, and one that still runs has no
// overall_result. A run is never a pass for something that was not done.
//
// A rehearsal performs the graph without a model; a canary performs its smallest beginning that only reads. Both need a Stage.
// The policy is kept by the runner: every request of every page is judged before it leaves (guard.go), every control and
// command line before it is used, and what a policy could not be kept for is refused before anything begins. Success is judged
// by effect: what a page claims is looked up again in a fresh tab (effect.go). What could not be verified makes the run partial.
// Values of a run live in memory; steps, events and evidence carry names in braces instead. What a run made on this machine is
// removed at its end, which is a step of its own; Recover and the Stage do it for a run that a crash ended.
//
// Not guaranteed: a passed dry_run performed nothing; it explains what would happen. What a server does on a harmless looking
// request is not known here, and what it has kept is not taken back. Nothing here executes an installed ability (DOC3 0C.9A
// rule 1).
//
// To test against it: New over a store in t.TempDir, Start a run, Wait for it, read its steps; or Perform for one run that
// nobody keeps. A Stage of the test's own stands in for browser and sandbox.
package rehearse

import (
	"context"

	"showhow/capture"
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

// DefaultKinds are run, in this order, when a request names none.
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

// Evidence is how things were when a step failed: a digest without anybody's values. It is raw data and goes with it.
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

// Profiles in which a run's browser can be.
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
	Pictures      bool                                             // of failures are kept, too
	Values        func(context.Context) (map[string]string, error) // opens the sealed values when the policy allows one; may be nil

	// Finish runs in the transaction that records the run's end, so that the caller's records change with it or not at all.
	// st is what all runs on this revision now add up to. It is not called for runs that Recover ends.
	Finish func(w journal.Writer, run ValidationRun, st Standing) error
}

// Result is what a run found.
type Result struct {
	Overall    Overall
	Reason     string // safe to show
	Steps      []ValidationStepResult
	Repairs    []Repair
	Kinds      []KindResult
	ResultRefs []string
}

// Standing is what the runs on one revision add up to (decisions C1): per kind the latest outcome counts, and of those the
// worst. So a failure stays until that very kind has passed. What went through no more than a part of the work, as a canary or
// a lint alone does, adds up to partial at most.
type Standing struct {
	Overall Overall // "" when nothing has run to its end on this revision
	RunID   string  // the run that decides
	Kind    RunKind // and the kind of it that does
	Running bool    // a run is under way: VALIDATION_IN_PROGRESS
	Reason  string
}
