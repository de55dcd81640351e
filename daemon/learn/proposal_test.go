package learn_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// R11.2-11: a draft with its file, from stopped.
func TestGenerate(t *testing.T) {
	w := newWorld(t)
	s := w.stopped(3)
	out, err := w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.state(s.LearnSessionID, state.DraftingProposal)
	d := w.proposal(out.ProposalID)
	p := d.Proposal
	if p.Revision != 1 || p.ProposalState != "draft" || p.InstallLane != "pending" || len(p.SourceTraceIDs) != 1 ||
		p.SourceTraceIDs[0] != s.ActiveTraceIDs[0] {
		t.Fatalf("%+v", p)
	}
	b, err := os.ReadFile(filepath.Join(w.db.Memory(), filepath.FromSlash(p.DraftSkillPath)))
	w.ok(err)
	if string(b) != d.SkillMD || len(d.Files) != 2 || len(d.Revisions) != 1 || d.Interpretation.ProposalID != p.ProposalID {
		t.Fatalf("%+v", d)
	}
	if len(d.Dependencies) != 1 {
		t.Fatalf("%+v", d.Dependencies)
	}
	for _, x := range d.Dependencies { // what it refers to is there
		if _, err := os.Stat(filepath.Join(w.db.Memory(), filepath.FromSlash(x.DependencyRef))); err != nil || x.ProposalID != p.ProposalID {
			t.Errorf("%+v: %v", x, err)
		}
	}
	w.has(s.LearnSessionID, journal.ProposalCreated, "")
	var file workflow.Interpretation
	if !w.file("system/learning/interpretations/"+p.InterpretationID+".json", &file) || file.GoalSummary != "export an order" {
		t.Fatalf("%+v", file)
	}
	_, err = w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.InvalidLearnStateTransition)
}

func TestNothingKept(t *testing.T) {
	w := newWorld(t)
	s := w.stopped(0)
	_, err := w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.InsufficientTraces)
	w.state(s.LearnSessionID, state.Stopped)
}

var questions = []compile.Question{
	{Field: "input", SubjectRef: "p1", Prompt: "Does the customer differ each time?", Required: true},
	{Field: "use_conditions", Prompt: "How would you ask for this?"},
}

// Questions stay open with the draft; answers compile the next revision.
func TestAnswersRecompile(t *testing.T) {
	w := newWorld(t)
	w.draft.questions = questions
	s := w.drafted()
	w.has(s.LearnSessionID, journal.QuestionsRequested, "")
	qs, err := w.svc.Questions(w.ctx(), s.LearnSessionID)
	w.ok(err)
	s = w.validate(s)
	p := w.proposal(s.ProposalID).Proposal
	if len(qs) != 2 || p.OpenQuestions != 1 || s.State != state.ReadyForReview {
		t.Fatalf("%d questions, %d open, %s", len(qs), p.OpenQuestions, s.State)
	}
	_, err = w.svc.Approve(w.ctx(), user, p.ProposalID, wire.ApproveProposalRequest{Revision: p.Revision, ContentHash: p.ContentHash})
	w.code(err, fault.QuestionsOpen)
	_, err = w.svc.AnswerQuestions(w.ctx(), user, s.LearnSessionID,
		wire.AnswerQuestionsRequest{Answers: []wire.AnswerItem{{QuestionID: "nonsense", AnswerText: "x"}}})
	w.code(err, fault.InvalidRequest)
	out, err := w.svc.AnswerQuestions(w.ctx(), user, s.LearnSessionID,
		wire.AnswerQuestionsRequest{Answers: []wire.AnswerItem{{QuestionID: qs[0].QuestionID, AnswerText: "input"}}})
	w.ok(err)
	if out.RemainingQuestions != 0 || out.NextAction != "ready_for_review" || out.Session.State != state.DraftingProposal {
		t.Fatalf("%+v", out)
	}
	d := w.proposal(p.ProposalID)
	if d.Proposal.Revision != 2 || d.Proposal.Validation != "none" || len(d.Revisions) != 2 || d.Revisions[1].Cause != "answers" {
		t.Fatalf("%+v", d.Proposal)
	}
	if d.Questions[0].AnswerText != "input" || d.Questions[1].QuestionID != qs[1].QuestionID || d.Questions[1].Answered {
		t.Fatalf("%+v", d.Questions)
	}
	_, err = w.svc.Approve(w.ctx(), user, p.ProposalID, wire.ApproveProposalRequest{Revision: 2, ContentHash: d.Proposal.ContentHash})
	w.code(err, fault.NotValidated) // earlier runs are void (decisions C1)
}

