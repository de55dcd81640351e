package rehearse

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/internal/fault"
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
func checkPolicy(req Request) error {
	if !slices.Contains(req.Run.RunKinds, RunDryRun) {
		return nil
	}
	p := policyOf(req)
	byMode, ok := rules[p.Mode]
	if !ok {
		return fault.New(fault.InvalidRequest, "the test policy's mode is unknown")
	}
	for _, s := range surfacesOf(req.Draft.Graph) {
		r := byMode[s]
		if !r.allowed {
			return violation("the mode %s cannot be enforced for steps on the surface %q", p.Mode, s).WithDetail("surface", s)
		}
		if r.needs != "" && !p.has(r.needs) {
			return violation("the mode %s needs a safe target of kind %s for steps on the surface %q", p.Mode, r.needs, s).
				WithDetail("surface", s).WithDetail("target_kind", r.needs)
		}
	}
	if req.StartURL == "" {
		return nil
	}
	u, err := url.Parse(req.StartURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fault.New(fault.InvalidRequest, "start_url is no http or https address")
	}
	if !allows(allowedHosts(req), u.Host) {
		return violation("start_url is outside the sites that the policy allows")
	}
	return nil
}

func violation(format string, args ...any) *fault.Error {
	return fault.Newf(fault.TestPolicyViolation, format, args...).WithHint("set another test policy, or use dry_run_only, which performs nothing")
}

// allowedHosts are the policy's domains and the request's hosts; without either, the skill's own sites.
func allowedHosts(req Request) []string {
	hosts := append(slices.Clone(policyOf(req).AllowedDomains), req.AllowHosts...)
	if len(hosts) == 0 {
		hosts = req.Draft.RequiredSites
	}
	return hosts
}

// allows reports whether a host is among the allowed ones: exact, or below a *. entry; a port counts only where one is given.
func allows(allowed []string, host string) bool {
	host = strings.ToLower(host)
	bare := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		bare = h
	}
	return slices.ContainsFunc(allowed, func(a string) bool {
		a = strings.ToLower(a)
		if tail, ok := strings.CutPrefix(a, "*."); ok {
			return strings.HasSuffix(bare, "."+tail) || strings.HasSuffix(host, "."+tail)
		}
		return a == host || a == bare
	})
}

// dryRun says step by step what a rehearsal would do, with which values and against what, and where the policy would stop
// it. Nothing is performed and no value is shown: values are named by where they come from.
func (e *exam) dryRun(ctx context.Context) error {
	p := policyOf(e.req)
	sources, err := e.inputs(ctx)
	if err != nil {
		return err
	}
	if len(e.req.Draft.Graph.Steps) == 0 {
		e.add("steps", "the draft has steps", StepFailed, CodeNotExamined, "there is nothing to do")
	}
	for _, s := range e.req.Draft.Graph.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.explain(p, s, sources)
	}
	e.actions(p)
	return nil
}

// inputs finds a value for every input and says where it comes from: input name to source.
func (e *exam) inputs(ctx context.Context) (map[string]string, error) {
	sealed, err := e.sealed(ctx)
	if err != nil {
		return nil, err
	}
	sources := map[string]string{}
	for _, in := range e.req.Draft.Interpretation.Inputs {
		src := e.source(in, sealed)
		label := fmt.Sprintf("a value for %q is there", in.Name)
		switch {
		case src != "":
			sources[in.Name] = src
			e.pass("input."+in.Name, label, src)
		case in.Required:
			e.add("input."+in.Name, label, StepSkipped, CodeNeedsValue, "name one in parameters, or answer what it should be by default")
		default:
			sources[in.Name] = "left out: it is optional"
			e.pass("input."+in.Name, label, sources[in.Name])
		}
	}
	return sources, nil
}

// sealed says which inputs have a demonstrated value that can still be opened; the values themselves are not kept.
func (e *exam) sealed(ctx context.Context) (map[string]bool, error) {
	has := map[string]bool{}
	if e.req.Values == nil {
		return has, nil
	}
	values, err := e.req.Values(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range e.req.Draft.Graph.Params {
		if p.LinkID != "" {
			_, has[p.Name] = values[p.LinkID]
		}
	}
	return has, nil
}

func (e *exam) source(in compile.InputSpec, sealed map[string]bool) string {
	_, given := e.req.Parameters[in.Name]
	switch {
	case given:
		return "given for this run"
	case in.Default != "":
		return "the skill's default"
	case in.Example != "":
		return "the skill's example"
	case len(in.Options) > 0:
		return "one of the page's own choices"
	case sealed[in.Name]:
		return "the demonstrated value, sealed"
	}
	return ""
}

// explain is one step of a dry run.
func (e *exam) explain(p TestPolicy, s compile.Step, sources map[string]string) {
	id, label := s.StepID, s.Title
	if why := forbids(p, s, e.req); why != "" {
		e.add(id, label, StepFailed, CodePolicyViolation, why)
		return
	}
	parts := []string{"would " + deed(s)}
	if !p.Mode.performs() {
		parts[0] += ", and is not performed"
	}
	if name := e.paramName(s.ParamID); name != "" {
		if src := sources[name]; src != "" {
			parts = append(parts, fmt.Sprintf("with %s: %s", name, src))
		} else {
			parts = append(parts, fmt.Sprintf("with %s: no value yet", name))
		}
	}
	if t := p.target(s.Surface); t != "" {
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

func (e *exam) paramName(id string) string {
	for _, p := range e.req.Draft.Graph.Params {
		if p.ParamID == id && id != "" {
			return p.Name
		}
	}
	return ""
}

// deed is what a step does, in words, with inputs by name.
func deed(s compile.Step) string {
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

// forbids says why the policy does not let a step happen, "" when it does.
func forbids(p TestPolicy, s compile.Step, req Request) string {
	if host := hostOf(s); host != "" && !allows(allowedHosts(req), host) {
		return fmt.Sprintf("the site %s is outside the sites that the policy allows", host)
	}
	if !p.Mode.performs() {
		return ""
	}
	r := rules[p.Mode][s.Surface]
	switch {
	case (s.Effect || s.Grave) && !r.writes:
		return fmt.Sprintf("it changes something, and the mode is %s", p.Mode)
	case s.Grave && sends(s) && p.SendForbidden():
		return "it reaches other people, and the policy forbids sending"
	case s.Grave && !sends(s) && p.DestructiveForbidden():
		return "it cannot be taken back, and the policy forbids destructive writes"
	case s.Verb == capture.Upload && p.SendForbidden():
		return "it sends a file away, and the policy forbids sending"
	}
	return ""
}

var sendWords = []string{"send", "mail", "email", "publish", "post", "share", "submit", "notify", "invite", "reply", "forward", "message"}

// sends reports whether a grave step reaches other people rather than destroys something.
func sends(s compile.Step) bool {
	text := s.Title + " " + s.Command
	if s.Target != nil {
		text += " " + s.Target.Name
	}
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }),
		func(w string) bool { return slices.Contains(sendWords, w) })
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
func (p TestPolicy) target(surface string) string {
	if kind := rules[p.Mode][surface].needs; kind != "" {
		return kind
	}
	if surface == onBrowser && p.Mode.performs() {
		return "managed_browser_profile"
	}
	return ""
}

// hostOf is the site of a step, "" for none.
func hostOf(s compile.Step) string {
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
