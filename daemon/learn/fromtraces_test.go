package learn_test

import (
	"slices"
	"testing"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// DOC3 0B.6: Learn From This begins a session with copies of what was kept, named by its traces or by a receipt of its session.
func TestLearnFromTracesAndReceipts(t *testing.T) {
	w := newWorld(t)
	first := w.stopped(3)
	_, err := w.svc.Cancel(w.ctx(), user, first.LearnSessionID, "")
	w.ok(err)
	receipts, err := w.svc.Receipts(w.ctx(), wire.ReceiptFilter{SessionID: first.LearnSessionID})
	w.ok(err)
	by := map[string]wire.CreateLearnSessionRequest{
		"traces":  {SourceTraceIDs: first.ActiveTraceIDs},
		"receipt": {SourceReceiptID: receipts.Receipts[0].ReceiptID},
	}
	for name, r := range by {
		r.EntryMode, r.Goal = state.DemonstratingSkill, "export an order"
		out, err := w.svc.Create(w.ctx(), user, r)
		w.ok(err)
		s := out.Session
		if s.State != state.Stopped || s.EventsKept != 3 || !slices.Equal(s.SourceTraceIDs, first.ActiveTraceIDs) ||
			s.TargetID == first.TargetID ||
			len(s.ActiveTraceIDs) != 1 || s.ActiveTraceIDs[0] == first.ActiveTraceIDs[0] || !slices.Equal(s.Scope.Apps, first.Scope.Apps) {
			t.Errorf("by %s: %+v", name, s)
		}
		w.observations(s.LearnSessionID, 3)
		w.observations(first.LearnSessionID, 3)
		draft, err := w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
		w.ok(err)
		if got := w.draft.got[len(w.draft.got)-1]; len(got.Traces) != 1 || len(got.Traces[0].Records) != 3 || draft.ProposalID == "" {
			t.Errorf("by %s: compiled from %d traces", name, len(got.Traces))
		}
		_, err = w.svc.Cancel(w.ctx(), user, s.LearnSessionID, "")
		w.ok(err)
	}
	for _, r := range []wire.CreateLearnSessionRequest{
		{SourceTraceIDs: []string{clock.NewID()}}, {SourceTraceIDs: append(slices.Clone(first.ActiveTraceIDs), clock.NewID())}} {
		r.EntryMode = state.DemonstratingSkill
		_, err = w.svc.Create(w.ctx(), user, r)
		w.code(err, fault.InsufficientTraces)
	}
	_, err = w.svc.Create(w.ctx(), user, wire.CreateLearnSessionRequest{EntryMode: state.DemonstratingSkill, SourceReceiptID: clock.NewID()})
	w.code(err, fault.NotFound)
	_, err = w.svc.Create(w.ctx(), user, wire.CreateLearnSessionRequest{
		EntryMode: state.DemonstratingSkill, SourceTraceIDs: first.ActiveTraceIDs,
		BuildPolicy: state.PrivateAutoInstall, AllowPrivateInstall: true})
	w.code(err, fault.InstallLaneDenied)
	mined := user // a person's standing order is about that person's own traces: never a run, never a receipt
	mined.Mined = true
	for _, r := range []wire.CreateLearnSessionRequest{{SourceRunIDs: []string{clock.NewID()}}, {SourceReceiptID: clock.NewID()}} {
		r.EntryMode, r.BuildPolicy, r.AllowPrivateInstall = state.DemonstratingSkill, state.PrivateAutoInstall, true
		_, err = w.svc.Create(w.ctx(), mined, r)
		w.code(err, fault.InstallLaneDenied)
	}
}