// Decisions A6: ask_before_build stops before anything is drafted.
func TestAskBeforeBuild(t *testing.T) {
	w := newWorld(t)
	w.draft.questions = questions
	r := request()
	r.AskBeforeBuild = true
	s := w.create(r)
	_, err := w.svc.Start(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.cap.act(s.LearnSessionID, 2)
	_, err = w.svc.Stop(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	out, err := w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.state(s.LearnSessionID, state.AwaitingQuestions)
	p := w.proposal(out.ProposalID)
	if p.Proposal.Revision != 0 || p.SkillMD != "" || p.Proposal.ProposalState != "awaiting_questions" {
		t.Fatalf("%+v", p.Proposal)
	}
	if _, err := os.Stat(filepath.Join(w.db.Memory(), "system", "learning", "proposals", out.ProposalID)); !os.IsNotExist(err) {
		t.Fatal("a draft was written")
	}
	_, err = w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.QuestionsOpen)
	_, err = w.svc.Validate(w.ctx(), user, out.ProposalID, rehearse.ValidateRequest{})
	w.code(err, fault.InvalidLearnStateTransition)
	ans, err := w.svc.AnswerQuestions(w.ctx(), user, s.LearnSessionID,
		wire.AnswerQuestionsRequest{Answers: []wire.AnswerItem{{QuestionID: p.Questions[0].QuestionID, AnswerText: "input"}}})
	w.ok(err)
	if ans.NextAction != "generate_proposal" {
		t.Fatalf("%+v", ans)
	}
	_, err = w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.state(s.LearnSessionID, state.DraftingProposal)
	if p = w.proposal(out.ProposalID); p.Proposal.Revision != 1 || p.SkillMD == "" {
		t.Fatalf("%+v", p.Proposal)
	}
}

// R11.2-15: a failed validation leads back to drafting, and a revision makes it void.
func TestRevisionLoop(t *testing.T) {
	w := newWorld(t)
	w.judge.verdict = rehearse.Failed
	s := w.validate(w.drafted())
	w.state(s.LearnSessionID, state.DraftingProposal)
	p := w.proposal(s.ProposalID).Proposal
	if p.Validation != "failed" {
		t.Fatalf("validation %s", p.Validation)
	}
	_, err := w.svc.Install(w.ctx(), user, p.ProposalID,
		wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: 1, ContentHash: p.ContentHash})
	w.code(err, fault.NotValidated)
	d, err := w.svc.Revise(w.ctx(), user, p.ProposalID,
		wire.ProposalReviseRequest{EditedFields: map[string]any{"title": "Export"}, RevisionInstructions: "shorter"})
	w.ok(err)
	if d.Proposal.Revision != 2 || d.Proposal.ContentHash == p.ContentHash || d.Revisions[1].Instructions != "shorter" {
		t.Fatalf("%+v", d.Proposal)
	}
	first, err := w.svc.DraftFile(w.ctx(), p.ProposalID, 1, "SKILL.md")
	w.ok(err)
	if string(first) == d.SkillMD {
		t.Fatal("the earlier revision is gone")
	}
	w.judge.verdict = rehearse.Passed
	s = w.validate(s)
	w.state(s.LearnSessionID, state.ReadyForReview)
	_, err = w.svc.Revise(w.ctx(), user, p.ProposalID, wire.ProposalReviseRequest{EditedFields: map[string]any{"title": "Again"}})
	w.ok(err)
	w.state(s.LearnSessionID, state.DraftingProposal)
	_, err = w.svc.Approve(w.ctx(), user, p.ProposalID, wire.ApproveProposalRequest{Revision: 2, ContentHash: d.Proposal.ContentHash})
	w.code(err, fault.NotValidated)
}

