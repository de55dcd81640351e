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
	"showhow/internal/clock"
)

// RunKind is what a validation run looks at (DOC3 0C.10).
type RunKind string

const (
	RunLint            RunKind = "lint"
	RunTrigger         RunKind = "trigger"
	RunDryRun          RunKind = "dry_run"
	RunCanary          RunKind = "canary"
	RunAdapterCheck    RunKind = "adapter_check"
	RunDependencyCheck RunKind = "dependency_check"
	RunRehearsal       RunKind = "rehearsal"
)

// DefaultKinds are run, in this order, when a request names none.
var DefaultKinds = []RunKind{RunLint, RunTrigger, RunDependencyCheck, RunAdapterCheck, RunDryRun}

// Overall is the honest outcome of a run.
type Overall string

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

// ValidationRun is one run on one revision of a proposal. While Status is running there is no OverallResult (decisions C10).
type ValidationRun struct {
	ValidationRunID string       `json:"validation_run_id" format:"uuid"`
	ProposalID      string       `json:"proposal_id" format:"uuid"`
	LearnSessionID  string       `json:"learn_session_id,omitempty" format:"uuid"`
	AbilityID       string       `json:"ability_id,omitempty" maxLength:"160" doc:"when an installed ability is looked at"`
	Revision        int          `json:"revision" minimum:"0"`
	ContentHash     string       `json:"content_hash,omitempty" maxLength:"80" doc:"of the bundle that is looked at"`
	RunKind         RunKind      `json:"run_kind" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal" doc:"the first of run_kinds"`
	RunKinds        []RunKind    `json:"run_kinds" doc:"everything this run looks at"`
	RunLabel        string       `json:"run_label,omitempty" maxLength:"120"`
	Status          string       `json:"status" enum:"running,completed"`
	StartedAt       clock.Time   `json:"started_at" format:"date-time"`
	CompletedAt     *clock.Time  `json:"completed_at,omitempty" format:"date-time"`
	OverallResult   Overall      `json:"overall_result,omitempty" enum:"passed,failed,partial,cancelled" doc:"absent while the run is running"`
	Reason          string       `json:"reason,omitempty" maxLength:"240"`
	KindResults     []KindResult `json:"kind_results" doc:"one per kind that was looked at"`
	ResultRefs      []string     `json:"result_refs" doc:"test_case_ids of the steps that did not pass"`
	Repairs         []Repair     `json:"repairs,omitempty" doc:"what had changed since it was shown and was found all the same; apply them with a revision"`
	WaitingFor      string       `json:"waiting_for,omitempty" enum:"sign_in" doc:"what a running run waits for the person to do"`
	SchemaVersion   int          `json:"schema_version" enum:"1"`
}

// Repair is a proposal for a later revision: how a step's target is called now. It is never applied by itself.
type Repair struct {
	StepID  string   `json:"step_id" maxLength:"40"`
	Role    string   `json:"role,omitempty" maxLength:"80"`
	Name    string   `json:"name,omitempty" maxLength:"240"`
	Changes []string `json:"changes" doc:"what changed, in words; an input's value stands there as its name"`

	Place *capture.Landmark `json:"place,omitempty" doc:"where it is now, when it was somewhere else; role none: in no named place"`
}

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

// KindResult is the outcome of one kind within a run.
type KindResult struct {
	RunKind RunKind `json:"run_kind" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal"`
	Result  Overall `json:"result" enum:"passed,failed,partial,cancelled"`
}

// ValidationStepResult is one case of a run.
type ValidationStepResult struct {
	ValidationRunID string     `json:"validation_run_id" format:"uuid"`
	TestCaseID      string     `json:"test_case_id" maxLength:"160"`
	RunKind         RunKind    `json:"run_kind,omitempty" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal"`
	Label           string     `json:"label" maxLength:"240"`
	Result          string     `json:"result" enum:"passed,failed,skipped"`
	Code            string     `json:"code,omitempty" maxLength:"120" doc:"stable reason when not passed: needs_value, TEST_POLICY_VIOLATION, not_examined, ...; given_value: passed with a value of this run's request"`
	Details         string     `json:"details,omitempty" maxLength:"1000"`
	CreatedAt       clock.Time `json:"created_at" format:"date-time"`
	SchemaVersion   int        `json:"schema_version" enum:"1"`
}

// ValidateRequest is the body that asks for a run (DOC3 0C.28 StartValidationRunRequest with decisions C10).
type ValidateRequest struct {
	RunLabel        string            `json:"run_label,omitempty" maxLength:"120"`
	SelectedTests   []string          `json:"selected_tests,omitempty" doc:"test_case_ids; absent means all"`
	ClientRequestID string            `json:"client_request_id,omitempty" maxLength:"120"`
	RunKinds        []RunKind         `json:"run_kinds,omitempty" doc:"absent means lint, trigger, dependency_check, adapter_check, dry_run"`
	Parameters      map[string]string `json:"parameters,omitempty" doc:"input name to value, for an input of a loop one in each line; used for this run, never stored"`
	StartURL        string            `json:"start_url,omitempty" maxLength:"2000" doc:"where the application is for this run, when only one site was demonstrated"`
	StartURLs       map[string]string `json:"start_urls,omitempty" doc:"demonstrated site to address: where each application is for this run"`
	TestPolicy      *TestPolicy       `json:"test_policy,omitempty"`
	AllowHosts      []string          `json:"allow_hosts,omitempty"`
	Headed          bool              `json:"headed,omitempty" doc:"show the browser; a page that asks to sign in then waits for the person"`
	KeepPictures    bool              `json:"keep_pictures,omitempty" doc:"keep a screenshot where a step fails, painted over at fields, tables and texts that hold a value; it goes with the raw data"`
	Profile         string            `json:"profile,omitempty" enum:"fresh,managed" doc:"managed: Showhow's own browser profile, where you are signed in; needs your consent"`
	SchemaVersion   int               `json:"schema_version" enum:"1"`
}

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
