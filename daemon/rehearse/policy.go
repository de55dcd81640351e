package rehearse

import (
	"fmt"
	"slices"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/danger"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
)

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
func hasTarget(p TestPolicy, kind string) bool {
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
		return judge(p.policy, danger.Command(p.supply.command(p.sites.line(s.Command))))
	}
	if s.Target == nil || !operates(s.Verb) || onlyMarks(s) {
		return ""
	}
	for _, words := range p.says(s) {
		words = holeForm.ReplaceAllString(words, "") // an input's name is no word of the page
		if why := judge(p.policy, danger.Control(s.Target.Role, words, "")); why != "" {
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
func judge(p TestPolicy, f danger.Finding) string {
	for _, c := range []danger.Class{danger.Escalates, danger.Installs, danger.Destroys, danger.Sends} {
		if f.Has(c) && forbidsClass(p, c) {
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