// R11.2-25: a draft that fails the lint cannot get to the review.
func TestLintGate(t *testing.T) {
	w := newWorld(t)
	w.draft.lintFails = true
	s := w.drafted()
	_, err := w.svc.Validate(w.ctx(), user, s.ProposalID, rehearse.ValidateRequest{})
	if f := w.code(err, fault.CheckpointLintFailed); len(f.Details["findings"].([]compile.Finding)) != 1 {
		t.Fatalf("%v", f.Details)
	}
	run, err := w.svc.Validate(w.ctx(), user, s.ProposalID, rehearse.ValidateRequest{RunKinds: []rehearse.RunKind{rehearse.RunLint}})
	w.ok(err) // even if it were said to pass
	_, err = w.judge.Wait(w.ctx(), run.ValidationRunID)
	w.ok(err)
	w.state(s.LearnSessionID, state.DraftingProposal)
}

func TestValidationInProgress(t *testing.T) {
	w := newWorld(t)
	w.judge.held = true
	s := w.drafted()
	run, err := w.svc.Validate(w.ctx(), user, s.ProposalID, rehearse.ValidateRequest{})
	w.ok(err)
	if run.Status != "running" || run.OverallResult != "" {
		t.Fatalf("%+v", run)
	}
	w.state(s.LearnSessionID, state.TestingProposal)
	p := w.proposal(s.ProposalID).Proposal
	for _, err := range []error{
		second(w.svc.Validate(w.ctx(), user, p.ProposalID, rehearse.ValidateRequest{})),
		second(w.svc.Install(w.ctx(), user, p.ProposalID,
			wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: 1, ContentHash: p.ContentHash})),
		second(w.svc.AnswerQuestions(w.ctx(), user, s.LearnSessionID, wire.AnswerQuestionsRequest{})),
		second(w.svc.Reject(w.ctx(), user, p.ProposalID, wire.RejectProposalRequest{Reason: "x"})),
	} {
		w.code(err, fault.ValidationInProgress)
	}
	got, err := w.svc.CancelRun(w.ctx(), user, run.ValidationRunID)
	w.ok(err)
	if got.OverallResult != rehearse.Cancelled {
		t.Fatalf("%+v", got)
	}
	w.state(s.LearnSessionID, state.DraftingProposal)
	run, err = w.svc.Validate(w.ctx(), user, p.ProposalID, rehearse.ValidateRequest{})
	w.ok(err)
	_, err = w.svc.Revise(w.ctx(), user, p.ProposalID, wire.ProposalReviseRequest{EditedFields: map[string]any{"title": "Other"}})
	w.ok(err) // the run is of another revision: cancelled
	w.state(s.LearnSessionID, state.DraftingProposal)
	_, err = w.svc.Validate(w.ctx(), user, p.ProposalID, rehearse.ValidateRequest{})
	w.ok(err)
	w.crash() // runs do not survive
	w.state(s.LearnSessionID, state.DraftingProposal)
}

// What runs at the review is no state of the session; it ends all the same with the process, with the draft and by a revision.
func TestRunsDuringTheReview(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	p := w.proposal(s.ProposalID).Proposal
	start := func() {
		t.Helper()
		w.judge.held = true
		_, err := w.svc.Validate(w.ctx(), user, p.ProposalID, rehearse.ValidateRequest{})
		w.ok(err)
		w.code(second(w.svc.Reject(w.ctx(), user, p.ProposalID, wire.RejectProposalRequest{Reason: "x"})), fault.ValidationInProgress)
		w.judge.held = false
	}
	start()
	w.crash()
	if now := w.proposal(p.ProposalID).Proposal; now.Validation == "running" {
		t.Fatal("a run that died is still running")
	}
	w.state(s.LearnSessionID, state.ReadyForReview)
	start()
	d, err := w.svc.Revise(w.ctx(), user, p.ProposalID, wire.ProposalReviseRequest{EditedFields: map[string]any{"title": "Again"}})
	w.ok(err)
	if d.Proposal.Validation != "none" {
		t.Errorf("after a revision it is %s", d.Proposal.Validation)
	}
	w.validate(w.session(s.LearnSessionID))
	start()
	w.ok(w.svc.Delete(w.ctx(), user, s.LearnSessionID))
	for id, j := range w.judge.runs {
		select {
		case <-j.done:
		default:
			t.Errorf("the run %s goes on without its draft", id)
		}
	}
}

