package rehearse

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"os/exec"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/danger"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

var lookPath = exec.LookPath

// policyOf is the request's policy, or the safest.
func policyOf(req Request) TestPolicy {
	if req.Policy == nil {
		return DefaultPolicy("")
	}
	return *req.Policy
}

// checkPolicy refuses what cannot hold from the outset: a mode that cannot be enforced for a surface of the draft, safe
// targets that are missing, a start address outside the allowed sites.
func (r *Runner) checkPolicy(ctx context.Context, req Request) error {
	performs := slices.ContainsFunc(req.Run.RunKinds, RunKind.Performs)
	if !performs && !slices.Contains(req.Run.RunKinds, RunDryRun) {
		return nil
	}
	p := policyOf(req)
	byMode, ok := rules[p.Mode]
	if !ok {
		return fault.New(fault.InvalidRequest, "the test policy's mode is unknown")
	}
	if slices.Contains(req.Run.RunKinds, RunDryRun) || slices.Contains(req.Run.RunKinds, RunRehearsal) {
		for _, s := range surfacesOf(req.Draft.Graph) {
			r := byMode[s]
			if !r.allowed {
				return violation("the mode %s cannot be enforced for steps on the surface %q", p.Mode, s).WithDetail("surface", s)
			}
			if r.needs != "" && !hasTarget(p, r.needs) {
				return violation("the mode %s needs a safe target of kind %s for steps on the surface %q", p.Mode, r.needs, s).
					WithDetail("surface", s).WithDetail("target_kind", r.needs)
			}
		}
	}
	if err := checkStart(req); err != nil || !performs {
		return err
	}
	return r.checkStage(ctx, req)
}

// checkNames refuses a value for an input that the skill has not: a slip of the pen would else be performed with another value.
func checkNames(req Request) error {
	var names []string
	for _, in := range req.Draft.Interpretation.Inputs {
		names = append(names, in.Name)
	}
	for _, p := range req.Draft.Graph.Params {
		if asked(p) && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(req.Parameters)) {
		if !slices.Contains(names, name) {
			return fault.New(fault.InvalidRequest, "the skill has no input "+plain.Clip(name, 60)).WithDetail("inputs", names).
				WithHint("its inputs: " + orThe(strings.Join(names, ", "), "none"))
		}
	}
	return nil
}

func checkStart(req Request) error {
	if err := checkNames(req); err != nil {
		return err
	}
	moved, err := moves(req)
	if err != nil {
		return err
	}
	hosts := allowedHosts(req)
	for _, m := range moved {
		if !Allows(hosts, m.to.Host) {
			return violation("start_url is outside the sites that the policy allows").WithHint("allow its host as well (allow_hosts)")
		}
	}
	return nil
}

// checkStage refuses a performance that this machine cannot hold to the policy.
func (r *Runner) checkStage(ctx context.Context, req Request) error {
	if r.o.Stage == nil {
		return fault.New(fault.UnsupportedInBuild, "this build cannot perform a workflow").WithHint("run lint, trigger, dependency_check, adapter_check and dry_run")
	}
	p, g := policyOf(req), req.Draft.Graph
	if !slices.Contains(req.Run.RunKinds, RunRehearsal) {
		g.Steps = canaryPrefix(req.Draft)
		if req.Policy != nil && !p.Mode.Performs() {
			return violation("the mode %s performs nothing", p.Mode)
		}
	} else if err := checkRehearsal(p, g); err != nil {
		return err
	}
	for _, s := range surfacesOf(g) {
		if s != onBrowser && s != onShell {
			return violation("steps on the surface %q cannot be performed under any policy that could be enforced", s).WithDetail("surface", s)
		}
		if err := r.o.Stage.Ready(ctx, s); err != nil {
			return violation("steps on the surface %q cannot be performed safely here: %s", s, safe(err)).WithDetail("surface", s)
		}
	}
	if w, ok := r.o.Stage.(Shower); ok && req.Headed && slices.Contains(surfacesOf(g), onBrowser) {
		return w.CanShow()
	}
	return nil
}

