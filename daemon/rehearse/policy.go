package rehearse

import (
	"fmt"
	"slices"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/danger"
	"showhow/daemon/workflow"
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

// DefaultMaxActions is the schema's default.
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

// DefaultPolicy is what a run obeys when nobody set a policy: explain, touch nothing.
func DefaultPolicy(id string) TestPolicy {
	return TestPolicy{PolicyID: id, Mode: DryRunOnly, MaxActions: DefaultMaxActions, SchemaVersion: 1}
}

// surfaces a step can be on (compile.Step.Surface).
const (
	onBrowser = "browser"
	onShell   = "shell"
	onProgram = "program"
	onMIDI    = "midi"
	onAgent   = "agent"
)

// rule says what a mode allows on a surface.
type rule struct {
	allowed bool   // the mode can be enforced there
	writes  bool   // effects are allowed, on safe targets
	live    bool   // commands work on copies of the files that they name, from the folders where they were shown
	needs   string // kind of safe target without which nothing is allowed, "" for none
}

// rules is what each mode means on each surface (decisions C12, docs/rehearsal.md). A pair that is not here cannot be enforced
// and is refused: a browser cannot be given a copy of a site, and nothing keeps a program from writing.
var rules = map[PolicyMode]map[string]rule{
	DryRunOnly:         {onBrowser: {allowed: true, writes: true}, onShell: {allowed: true, writes: true}, onProgram: {allowed: true, writes: true}, onMIDI: {allowed: true, writes: true}, onAgent: {allowed: true, writes: true}},
	ReadOnly:           {onBrowser: {allowed: true}, onShell: {live: true}},
	LiveReadSafeWrite:  {onBrowser: {allowed: true, writes: true}, onShell: {allowed: true, writes: true, live: true, needs: "temp_folder"}},
	SafeTargetOnly:     {onBrowser: {allowed: true, writes: true, needs: "managed_browser_profile"}, onShell: {allowed: true, writes: true, needs: "temp_folder"}},
	CopyArtifact:       {onShell: {allowed: true, writes: true, live: true, needs: "temp_folder"}, onProgram: {allowed: true, writes: true, needs: "copied_document"}},
	BlankArtifact:      {onShell: {allowed: true, writes: true, needs: "temp_folder"}, onProgram: {allowed: true, writes: true, needs: "blank_document"}, onMIDI: {allowed: true, writes: true, needs: "blank_project"}},
	RedirectSend:       {onBrowser: {allowed: true, writes: true, needs: "safe_email_recipient"}},
	ControlledLiveTest: {onBrowser: {allowed: true, writes: true}, onShell: {allowed: true, writes: true, live: true, needs: "temp_folder"}, onProgram: {allowed: true, writes: true, needs: "blank_project"}, onMIDI: {allowed: true, writes: true, needs: "blank_project"}},
}

// performs reports whether the mode lets a run do anything at all.
func (m PolicyMode) performs() bool { return m != DryRunOnly }

func (p TestPolicy) has(kind string) bool {
	for _, t := range p.SafeTargets {
		if t.TargetKind == kind {
			return true
		}
	}
	return false
}

// refuses says why the policy does not let a step be done, "" when it does: its control's wording, its command, and what the
// demonstration showed of it. What its requests are is judged again when they are made.
func (p *play) refuses(s workflow.Step) string {
	if why := forbids(p.policy, s, p.req, p.sites); why != "" {
		return why
	}
	if s.Command != "" {
		return p.policy.judges(danger.Command(p.supply.command(p.sites.line(s.Command))))
	}
	if s.Target == nil || !operates(s.Verb) || onlyMarks(s) {
		return ""
	}
	for _, words := range p.says(s) {
		words = holeForm.ReplaceAllString(words, "") // an input's name is no word of the page
		if why := p.policy.judges(danger.Control(s.Target.Role, words, "")); why != "" {
			return why
		}
	}
	return ""
}

// says is what tells what a step does: the words of its control and, where it sends a form, of the boxes that were ticked there.
func (p *play) says(s workflow.Step) []string {
	out := []string{wordingOf(s, p.supply.bindings)}
	if s.Effect || s.Verb == capture.Submit {
		out = append(out, p.marked...)
	}
	return out
}

// marks notes the words of a box that was ticked, until its form is sent.
func (p *play) marks(s workflow.Step, a Act) {
	words := ""
	if s.Target != nil {
		words = p.supply.text(orThe(s.Target.Name, s.Target.Label))
	}
	switch {
	case s.Effect || s.Verb == capture.Submit:
		p.marked = nil
	case !onlyMarks(s) || page.InPlace(s.Target):
	case a.Verb == capture.Uncheck:
		p.marked = slices.DeleteFunc(p.marked, func(m string) bool { return m == words })
	default:
		p.marked = append(p.marked, words)
	}
}

// onlyMarks reports whether a step does nothing by itself: it clears a box, or ticks one of a form. What a form does is done when it is
// sent, and a page that sends something at once is judged by its request.
func onlyMarks(s workflow.Step) bool {
	return s.Verb == capture.Uncheck || s.Verb == capture.Check && (s.Target.Role == "checkbox" || s.Target.Role == "radio")
}

// judges says why a policy forbids what was recognised.
func (p TestPolicy) judges(f danger.Finding) string {
	for _, c := range []danger.Class{danger.Escalates, danger.Installs, danger.Destroys, danger.Sends} {
		if f.Has(c) && p.forbids(c) {
			return fmt.Sprintf("%s, and the policy forbids what %s", f.Why, c)
		}
	}
	return ""
}

// wordingOf is how the control of a step names what it does.
func wordingOf(s workflow.Step, b bindings) string {
	if s.Target == nil || !operates(s.Verb) || s.Verb == capture.Uncheck {
		return "" // a box that is cleared says what is not to be done
	}
	return b.text(orThe(s.Target.Name, s.Target.Label))
}
