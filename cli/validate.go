package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// validateFlags is what a validation was asked for.
type validateFlags struct {
	kinds, set, hosts []string
	policy, startURL  string
	maxActions        int
	verbose           bool
}

func validateCommand(e *env) *cobra.Command {
	var f validateFlags
	cmd := e.onProposal("validate [ID]", "Lint, try the triggers, check what is needed, and explain the run step by step", func(ctx context.Context, c *client.Client, id string) error {
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
	cmd.Long = `Prints one line per kind of check and every step that did not pass; --verbose prints all steps. Exit code 4 unless the run
passed. Ctrl-C cancels the run. With --json it prints the proposal's runs, the newest first, with their steps.`
	fl := cmd.Flags()
	fl.StringArrayVar(&f.kinds, "kind", nil, "only this `kind` of check: lint, trigger, dependency_check, adapter_check, dry_run")
	fl.StringArrayVar(&f.set, "set", nil, "`NAME=VALUE` of an input, for this run only")
	fl.StringVar(&f.startURL, "start-url", "", "`URL` to begin at instead of the demonstrated one")
	fl.StringArrayVar(&f.hosts, "allow-host", nil, "`host` that the run may reach beside the demonstrated ones")
	fl.IntVar(&f.maxActions, "max-actions", 0, "stop after `n` actions (default 40); only with --policy")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "print the steps that passed too")
	choose(cmd, &f.policy, "policy", "", "how far the run may go; wider than before, you confirm it with a code",
		"read_only", "dry_run_only", "blank_artifact", "copy_artifact", "safe_target_only", "redirect_send", "live_read_safe_write", "controlled_live_test")
	complete(cmd, "kind", "lint", "trigger", "dependency_check", "adapter_check", "dry_run")
	return with(cmd, "showhow proposal validate", "showhow proposal validate --kind dry_run --set order=A-1033 --verbose")
}

func (f *validateFlags) request() (client.ValidateRequest, error) {
	r := client.ValidateRequest{Parameters: map[string]string{}, StartURL: f.startURL, AllowHosts: f.hosts, SchemaVersion: 1}
	for _, s := range f.set {
		k, v, ok := strings.Cut(s, "=")
		if !ok {
			return r, usage("write --set NAME=VALUE")
		}
		r.Parameters[k] = v
	}
	for _, k := range f.kinds {
		r.RunKinds = append(r.RunKinds, client.RunKind(k))
	}
	switch {
	case f.policy != "":
		r.TestPolicy = &client.TestPolicy{PolicyID: clock.NewID(), Mode: client.PolicyMode(f.policy), AllowedDomains: f.hosts, MaxActions: f.maxActions, SchemaVersion: 1}
	case f.maxActions != 0:
		return r, usage("--max-actions needs --policy")
	}
	return r, nil
}

// waitRun waits for a run, prints what came of it and fails unless it passed.
func (e *env) waitRun(ctx context.Context, c *client.Client, proposal, run string, verbose bool) error {
	r, steps, err := waitForRun(ctx, c, proposal, run)
	if ctx.Err() != nil {
		if _, err := c.CancelRun(context.WithoutCancel(ctx), run); err == nil {
			e.note("the run was cancelled")
		}
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	if err := e.show(func() { e.sayRun(r, steps, verbose) }); err != nil || r.OverallResult == "passed" {
		return err
	}
	f := fault.Newf(fault.NotValidated, "the validation ended %s", r.OverallResult)
	if slices.ContainsFunc(steps, func(s client.ValidationStepResult) bool { return s.Code == "needs_value" }) {
		return f.WithHint("give the inputs values for a run: showhow proposal validate --set NAME=VALUE")
	}
	if r.OverallResult == "partial" {
		return f.WithHint("look at what was skipped; `showhow proposal install --accept-partial` takes it as it is")
	}
	return f.WithHint("the steps say why; change the draft with `showhow learn answer` or `showhow proposal revise`, then validate again")
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
		e.say("%-8s %-17s %d of %s", k.Result, words(k.RunKind), passed, plural(all, "step", "steps"))
		for _, s := range steps {
			if s.RunKind == k.RunKind && (verbose || s.Result != "passed") {
				e.say("  %-8s %s", s.Result, e.wrap(11, strings.TrimSpace(fmt.Sprintf("%s  %s", s.Label, s.Details))))
			}
		}
	}
	if r.OverallResult == "passed" {
		e.say("The validation passed.\nnext: showhow proposal install")
	}
}

// waitForRun follows the runs of a proposal until one has ended.
func waitForRun(ctx context.Context, c *client.Client, proposal, run string) (client.ValidationRun, []client.ValidationStepResult, error) {
	for {
		l, err := c.ValidationRuns(ctx, proposal, client.PageQuery{Page: 1, PageSize: 20})
		if err != nil {
			return client.ValidationRun{}, nil, err
		}
		for _, r := range l.Runs {
			if r.ValidationRunID != run || r.Status == "running" {
				continue
			}
			var steps []client.ValidationStepResult
			for _, s := range l.Steps {
				if s.ValidationRunID == run {
					steps = append(steps, s)
				}
			}
			return r, steps, nil
		}
		if err := pause(ctx); err != nil {
			return client.ValidationRun{}, nil, err
		}
	}
}
