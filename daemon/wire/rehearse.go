package wire

import "showhow/internal/clock"

// PolicyMode says how far a rehearsal may go (DOC3 0C.14).
type PolicyMode string

// The modes of a policy.
const (
	PolicyReadOnly           PolicyMode = "read_only"
	PolicyDryRunOnly         PolicyMode = "dry_run_only"
	PolicyBlankArtifact      PolicyMode = "blank_artifact"
	PolicyCopyArtifact       PolicyMode = "copy_artifact"
	PolicySafeTargetOnly     PolicyMode = "safe_target_only"
	PolicyRedirectSend       PolicyMode = "redirect_send"
	PolicyLiveReadSafeWrite  PolicyMode = "live_read_safe_write"
	PolicyControlledLiveTest PolicyMode = "controlled_live_test"
)

// Performs reports whether a rehearsal in this mode acts.
func (m PolicyMode) Performs() bool { return m != PolicyDryRunOnly }

// SafeTarget is a place where a rehearsal may write.
type SafeTarget struct {
	TargetKind string `json:"target_kind" enum:"temp_folder,blank_document,copied_document,blank_project,safe_email_recipient,managed_browser_profile,test_sharepoint_site"`
	Ref        string `json:"ref" maxLength:"240"`
}

// TestPolicy bounds what a validation run may do (DOC3 0C.14). An absent forbid field means true.
type TestPolicy struct {
	PolicyID                string       `json:"policy_id" format:"uuid"`
	Mode                    PolicyMode   `json:"mode" enum:"read_only,dry_run_only,blank_artifact,copy_artifact,safe_target_only,redirect_send,live_read_safe_write,controlled_live_test"`
	SafeTargets             []SafeTarget `json:"safe_targets,omitempty"`
	ForbidDestructiveWrites *bool        `json:"forbid_destructive_writes,omitempty" default:"true"`
	ForbidExternalSend      *bool        `json:"forbid_external_send,omitempty" default:"true"`
	AllowedDomains          []string     `json:"allowed_domains,omitempty" maxLength:"120"`
	MaxActions              int          `json:"max_actions,omitempty" minimum:"1" maximum:"200" default:"40"`
	CleanupRequired         bool         `json:"cleanup_required,omitempty" default:"false"`
	SchemaVersion           int          `json:"schema_version" enum:"1"`
}

// RunKind is what a validation run examines (DOC3 0C.10).
type RunKind string

// The kinds of a run.
const (
	RunLint            RunKind = "lint"
	RunTrigger         RunKind = "trigger"
	RunDryRun          RunKind = "dry_run"
	RunCanary          RunKind = "canary"
	RunAdapterCheck    RunKind = "adapter_check"
	RunDependencyCheck RunKind = "dependency_check"
	RunRehearsal       RunKind = "rehearsal"
)

// Performs reports whether a run of this kind acts.
func (k RunKind) Performs() bool { return k == RunCanary || k == RunRehearsal }

// RunResult is the outcome of a run.
type RunResult string

