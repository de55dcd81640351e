// Package rehearse tests a draft before a person decides on it: validation runs of several kinds under a test policy.
//
// Guarantees: a run never does what its policy forbids, stops rather than act on a doubtful target, and reports its
// outcome honestly (passed, failed, partial, cancelled). It belongs to one revision of a proposal and to the content
// hash of its bundle; another revision voids it (decisions C1). Runs are durable and cancellable, and a running one
// has no overall_result. A run never passes for something that was not done.
//
// A rehearsal performs the graph without a model; a canary performs its smallest read-only beginning. Both need a
// Stage. The runner enforces the policy: every request of every page is judged before it leaves (policy), every
// control and command line before it is used, and what cannot be enforced is refused before anything begins. Success
// is judged by effect: what a page claims is looked up again in a fresh tab (proof). What could not be verified makes
// the run partial. A run's values live in memory; steps, events and evidence hold names in braces instead. What a run
// made on this machine is removed at its end, which is a step of its own; Recover and the Stage do it for a run that a
// crash ended.
//
// Not guaranteed: a passed dry_run performed nothing; it explains what would happen. What a server does on a harmless
// looking request is not known here, and what it has stored is not undone. Nothing here executes an installed ability
// (DOC3 0C.9A rule 1).
//
// This package starts, stores and reports runs, and does what needs no machine: lint, triggers, dependencies, the dry
// run. Its subpackages:
//
//	record   requests, results, codes, the store
//	port     the machine that a run needs: stage, room, browser, shell
//	policy   what each mode allows; the guard of requests; the sites of a run
//	supply   the values of a run, and the texts that they fill
//	check    judging a checkpoint's checks
//	report   the report of a run's steps
//	proof    what proves that a change was stored
//	perform  the performance itself
//
// To test against it: New over a store in t.TempDir, Start a run, Wait for it, read its steps; or Perform for one run
// that is not stored. A Stage of the test's own stands in for browser and sandbox.
package rehearse

import (
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
)

// The types that callers of a Runner need.
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

// DefaultKinds run, in this order, when a request names none.
var DefaultKinds = record.DefaultKinds

// DefaultPolicy is the policy of a run without one: explain, touch nothing.
func DefaultPolicy(id string) TestPolicy { return policy.DefaultPolicy(id) }
