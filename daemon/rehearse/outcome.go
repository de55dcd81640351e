package rehearse

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/capability/health"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/record"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// OutcomeFunc receives the outcome of a performed run of an installed ability; hash is the content that was tried.
type OutcomeFunc func(ctx context.Context, abilityID, hash string, o health.Outcome, t *health.Trace)

// inconclusive are the codes that say nothing about the ability: the policy, the person, or a server's own fault was
// in the way.
var inconclusive = map[string]bool{
	record.CodeNeedsValue: true, record.CodePolicyViolation: true, record.CodeNotExamined: true, record.CodeNotPerformed: true,
	record.CodeUnverified: true, record.CodeServerError: true, record.CodeSignIn: true, record.CodeConditionUnread: true,
	record.CodeMachineFailed: true, record.CodeNothingDone: true, record.CodeAlreadySo: true, record.CodeNotClean: true, "error": true,
}

// reportOutcome reports the outcome of a run to Options.OnOutcome. A run that performs nothing, belongs to no installed
// ability or was cancelled has none.
func (r *Runner) reportOutcome(ctx context.Context, req record.Request, run record.ValidationRun, res record.Result) {
	if r.o.OnOutcome == nil || run.AbilityID == "" || run.OverallResult == record.Cancelled || run.OverallResult == "" {
		return
	}
	source, performs := health.Canary, false
	for _, k := range run.RunKinds {
		performs = performs || k.Performs()
		if k == record.RunRehearsal {
			source = health.Rehearsal
		}
	}
	if !performs {
		return
	}
	o, t := fared(req, run, res.Steps, source, r.o.Now())
	o.Beside, o.Glimpsed = res.Beside, res.Glimpsed
	r.o.OnOutcome(ctx, run.AbilityID, run.ContentHash, o, t)
}

func fared(req record.Request, run record.ValidationRun, steps []record.ValidationStepResult, source health.Source,
	now clock.Time) (health.Outcome, *health.Trace) {
	o := health.Outcome{Source: source, Result: health.Inconclusive, At: now}
	surfaces := map[string]string{}
	for _, s := range req.Draft.Graph.Steps {
		surfaces[s.StepID] = s.Surface
	}
	t := &health.Trace{TraceID: run.ValidationRunID, Goal: plain.Cut(req.Goal, 500), SurfacesAttempted: []string{},
		Steps:        []health.TraceStep{},
		Verification: []health.Verification{}, FallbackUsed: len(run.Repairs) > 0, ElapsedMS: now.Sub(run.StartedAt.Time).Milliseconds(),
		CreatedAt: now, SchemaVersion: 1}
	attempted := map[string]bool{}
	for _, s := range steps {
		kind, id := caseOf(s)
		passed := s.Result == record.StepPassed
		if surface := surfaces[id]; kind == "step" && s.Result != record.StepSkipped && surface != "" {
			t.Steps = append(t.Steps, health.TraceStep{StepID: plain.Cut(id, 80), ActionLabel: plain.Cut(s.Label, 240), Surface: surface,
				Success: passed})
			if !attempted[surface] {
				attempted[surface] = true
				t.SurfacesAttempted = append(t.SurfacesAttempted, surface)
			}
		}
		if kind == "checkpoint" && s.Result != record.StepSkipped {
			t.Verification = append(t.Verification, health.Verification{Kind: "checkpoint", Passed: passed, Detail: plain.Cut(id, 500)})
		}
		switch {
		case passed && (kind == "step" || kind == "checkpoint" || kind == "ahead"):
			o.Covered = append(o.Covered, id)
		case s.Result == record.StepFailed && o.Result != health.Failed && !inconclusive[s.Code] && id != "":
			o.Result, o.Step, o.Code = health.Failed, id, plain.Cut(s.Code, 80)
		}
	}
	for _, r := range run.Repairs {
		if r.Name == "" {
			continue
		}
		x := health.Renamed{Step: r.StepID, Role: r.Role, Name: r.Name, Changes: r.Changes, RunID: run.ValidationRunID}
		if r.Place != nil {
			x.PlaceRole, x.Place = r.Place.Role, r.Place.Name
		}
		o.Renamed = append(o.Renamed, x)
	}
	if run.OverallResult == record.Cancelled { // what it came to so far says nothing of the rest
		o.Result, o.Step, o.Code, o.Covered = health.Inconclusive, "", "cancelled", nil
	} else if o.Result != health.Failed && run.OverallResult != record.Failed && len(o.Covered) > 0 {
		o.Result = health.Passed
	}
	t.Success = o.Result == health.Passed
	if o.Result == health.Failed {
		t.FailureFingerprint = plain.Cut(o.Fingerprint(), 160)
	}
	return o, t
}

// caseOf is what a step's result is about: a step, a look ahead or a checkpoint, and its id; rounds of a loop share
// one.
func caseOf(s record.ValidationStepResult) (kind, id string) {
	kind, id, _ = strings.Cut(strings.TrimPrefix(s.TestCaseID, string(s.RunKind)+"."), ".")
	id, _, _ = strings.Cut(id, ".")
	return kind, id
}

// ReadingSites lists the sites that a canary of a draft would visit; an error says why none could read anything.
func ReadingSites(req record.Request) ([]string, error) {
	steps := policy.CanaryPrefix(req.Draft)
	if len(steps) == 0 && !policy.OpensFirst(req.Draft) {
		return nil, fault.New(fault.InvalidRequest, "no part of this skill can be looked at: its first step changes something")
	}
	sites := policy.AllowedHosts(req)
	if len(sites) == 0 {
		return nil, fault.New(fault.InvalidRequest, "no part of this skill can be looked at: it does not start on a site")
	}
	slices.Sort(sites)
	return slices.Compact(sites), nil
}

// OutcomeOf is the health outcome of a finished run for its ability, with its finding in words.
func OutcomeOf(run record.ValidationRun, steps []record.ValidationStepResult) (health.Outcome, string) {
	o, _ := fared(record.Request{}, run, steps, health.Canary, run.StartedAt)
	for _, s := range steps {
		if o.Result != health.Passed && s.Result != record.StepPassed {
			return o, strings.TrimSuffix(s.Label+": "+s.Details, ": ")
		}
	}
	var changes []string
	for _, r := range run.Repairs {
		for _, c := range r.Changes {
			if !slices.Contains(changes, c) { // a form that is called otherwise is that for each of its fields
				changes = append(changes, c)
			}
		}
	}
	return o, strings.Join(changes, "; ")
}
