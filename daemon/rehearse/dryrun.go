package rehearse

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/rehearse/perform"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

var lookPath = exec.LookPath

// checkPolicy refuses what is impossible from the outset: a mode that cannot be enforced for a surface of the draft,
// missing safe targets, a start address outside the allowed sites.
func (r *Runner) checkPolicy(ctx context.Context, req record.Request) error {
	performs := slices.ContainsFunc(req.Run.RunKinds, record.RunKind.Performs)
	if !performs && !slices.Contains(req.Run.RunKinds, record.RunDryRun) {
		return nil
	}
	p := policy.Of(req)
	byMode, ok := policy.Rules[p.Mode]
	if !ok {
		return fault.New(fault.InvalidRequest, "the test policy's mode is unknown")
	}
	if slices.Contains(req.Run.RunKinds, record.RunDryRun) || slices.Contains(req.Run.RunKinds, record.RunRehearsal) {
		for _, s := range policy.SurfacesOf(req.Draft.Graph) {
			r := byMode[s]
			if !r.Allowed {
				return policy.Violation("the mode %s cannot be enforced for steps on the surface %q", p.Mode, s).WithDetail("surface", s)
			}
			if r.Needs != "" && !policy.HasTarget(p, r.Needs) {
				return policy.Violation("the mode %s needs a safe target of kind %s for steps on the surface %q", p.Mode, r.Needs, s).
					WithDetail("surface", s).WithDetail("target_kind", r.Needs)
			}
		}
	}
	if err := checkStart(req); err != nil || !performs {
		return err
	}
	return r.checkStage(ctx, req)
}

// checkNames refuses a value for an unknown input: after a typing error the run would use another value.
func checkNames(req record.Request) error {
	var names []string
	for _, in := range req.Draft.Interpretation.Inputs {
		names = append(names, in.Name)
	}
	for _, p := range req.Draft.Graph.Params {
		if supply.Asked(p) && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(req.Parameters)) {
		if !slices.Contains(names, name) {
			return fault.New(fault.InvalidRequest, "the skill has no input "+plain.Clip(name, 60)).WithDetail("inputs", names).
				WithHint("its inputs: " + cmp.Or(strings.Join(names, ", "), "none"))
		}
	}
	return nil
}

func checkStart(req record.Request) error {
	if err := checkNames(req); err != nil {
		return err
	}
	moved, err := policy.Moves(req)
	if err != nil {
		return err
	}
	hosts := policy.AllowedHosts(req)
	for _, m := range moved {
		if !policy.Allows(hosts, m.To.Host) {
			return policy.Violation("start_url is outside the sites that the policy allows").WithHint("allow its host as well (allow_hosts)")
		}
	}
	return nil
}

// checkStage refuses a performance on which this machine cannot enforce the policy.
func (r *Runner) checkStage(ctx context.Context, req record.Request) error {
	if r.o.Stage == nil {
		return fault.New(fault.UnsupportedInBuild,
			"this build cannot perform a workflow").WithHint("run lint, trigger, dependency_check, adapter_check and dry_run")
	}
	p, g := policy.Of(req), req.Draft.Graph
	if !slices.Contains(req.Run.RunKinds, record.RunRehearsal) {
		g.Steps = policy.CanaryPrefix(req.Draft)
		if req.Policy != nil && !p.Mode.Performs() {
			return policy.Violation("the mode %s performs nothing", p.Mode)
		}
	} else if err := checkRehearsal(p, g); err != nil {
		return err
	}
	for _, s := range policy.SurfacesOf(g) {
		if s == policy.OnConnector {
			if err := r.checkConnectors(ctx, g); err != nil {
				return err
			}
			continue
		}
		if s != policy.OnBrowser && s != policy.OnShell {
			return policy.Violation("steps on the surface %q cannot be performed under any policy that could be enforced", s).WithDetail("surface",
				s)
		}
		if err := r.o.Stage.Ready(ctx, s); err != nil {
			return policy.Violation("steps on the surface %q cannot be performed safely here: %s", s, fault.From(err).Message).WithDetail("surface",
				s)
		}
	}
	if w, ok := r.o.Stage.(port.Shower); ok && req.Headed && slices.Contains(policy.SurfacesOf(g), policy.OnBrowser) {
		return w.CanShow()
	}
	return nil
}

// checkConnectors refuses a performance whose connectors cannot be called now.
func (r *Runner) checkConnectors(ctx context.Context, g workflow.Graph) error {
	if r.o.Door == nil {
		return policy.Violation("nothing here can call a connector").WithDetail("surface", policy.OnConnector)
	}
	for _, s := range g.Steps {
		if s.Surface != policy.OnConnector {
			continue
		}
		if err := r.o.Door.Try(ctx, s.Connector, s.Tool); err != nil {
			f := fault.From(err)
			return fault.Newf(fault.TestPolicyViolation, "a step calls a connector: %s", f.Message).WithHint(f.Hint).
				WithDetail("surface", policy.OnConnector).WithDetail("connector", s.Connector)
		}
	}
	return nil
}

