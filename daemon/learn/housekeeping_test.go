package learn_test

import (
	"testing"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// R11.2-14: armed for more than an hour.
func TestArmedTimesOut(t *testing.T) {
	w := newWorld(t)
	s := w.create(request())
	w.pass(59 * time.Minute)
	w.svc.Tick(w.ctx())
	w.state(s.LearnSessionID, state.Armed)
	w.pass(time.Minute)
	w.svc.Tick(w.ctx())
	w.state(s.LearnSessionID, state.Cancelled)
	w.has(s.LearnSessionID, journal.SessionCancelled, "session_timeout")
	_, err := w.svc.Start(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.SessionTimeout)
	w.create(request())
}

func TestCaptureTimesOut(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	for range 4*6 - 1 {
		w.pass(10 * time.Minute)
		w.svc.RenewIndicator("terminal")
		w.cap.act(s.LearnSessionID, 1)
		w.svc.Tick(w.ctx())
		w.state(s.LearnSessionID, state.Capturing)
	}
	w.pass(10 * time.Minute)
	w.svc.RenewIndicator("terminal")
	w.svc.Tick(w.ctx())
	w.has(s.LearnSessionID, journal.CapturePaused, "capture_timeout")
	if got := w.session(s.LearnSessionID); got.PauseReason != state.PausedTimeout {
		t.Fatalf("paused because of %s", got.PauseReason)
	}
}

func TestIdlePauses(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	w.pass(14 * time.Minute)
	w.cap.act(s.LearnSessionID, 1)
	w.pass(14 * time.Minute)
	w.svc.RenewIndicator("window")
	w.svc.Tick(w.ctx())
	w.state(s.LearnSessionID, state.Capturing)
	w.pass(time.Minute)
	w.svc.RenewIndicator("window")
	w.svc.Tick(w.ctx())
	w.has(s.LearnSessionID, journal.CapturePaused, "idle")
}

const day = 24 * time.Hour

// R11.2-46: raw data goes a week after the end, what was reviewed stays; decisions A10: unless it is retained.
func TestRawIsPurged(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	p := w.proposal(s.ProposalID).Proposal
	_, err := w.svc.Reject(w.ctx(), user, p.ProposalID, wire.RejectProposalRequest{Reason: "no"})
	w.ok(err)
	kept := w.stopped(2)
	_, err = w.svc.SetRetain(w.ctx(), user, kept.LearnSessionID, true)
	w.ok(err)
	_, err = w.svc.Cancel(w.ctx(), user, kept.LearnSessionID, "")
	w.ok(err)
	w.pass(6 * day)
	w.svc.Tick(w.ctx())
	w.observations(s.LearnSessionID, 3)
	w.pass(day)
	w.svc.Tick(w.ctx())
	w.observations(s.LearnSessionID, 0)
	w.observations(kept.LearnSessionID, 2)
	w.has(s.LearnSessionID, journal.RawPurged, "")
	got := w.session(s.LearnSessionID)
	if got.RawPurgedAt == nil || w.proposal(p.ProposalID).SkillMD == "" {
		t.Fatal("the draft went with the raw data, or the purge is not noted")
	}
	var file map[string]any
	w.pass(7 * day)
	w.svc.Tick(w.ctx())
	if !w.file("system/learning/archived/proposals/"+p.ProposalID+".json", &file) ||
		w.file("system/learning/proposals/"+p.ProposalID+".json", &file) {
		t.Fatal("a rejected proposal is not archived after two weeks")
	}
	w.pass(16 * day)
	w.svc.Tick(w.ctx())
	if !w.file("system/learning/archived/sessions/"+s.LearnSessionID+".json", &file) ||
		w.file("system/learning/sessions/"+s.LearnSessionID+".json", &file) {
		t.Fatal("an ended session is not archived after a month")
	}
	list, err := w.svc.Sessions(w.ctx(), wire.SessionFilter{})
	w.ok(err)
	history, err := w.svc.History(w.ctx(), wire.HistoryFilter{})
	w.ok(err)
	if list.Total != 0 || history.Total != 2 {
		t.Fatalf("%d listed, %d in the history", list.Total, history.Total)
	}
	rejected, err := w.svc.History(w.ctx(), wire.HistoryFilter{Outcome: "rejected", PageQuery: wire.PageQuery{Page: 1, PageSize: 1}})
	w.ok(err)
	none, err := w.svc.History(w.ctx(), wire.HistoryFilter{Search: "nobody ever wrote this"})
	w.ok(err)
	if rejected.Total == 0 || len(rejected.Items) != 1 || rejected.Items[0].Outcome != "rejected" || none.Total != 0 || none.Items == nil {
		t.Errorf("rejected: %+v; of a word that nowhere stands: %+v", rejected, none)
	}
	w.ok(w.db.VerifyProjections(w.ctx()))
}

func (w *world) observations(id string, want int) {
	w.t.Helper()
	l, err := w.svc.Observations(w.ctx(), id, wire.PageQuery{})
	w.ok(err)
	if l.Total != want {
		w.t.Fatalf("%d observations, want %d", l.Total, want)
	}
}

// Decisions A2: a session that nobody touches for a month is warned about, then loses its raw data.
func TestUntouchedSession(t *testing.T) {
	w := newWorld(t)
	s := w.stopped(2)
	w.pass(23 * day)
	w.svc.Tick(w.ctx())
	got := w.session(s.LearnSessionID)
	if got.PurgeWarnedAt == nil || len(got.Notices) == 0 {
		t.Fatal("no warning")
	}
	w.pass(6 * day)
	w.svc.Tick(w.ctx())
	w.observations(s.LearnSessionID, 2)
	w.pass(day)
	w.svc.Tick(w.ctx())
	w.observations(s.LearnSessionID, 0)
	_, err := w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.InsufficientTraces)
}

