// Package rehearse tries a draft before a person decides on it: validation runs of several kinds under a test policy.
//
// Guarantees: a run never does what its policy forbids, stops rather than act on a doubtful target, and says honestly what
// came of it (passed, failed, partial, cancelled). Nothing here executes an installed ability (DOC3 0C.9A rule 1).
package rehearse

import (
	"context"

	"showhow/daemon/compile"
	"showhow/internal/clock"
)

// PolicyMode says how far a rehearsal may go (DOC3 0C.14).
type PolicyMode string

const (
	ReadOnly           PolicyMode = "read_only"
	DryRunOnly         PolicyMode = "dry_run_only"
	BlankArtifact      PolicyMode = "blank_artifact"
	CopyArtifact       PolicyMode = "copy_artifact"
	SafeTargetOnly     PolicyMode = "safe_target_only"
	RedirectSend       PolicyMode = "redirect_send"
	LiveReadSafeWrite  PolicyMode = "live_read_safe_write"
	ControlledLiveTest PolicyMode = "controlled_live_test"
)

// SafeTarget is a place where a rehearsal may write.
type SafeTarget struct {
	TargetKind string `json:"target_kind" enum:"temp_folder,blank_document,copied_document,blank_project,safe_email_recipient,managed_browser_profile,test_sharepoint_site"`
	Ref        string `json:"ref" maxLength:"240"`
}

// TestPolicy bounds what a validation run may do (DOC3 0C.14).
type TestPolicy struct {
	PolicyID                string       `json:"policy_id" format:"uuid"`
	Mode                    PolicyMode   `json:"mode" enum:"read_only,dry_run_only,blank_artifact,copy_artifact,safe_target_only,redirect_send,live_read_safe_write,controlled_live_test"`
	SafeTargets             []SafeTarget `json:"safe_targets,omitempty"`
	ForbidDestructiveWrites *bool        `json:"forbid_destructive_writes,omitempty" default:"true"`
	ForbidExternalSend      *bool        `json:"forbid_external_send,omitempty" default:"true"`
	AllowedDomains          []string     `json:"allowed_domains,omitempty" items.maxLength:"120"`
	MaxActions              int          `json:"max_actions,omitempty" minimum:"1" maximum:"200" default:"40"`
	CleanupRequired         bool         `json:"cleanup_required,omitempty" default:"false"`
	SchemaVersion           int          `json:"schema_version" enum:"1"`
}

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

// Overall is the honest outcome of a run.
type Overall string

const (
	Passed    Overall = "passed"
	Failed    Overall = "failed"
	Partial   Overall = "partial"
	Cancelled Overall = "cancelled"
)

// ValidationRun is one run on one revision of a proposal. While Status is running there is no OverallResult (decisions C10).
type ValidationRun struct {
	ValidationRunID string      `json:"validation_run_id" format:"uuid"`
	ProposalID      string      `json:"proposal_id" format:"uuid"`
	LearnSessionID  string      `json:"learn_session_id,omitempty" format:"uuid"`
	Revision        int         `json:"revision" minimum:"0"`
	RunKind         RunKind     `json:"run_kind" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal"`
	RunLabel        string      `json:"run_label,omitempty" maxLength:"120"`
	Status          string      `json:"status" enum:"running,completed"`
	StartedAt       clock.Time  `json:"started_at" format:"date-time"`
	CompletedAt     *clock.Time `json:"completed_at,omitempty" format:"date-time"`
	OverallResult   Overall     `json:"overall_result,omitempty" enum:"passed,failed,partial,cancelled"`
	Reason          string      `json:"reason,omitempty" maxLength:"240"`
	ResultRefs      []string    `json:"result_refs"`
	SchemaVersion   int         `json:"schema_version" enum:"1"`
}

// ValidationStepResult is one case of a run.
type ValidationStepResult struct {
	ValidationRunID string     `json:"validation_run_id" format:"uuid"`
	TestCaseID      string     `json:"test_case_id" maxLength:"160"`
	Label           string     `json:"label" maxLength:"240"`
	Result          string     `json:"result" enum:"passed,failed,skipped"`
	Details         string     `json:"details,omitempty" maxLength:"1000"`
	CreatedAt       clock.Time `json:"created_at" format:"date-time"`
	SchemaVersion   int        `json:"schema_version" enum:"1"`
}

// Request is one run to perform on one revision of a draft.
type Request struct {
	Run           ValidationRun // id, kind, proposal and revision; the runner fills nothing in here
	Goal          string
	Draft         compile.Output // the revision, with its bundle
	Policy        *TestPolicy    // nil: the runner's safest (dry_run_only)
	Parameters    map[string]string
	StartURL      string
	AllowHosts    []string
	SelectedTests []string
	Headed        bool
	Values        func(context.Context) (map[string]string, error) // opens the sealed values when the policy allows one; may be nil
}

// Result is what a run found.
type Result struct {
	Overall    Overall
	Reason     string // safe to show
	Steps      []ValidationStepResult
	ResultRefs []string
}