func TestValidationThatCannotBegin(t *testing.T) {
	w := newWorld(t)
	w.judge.refuse = fault.New(fault.TestPolicyViolation, "no")
	s := w.drafted()
	_, err := w.svc.Validate(w.ctx(), user, s.ProposalID, rehearse.ValidateRequest{})
	w.code(err, fault.TestPolicyViolation)
	w.state(s.LearnSessionID, state.DraftingProposal)
}

// Decisions C1: partial needs the person's word, kept in the receipt; decisions C13: what was seen is what is installed.
func TestInstallGate(t *testing.T) {
	w := newWorld(t)
	w.judge.verdict = rehearse.Partial
	s := w.ready()
	p := w.proposal(s.ProposalID).Proposal
	install := func(r wire.ProposalInstallRequest) error {
		r.InstallLane = "experimental_private"
		return second(w.svc.Install(w.ctx(), user, p.ProposalID, r))
	}
	w.code(install(wire.ProposalInstallRequest{Revision: 7, ContentHash: p.ContentHash, ConfirmPartial: true}), fault.RevisionConflict)
	w.code(install(wire.ProposalInstallRequest{Revision: 1, ContentHash: strings.Repeat("0", 64), ConfirmPartial: true}),
		fault.ContentHashMismatch)
	w.code(install(wire.ProposalInstallRequest{Revision: 1, ContentHash: p.ContentHash}), fault.NotValidated)
	w.ok(install(wire.ProposalInstallRequest{Revision: 1, ContentHash: p.ContentHash, ConfirmPartial: true}))
	w.state(s.LearnSessionID, state.InstalledPrivate)
	w.has(s.LearnSessionID, journal.SessionState, "partial_confirmed")
	got := w.proposal(p.ProposalID).Proposal
	if !got.ConfirmedPartial || got.InstallLane != "experimental_private" {
		t.Fatalf("%+v", got)
	}
	// Later the person approves the same content for the workspace (decisions C2).
	_, err := w.svc.Approve(w.ctx(), user, p.ProposalID,
		wire.ApproveProposalRequest{Revision: 1, ContentHash: p.ContentHash, ConfirmPartial: true})
	w.ok(err)
	w.state(s.LearnSessionID, state.Approved)
	if now := w.proposal(p.ProposalID).Proposal; now.AbilityID != got.AbilityID || now.InstallLane != "approved_workspace" {
		t.Fatalf("%+v", now)
	}
}

// DOC3 0C.13: a failed saga quarantines the draft, which can be revised.
func TestSagaFails(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	p := w.proposal(s.ProposalID).Proposal
	installed := filepath.Join(w.db.Memory(), "system", "learning", "installed")
	w.ok(os.WriteFile(installed, nil, 0o600)) // a file where the folder should be
	_, err := w.svc.Approve(w.ctx(), user, p.ProposalID, wire.ApproveProposalRequest{Revision: 1, ContentHash: p.ContentHash})
	if err == nil {
		t.Fatal("installed into a file")
	}
	w.state(s.LearnSessionID, state.Quarantined)
	w.has(s.LearnSessionID, journal.InstallFailed, "")
	n := 0
	for _, k := range w.kinds(s.LearnSessionID) {
		if k == journal.InstallFailed {
			n++
		}
	}
	if got := w.session(s.LearnSessionID); n != 1 || !got.Ended || got.Outcome != "quarantined" {
		t.Fatalf("%d failures told, ended %v as %s", n, got.Ended, got.Outcome)
	}
	w.ok(os.Remove(installed))
	other := w.create(request())
	_, err = w.svc.Revise(w.ctx(), user, p.ProposalID, wire.ProposalReviseRequest{EditedFields: map[string]any{"title": "Again"}})
	w.code(err, fault.LearnSessionAlreadyActive)
	_, err = w.svc.Cancel(w.ctx(), user, other.LearnSessionID, "")
	w.ok(err)
	_, err = w.svc.Revise(w.ctx(), user, p.ProposalID, wire.ProposalReviseRequest{EditedFields: map[string]any{"title": "Again"}})
	w.ok(err)
	s = w.validate(w.session(s.LearnSessionID))
	p = w.proposal(s.ProposalID).Proposal
	_, err = w.svc.Approve(w.ctx(), user, p.ProposalID, wire.ApproveProposalRequest{Revision: 2, ContentHash: p.ContentHash})
	w.ok(err)
	w.state(s.LearnSessionID, state.Approved)
}

