// Package report collects the steps of a run in the order in which they were judged, reports them to watchers, and
// concludes: failed over partial over passed. Texts come in without values; it shortens them and keeps them readable.
// The packages of daemon/rehearse above it may import it.
package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/capability/health"
	"showhow/daemon/rehearse/record"
	"showhow/internal/clock"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Report collects the steps of one run and reports them to its watcher.
type Report struct {
	Req   record.Request
	Kind  record.RunKind
	Now   func() clock.Time
	Watch Watch

	Steps    []record.ValidationStepResult
	Repairs  []record.Repair
	Beside   []health.Beside  // what stands beside the controls that were looked for
	Glimpsed []health.Glimpse // controls that were looked for without doing what leads to them
	Requests int              // that the browser made or wanted to make
}

// Watch receives a run's progress; nil functions are not called.
type Watch struct {
	Told func(place int, s record.ValidationStepResult)
	Seen func(record.Evidence)
	Wait func(ctx context.Context, what string) error // returns when the person has done it
}

// Add records one step, unless the request selected others. id is unique within the kind.
func (t *Report) Add(id, label, result, code, details string) {
	full := plain.Clip(string(t.Kind)+"."+id, 160)
	label, details = Readable(label), Readable(details)
	if !t.selected(full) {
		return
	}
	t.Steps = append(t.Steps, record.ValidationStepResult{ValidationRunID: t.Req.Run.ValidationRunID, TestCaseID: full, RunKind: t.Kind,
		Label:  plain.Clip(label, 240),
		Result: result, Code: code, Details: plain.Clip(details, 1000), CreatedAt: t.Now(), SchemaVersion: 1})
	if t.Watch.Told != nil && t.Kind.Performs() {
		t.Watch.Told(len(t.Steps)-1, t.Steps[len(t.Steps)-1])
	}
}

// Pass records a step that passed.
func (t *Report) Pass(id, label, details string) { t.Add(id, label, record.StepPassed, "", details) }

// selected reports whether the request selects a test: all, a whole kind, or the test by its id.
func (t *Report) selected(id string) bool {
	return len(t.Req.SelectedTests) == 0 || slices.ContainsFunc(t.Req.SelectedTests, func(s string) bool {
		return s == id || s == string(t.Kind) || strings.HasPrefix(id, s+".")
	})
}

// Conclude is the outcome of all steps, with the reason when not everything passed.
func (t *Report) Conclude() (record.Overall, string) {
	var bad []record.ValidationStepResult
	o := Overall(t.Steps)
	for _, s := range t.Steps {
		if o == record.Failed && s.Result == record.StepFailed || o == record.Partial && s.Result == record.StepSkipped {
			bad = append(bad, s)
		}
	}
	switch {
	case len(t.Steps) == 0:
		return record.Partial, "no test was selected"
	case len(bad) > 0:
		reason := bad[0].Label
		if bad[0].Details != "" {
			reason += ": " + bad[0].Details
		}
		if len(bad) > 1 {
			reason = plain.Clip(reason, 200) + fmt.Sprintf(" (and %d more)", len(bad)-1)
		}
		return o, plain.Clip(reason, 240)
	case len(t.Req.SelectedTests) > 0:
		return record.Partial, "only selected tests were run"
	}
	return record.Passed, ""
}

// Overall is the worst of some steps: something failed, something was not judged, or all passed.
func Overall(steps []record.ValidationStepResult) record.Overall {
	o := record.Passed
	for _, s := range steps {
		switch s.Result {
		case record.StepFailed:
			return record.Failed
		case record.StepSkipped:
			o = record.Partial
		}
	}
	return o
}

// masks match the placeholders for what is not kept in a demonstration's texts: a value, or anything.
var masks = lazyre.New(`\[\[[a-z_]+ [A-Za-z0-9_ -]+\]\]|\{\*\}`)

// Readable replaces placeholders with an ellipsis.
func Readable(s string) string { return masks.ReplaceAllString(s, "…") }
