package acceptance_test

import (
	"slices"
	"time"

	"showhow/daemon/client"
	"showhow/internal/clock"
)

// rehearsing is a policy under which everything of the order desk may be done.
func rehearsing(mode client.PolicyMode) *client.TestPolicy {
	no := false
	return &client.TestPolicy{PolicyID: clock.NewID(), Mode: mode, SchemaVersion: 1, ForbidDestructiveWrites: &no, ForbidExternalSend: &no,
		SafeTargets: []client.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}}}
}

// rehearse performs a draft and waits for the end.
func (w *world) rehearse(d client.ProposalDetail, r client.ValidateRequest) (client.ValidationRun, []client.ValidationStepResult) {
	w.t.Helper()
	if r.RunKinds == nil {
		r.RunKinds = []client.RunKind{"rehearsal"}
	}
	run := got(w.c.Validate(w.t.Context(), d.Proposal.ProposalID, r))(w.t)
	var steps []client.ValidationStepResult
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		l := got(w.c.ValidationRuns(w.t.Context(), d.Proposal.ProposalID, client.PageQuery{Page: 1, PageSize: 20}))(w.t)
		steps = slices.DeleteFunc(l.Steps, func(s client.ValidationStepResult) bool { return s.ValidationRunID != run.ValidationRunID })
		run = l.Runs[slices.IndexFunc(l.Runs, func(x client.ValidationRun) bool { return x.ValidationRunID == run.ValidationRunID })]
		if run.Status != "running" {
			break
		}
		if time.Now().After(end) {
			w.tell(steps)
			w.t.Fatal("the rehearsal does not end")
		}
	}
	return run, steps
}

func (w *world) tell(steps []client.ValidationStepResult) {
	for _, s := range steps {
		w.t.Logf("%s %-8s %-28s %s (%s) %s", s.CreatedAt.Format("05.000"), s.Result, s.TestCaseID, s.Label, s.Code, s.Details)
	}
}