// ValidationRun is one run on one revision of a proposal. OverallResult is absent while Status is running (decisions
// C10).
type ValidationRun struct {
	ValidationRunID string            `json:"validation_run_id" format:"uuid"`
	ProposalID      string            `json:"proposal_id" format:"uuid"`
	LearnSessionID  string            `json:"learn_session_id,omitempty" format:"uuid"`
	AbilityID       string            `json:"ability_id,omitempty" maxLength:"160" doc:"when an installed ability is looked at"`
	Revision        int               `json:"revision" minimum:"0"`
	ContentHash     string            `json:"content_hash,omitempty" maxLength:"80" doc:"of the bundle that is looked at"`
	RunKind         RunKind           `json:"run_kind" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal" doc:"the first of run_kinds"`
	RunKinds        []RunKind         `json:"run_kinds" doc:"everything this run looks at"`
	RunLabel        string            `json:"run_label,omitempty" maxLength:"120"`
	Status          string            `json:"status" enum:"running,completed"`
	StartedAt       clock.Time        `json:"started_at" format:"date-time"`
	CompletedAt     *clock.Time       `json:"completed_at,omitempty" format:"date-time"`
	OverallResult   RunResult         `json:"overall_result,omitempty" enum:"passed,failed,partial,cancelled" doc:"absent while the run is running"`
	Reason          string            `json:"reason,omitempty" maxLength:"240"`
	KindResults     []RunKindResult   `json:"kind_results" doc:"one per kind that was looked at"`
	ResultRefs      []string          `json:"result_refs" doc:"test_case_ids of the steps that did not pass"`
	Repairs         []RehearsalRepair `json:"repairs,omitempty" doc:"what had changed since it was shown and was found all the same; apply them with a revision"`
	Requests        int               `json:"requests,omitempty" doc:"that its browser made or wanted to make"`
	WaitingFor      string            `json:"waiting_for,omitempty" enum:"sign_in" doc:"what a running run waits for the person to do"`
	SchemaVersion   int               `json:"schema_version" enum:"1"`
}

// RehearsalRepair suggests for a later revision how a step's target is called now. It is never applied by itself.
type RehearsalRepair struct {
	StepID  string   `json:"step_id" maxLength:"40"`
	Role    string   `json:"role,omitempty" maxLength:"80"`
	Name    string   `json:"name,omitempty" maxLength:"240"`
	Changes []string `json:"changes" doc:"what changed, in words; an input's value stands there as its name"`

	Place *ObservedLandmark `json:"place,omitempty" doc:"where it is now, when it was somewhere else; role none: in no named place"`
}

// RehearsalEvidence is the state in which a step failed: a digest without personal values. It is raw data and is
// purged as such.
type RehearsalEvidence struct {
	ValidationRunID string       `json:"validation_run_id" format:"uuid"`
	LearnSessionID  string       `json:"learn_session_id,omitempty" format:"uuid"`
	TestCaseID      string       `json:"test_case_id" maxLength:"160"`
	State           CaptureState `json:"state"`
	EvidenceID      int64        `json:"evidence_id" minimum:"1"`
	Picture         bool         `json:"picture" doc:"there is a screenshot, painted over where it could show data"`
	CreatedAt       clock.Time   `json:"created_at" format:"date-time"`
}

// RunKindResult is the outcome of one kind within a run.
type RunKindResult struct {
	RunKind RunKind   `json:"run_kind" enum:"lint,trigger,dry_run,canary,adapter_check,dependency_check,rehearsal"`
	Result  RunResult `json:"result" enum:"passed,failed,partial,cancelled"`
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

// StartValidationRunRequest is the body that asks for a run (DOC3 0C.28 StartValidationRunRequest with decisions C10).
type StartValidationRunRequest struct {
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
	LookLater       bool              `json:"look_later,omitempty" doc:"look again two seconds later whether what was done last is still there: some sites take it back"`
	Profile         string            `json:"profile,omitempty" enum:"fresh,managed" doc:"managed: Showhow's own browser profile, where you are signed in; needs your consent"`
	SchemaVersion   int               `json:"schema_version" enum:"1"`
}

// DefaultMaxActions is the schema's default of TestPolicy.MaxActions.
const DefaultMaxActions = 40

// DestructiveForbidden is forbid_destructive_writes with its default.
func (p TestPolicy) DestructiveForbidden() bool {
	return p.ForbidDestructiveWrites == nil || *p.ForbidDestructiveWrites
}

// SendForbidden is forbid_external_send with its default.
func (p TestPolicy) SendForbidden() bool { return p.ForbidExternalSend == nil || *p.ForbidExternalSend }

// Limit is max_actions with its default.
func (p TestPolicy) Limit() int {
	if p.MaxActions <= 0 {
		return DefaultMaxActions
	}
	return p.MaxActions
}
