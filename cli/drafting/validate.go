package drafting

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// validateFlags are the flags of a validation.
type validateFlags struct {
	kinds, set, hosts []string
	startURL          []string
	policy            string
	maxActions        int
	verbose           bool
}

func validateCommand(e *env) *cobra.Command {
	var f validateFlags
	cmd := e.onProposal("validate [ID]", "Lint, try the triggers, check what is needed, and explain the run step by step",
		func(ctx context.Context, c *client.Client, id string) error {
			req, err := f.request()
			if err != nil {
				return err
			}
			run, err := c.Validate(ctx, id, req)
			if err != nil {
				return err
			}
			return e.waitRun(ctx, c, id, run.ValidationRunID, f.verbose)
		})
	cmd.Aliases = []string{"request-more-tests"}
	cmd.Long = `Prints one line per kind of check and every step that did not pass; --verbose prints all steps. Where only values are
missing it says which ones, and which command gives them; exit code 4 when anything else did not pass. Ctrl-C cancels the run. With
--json it prints the run with its steps.`
	fl := cmd.Flags()
	fl.StringArrayVar(&f.kinds, "kind", nil, "only this `kind` of check: lint, trigger, dependency_check, adapter_check, dry_run")
	fl.StringArrayVar(&f.set, "set", nil, "`NAME=VALUE` of an input, for this run only")
	fl.StringArrayVar(&f.startURL, "start-url", nil,
		"`URL` of the application instead of the demonstrated site; SITE=URL for each where several were demonstrated")
	fl.StringArrayVar(&f.hosts, "allow-host", nil, "`host` that the run may reach beside the demonstrated ones")
	fl.IntVar(&f.maxActions, "max-actions", 0, "stop after `n` actions (default 40); only with --policy")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "print the steps that passed too")
	kit.Choose(cmd, &f.policy, "policy", "", "how far the run may go; wider than before, you confirm it with a code",
		"read_only", "dry_run_only", "blank_artifact", "copy_artifact", "safe_target_only", "redirect_send", "live_read_safe_write",
		"controlled_live_test")
	kit.Complete(cmd, "kind", "lint", "trigger", "dependency_check", "adapter_check", "dry_run")
	return kit.With(cmd, "showhow proposal validate", "showhow proposal validate --kind dry_run --set order=A-1033 --verbose")
}

func (f *validateFlags) request() (client.ValidateRequest, error) {
	r := client.ValidateRequest{Parameters: map[string]string{}, AllowHosts: slices.Clone(f.hosts), SchemaVersion: 1}
	more, err := startURLs(f.startURL, &r)
	if err != nil {
		return r, err
	}
	r.AllowHosts = append(r.AllowHosts, more...)
	if err := eachSet(f.set, func(name, value string) { r.Parameters[name] = value }); err != nil {
		return r, err
	}
	for _, k := range f.kinds {
		r.RunKinds = append(r.RunKinds, client.RunKind(k))
	}
	switch {
	case f.policy != "":
		r.TestPolicy = &client.TestPolicy{PolicyID: clock.NewID(), Mode: client.PolicyMode(f.policy), AllowedDomains: f.hosts,
			MaxActions: f.maxActions, SchemaVersion: 1}
	case f.maxActions != 0:
		return r, kit.Usage("--max-actions needs --policy")
	}
	return r, nil
}

// eachSet parses the values of --set, in the order given.
func eachSet(set []string, f func(name, value string)) error {
	for _, s := range set {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return kit.Usage("write --set NAME=VALUE")
		}
		f(name, value)
	}
	return nil
}