// checkRehearsal checks what a mode promises and could not keep.
func checkRehearsal(p record.TestPolicy, g workflow.Graph) error {
	effects := slices.ContainsFunc(g.Steps, func(s workflow.Step) bool {
		return s.Surface == policy.OnBrowser && s.Effect && s.Verb != capture.Download
	})
	guard := policy.NewGuard(p, nil)
	switch {
	case !p.Mode.Performs():
		return policy.Violation("the mode %s performs nothing", p.Mode).WithHint("name a mode that does, for example live_read_safe_write")
	case p.Mode == policy.RedirectSend && policy.Address.FindString(guard.Mail) != guard.Mail:
		return policy.Violation("the safe recipient is not an email address").WithDetail("target_kind", "safe_email_recipient")
	case p.Mode == policy.SafeTargetOnly && effects && len(guard.Safe) == 0:
		return policy.Violation("no safe target names a site, so nothing could be written").WithHint(
			"name the site as the ref of managed_browser_profile or test_sharepoint_site")
	case p.CleanupRequired && effects && p.Mode != policy.ReadOnly:
		return policy.Violation("what a site keeps cannot be taken back, and the policy requires a cleanup").WithHint(
			"use read_only, or a policy without cleanup_required on a site made for tests")
	}
	return nil
}

// dryRun explains step by step what a rehearsal would do, with which values and against what, and where the policy
// would stop it. It performs nothing and shows no value: values are named by their source.
func (e *exam) dryRun(ctx context.Context) error {
	p := policy.Of(e.Req)
	values, err := e.inputs(ctx)
	if err != nil {
		return err
	}
	run := perform.New(e.Report, e.r.performance(), p, values)
	if len(e.Req.Draft.Graph.Steps) == 0 {
		e.Add("steps", "the draft has steps", record.StepFailed, record.CodeNotExamined, "there is nothing to do")
	}
	for _, s := range e.Req.Draft.Graph.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.explain(run, p, values.Sources, s)
	}
	e.actions(p)
	return nil
}

// inputs finds a value for every input, with its source.
func (e *exam) inputs(ctx context.Context) (*supply.Supply, error) {
	s, err := supply.Finder{Req: e.Req, Policy: e.performing(), Now: e.Now(), Explains: true}.Find(ctx)
	if err != nil {
		return nil, err
	}
	for _, in := range e.Req.Draft.Interpretation.Inputs {
		label := fmt.Sprintf("a value for %q is there", cmp.Or(in.Label, in.Name))
		if src := s.Sources[in.Name]; src != "" {
			e.Pass("input."+in.Name, label, src)
		} else {
			e.Add("input."+in.Name, label, record.StepSkipped, record.CodeNeedsValue,
				"name one in parameters, or answer what it should be by default")
		}
	}
	return s, nil
}

// explain is one step of a dry run.
func (e *exam) explain(run *perform.Performance, p record.TestPolicy, sources map[string]string, s workflow.Step) {
	id, label := s.StepID, s.Title
	if why := run.Refusal(s); why != "" {
		e.Add(id, label, record.StepFailed, record.CodePolicyViolation, why)
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
	if t := policy.TargetOf(p, s.Surface); t != "" {
		parts = append(parts, "against the safe target "+t)
	}
	switch {
	case s.ConditionInWords():
		parts = append(parts, "only you can tell whether it is needed: "+s.Condition)
	case s.NeedsPerson():
		parts = append(parts, "your demonstrations disagree whether it is needed: answer when")
	}
	if s.Grave {
		parts = append(parts, "cannot be taken back: the skill asks first")
	}
	if s.Checkpoint != "" {
		parts = append(parts, "then checks "+s.Checkpoint)
	}
	e.Pass(id, label, strings.Join(parts, "; "))
}

func (e *exam) paramName(id string) string {
	for _, p := range e.Req.Draft.Graph.Params {
		if p.ParamID == id && id != "" {
			return p.Name
		}
	}
	return ""
}

// deed describes what a step does, with inputs by name.
func deed(s workflow.Step) string {
	what := strings.ReplaceAll(string(s.Verb), "_", " ")
	switch {
	case s.Command != "":
		what = "run `" + s.Command + "`"
	case s.Surface == policy.OnConnector:
		what = fmt.Sprintf("call the tool %s", s.Tool)
	case s.Target != nil && (s.Target.Name != "" || s.Target.Label != ""):
		name := s.Target.Name
		if name == "" {
			name = s.Target.Label
		}
		what += fmt.Sprintf(" the %s %q", cmp.Or(s.Target.Role, "element"), name)
	}
	if host := policy.HostOf(s); host != "" {
		what += " on " + host
	}
	return what
}

// actions checks the number of steps against max_actions; a loop's steps count once for each demonstrated round.
func (e *exam) actions(p record.TestPolicy) {
	if e.Req.Policy == nil {
		return
	}
	rounds := map[string]int{}
	for _, l := range e.Req.Draft.Graph.Loops {
		for _, id := range l.Steps {
			rounds[id] = max(1, l.Rounds)
		}
	}
	n := 0
	for _, s := range e.Req.Draft.Graph.Steps {
		n += max(1, s.Times) * max(1, rounds[s.StepID])
	}
	label := fmt.Sprintf("at most %d actions", p.Limit())
	if n > p.Limit() {
		e.Add("max_actions", label, record.StepFailed, record.CodePolicyViolation, fmt.Sprintf("there are %d", n))
		return
	}
	e.Pass("max_actions", label, fmt.Sprintf("there are %d", n))
}
