// Package rehearse tries a draft before a person decides on it: validation runs of several kinds under a test policy.
//
// Guarantees: a run never does what its policy forbids, stops rather than act on a doubtful target, and says honestly what
// came of it (passed, failed, partial, cancelled). It belongs to one revision of a proposal and to the content hash of its
// bundle; another revision makes it void (decisions C1). Runs are durable and cancellable, and one that still runs has no
// overall_result. A run is never a pass for something that was not done.
//
// A rehearsal performs the graph without a model; a canary performs its smallest beginning that only reads. Both need a Stage.
// The policy is kept by the runner: every request of every page is judged before it leaves (policy), every control and
// command line before it is used, and what a policy could not be kept for is refused before anything begins. Success is judged
// by effect: what a page claims is looked up again in a fresh tab (proof). What could not be verified makes the run partial.
// Values of a run live in memory; steps, events and evidence carry names in braces instead. What a run made on this machine is
// removed at its end, which is a step of its own; Recover and the Stage do it for a run that a crash ended.
//
// Not guaranteed: a passed dry_run performed nothing; it explains what would happen. What a server does on a harmless looking
// request is not known here, and what it has kept is not taken back. Nothing here executes an installed ability (DOC3 0C.9A
// rule 1).
//
// This package starts, keeps and reports runs, and does what needs no machine: lint, triggers, dependencies, the dry run. Its rooms:
//
//	record   the nouns: requests, results, codes, the store
//	port     what a run needs of the machine: stage, room, browser, shell
//	policy   what each mode allows; the guard of requests; the sites of a run
//	supply   the values of a run, and the texts that they fill
//	check    whether a check of a checkpoint holds
//	report   the steps of a run as they are told
//	proof    what counts as proof that something was kept
//	perform  the performance itself
//
// To test against it: New over a store in t.TempDir, Start a run, Wait for it, read its steps; or Perform for one run that
// nobody keeps. A Stage of the test's own stands in for browser and sandbox.
package rehearse

import (
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
)

// What callers of a Runner name.
type (
	Evidence             = record.Evidence
	KindResult           = record.KindResult
	Overall              = record.Overall
	PolicyMode           = record.PolicyMode
	Request              = record.Request
	Result               = record.Result
	RunKind              = record.RunKind
	SafeTarget           = record.SafeTarget
	Standing             = record.Standing
	Store                = record.Store
	TestPolicy           = record.TestPolicy
	Tx                   = record.Tx
	ValidateRequest      = record.ValidateRequest
	ValidationRun        = record.ValidationRun
	ValidationStepResult = record.ValidationStepResult

	Stage = port.Stage // what a Runner performs on
)

// Outcomes, kinds and states of runs.
const (
	Passed    = record.Passed
	Failed    = record.Failed
	Partial   = record.Partial
	Cancelled = record.Cancelled

	RunLint            = record.RunLint
	RunTrigger         = record.RunTrigger
	RunDryRun          = record.RunDryRun
	RunCanary          = record.RunCanary
	RunAdapterCheck    = record.RunAdapterCheck
	RunDependencyCheck = record.RunDependencyCheck
	RunRehearsal       = record.RunRehearsal

	StatusRunning   = record.StatusRunning
	StatusCompleted = record.StatusCompleted
	StepPassed      = record.StepPassed
	StepFailed      = record.StepFailed
	StepSkipped     = record.StepSkipped

	CodeCollision       = record.CodeCollision
	CodeNeedsValue      = record.CodeNeedsValue
	CodePolicyViolation = record.CodePolicyViolation

	ProfileManaged = record.ProfileManaged
	LookLabel      = record.LookLabel

	RunsPath  = record.RunsPath
	StepsPath = record.StepsPath
)

// The modes of a policy.
const (
	ReadOnly           = policy.ReadOnly
	DryRunOnly         = policy.DryRunOnly
	BlankArtifact      = policy.BlankArtifact
	CopyArtifact       = policy.CopyArtifact
	SafeTargetOnly     = policy.SafeTargetOnly
	RedirectSend       = policy.RedirectSend
	LiveReadSafeWrite  = policy.LiveReadSafeWrite
	ControlledLiveTest = policy.ControlledLiveTest

	DefaultMaxActions = policy.DefaultMaxActions
)

// DefaultKinds are run, in this order, when a request names none.
var DefaultKinds = record.DefaultKinds

// DefaultPolicy is what a run obeys when nobody set a policy: explain, touch nothing.
func DefaultPolicy(id string) TestPolicy { return policy.DefaultPolicy(id) }