// waitRun waits for a run, prints the result and fails unless it passed.
func (e *env) waitRun(ctx context.Context, c *client.Client, proposal, run string, verbose bool) error {
	r, steps, err := c.ValidationEnded(ctx, proposal, run)
	if ctx.Err() != nil {
		return e.cancelRun(ctx, c, run, "the run was cancelled")
	}
	if err != nil {
		return err
	}
	if err := e.showRun(r, steps, func() { e.sayRun(r, steps, verbose) }); err != nil {
		return err
	}
	if r.OverallResult == "passed" {
		return e.sayStanding(ctx, c, proposal, "The validation passed.")
	}
	f := fault.Newf(fault.NotValidated, "the validation ended %s", r.OverallResult)
	if onlyMissing(steps) {
		if !e.JSON {
			set := missing(steps)
			e.Say("Everything that can be looked at without values passed. What is missing is a value for this run:")
			e.Say("  showhow proposal validate%s   explains the run with it", set)
			e.Say("  showhow proposal rehearse%s   performs it", set)
		}
		return nil
	}
	if r.OverallResult == "partial" {
		return f.WithHint("look at what was skipped; `showhow proposal install --accept-partial` takes it as it is")
	}
	return f.WithHint("the steps say why; change the draft with `showhow learn answer` or `showhow proposal revise`, then validate again")
}

// cancelRun cancels a run that the person gave up, and says so.
func (e *env) cancelRun(ctx context.Context, c *client.Client, run, said string) error {
	if _, err := c.CancelRun(context.WithoutCancel(ctx), run); err == nil {
		e.Note("%s", said)
	}
	return ctx.Err()
}

// onlyMissing reports whether a run would have passed with values for the inputs that had none: that is a question,
// not an error.
func onlyMissing(steps []client.ValidationStepResult) bool {
	return hasCode(steps, "needs_value") && !slices.ContainsFunc(steps, func(s client.ValidationStepResult) bool {
		return s.Result != "passed" && s.Code != "needs_value"
	})
}

// showRun prints a run: with --json the run and its steps, in the format of the list of a proposal's runs.
func (e *env) showRun(r client.ValidationRun, steps []client.ValidationStepResult, human func()) error {
	if !e.JSON {
		human()
		return nil
	}
	return e.Print(client.ValidationRuns{Runs: []client.ValidationRun{r}, Steps: steps, Total: 1, Page: 1, PageSize: 1, SchemaVersion: 1})
}

// missing returns the flags for the inputs without a value in a run.
func missing(steps []client.ValidationStepResult) string {
	out := ""
	for _, s := range steps {
		if _, name, ok := strings.Cut(s.TestCaseID, ".input."); ok && s.Code == "needs_value" {
			out += " --set " + name + "=VALUE"
		}
	}
	if out == "" {
		return " --set NAME=VALUE"
	}
	return out
}

func hasCode(steps []client.ValidationStepResult, code string) bool {
	return slices.ContainsFunc(steps, func(s client.ValidationStepResult) bool { return s.Code == code })
}

// sayRun prints a line per kind and every step that did not pass.
func (e *env) sayRun(r client.ValidationRun, steps []client.ValidationStepResult, verbose bool) {
	for _, k := range r.KindResults {
		passed, all := 0, 0
		for _, s := range steps {
			if s.RunKind == k.RunKind {
				all++
				if s.Result == "passed" {
					passed++
				}
			}
		}
		e.Say("%-8s %-17s %d of %s", k.Result, kit.Words(k.RunKind), passed, kit.Plural(all, "step", "steps"))
		for _, s := range steps {
			if s.RunKind == k.RunKind && (verbose || s.Result != "passed") {
				e.Say("  %-8s %s", s.Result, e.Wrap(11, labelled(s)))
			}
		}
	}
}

// sayStanding says that a run passed, and what still prevents a decision: another kind of run on the revision may
// have failed.
func (e *env) sayStanding(ctx context.Context, c *client.Client, proposal, passed string) error {
	if e.JSON {
		return nil
	}
	d, err := c.Proposal(ctx, proposal)
	if err != nil {
		return err
	}
	e.Say("%s", passed)
	if d.Hindrance != nil {
		e.Say("But %s.", e.Wrap(0, d.Hindrance.Message))
	}
	e.sayNext(d)
	return nil
}
