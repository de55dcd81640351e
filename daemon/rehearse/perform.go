package rehearse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// exam collects the steps of one run.
type exam struct {
	r     *Runner
	req   Request
	kind  RunKind
	steps []ValidationStepResult

	repairs []Repair
	watch
}

// watch is what somebody who keeps a run wants to know while it goes on; nil functions are not called.
type watch struct {
	told func(place int, s ValidationStepResult)
	seen func(Evidence)
	wait func(ctx context.Context, what string) error // returns when the person says that it is done
}

// Perform does what a request asks and keeps nothing; cancelling ctx ends it with the result cancelled.
func (r *Runner) Perform(ctx context.Context, req Request) Result {
	if req.Run.ContentHash == "" || len(req.Run.RunKinds) == 0 {
		if err := r.prepare(ctx, &req); err != nil {
			return Result{Overall: Failed, Reason: safe(err)}
		}
	}
	return r.perform(ctx, req, watch{})
}

func (r *Runner) perform(ctx context.Context, req Request, w watch) Result {
	e := &exam{r: r, req: req, watch: w}
	var res Result
	for _, k := range req.Run.RunKinds {
		from := len(e.steps)
		e.kind = k
		if err := ctx.Err(); err != nil {
			break
		}
		if err := e.look(ctx, k); err != nil && ctx.Err() == nil {
			e.add("error", "the examination itself", StepFailed, "error", safe(err))
		}
		kind := KindResult{RunKind: k, Result: overall(e.steps[from:])}
		if len(req.SelectedTests) > 0 && kind.Result == Passed {
			kind.Result = Partial // what was not selected has not passed
		}
		res.Kinds = append(res.Kinds, kind)
	}
	res.Steps, res.Repairs = e.steps, e.repairs
	for _, s := range e.steps {
		if s.Result != StepPassed {
			res.ResultRefs = append(res.ResultRefs, s.TestCaseID)
		}
	}
	if ctx.Err() != nil {
		res.Overall, res.Reason = Cancelled, "it was cancelled"
		return res
	}
	res.Overall, res.Reason = e.conclude()
	return res
}

func (e *exam) look(ctx context.Context, k RunKind) error {
	switch k {
	case RunLint:
		return e.lint()
	case RunTrigger:
		return e.triggers(ctx)
	case RunDependencyCheck:
		return e.dependencies()
	case RunAdapterCheck:
		return e.adapters()
	case RunDryRun:
		return e.dryRun(ctx)
	case RunCanary, RunRehearsal:
		return e.rehearse(ctx, k == RunCanary)
	}
	e.add("kind", "this kind of run", StepSkipped, CodeNotExamined, "this build cannot perform it")
	return nil
}

// add records one step, unless the request selected others. id is unique within the kind.
func (e *exam) add(id, label, result, code, details string) {
	full := plain.Clip(string(e.kind)+"."+id, 160)
	label, details = readable(label), readable(details)
	if !e.selected(full) {
		return
	}
	e.steps = append(e.steps, ValidationStepResult{ValidationRunID: e.req.Run.ValidationRunID, TestCaseID: full, RunKind: e.kind, Label: plain.Clip(label, 240),
		Result: result, Code: code, Details: plain.Clip(details, 1000), CreatedAt: e.r.o.Now(), SchemaVersion: 1})
	if e.told != nil && e.kind.Performs() {
		e.told(len(e.steps)-1, e.steps[len(e.steps)-1])
	}
}

// masks are what stands in a demonstration's texts for what is not kept: a value, or anything.
var masks = lazyre.New(`\[\[[a-z_]+ [A-Za-z0-9_ -]+\]\]|\{\*\}`)

// readable is a text as a person reads it: what is hidden or differs from time to time is left out visibly.
func readable(s string) string { return masks.ReplaceAllString(s, "…") }

func (e *exam) pass(id, label, details string) { e.add(id, label, StepPassed, "", details) }

// selected reports whether the request wants a test: all, a whole kind, or the test by its id.
func (e *exam) selected(id string) bool {
	return len(e.req.SelectedTests) == 0 || slices.ContainsFunc(e.req.SelectedTests, func(s string) bool {
		return s == id || s == string(e.kind) || strings.HasPrefix(id, s+".")
	})
}

// overall is the worst of some steps: something failed, something was not looked at, or all passed.
func overall(steps []ValidationStepResult) Overall {
	o := Passed
	for _, s := range steps {
		switch s.Result {
		case StepFailed:
			return Failed
		case StepSkipped:
			o = Partial
		}
	}
	return o
}

func (e *exam) conclude() (Overall, string) {
	var bad []ValidationStepResult
	o := overall(e.steps)
	for _, s := range e.steps {
		if o == Failed && s.Result == StepFailed || o == Partial && s.Result == StepSkipped {
			bad = append(bad, s)
		}
	}
	switch {
	case len(e.steps) == 0:
		return Partial, "no test was selected"
	case len(bad) > 0:
		reason := bad[0].Label
		if bad[0].Details != "" {
			reason += ": " + bad[0].Details
		}
		if len(bad) > 1 {
			reason = plain.Clip(reason, 200) + fmt.Sprintf(" (and %d more)", len(bad)-1)
		}
		return o, plain.Clip(reason, 240)
	case len(e.req.SelectedTests) > 0:
		return Partial, "only selected tests were run"
	}
	return Passed, ""
}
