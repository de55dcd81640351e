package rehearse_test

import (
	"context"
	"errors"
	"testing"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func TestARunIsKeptWithItsSteps(t *testing.T) {
	l := newLab(t)
	req := request()
	var finished rehearse.ValidationRun
	req.Finish = func(w journal.Writer, run rehearse.ValidationRun, _ rehearse.Standing) error {
		finished = run
		return w.PutFile("system/learning/proposals/p.json", wire.SkillBundleProposal{ProposalID: req.Run.ProposalID,
			SourceTraceIDs: []string{clock.NewID()}, Title: "Checked", ProposedSkillSlug: "checked", DraftSkillPath: "p/SKILL.md",
			DraftManifestPath: "p/manifest.json", ProposalState: "ready_for_review", InstallLane: "pending", CreatedAt: run.StartedAt,
			UpdatedAt:      run.StartedAt,
			TriggerPhrases: []string{}, NegativeTriggers: []string{}, SupportPackRefs: []string{}, SchemaVersion: 1})
	}
	run, steps := l.run(req)
	if run.OverallResult != rehearse.Passed || run.Status != rehearse.StatusCompleted || run.CompletedAt == nil ||
		len(run.KindResults) != len(rehearse.DefaultKinds) {
		t.Fatalf("%+v\n%+v", run, steps)
	}
	if finished.OverallResult != rehearse.Passed || run.ContentHash != req.Draft.Bundle.Hash() {
		t.Errorf("finish saw %+v", finished)
	}
	for _, s := range steps {
		if s.Result != rehearse.StepPassed || s.Label == "" || s.SchemaVersion != 1 {
			t.Errorf("%+v", s)
		}
	}
	if got := lines[rehearse.ValidationRun](l, rehearse.RunsPath); len(got) != 1 || got[0].OverallResult != rehearse.Passed {
		t.Errorf("%+v", got)
	}
	if got := lines[rehearse.ValidationStepResult](l, rehearse.StepsPath); len(got) != len(steps) {
		t.Errorf("%d lines, %d steps", len(got), len(steps))
	}
	receipts := map[journal.ReceiptKind]int{}
	for _, r := range lines[journal.Receipt](l, "system/learning/receipts.jsonl") {
		receipts[r.Kind]++
	}
	ev := l.events()
	for _, k := range []journal.EventKind{journal.ValidationStarted, journal.ValidationDone} {
		if ev[k] != 1 || receipts[k] != 1 {
			t.Errorf("%s: %d events, %d receipts", k, ev[k], receipts[k])
		}
	}
	runs, all, total, err := l.r.List(l.ctx(), req.Run.ProposalID, 1, 10)
	if err != nil || total != 1 || len(runs) != 1 || len(all) != len(steps) {
		t.Errorf("%d %d %d %v", total, len(runs), len(all), err)
	}
}

// blocked starts a run that waits for its values, and says how to let it go on.
func (l *lab) blocked(proposal string) (rehearse.ValidationRun, func()) {
	l.t.Helper()
	req := request(rehearse.RunDryRun)
	req.Run.ProposalID = proposal
	in, out := make(chan struct{}), make(chan struct{})
	req.Values = func(ctx context.Context) (map[string]string, error) {
		close(in)
		select {
		case <-out:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	run, err := l.r.Start(l.ctx(), req)
	l.ok(err)
	<-in
	return run, func() { close(out) }
}

func TestOneRunAtATimeAndCancel(t *testing.T) {
	l := newLab(t)
	id := clock.NewID()
	run, goOn := l.blocked(id)
	again := request()
	again.Run.ProposalID = id
	_, err := l.r.Start(l.ctx(), again)
	l.wantCode(err, fault.ValidationInProgress)
	if st, _ := l.r.Standing(l.ctx(), id, 1, run.ContentHash); !st.Running || st.Overall != "" {
		t.Errorf("%+v", st)
	}
	waiting, stop := context.WithCancel(l.ctx())
	stop()
	_, err = l.r.Wait(waiting, run.ValidationRunID)
	l.wantCode(err, fault.Cancelled)

	got, err := l.r.Cancel(l.ctx(), run.ValidationRunID)
	l.ok(err)
	if got.OverallResult != rehearse.Cancelled || got.Status != rehearse.StatusCompleted {
		t.Errorf("%+v", got)
	}
	if again, err := l.r.Cancel(l.ctx(), run.ValidationRunID); err != nil || again.OverallResult != rehearse.Cancelled {
		t.Errorf("%+v %v", again, err)
	}
	goOn()
	_, err = l.r.Cancel(l.ctx(), clock.NewID())
	l.wantCode(err, fault.NotFound)
	if run, _ := l.run(again); run.OverallResult != rehearse.Passed {
		t.Errorf("%+v", run)
	}
}

// A look that Showhow makes by itself ends as soon as somebody validates, the same proposal or another, and says nothing of the ability.
func TestALookGivesWay(t *testing.T) {
	for _, same := range []bool{true, false} {
		l := newLab(t)
		req := request(rehearse.RunDryRun)
		req.Run.ProposalID, req.Run.RunLabel = clock.NewID(), rehearse.LookLabel
		began := make(chan struct{})
		req.Values = func(ctx context.Context) (map[string]string, error) {
			close(began)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		look, err := l.r.Start(l.ctx(), req)
		l.ok(err)
		<-began
		persons := request()
		if same {
			persons.Run.ProposalID = req.Run.ProposalID
		}
		if run, _ := l.run(persons); run.OverallResult != rehearse.Passed {
			t.Errorf("%+v", run)
		}
		look, steps, err := l.r.Get(l.ctx(), look.ValidationRunID)
		l.ok(err)
		if o, _ := rehearse.OutcomeOf(look, steps); look.OverallResult != rehearse.Cancelled || o.Result != health.Inconclusive {
			t.Errorf("%+v %+v", look, o)
		}
	}
}

func TestCloseCancelsAndWaits(t *testing.T) {
	l := newLab(t)
	run, _ := l.blocked(clock.NewID())
	l.ok(l.r.Close())
	got, _, err := l.r.Get(l.ctx(), run.ValidationRunID)
	l.ok(err)
	if got.OverallResult != rehearse.Cancelled {
		t.Errorf("%+v", got)
	}
	_, err = l.r.Start(l.ctx(), request())
	l.wantCode(err, fault.Cancelled)
}

// A crash leaves a running run; the next start calls it cancelled (decisions A9).
func TestRecover(t *testing.T) {
	l := newLab(t)
	left := rehearse.ValidationRun{ValidationRunID: clock.NewID(), ProposalID: clock.NewID(), Status: rehearse.StatusRunning,
		StartedAt: clock.Now(),
		RunKind:   rehearse.RunLint, RunKinds: []rehearse.RunKind{rehearse.RunLint}, SchemaVersion: 1}
	l.ok(l.opt.Store.Update(l.ctx(), func(tx rehearse.Tx) error { return tx.PutRun(left) }))
	all, err := l.r.Recover(l.ctx())
	l.ok(err)
	if len(all) != 1 || all[0].ValidationRunID != left.ValidationRunID || all[0].OverallResult != rehearse.Cancelled ||
		all[0].Reason != "daemon_restart" {
		t.Errorf("%+v", all)
	}
	if again, err := l.r.Recover(l.ctx()); err != nil || len(again) != 0 {
		t.Errorf("%+v %v", again, err)
	}
	if l.events()[journal.ValidationDone] != 1 {
		t.Errorf("%v", l.events())
	}
}

// When what hangs on the run's end refuses it, the run still ends.
func TestARefusedEnd(t *testing.T) {
	l := newLab(t)
	req := request(rehearse.RunLint)
	calls := 0
	req.Finish = func(_ journal.Writer, run rehearse.ValidationRun, _ rehearse.Standing) error {
		if calls++; run.OverallResult == rehearse.Passed {
			return errors.New("refused")
		}
		return nil
	}
	run, steps := l.run(req)
	if run.OverallResult != rehearse.Cancelled || len(steps) != 0 || calls != 2 {
		t.Errorf("%+v, %d steps, %d calls", run, len(steps), calls)
	}
}

func TestKindsThatCannotBePerformedAreRefused(t *testing.T) {
	l := newLab(t)
	for _, k := range []rehearse.RunKind{rehearse.RunCanary, rehearse.RunRehearsal} {
		_, err := l.r.Start(l.ctx(), request(rehearse.RunLint, k))
		l.wantCode(err, fault.UnsupportedInBuild)
		if fault.From(err).Hint == "" {
			t.Error("no hint")
		}
		if res := l.r.Perform(l.ctx(), request(k)); res.Overall != rehearse.Failed {
			t.Errorf("a fake pass: %+v", res)
		}
	}
	_, err := l.r.Start(l.ctx(), request("anything"))
	l.wantCode(err, fault.InvalidRequest)
	req := request()
	req.Run.ContentHash = "0000"
	_, err = l.r.Start(l.ctx(), req)
	l.wantCode(err, fault.ContentHashMismatch)
}

// The gate of decisions C1: only runs on this revision and content count, and per kind the latest.
func TestStanding(t *testing.T) {
	l := newLab(t)
	id := clock.NewID()
	standing := func(rev int, hash string) rehearse.Overall {
		t.Helper()
		st, err := l.r.Standing(l.ctx(), id, rev, hash)
		l.ok(err)
		return st.Overall
	}
	do := func(kinds ...rehearse.RunKind) {
		req := request(kinds...)
		req.Run.ProposalID = id
		l.run(req)
	}
	hash := draft().Bundle.Hash()
	if got := standing(1, hash); got != "" {
		t.Errorf("nothing has run: %q", got)
	}
	do(rehearse.RunLint)
	if got := standing(1, hash); got != rehearse.Partial {
		t.Errorf("a lint alone: %q", got)
	}
	l.missing["jq"] = true
	do()
	if got := standing(1, hash); got != rehearse.Failed {
		t.Errorf("failed: %q", got)
	}
	do(rehearse.RunLint)
	if got := standing(1, hash); got != rehearse.Failed {
		t.Errorf("another kind washed the failure away: %q", got)
	}
	l.missing["jq"] = false
	do(rehearse.RunDependencyCheck)
	if got := standing(1, hash); got != rehearse.Passed {
		t.Errorf("passed: %q", got)
	}
	if standing(2, hash) != "" || standing(1, "other") != "" {
		t.Error("a run counts for another revision or content")
	}
}

func TestSelectedTests(t *testing.T) {
	l := newLab(t)
	req := request()
	req.SelectedTests = []string{"trigger.positive.1", "lint"}
	run, steps := l.run(req)
	if run.OverallResult != rehearse.Partial || step(steps, "trigger.positive.1").Result != rehearse.StepPassed ||
		step(steps, "lint.bundle").Result == "" || step(steps, "dry_run.s1").Result != "" {
		t.Errorf("%+v %+v", run, steps)
	}
	req.SelectedTests = []string{"none"}
	if run, steps := l.run(req); run.OverallResult != rehearse.Partial || len(steps) != 0 {
		t.Errorf("%+v", run)
	}
}
