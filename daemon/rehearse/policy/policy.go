// Package policy defines what a test policy allows: per mode and surface, per step, and for every request before it
// leaves the machine.
//
// It does not trust the graph. The wording of a step's control or command line is judged before the step is done, and
// each request by itself, whatever step it comes from. A pair of mode and surface that cannot be enforced is refused.
// What a server does on a harmless looking request is not known here. The packages of daemon/rehearse above it may
// import it, and daemon/stage for the hosts. To test it, ask a Guard about requests: it needs no browser.
package policy

import (
	"fmt"

	"showhow/daemon/danger"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Of is the request's policy, or the safest one.
func Of(req record.Request) record.TestPolicy {
	if req.Policy == nil {
		return DefaultPolicy("")
	}
	return *req.Policy
}

// Violation is the error of a policy that cannot be enforced, with what to do about it.
func Violation(format string, args ...any) *fault.Error {
	return fault.Newf(fault.TestPolicyViolation, format,
		args...).WithHint("set another test policy, or use dry_run_only, which performs nothing")
}

// TargetOf names the kind of safe target that steps on a surface need.
func TargetOf(p record.TestPolicy, surface string) string {
	if kind := Rules[p.Mode][surface].Needs; kind != "" {
		return kind
	}
	if surface == OnBrowser && p.Mode.Performs() {
		return "managed_browser_profile"
	}
	return ""
}

// The modes of a policy.
const (
	ReadOnly           = wire.PolicyReadOnly
	DryRunOnly         = wire.PolicyDryRunOnly
	BlankArtifact      = wire.PolicyBlankArtifact
	CopyArtifact       = wire.PolicyCopyArtifact
	SafeTargetOnly     = wire.PolicySafeTargetOnly
	RedirectSend       = wire.PolicyRedirectSend
	LiveReadSafeWrite  = wire.PolicyLiveReadSafeWrite
	ControlledLiveTest = wire.PolicyControlledLiveTest
)

// DefaultMaxActions is the schema's default.
const DefaultMaxActions = wire.DefaultMaxActions

// DefaultPolicy is the policy of a run without one: explain, touch nothing.
func DefaultPolicy(id string) record.TestPolicy {
	return record.TestPolicy{PolicyID: id, Mode: DryRunOnly, MaxActions: DefaultMaxActions, SchemaVersion: 1}
}

// surfaces a step can be on (workflow.Step.Surface).
const (
	OnBrowser = "browser"
	OnShell   = "shell"
	OnProgram = "program"
	OnMIDI    = "midi"
	onAgent   = "agent"

	OnConnector = "mcp_connector"
)

// rule is what a mode allows on a surface.
type rule struct {
	Allowed bool   // the mode can be enforced there
	writes  bool   // effects are allowed, on safe targets
	Live    bool   // commands work on copies of the files that they name, from the folders where they were shown
	Needs   string // kind of safe target without which nothing is allowed, "" for none
}

// Rules says what each mode means on each surface (decisions C12, docs/rehearsal.md). A missing pair cannot be
// enforced and is refused: a browser cannot get a copy of a site, and nothing keeps a program from writing. A
// connector's tool that may change something is called only under controlled_live_test: what its service then stores
// cannot be seen or undone.
var Rules = map[record.PolicyMode]map[string]rule{
	DryRunOnly: {OnBrowser: {Allowed: true, writes: true}, OnShell: {Allowed: true, writes: true},
		OnProgram: {Allowed: true, writes: true}, OnMIDI: {Allowed: true, writes: true}, onAgent: {Allowed: true, writes: true},
		OnConnector: {Allowed: true, writes: true}},
	ReadOnly: {OnBrowser: {Allowed: true}, OnShell: {Live: true}, OnConnector: {Allowed: true}},
	LiveReadSafeWrite: {OnBrowser: {Allowed: true, writes: true}, OnShell: {Allowed: true, writes: true, Live: true, Needs: "temp_folder"},
		OnConnector: {Allowed: true}},
	SafeTargetOnly: {OnBrowser: {Allowed: true, writes: true, Needs: "managed_browser_profile"},
		OnShell: {Allowed: true, writes: true, Needs: "temp_folder"}},
	CopyArtifact: {OnShell: {Allowed: true, writes: true, Live: true, Needs: "temp_folder"},
		OnProgram: {Allowed: true, writes: true, Needs: "copied_document"}},
	BlankArtifact: {OnShell: {Allowed: true, writes: true, Needs: "temp_folder"},
		OnProgram: {Allowed: true, writes: true, Needs: "blank_document"}, OnMIDI: {Allowed: true, writes: true, Needs: "blank_project"}},
	RedirectSend: {OnBrowser: {Allowed: true, writes: true, Needs: "safe_email_recipient"}},
	ControlledLiveTest: {OnBrowser: {Allowed: true, writes: true}, OnShell: {Allowed: true, writes: true, Live: true, Needs: "temp_folder"},
		OnProgram: {Allowed: true, writes: true, Needs: "blank_project"}, OnMIDI: {Allowed: true, writes: true, Needs: "blank_project"},
		OnConnector: {Allowed: true, writes: true}},
}

// HasTarget reports whether the policy names a safe target of a kind.
func HasTarget(p record.TestPolicy, kind string) bool {
	for _, t := range p.SafeTargets {
		if t.TargetKind == kind {
			return true
		}
	}
	return false
}

// Forbidden says why a policy forbids a finding.
func Forbidden(p record.TestPolicy, f danger.Finding) string {
	for _, c := range []danger.Class{danger.Escalates, danger.Installs, danger.Destroys, danger.Sends} {
		if f.Has(c) && forbidsClass(p, c) {
			return fmt.Sprintf("%s, and the policy forbids what %s", f.Why, c) + allowedBy(c)
		}
	}
	return ""
}

// allowedBy names the flags that allow a rehearsal a class of action.
func allowedBy(c danger.Class) string {
	switch c {
	case danger.Destroys:
		return "; --policy controlled_live_test --allow-destructive allows it"
	case danger.Sends:
		return "; --policy controlled_live_test --allow-send allows it"
	}
	return ""
}

// Writes reports whether a policy lets steps on a surface change something.
func Writes(p record.TestPolicy, surface string) bool { return Rules[p.Mode][surface].writes }
