package learn_test

import (
	"maps"
	"slices"
	"testing"

	"showhow/capture"
	"showhow/capture/seal"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// A draft that is put aside frees the slot, stays what it was, and is taken up with its demonstrations, answers and tests.
func TestPutAsideAndTakeUp(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	w.sealValue(s, "A-1042")
	id, before := s.LearnSessionID, w.proposal(s.ProposalID)
	values, err := w.db.LearnObservations(w.ring).Open(w.ctx(), s.TargetID)
	w.ok(err)

	aside, err := w.svc.PutAside(w.ctx(), user, id)
	w.ok(err)
	if aside.ProposalID != s.ProposalID || aside.PutAsideUntil.Sub(w.clock.t) < 29*day {
		t.Fatalf("put aside as %+v", aside)
	}
	got := w.session(id)
	if got.State != state.Cancelled || got.Reason != "put_aside" || !got.Ended {
		t.Fatalf("the session is %s because of %q", got.State, got.Reason)
	}
	w.has(id, journal.SessionState, "put_aside") // by way of drafting
	w.has(id, journal.SessionCancelled, "put_aside")
	pending, err := w.svc.Proposals(w.ctx(), wire.ProposalFilter{Pending: true})
	w.ok(err)
	if len(pending.Proposals) != 1 || pending.Proposals[0].ProposalState != "ready_for_review" ||
		!slices.Equal(pending.Proposals[0].AllowedActions, []state.Action{state.CanTakeUp}) {
		t.Fatalf("pending: %+v", pending.Proposals)
	}

	other := w.create(request()) // the slot is free
	_, err = w.svc.TakeUp(w.ctx(), user, s.ProposalID)
	w.code(err, fault.LearnSessionAlreadyActive)
	_, err = w.svc.Cancel(w.ctx(), user, other.LearnSessionID, "")
	w.ok(err)

	w.crash() // it waits on disk, not in memory
	w.pass(29 * day)
	w.svc.Tick(w.ctx())
	_, _, err = w.svc.PurgeEnded(w.ctx(), user)
	w.ok(err)
	up, err := w.svc.TakeUp(w.ctx(), user, s.ProposalID)
	w.ok(err)
	next := up.Session
	if next.LearnSessionID == id || next.State != state.ReadyForReview || next.TakesUp != id ||
		w.session(id).TakenUpBy != next.LearnSessionID {
		t.Fatalf("taken up as %+v", next)
	}
	after := w.proposal(s.ProposalID)
	if after.Proposal.Revision != before.Proposal.Revision || after.Proposal.Validation != "passed" ||
		after.Proposal.ContentHash != before.Proposal.ContentHash || after.Proposal.LearnSessionID != next.LearnSessionID {
		t.Fatalf("the draft is %+v", after.Proposal)
	}
	w.observations(next.LearnSessionID, 4)
	w.observations(id, 0)
	again, err := w.db.LearnObservations(w.ring).Open(w.ctx(), next.TargetID)
	w.ok(err)
	if len(values) != 1 || !maps.Equal(again, values) {
		t.Fatalf("%d sealed values, were %d", len(again), len(values))
	}
	_, err = w.svc.TakeUp(w.ctx(), user, s.ProposalID)
	w.code(err, fault.InvalidLearnStateTransition)

	_, err = w.svc.Revise(w.ctx(), user, s.ProposalID, wire.ProposalReviseRequest{EditedFields: map[string]any{"title": "Another"}})
	w.ok(err)
	if in := w.draft.got[len(w.draft.got)-1]; len(in.Traces) != 1 || len(in.Traces[0].Records) == 0 ||
		in.Traces[0].SessionID != next.LearnSessionID {
		t.Fatalf("compiled from %+v", in.Traces)
	}
	w.ok(w.svc.Delete(w.ctx(), user, id)) // the story of the first one
	w.observations(next.LearnSessionID, 4)
	w.proposal(s.ProposalID)
}

// sealValue stores an observation of the session that supplied a value.
func (w *world) sealValue(s state.Session, value string) {
	w.t.Helper()
	key, err := w.ring.Key(w.ctx(), s.TargetID)
	w.ok(err)
	sealer, err := seal.New(key, s.TargetID)
	w.ok(err)
	at := w.clock.Now()
	e := capture.Event{EventID: clock.NewID(), LearnSessionID: s.LearnSessionID, AdapterKind: capture.BrowserDOM, ActionLabel: "typed",
		RedactionMode: "mask_text", CreatedAt: clock.At(at), SchemaVersion: 1}
	w.ok(w.db.Append(w.ctx(), []capture.Record{{TraceID: s.ActiveTraceIDs[0], Event: e,
		Action: capture.Action{Verb: capture.Type, OccurredAt: at.UTC().Format("2006-01-02T15:04:05.000000Z")},
		Sealed: []capture.SealedRow{sealer.Seal(s.LearnSessionID, capture.KindText, value, at)}}}))
}

// Examples wait and come back with the first session, those that are in no draft yet too.
func TestExamplesArePutAsideToo(t *testing.T) {
	w := newWorld(t)
	s := w.drafted()
	example := func() state.Session {
		r := request()
		r.ExampleOf = s.LearnSessionID
		e := w.create(r)
		_, err := w.svc.Start(w.ctx(), user, e.LearnSessionID)
		w.ok(err)
		w.cap.act(e.LearnSessionID, 2)
		return e
	}
	e := example()
	_, err := w.svc.PutAside(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.InvalidLearnStateTransition) // something is being captured
	_, err = w.svc.Stop(w.ctx(), user, e.LearnSessionID)
	w.ok(err)
	_, err = w.svc.PutAside(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	up, err := w.svc.TakeUp(w.ctx(), user, s.ProposalID)
	w.ok(err)
	if up.Session.State != state.DraftingProposal || len(up.Session.ExampleIDs) != 1 {
		t.Fatalf("taken up as %+v", up.Session)
	}
	back := w.session(up.Session.ExampleIDs[0])
	if back.State != state.Stopped || back.ExampleOf != up.Session.LearnSessionID || back.TakesUp != e.LearnSessionID {
		t.Fatalf("the example is %+v", back)
	}
	s = up.Session
	more := example()
	_, err = w.svc.Stop(w.ctx(), user, more.LearnSessionID)
	w.ok(err)
	_, err = w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	if in := w.draft.got[len(w.draft.got)-1]; len(in.Traces) != 3 {
		t.Fatalf("compiled from %d demonstrations", len(in.Traces))
	}
}

// After 30 days the draft is cancelled, and the demonstration goes with its key.
func TestPutAsideEnds(t *testing.T) {
	w := newWorld(t)
	s := w.drafted()
	_, err := w.svc.PutAside(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.pass(30 * day)
	w.svc.Tick(w.ctx())
	w.observations(s.LearnSessionID, 0)
	if p := w.proposal(s.ProposalID).Proposal; p.ProposalState != "cancelled" || p.PutAsideUntil != nil {
		t.Fatalf("the draft is %+v", p)
	}
	_, err = w.svc.TakeUp(w.ctx(), user, s.ProposalID)
	w.code(err, fault.InvalidLearnStateTransition)
}

// Only a draft can be put aside, and only by a person.
func TestWhatCannotBePutAside(t *testing.T) {
	w := newWorld(t)
	s := w.stopped(1)
	_, err := w.svc.PutAside(w.ctx(), user, s.LearnSessionID)
	if f := w.code(err, fault.InvalidLearnStateTransition); f.Hint == "" {
		t.Error("no hint")
	}
	_, err = w.svc.PutAside(w.ctx(), state.Meta{Principal: state.PrincipalAgent}, s.LearnSessionID)
	w.code(err, fault.Forbidden)
}
