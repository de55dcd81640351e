package rehearse

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// exam collects the steps of one run.
type exam struct {
	r     *Runner
	req   Request
	kind  RunKind
	steps []ValidationStepResult
}

// Perform does what a request asks and keeps nothing; cancelling ctx ends it with the result cancelled.
func (r *Runner) Perform(ctx context.Context, req Request) Result {
	if req.Run.ContentHash == "" || len(req.Run.RunKinds) == 0 {
		if err := r.prepare(&req); err != nil {
			return Result{Overall: Failed, Reason: safe(err)}
		}
	}
	e := &exam{r: r, req: req}
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
		res.Kinds = append(res.Kinds, KindResult{k, overall(e.steps[from:])})
	}
	res.Steps = e.steps
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
	}
	e.add("kind", "this kind of run", StepSkipped, CodeNotExamined, "this build cannot perform it")
	return nil
}

// add records one step, unless the request selected others. id is unique within the kind.
func (e *exam) add(id, label, result, code, details string) {
	full := cut(string(e.kind)+"."+id, 160)
	if !e.selected(full) {
		return
	}
	e.steps = append(e.steps, ValidationStepResult{ValidationRunID: e.req.Run.ValidationRunID, TestCaseID: full, RunKind: e.kind, Label: cut(label, 240),
		Result: result, Code: code, Details: cut(details, 1000), CreatedAt: e.r.o.Now(), SchemaVersion: 1})
}

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
			reason = cut(reason, 200) + fmt.Sprintf(" (and %d more)", len(bad)-1)
		}
		return o, cut(reason, 240)
	case len(e.req.SelectedTests) > 0:
		return Partial, "only selected tests were run"
	}
	return Passed, ""
}

func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
