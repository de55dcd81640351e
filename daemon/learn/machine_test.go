package learn_test

import (
	"testing"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// R11.2-04, R11.2-07: the whole way, each hop with its receipt.
func TestHappyPath(t *testing.T) {
	w := newWorld(t)
	s := w.create(request())
	id := s.LearnSessionID
	w.state(id, state.Armed)
	started, err := w.svc.Start(w.ctx(), user, id)
	w.ok(err)
	if !started.ObservationActive || len(started.AdaptersArmed) == 0 {
		t.Fatalf("started without observing: %+v", started.AdaptersArmed)
	}
	w.cap.act(id, 2)
	_, err = w.svc.Pause(w.ctx(), user, id)
	w.ok(err)
	w.state(id, state.Paused)
	w.cap.act(id, 5) // not kept
	_, err = w.svc.Resume(w.ctx(), user, id)
	w.ok(err)
	w.state(id, state.Capturing)
	w.cap.act(id, 1)
	stopped, err := w.svc.Stop(w.ctx(), user, id)
	w.ok(err)
	if stopped.CapturedEventCount != 3 || len(stopped.CapturedTraceIDs) != 1 || stopped.NextAction != "review_captured" {
		t.Fatalf("stopped with %+v", stopped)
	}
	gen, err := w.svc.GenerateProposal(w.ctx(), user, id)
	w.ok(err)
	w.state(id, state.DraftingProposal)
	s = w.validate(gen.Session)
	w.state(id, state.ReadyForReview)
	p := w.proposal(s.ProposalID).Proposal
	out, err := w.svc.Approve(w.ctx(), user, p.ProposalID,
		wire.ApproveProposalRequest{Revision: p.Revision, ContentHash: p.ContentHash, SchemaVersion: 1})
	w.ok(err)
	w.state(id, state.Approved)
	if out.Proposal.InstallLane != "approved_workspace" || out.Proposal.AbilityID == "" || !out.Interpretation.UserConfirmed {
		t.Fatalf("approved as %+v", out.Proposal)
	}
	if s = w.session(id); !s.Ended || s.Outcome != "approved" {
		t.Fatalf("the session has not ended: %+v", s)
	}
	for _, k := range []journal.EventKind{journal.SessionStarted, journal.SessionArmed, journal.CaptureStarted, journal.CapturePaused,
		journal.SessionPaused,
		journal.CaptureResumed, journal.SessionResumed, journal.CaptureStopped, journal.SessionStopped, journal.ProposalCreated,
		journal.ProposalApproved,
		journal.InstallStarted, journal.InstallCompleted, journal.SessionEnded} {
		w.has(id, k, "")
	}
	w.create(request()) // the slot is free
}

// R11.2-05: what the table does not allow is refused, with both states named.
func TestInvalidTransition(t *testing.T) {
	w := newWorld(t)
	s := w.create(request())
	for what, do := range map[string]func() error{
		"pause":    func() error { _, err := w.svc.Pause(w.ctx(), user, s.LearnSessionID); return err },
		"resume":   func() error { _, err := w.svc.Resume(w.ctx(), user, s.LearnSessionID); return err },
		"stop":     func() error { _, err := w.svc.Stop(w.ctx(), user, s.LearnSessionID); return err },
		"generate": func() error { _, err := w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID); return err },
		"trim": func() error {
			_, err := w.svc.MarkGoal(w.ctx(), user, s.LearnSessionID, wire.MarkGoalRequest{GoalDescription: "x"})
			return err
		},
	} {
		if f := w.code(do(), fault.InvalidLearnStateTransition); f.Details["from"] != "armed" {
			t.Errorf("%s: details %v", what, f.Details)
		}
	}
	w.state(s.LearnSessionID, state.Armed)
}

// R11.2-06 and decisions A2: the slot follows the end.
func TestOneActiveTarget(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	_, err := w.svc.Create(w.ctx(), user, request())
	if f := w.code(err, fault.LearnSessionAlreadyActive); f.Details["active_session_id"] != s.LearnSessionID {
		t.Fatalf("details %v", f.Details)
	}
	_, err = w.svc.Cancel(w.ctx(), user, s.LearnSessionID, "")
	w.ok(err)
	w.has(s.LearnSessionID, journal.SessionCancelled, "user") // R11.2-16
	w.create(request())
}

func TestStopTwice(t *testing.T) {
	w := newWorld(t)
	s := w.stopped(1)
	_, err := w.svc.Stop(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.CaptureAlreadyStopped)
}

// Cancel is valid from exactly the states whose row lists it (decisions 5.6).
func TestCancelRows(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	_, err := w.svc.Cancel(w.ctx(), user, s.LearnSessionID, "")
	w.code(err, fault.InvalidLearnStateTransition)
	p := w.proposal(s.ProposalID).Proposal
	_, err = w.svc.Reject(w.ctx(), user, p.ProposalID, wire.RejectProposalRequest{Reason: "not what I meant", SchemaVersion: 1}) // R11.2-13
	w.ok(err)
	w.state(s.LearnSessionID, state.Rejected)
	for _, r := range w.receipts(s.LearnSessionID) {
		if r.Reason == "not what I meant" {
			t.Fatal("a receipt carries what the person typed")
		}
	}
	if got := w.proposal(p.ProposalID).Proposal; got.Reason != "not what I meant" || got.ProposalState != "rejected" {
		t.Fatalf("the proposal is %+v", got)
	}
	_, err = w.svc.Cancel(w.ctx(), user, s.LearnSessionID, "")
	w.code(err, fault.InvalidLearnStateTransition)
}

func TestAgentsControlNothing(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	agent := state.Meta{Principal: state.PrincipalAgent, AgentName: "claude"}
	p := w.proposal(s.ProposalID).Proposal
	for what, err := range map[string]error{
		"create":  second(w.svc.Create(w.ctx(), agent, request())),
		"start":   second(w.svc.Start(w.ctx(), agent, s.LearnSessionID)),
		"scope":   second(w.svc.SetScope(w.ctx(), agent, s.LearnSessionID, wire.ScopeRequest{})),
		"values":  second(w.svc.Values(w.ctx(), agent, s.LearnSessionID)),
		"approve": second(w.svc.Approve(w.ctx(), agent, p.ProposalID, wire.ApproveProposalRequest{Revision: 1, ContentHash: p.ContentHash})),
		"install": second(w.svc.Install(w.ctx(), agent, p.ProposalID,
			wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: 1, ContentHash: p.ContentHash})),
		"reject": second(w.svc.Reject(w.ctx(), agent, p.ProposalID, wire.RejectProposalRequest{Reason: "x"})),
		"delete": w.svc.Delete(w.ctx(), agent, s.LearnSessionID),
	} {
		if !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestRevisionConflict(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	old := s.Revision
	_, err := w.svc.MarkGoal(w.ctx(), user, s.LearnSessionID, wire.MarkGoalRequest{GoalDescription: "get the file"})
	w.ok(err)
	m := user
	m.IfMatch = &old
	_, err = w.svc.Pause(w.ctx(), m, s.LearnSessionID)
	if f := w.code(err, fault.RevisionConflict); f.Details["current_revision"] != w.session(s.LearnSessionID).Revision {
		t.Fatalf("details %v", f.Details)
	}
	if got := w.cap.act(s.LearnSessionID, 1); len(got) != 1 {
		t.Fatal("a refused pause stopped the capture")
	}
}
