package rehearse

import (
	"showhow/daemon/compile"
	"showhow/internal/clock"
)

// RunKind is what a validation run examines (DOC3 0C.10).
type RunKind string

const (
	KindLint            RunKind = "lint"
	KindTrigger         RunKind = "trigger"
	KindDryRun          RunKind = "dry_run"
	KindCanary          RunKind = "canary"
	KindAdapterCheck    RunKind = "adapter_check"
	KindDependencyCheck RunKind = "dependency_check"
	KindRehearsal       RunKind = "rehearsal"
)

// DefaultKinds are run when a request names none, in this order; together they open the gate of decisions C1.
var DefaultKinds = []RunKind{KindLint, KindTrigger, KindDependencyCheck, KindAdapterCheck, KindDryRun}

// RunStatus is how far a run has come.
type RunStatus string

const (
	StatusRunning   RunStatus = "running"
	StatusCompleted RunStatus = "completed"
	StatusCancelled RunStatus = "cancelled"
)

// Result is the outcome of a run; absent while it runs.
type Result string

const (
	Passed    Result = "passed"
	Failed    Result = "failed"
	Partial   Result = "partial" // nothing failed, but something could not be examined here
	Cancelled Result = "cancelled"
)

// StepOutcome is the outcome of one step.
type StepOutcome string

const (
	StepPassed  StepOutcome = "passed"
	StepFailed  StepOutcome = "failed"
	StepSkipped StepOutcome = "skipped"
)

// Codes of steps that did not pass; stable, for programs.
const (
	CodeNeedsValue      = "needs_value" // an input has no value: name it in `parameters`
	CodePolicyViolation = "test_policy_violation"
	CodeNotExamined     = "not_examined"
)

// ValidationRun is one run on one revision of a proposal (DOC3 0C.10 with decisions C10).
type ValidationRun struct {
	ValidationRunID string      `json:"validation_run_id" format:"uuid"`
	ProposalID      string      `json:"proposal_id" format:"uuid"`
	LearnSessionID  string      `json:"learn_session_id,omitempty" format:"uuid"`
	AbilityID       string      `json:"ability_id,omitempty" maxLength:"160"` // when an installed ability is examined
	RunKind         RunKind     `json:"run_kind" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal" doc:"the first of run_kinds"`
	RunKinds        []RunKind   `json:"run_kinds" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal" doc:"everything this run examines"`
	RunLabel        string      `json:"run_label,omitempty" maxLength:"120"`
	Status          RunStatus   `json:"status" enum:"running,completed,cancelled"`
	Revision        int         `json:"revision" minimum:"0" doc:"the proposal's revision that is examined"`
	ContentHash     string      `json:"content_hash" maxLength:"80" doc:"the bundle's hash that is examined"`
	StartedAt       clock.Time  `json:"started_at" format:"date-time"`
	CompletedAt     *clock.Time `json:"completed_at,omitempty" format:"date-time"`
	OverallResult   Result      `json:"overall_result,omitempty" enum:"passed,failed,partial,cancelled" doc:"absent while the run is running"`
	Reason          string      `json:"reason,omitempty" maxLength:"400" doc:"why it is not passed, in a sentence"`
	ResultRefs      []string    `json:"result_refs" maxLength:"240" doc:"the step results' test_case_ids that did not pass"`
	SchemaVersion   int         `json:"schema_version" enum:"1"`
}

// ValidationStepResult is one thing that a run examined.
type ValidationStepResult struct {
	ValidationRunID string      `json:"validation_run_id" format:"uuid"`
	TestCaseID      string      `json:"test_case_id" maxLength:"160"`
	RunKind         RunKind     `json:"run_kind" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal"`
	Label           string      `json:"label" maxLength:"240"`
	Result          StepOutcome `json:"result" enum:"passed,failed,skipped"`
	Code            string      `json:"code,omitempty" maxLength:"120" doc:"stable reason when not passed: needs_value, test_policy_violation, ..."`
	Details         string      `json:"details,omitempty" maxLength:"1000"`
	CreatedAt       clock.Time  `json:"created_at" format:"date-time"`
	SchemaVersion   int         `json:"schema_version" enum:"1"`
}

// ValidateRequest asks for a run (DOC3 0C.28 StartValidationRunRequest with decisions C10). Unknown keys are refused.
type ValidateRequest struct {
	RunLabel        string            `json:"run_label,omitempty" maxLength:"120"`
	SelectedTests   []string          `json:"selected_tests,omitempty" maxLength:"120" doc:"test_case_ids; empty means all"`
	ClientRequestID string            `json:"client_request_id,omitempty" maxLength:"120"`
	RunKinds        []RunKind         `json:"run_kinds,omitempty" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal" doc:"empty means all that open the gate"`
	Parameters      map[string]string `json:"parameters,omitempty" doc:"input name to value, for dry_run and rehearsal; never stored"`
	StartURL        string            `json:"start_url,omitempty" maxLength:"2000"`
	TestPolicy      *TestPolicy       `json:"test_policy,omitempty"`
	AllowHosts      []string          `json:"allow_hosts,omitempty" maxLength:"120"`
	Headed          bool              `json:"headed,omitempty"`
	SchemaVersion   int               `json:"schema_version" enum:"1"`
}

// Draft is what a run examines. The caller loads it; the runner never reads a proposal itself.
type Draft struct {
	ProposalID     string
	LearnSessionID string
	AbilityID      string // the installed ability this is, or replaces; its own triggers are no collision
	Revision       int
	ContentHash    string
	Output         compile.Output
	Adapters       []string // observation kinds the demonstration needed (capture.Kind), for adapter_check
}

// Standing is what the runs on one revision add up to (decisions C1).
type Standing struct {
	Result  Result // "" when nothing has run to its end on this revision
	RunID   string // the run that decides
	Running bool   // a run is under way: VALIDATION_IN_PROGRESS
	Reason  string
}