// Shower is a Stage that knows whether its browser can be seen; the error says what is missing.
type Shower interface{ CanShow() error }

// checkRehearsal looks for what a mode promises and could not keep.
func checkRehearsal(p TestPolicy, g workflow.Graph) error {
	effects := slices.ContainsFunc(g.Steps, func(s workflow.Step) bool { return s.Surface == onBrowser && s.Effect && s.Verb != capture.Download })
	guard := newGuard(p, nil)
	switch {
	case !p.Mode.Performs():
		return violation("the mode %s performs nothing", p.Mode).WithHint("name a mode that does, for example live_read_safe_write")
	case p.Mode == RedirectSend && address.FindString(guard.mail) != guard.mail:
		return violation("the safe recipient is no e-mail address").WithDetail("target_kind", "safe_email_recipient")
	case p.Mode == SafeTargetOnly && effects && len(guard.safe) == 0:
		return violation("no safe target names a site, so nothing could be written").WithHint("name the site as the ref of managed_browser_profile or test_sharepoint_site")
	case p.CleanupRequired && effects && p.Mode != ReadOnly:
		return violation("what a site keeps cannot be taken back, and the policy requires a cleanup").WithHint("use read_only, or a policy without cleanup_required on a site made for tests")
	}
	return nil
}

// performs reports whether a kind does something rather than look at texts.
func violation(format string, args ...any) *fault.Error {
	return fault.Newf(fault.TestPolicyViolation, format, args...).WithHint("set another test policy, or use dry_run_only, which performs nothing")
}

// dryRun says step by step what a rehearsal would do, with which values and against what, and where the policy would stop
// it. Nothing is performed and no value is shown: values are named by where they come from.
func (e *exam) dryRun(ctx context.Context) error {
	p := policyOf(e.req)
	values, err := e.inputs(ctx)
	if err != nil {
		return err
	}
	run := &play{exam: e, policy: p, supply: values, sites: sitesOf(e.req)}
	if len(e.req.Draft.Graph.Steps) == 0 {
		e.add("steps", "the draft has steps", StepFailed, CodeNotExamined, "there is nothing to do")
	}
	for _, s := range e.req.Draft.Graph.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.explain(run, s)
	}
	e.actions(p)
	return nil
}

// inputs finds a value for every input and says where it comes from.
func (e *exam) inputs(ctx context.Context) (*supply, error) {
	s, err := e.supply(ctx)
	if err != nil {
		return nil, err
	}
	for _, in := range e.req.Draft.Interpretation.Inputs {
		label := fmt.Sprintf("a value for %q is there", cmp.Or(in.Label, in.Name))
		if src := s.sources[in.Name]; src != "" {
			e.pass("input."+in.Name, label, src)
		} else {
			e.add("input."+in.Name, label, StepSkipped, CodeNeedsValue, "name one in parameters, or answer what it should be by default")
		}
	}
	return s, nil
}

// explain is one step of a dry run.
func (e *exam) explain(run *play, s workflow.Step) {
	id, label, p, sources := s.StepID, s.Title, run.policy, run.supply.sources
	if why := run.explained(s); why != "" {
		e.add(id, label, StepFailed, CodePolicyViolation, why)
		return
	}
	parts := []string{"would " + deed(s)}
	if !p.Mode.Performs() {
		parts[0] += ", and is not performed"
	}
	if name := e.paramName(s.ParamID); name != "" {
		if src := sources[name]; src != "" {
			parts = append(parts, fmt.Sprintf("with %s: %s", name, src))
		} else {
			parts = append(parts, fmt.Sprintf("with %s: no value yet", name))
		}
	}
	if t := targetOf(p, s.Surface); t != "" {
		parts = append(parts, "against the safe target "+t)
	}
	if s.Grave {
		parts = append(parts, "cannot be taken back: the skill asks first")
	}
	if s.Checkpoint != "" {
		parts = append(parts, "then checks "+s.Checkpoint)
	}
	e.pass(id, label, strings.Join(parts, "; "))
}

