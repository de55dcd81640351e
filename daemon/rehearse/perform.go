package rehearse

import (
	"context"
	"slices"

	"showhow/daemon/rehearse/perform"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/report"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// exam is one run.
type exam struct {
	*report.Report
	r *Runner
}

// Perform does what a request asks and stores nothing; cancelling ctx ends it with the result cancelled.
func (r *Runner) Perform(ctx context.Context, req record.Request) record.Result {
	if req.Run.ContentHash == "" || len(req.Run.RunKinds) == 0 {
		if err := r.prepare(ctx, &req); err != nil {
			return record.Result{Overall: record.Failed, Reason: fault.From(err).Message}
		}
	}
	return r.perform(ctx, req, report.Watch{})
}

func (r *Runner) perform(ctx context.Context, req record.Request, w report.Watch) record.Result {
	e := &exam{Report: &report.Report{Req: req, Watch: w, Now: r.o.Now}, r: r}
	var res record.Result
	for _, k := range req.Run.RunKinds {
		from := len(e.Steps)
		e.Kind = k
		if err := ctx.Err(); err != nil {
			break
		}
		if err := e.look(ctx, k); err != nil && ctx.Err() == nil {
			e.Add("error", "the examination itself", record.StepFailed, "error", fault.From(err).Message)
		}
		kind := record.KindResult{RunKind: k, Result: report.Overall(e.Steps[from:])}
		if len(req.SelectedTests) > 0 && kind.Result == record.Passed {
			kind.Result = record.Partial // a kind that was not selected has not passed
		}
		res.Kinds = append(res.Kinds, kind)
	}
	res.Steps, res.Repairs, res.Beside, res.Glimpsed, res.Requests = e.Steps, e.Repairs, e.Beside, e.Glimpsed, e.Requests
	for _, s := range e.Steps {
		if s.Result != record.StepPassed {
			res.ResultRefs = append(res.ResultRefs, s.TestCaseID)
		}
	}
	if ctx.Err() != nil {
		res.Overall, res.Reason = record.Cancelled, "it was cancelled"
		return res
	}
	res.Overall, res.Reason = e.Conclude()
	return res
}

func (e *exam) look(ctx context.Context, k record.RunKind) error {
	switch k {
	case record.RunLint:
		return e.lint()
	case record.RunTrigger:
		return e.triggers(ctx)
	case record.RunDependencyCheck:
		return e.dependencies(ctx)
	case record.RunAdapterCheck:
		return e.adapters(ctx)
	case record.RunDryRun:
		return e.dryRun(ctx)
	case record.RunCanary, record.RunRehearsal:
		return e.rehearse(ctx, k == record.RunCanary)
	}
	e.Add("kind", "this kind of run", record.StepSkipped, record.CodeNotExamined, "this build cannot perform it")
	return nil
}

// rehearse performs the workflow or, for a canary, its smallest read-only beginning.
func (e *exam) rehearse(ctx context.Context, canary bool) error {
	steps := e.Req.Draft.Graph.Steps
	if canary {
		steps = policy.CanaryPrefix(e.Req.Draft)
	}
	if len(steps) == 0 && !(canary && policy.OpensFirst(e.Req.Draft)) {
		e.Add("steps", "there is something to perform", record.StepSkipped, record.CodeNotExamined,
			"the workflow has no step that only reads at its beginning")
		return nil
	}
	obeyed := e.performing()
	values, err := supply.Finder{Req: e.Req, Policy: obeyed, Now: e.Now()}.Find(ctx)
	if err != nil {
		return err
	}
	if canary && e.Req.Run.RunLabel == record.LookLabel { // a look goes as far as reading does
		steps = policy.ReadingPart(e.Req.Draft, func(s workflow.Step) bool {
			return !slices.ContainsFunc(supply.NamesIn(s), func(name string) bool { return values.Bindings[name] == "" })
		})
	}
	return perform.New(e.Report, e.r.performance(), obeyed, values).Perform(ctx, steps, canary)
}

// performing is the policy of a performing kind: a canary only reads, even if the policy allows more.
func (e *exam) performing() record.TestPolicy {
	p := policy.Of(e.Req)
	if e.Kind == record.RunCanary && p.Mode != policy.DryRunOnly {
		p.Mode = policy.ReadOnly
	}
	return p
}

// performance selects the runner's options that performances need.
func (r *Runner) performance() perform.Options {
	return perform.Options{Stage: r.o.Stage, Door: r.o.Door, Reader: r.o.Reader, Home: r.o.Home, Redact: r.o.Redact, Log: r.o.Log}
}