// Decisions A3: examples share slot and proposal.
func TestExamples(t *testing.T) {
	w := newWorld(t)
	s := w.drafted()
	r := request()
	r.ExampleOf, r.Goal = s.LearnSessionID, ""
	ex := w.create(r)
	if ex.TargetID != s.LearnSessionID || ex.Goal != s.Goal {
		t.Fatalf("%+v", ex)
	}
	_, err := w.svc.Create(w.ctx(), user, r)
	if f := w.code(err, fault.LearnSessionAlreadyActive); f.Details["active_session_id"] != ex.LearnSessionID {
		t.Fatalf("%v", f.Details)
	}
	_, err = w.svc.Start(w.ctx(), user, ex.LearnSessionID)
	w.ok(err)
	w.cap.act(ex.LearnSessionID, 4)
	_, err = w.svc.Stop(w.ctx(), user, ex.LearnSessionID)
	w.ok(err)
	out, err := w.svc.GenerateProposal(w.ctx(), user, ex.LearnSessionID)
	w.ok(err)
	p := w.proposal(out.ProposalID).Proposal
	if p.ProposalID != s.ProposalID || p.Revision != 2 || len(p.SourceTraceIDs) != 2 {
		t.Fatalf("%+v", p)
	}
	w.state(ex.LearnSessionID, state.DraftingProposal)
	s = w.validate(s)
	w.state(ex.LearnSessionID, state.ReadyForReview)
	r.ExampleOf = ex.LearnSessionID // an example's example is the first one's
	loose := w.create(r)
	_, err = w.svc.Start(w.ctx(), user, loose.LearnSessionID)
	w.ok(err)
	_, err = w.svc.Approve(w.ctx(), user, p.ProposalID, wire.ApproveProposalRequest{Revision: 2, ContentHash: p.ContentHash})
	w.ok(err)
	w.state(s.LearnSessionID, state.Approved)
	w.state(ex.LearnSessionID, state.Approved)
	w.state(loose.LearnSessionID, state.Cancelled)
	if len(w.cap.act(loose.LearnSessionID, 1)) != 0 {
		t.Fatal("a cancelled example is still observed")
	}
	w.create(request())
	_, err = w.svc.Create(w.ctx(), user, r)
	w.code(err, fault.LearnSessionAlreadyActive)
}