// explained says why a performance would stop at a step. A policy that performs nothing forbids nothing but other sites.
func (p *play) explained(s workflow.Step) string {
	if !p.policy.Mode.Performs() {
		return forbids(p.policy, s, p.req, p.sites)
	}
	return p.refuses(s)
}

func (e *exam) paramName(id string) string {
	for _, p := range e.req.Draft.Graph.Params {
		if p.ParamID == id && id != "" {
			return p.Name
		}
	}
	return ""
}

// deed is what a step does, in words, with inputs by name.
func deed(s workflow.Step) string {
	what := strings.ReplaceAll(string(s.Verb), "_", " ")
	switch {
	case s.Command != "":
		what = "run `" + s.Command + "`"
	case s.Target != nil && (s.Target.Name != "" || s.Target.Label != ""):
		name := s.Target.Name
		if name == "" {
			name = s.Target.Label
		}
		what += fmt.Sprintf(" the %s %q", orThe(s.Target.Role, "element"), name)
	}
	if host := hostOf(s); host != "" {
		what += " on " + host
	}
	return what
}

// forbids says why the policy does not let a step happen, as far as the demonstration tells; "" when it does.
func forbids(p TestPolicy, s workflow.Step, req Request, at sites) string {
	if host := hostOf(s); host != "" {
		if to := at.at(host); to != nil {
			host = to.Host
		}
		if !Allows(at.hosts, host) {
			return fmt.Sprintf("the site %s is outside the sites that the policy allows", host)
		}
	}
	if !p.Mode.Performs() {
		return ""
	}
	r := rules[p.Mode][s.Surface]
	switch {
	case (s.Effect && s.Verb != capture.Download || s.Grave) && !r.writes:
		return fmt.Sprintf("it changes something, and the mode is %s", p.Mode)
	case s.Grave && sends(s) && p.Mode != RedirectSend && forbidsClass(p, danger.Sends):
		return "it reaches other people, and the policy forbids sending"
	case s.Grave && !sends(s) && forbidsClass(p, danger.Destroys):
		return "it cannot be taken back, and the policy forbids destructive writes"
	}
	return ""
}

// sends reports whether a grave step reaches other people rather than destroys something.
func sends(s workflow.Step) bool {
	if s.Command != "" {
		return danger.Command(s.Command).Has(danger.Sends)
	}
	return s.Target != nil && danger.Control(s.Target.Role, orThe(s.Target.Name, s.Target.Label), "").Has(danger.Sends)
}

// actions holds the number of steps against max_actions; a loop's steps count for each round that was demonstrated.
func (e *exam) actions(p TestPolicy) {
	if e.req.Policy == nil {
		return
	}
	rounds := map[string]int{}
	for _, l := range e.req.Draft.Graph.Loops {
		for _, id := range l.Steps {
			rounds[id] = max(1, l.Rounds)
		}
	}
	n := 0
	for _, s := range e.req.Draft.Graph.Steps {
		n += max(1, s.Times) * max(1, rounds[s.StepID])
	}
	label := fmt.Sprintf("at most %d actions", p.Limit())
	if n > p.Limit() {
		e.add("max_actions", label, StepFailed, CodePolicyViolation, fmt.Sprintf("there are %d", n))
		return
	}
	e.pass("max_actions", label, fmt.Sprintf("there are %d", n))
}

// target names the kind of safe target that steps on a surface would be performed against.
func targetOf(p TestPolicy, surface string) string {
	if kind := rules[p.Mode][surface].needs; kind != "" {
		return kind
	}
	if surface == onBrowser && p.Mode.Performs() {
		return "managed_browser_profile"
	}
	return ""
}

// hostOf is the site of a step, "" for none.
func hostOf(s workflow.Step) string {
	if s.Page == nil {
		return ""
	}
	u, err := url.Parse(s.Page.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

func orThe(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
