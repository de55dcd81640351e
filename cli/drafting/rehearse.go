package drafting

import (
	"bufio"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// rehearseFlags are the flags of a rehearsal.
type rehearseFlags struct {
	set, allow, safe      []string
	startURL              []string
	policy                string
	profile               string
	maxActions            int
	headed, canary        bool
	pictures, later       bool
	allowDestroy, allowTo bool
}

func rehearseCommand(e *env) *cobra.Command {
	var f rehearseFlags
	cmd := e.onProposal("rehearse [ID]", "Perform the draft's workflow once, with other values, under a test policy",
		func(ctx context.Context, c *client.Client, id string) error {
			req, err := f.request()
			if err != nil {
				return err
			}
			d, err := c.Proposal(ctx, id)
			if err == nil {
				err = knownInputs(d, req.Parameters)
			}
			if err != nil {
				return err
			}
			e.sayUnseen(d, req.Parameters)
			e.sayReal(d, req)
			run, err := c.Validate(ctx, id, req)
			if err != nil {
				return err
			}
			return e.followRehearsal(ctx, c, id, run.ValidationRunID)
		})
	cmd.Long = `Performs the steps in a browser of its own and in a sandbox, without any model, and prints each step, each checkpoint and the
outcome as they come. Success is judged by what is there when it is looked up again, not by what a page says. Exit code 0 only
when it passed; 4 when it failed, or could not verify something (partial).

Values that are not set come from the skill, else from what the page offers, else (where the policy allows) they are those
that were shown. An input of a repeated part takes one --set for each round. A page that asks to sign in: use --headed and do
it in the window; none of it is recorded. Ctrl-C cancels and cleans up. docs/rehearsal.md says what each policy means.`
	fl := cmd.Flags()
	fl.StringArrayVar(&f.set, "set", nil, "`NAME=VALUE` of an input, for this run only")
	fl.StringArrayVar(&f.startURL, "start-url", nil,
		"`URL` of the application to perform it on, instead of the demonstrated site; SITE=URL for each where several were demonstrated")
	fl.StringArrayVar(&f.allow, "allow", nil, "`host` that the run may reach beside the skill's own sites; commands reach only these")
	fl.StringArrayVar(&f.safe, "safe-target", nil,
		"`KIND=REF` of a place where writing is safe, for example safe_email_recipient=me@example.org")
	fl.IntVar(&f.maxActions, "max-actions", 0, "stop after `n` actions (default 40)")
	fl.BoolVar(&f.allowDestroy, "allow-destructive", false, "let the run do what cannot be taken back (policy controlled_live_test)")
	fl.BoolVar(&f.allowTo, "allow-send", false, "let the run reach other people (policy controlled_live_test)")
	fl.BoolVar(&f.headed, "headed", false, "show the browser")
	fl.BoolVar(&f.pictures, "pictures", false,
		"keep a screenshot where a step fails, painted over at fields, tables and values: showhow proposal evidence")
	fl.BoolVar(&f.later, "look-later", false, "look again two seconds later whether what was done last is still there")
	fl.BoolVar(&f.canary, "canary", false, "only the smallest beginning that reads")
	kit.Choose(cmd, &f.profile, "profile", "fresh",
		"the browser's profile; managed is the one you are signed in to, and you confirm it with a code", "fresh", "managed")
	kit.Choose(cmd, &f.policy, "policy", "", "how far it may go (default live_read_safe_write); what lets it write, you confirm with a code",
		"dry_run_only", "read_only", "blank_artifact", "copy_artifact", "safe_target_only", "redirect_send", "live_read_safe_write",
		"controlled_live_test")
	return kit.With(cmd, "showhow proposal rehearse --set order=A-1033",
		"showhow proposal rehearse --start-url https://staging.example.org --policy controlled_live_test --set order=A-1033")
}

// knownInputs refuses a value for an unknown input, before a person types a code.
func knownInputs(d client.ProposalDetail, set map[string]string) error {
	if d.Interpretation == nil || d.Graph == nil {
		return nil
	}
	var names []string
	for _, in := range d.Interpretation.Inputs {
		names = append(names, in.Name)
	}
	for name := range set {
		known := slices.Contains(names, name)
		for _, p := range d.Graph.Params { // its id is another name for it
			known = known || p.Name == name || p.ParamID == name
		}
		if !known {
			return kit.Usage("there is no input %q", name).WithHint("the inputs are " + strings.Join(names, ", "))
		}
	}
	return nil
}

// sayUnseen names values that the page did not offer during the demonstration. Today's page may offer them: it
// decides, not the draft.
func (e *env) sayUnseen(d client.ProposalDetail, set map[string]string) {
	if d.Interpretation == nil {
		return
	}
	for _, in := range d.Interpretation.Inputs {
		for v := range strings.Lines(set[in.Name]) {
			v = strings.TrimSpace(v)
			if len(in.Options) > 0 && !slices.ContainsFunc(in.Options, func(o string) bool { return strings.EqualFold(o, v) }) {
				e.Note("When it was shown, the page did not offer %s for %s; whether it does now is seen there.", v, in.Name)
			}
		}
	}
}

// sayReal says where a rehearsal writes to the real system: what it creates there stays.
func (e *env) sayReal(d client.ProposalDetail, r client.ValidateRequest) {
	if r.TestPolicy == nil || slices.Contains([]client.PolicyMode{"dry_run_only", "read_only", "blank_artifact", "copy_artifact"},
		r.TestPolicy.Mode) {
		return
	}
	var at []string
	switch {
	case r.StartURL != "":
		at = []string{r.StartURL}
	default:
		for _, site := range d.Permissions.Domains {
			if other := r.StartURLs[site]; other != "" {
				site = other
			}
			at = append(at, site)
		}
	}
	if len(at) > 0 {
		e.Note("This rehearsal really submits at %s; what it makes there stays. On this computer everything it makes is removed.",
			strings.Join(at, " and "))
	}
}

func (f *rehearseFlags) request() (client.ValidateRequest, error) {
	r := client.ValidateRequest{RunKinds: []client.RunKind{"rehearsal"}, Parameters: map[string]string{}, AllowHosts: slices.Clone(f.allow),
		Headed: f.headed, KeepPictures: f.pictures, LookLater: f.later, Profile: f.profile, SchemaVersion: 1}
	err := eachSet(f.set, func(name, value string) {
		if old, again := r.Parameters[name]; again {
			value = old + "\n" + value // a repeated part: one for each round
		}
		r.Parameters[name] = value
	})
	if err != nil {
		return r, err
	}
	hosts, err := startURLs(f.startURL, &r)
	if err != nil {
		return r, err
	}
	r.AllowHosts = append(r.AllowHosts, hosts...) // whoever names them means them to be reached
	if f.canary {
		r.RunKinds = []client.RunKind{"canary"}
		if f.policy == "" {
			return r, nil
		}
	}
	mode := f.policy
	if mode == "" {
		mode = "live_read_safe_write"
	}
	if mode == "dry_run_only" {
		r.RunKinds = []client.RunKind{"dry_run"} // says what would be done, with which values and against what
	}
	p := &client.TestPolicy{PolicyID: clock.NewID(), Mode: client.PolicyMode(mode), MaxActions: f.maxActions, SchemaVersion: 1}
	destroy, send := !f.allowDestroy, !f.allowTo
	p.ForbidDestructiveWrites, p.ForbidExternalSend = &destroy, &send
	for _, s := range f.safe {
		kind, ref, _ := strings.Cut(s, "=")
		p.SafeTargets = append(p.SafeTargets, client.SafeTarget{TargetKind: kind, Ref: ref})
	}
	if !slices.ContainsFunc(p.SafeTargets, func(t client.SafeTarget) bool { return t.TargetKind == "temp_folder" }) {
		p.SafeTargets = append(p.SafeTargets, client.SafeTarget{TargetKind: "temp_folder", Ref: "scratch"}) // the run's own folder
	}
	r.TestPolicy = p
	return r, nil
}

// startURLs parses --start-url: an address, or SITE=address. It returns the hosts named.
func startURLs(list []string, r *client.ValidateRequest) (hosts []string, err error) {
	for _, s := range list {
		site, address, several := strings.Cut(s, "=")
		if strings.ContainsAny(site, "/?") { // the = is the address's own
			site, address, several = "", s, false
		} else if !several {
			site, address = "", s
		}
		u, err := url.Parse(address)
		switch {
		case err != nil || u.Host == "":
			return nil, kit.Usage("write --start-url https://HOST, or --start-url SITE=https://HOST")
		case several && r.StartURLs[site] != "" || !several && r.StartURL != "":
			return nil, kit.Usage("one --start-url for each demonstrated site: write SITE=URL")
		case several && r.StartURLs == nil:
			r.StartURLs = map[string]string{site: address}
		case several:
			r.StartURLs[site] = address
		default:
			r.StartURL = address
		}
		hosts = append(hosts, u.Host)
	}
	return hosts, nil
}

// followRehearsal prints steps as they are judged, lets the person sign in where the run waits for it, and fails
// unless it passed.
func (e *env) followRehearsal(ctx context.Context, c *client.Client, proposal, run string) error {
	told, waited := 0, false
	for {
		r, steps, err := c.ValidationRun(ctx, proposal, run)
		if ctx.Err() != nil {
			return e.cancelRun(ctx, c, run, "the rehearsal was cancelled, and what it made here is removed")
		}
		if err != nil {
			return err
		}
		for ; !e.JSON && told < len(steps); told++ {
			e.sayStep(steps[told])
		}
		if r.WaitingFor != "" && !waited {
			e.letSignIn(ctx, c, run)
		}
		waited = r.WaitingFor != ""
		if r.Status != "running" {
			return e.rehearsed(ctx, c, r, steps)
		}
		if err := kit.Pause(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func (e *env) sayStep(s client.ValidationStepResult) {
	e.Say("%-8s %s", s.Result, e.Wrap(9, labelled(s)))
}

// labelled is a step with its message.
func labelled(s client.ValidationStepResult) string {
	if s.Details == "" {
		return s.Label
	}
	return s.Label + ": " + s.Details
}

// letSignIn waits for the person to continue. What is typed here is not sent anywhere.
func (e *env) letSignIn(ctx context.Context, c *client.Client, run string) {
	e.Note("sign in, in the browser window; none of it is recorded. Then press Enter here.")
	if _, err := bufio.NewReader(e.In).ReadString('\n'); err != nil {
		return
	}
	if _, err := c.ContinueRun(ctx, run); err != nil {
		e.Note("it could not go on: %s", fault.From(err).Message)
	}
}

// outcomeOf describes the result of a run that performs, or explains what it would do.
func outcomeOf(r client.ValidationRun) string {
	what := "The rehearsal"
	switch r.RunKind {
	case "canary":
		what = "The canary"
	case "dry_run":
		what = "The dry run, which performs nothing,"
	}
	switch {
	case r.OverallResult == "partial":
		return what + " could not look at everything."
	case r.OverallResult == "cancelled":
		return what + " was cancelled."
	}
	return what + " " + string(r.OverallResult) + "."
}

func (e *env) rehearsed(ctx context.Context, c *client.Client, r client.ValidationRun, steps []client.ValidationStepResult) error {
	err := e.showRun(r, steps, func() {
		for _, x := range r.Repairs {
			e.Say("changed  %s: %s (now %s %q). The draft is as it was; `showhow proposal revise --repairs` takes it over.", x.StepID,
				strings.Join(x.Changes, "; "), x.Role, x.Name)
		}
		if r.OverallResult != "passed" {
			e.Say("%s", strings.TrimSpace(outcomeOf(r)+" "+r.Reason))
		}
	})
	if err != nil {
		return err
	}
	if r.OverallResult == "passed" {
		return e.sayStanding(ctx, c, r.ProposalID, strings.TrimSpace(outcomeOf(r)+" "+r.Reason))
	}
	f := fault.Newf(fault.NotValidated, "the rehearsal ended %s", r.OverallResult)
	switch {
	case hasCode(steps, "needs_value"):
		return f.WithHint("give the inputs values: showhow proposal rehearse" + missing(steps))
	case hasCode(steps, "sign_in_required"):
		return f.WithHint("run it with --headed and sign in, or with --profile managed")
	case slices.ContainsFunc(steps, func(s client.ValidationStepResult) bool {
		return s.Code == "TEST_POLICY_VIOLATION" &&
			(strings.HasSuffix(s.Details, "forbids sending") || strings.HasSuffix(s.Details, "forbids what sends"))
	}):
		return f.WithHint(
			"the policy stopped it before it sent anything; where it may reach other people: --policy controlled_live_test --allow-send")
	case hasCode(steps, "TEST_POLICY_VIOLATION"):
		return f.WithHint("the policy stopped it; docs/rehearsal.md says which policy allows what")
	}
	return f.WithHint("the steps say what was expected and what was there")
}