// Decisions A6: installed without a review only when the person wanted that for the person's own demonstration.
func TestPrivateAutoInstall(t *testing.T) {
	w := newWorld(t)
	r := request()
	r.BuildPolicy, r.AllowPrivateInstall = state.PrivateAutoInstall, true
	for _, mode := range []state.EntryMode{state.AutonomousAgentPractice, state.CoachingAgent} {
		practice := r
		practice.EntryMode = mode
		w.code(second(w.svc.Create(w.ctx(), user, practice)), fault.InstallLaneDenied)
	}
	s := w.create(r)
	_, err := w.svc.Start(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.cap.act(s.LearnSessionID, 2)
	_, err = w.svc.Stop(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	_, err = w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	await.Until(t, "the installation", func() bool { return w.session(s.LearnSessionID).State == state.InstalledPrivate })
}

// Decisions A2: deleting before the end cancels or rejects, then nothing is left but receipts.
func TestDelete(t *testing.T) {
	w := newWorld(t)
	for _, make := range []func() state.Session{
		func() state.Session { return w.create(request()) }, w.capturing, func() state.Session { return w.stopped(2) }, w.drafted, w.ready} {
		s := make()
		w.ok(w.svc.Delete(w.ctx(), user, s.LearnSessionID))
		_, err := w.svc.Session(w.ctx(), s.LearnSessionID)
		w.code(err, fault.LearnSessionNotFound)
		w.has(s.LearnSessionID, journal.SessionDeleted, "")
		if s.ProposalID != "" {
			_, err = w.svc.Proposal(w.ctx(), s.ProposalID)
			w.code(err, fault.ProposalNotFound)
			if _, err := os.Stat(filepath.Join(w.db.Memory(), "system", "learning", "proposals", s.ProposalID)); !errors.Is(err, os.ErrNotExist) {
				t.Fatal("draft files are left")
			}
		}
		var file map[string]any
		if w.file("system/learning/sessions/"+s.LearnSessionID+".json", &file) {
			t.Fatal("the session's file is left")
		}
	}
	w.ok(w.db.VerifyProjections(w.ctx()))
}

// A deletion that was interrupted is finished at the next start.
func TestRecoverFinishesDeletions(t *testing.T) {
	w := newWorld(t)
	s := w.stopped(2)
	id := s.ActiveTraceIDs[0]
	w.ok(w.db.Learn().Update(w.ctx(), func(tx state.Tx) error {
		if err := tx.PutDeletion(state.Deletion{DeletionID: "d", Sessions: []string{s.LearnSessionID},
			Targets: []string{s.TargetID}}); err != nil {
			return err
		}
		return tx.DeleteSession(s.LearnSessionID)
	}))
	w.crash()
	if left, err := w.db.TraceRecords(w.ctx(), id); err != nil || len(left) != 0 {
		t.Fatalf("%d observations left, %v", len(left), err)
	}
}

// An example that was stopped but not generated stays out of revisions.
func TestReviseLeavesFreshExamplesOut(t *testing.T) {
	w := newWorld(t)
	s := w.drafted()
	r := request()
	r.ExampleOf = s.LearnSessionID
	ex := w.create(r)
	_, err := w.svc.Start(w.ctx(), user, ex.LearnSessionID)
	w.ok(err)
	w.cap.act(ex.LearnSessionID, 1)
	_, err = w.svc.Stop(w.ctx(), user, ex.LearnSessionID)
	w.ok(err)
	d, err := w.svc.Revise(w.ctx(), user, s.ProposalID, wire.ProposalReviseRequest{EditedFields: map[string]any{"title": "t"}})
	w.ok(err)
	if len(d.Proposal.SourceTraceIDs) != 1 || w.session(ex.LearnSessionID).State != state.Stopped {
		t.Fatalf("%+v", d.Proposal.SourceTraceIDs)
	}
	_, err = w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID) // from the first session, too
	w.ok(err)
	if p := w.proposal(s.ProposalID).Proposal; p.Revision != 3 || len(p.SourceTraceIDs) != 2 {
		t.Fatalf("%+v", p)
	}
}

// A crash between a saga's end and its record is made good at the next start.
func TestRecoverSweepsDrafts(t *testing.T) {
	w := newWorld(t)
	s := w.drafted()
	stray := filepath.Join(w.db.Memory(), "system", "learning", "proposals", s.ProposalID, "r9", "x")
	w.ok(os.MkdirAll(stray, 0o700))
	lost := filepath.Join(w.db.Memory(), "system", "learning", "proposals", "00000000-0000-7000-8000-000000000000", "r1")
	w.ok(os.MkdirAll(lost, 0o700))
	current := filepath.Join(w.db.Memory(), filepath.FromSlash(w.proposal(s.ProposalID).Proposal.DraftSkillPath))
	w.ok(os.Remove(current))
	w.crash()
	for _, gone := range []string{stray, lost} {
		if _, err := os.Stat(gone); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left", filepath.Base(gone))
		}
	}
	if _, err := os.Stat(current); err != nil {
		t.Error("the draft's file was not written again")
	}
}

// baseline 0.9C: a draft says where it can run and what it would collide with.
func TestDraftIsComparedWithInstalledSkills(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	d := w.proposal(s.ProposalID)
	if c := d.Compatibility; c == nil || c.ToolShadowingCheck != "clear" || len(c.Findings) != 0 {
		t.Fatalf("nothing else is there: %+v", c)
	}
	p := d.Proposal
	_, err := w.svc.Install(w.ctx(), user, p.ProposalID,
		wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: p.Revision, ContentHash: p.ContentHash})
	w.ok(err)
	c := w.proposal(w.drafted().ProposalID).Compatibility
	if c == nil || c.ToolShadowingCheck != "collision_detected" || len(c.Findings) != 2 || c.Findings[0].Code != "SKILL-SLUG-TAKEN" ||
		c.Findings[1].Code != "SKILL-TRIGGER-TAKEN" {
		t.Errorf("of another draft of the same: %+v", c)
	}
}