// The warning stands for a week even if the daemon was away for a year.
func TestWarningComesFirst(t *testing.T) {
	w := newWorld(t)
	s := w.stopped(2)
	w.pass(365 * day)
	w.svc.Tick(w.ctx())
	w.observations(s.LearnSessionID, 2)
	_, err := w.svc.SetRetain(w.ctx(), user, s.LearnSessionID, false) // a touch
	w.ok(err)
	w.pass(8 * day)
	w.svc.Tick(w.ctx())
	w.observations(s.LearnSessionID, 2)
	if w.session(s.LearnSessionID).PurgeWarnedAt != nil {
		t.Fatal("the touch did not take the warning back")
	}
}

func TestRuntimeSnapshot(t *testing.T) {
	w := newWorld(t)
	_, err := w.svc.Runtime(w.ctx())
	w.code(err, fault.LearnSessionNotFound)
	s := w.drafted()
	snap, err := w.svc.Runtime(w.ctx())
	w.ok(err)
	var file wire.LearningRuntimeSnapshot
	if !w.file("system/learning/runtime/current.json", &file) || file.State != snap.State || file.ProposalID != s.ProposalID ||
		len(file.LatestReceiptIDs) != 5 {
		t.Fatalf("file %+v, route %+v", file, snap)
	}
	var scope wire.ObservationScopeRuntime
	if !w.file("system/learning/runtime/observation_scope_current.json", &scope) || scope.LearnSessionID != s.LearnSessionID {
		t.Fatalf("%+v", scope)
	}
	s = w.validate(s)
	p := w.proposal(s.ProposalID).Proposal
	_, err = w.svc.Install(w.ctx(), user, p.ProposalID,
		wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: p.Revision, ContentHash: p.ContentHash})
	w.ok(err)
	snap, err = w.svc.Runtime(w.ctx())
	w.ok(err)
	// Nobody approved it: DOC3 0C.16E has no outcome for that, and History says its state.
	for outcome, want := range map[string]int{"installed_private": 1, "approved": 0, "in_progress": 0} {
		h, err := w.svc.History(w.ctx(), wire.HistoryFilter{Outcome: outcome})
		w.ok(err)
		if h.Total != want || want == 1 && (h.Items[0].State != state.InstalledPrivate || h.Items[0].Outcome != "") {
			t.Errorf("a private installation is listed %d times as %s: %+v", h.Total, outcome, h.Items)
		}
	}
	if snap.AbilityUsableNow == nil || !*snap.AbilityUsableNow || snap.InstallLane != "experimental_private" {
		t.Fatalf("%+v", snap)
	}
	w.ok(w.svc.Delete(w.ctx(), user, s.LearnSessionID))
	_, err = w.svc.Runtime(w.ctx())
	w.code(err, fault.LearnSessionNotFound)
	if w.file("system/learning/runtime/current.json", &file) {
		t.Fatal("the snapshot of a deleted session is still there")
	}
	if got := w.proposal(p.ProposalID); got.Session != nil || got.Proposal.AbilityID == "" {
		t.Fatal("the proposal of an installed skill went with its session")
	}
	w.ok(w.db.VerifyProjections(w.ctx()))
}
