package acceptance_test

import (
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// plain is work about which nothing must be asked.
var plain = []string{"uname -s > kernel.txt", "wc -l kernel.txt"}

func TestR11_2_04_FullHappyPath(t *testing.T) {
	t.Parallel()
	w := begin(t)
	all := w.listen("", 0)
	s := w.shell()
	sess := w.capturing(s, asked(s))
	id := sess.LearnSessionID
	s.run(plain[0])
	got(w.c.PauseSession(t.Context(), id))(t)
	s.marked(false)
	got(w.c.ResumeSession(t.Context(), id))(t)
	s.marked(true)
	s.run(plain[1])
	d := w.validated(w.proposal(got(w.c.GenerateProposal(t.Context(), w.stopped(sess, 2).LearnSessionID))(t).ProposalID))
	ticked := client.Permissions{Tools: []string{"Read"}, Domains: []string{"orders.example.com"}, Credentials: []string{}}
	approved := got(w.c.Approve(t.Context(), d.Proposal.ProposalID,
		client.ApproveRequest{Revision: d.Proposal.Revision, ContentHash: d.Proposal.ContentHash, Permissions: &ticked}))(t)
	if a := got(w.c.Ability(t.Context(), approved.Proposal.AbilityID))(t); !reflect.DeepEqual(a.Permissions, ticked) || a.Trust != "approved" {
		t.Errorf("it may use %+v, %s; ticked was %+v", a.Permissions, a.Trust, ticked)
	}
	if approved.Session.State != "approved" || !approved.Session.Ended || approved.Proposal.InstallLane != "approved_workspace" {
		t.Errorf("%s, ended %v, in %s", approved.Session.State, approved.Session.Ended, approved.Proposal.InstallLane)
	}
	all.await("learn.session.ended")
	want := []string{"idle", "armed", "capturing", "paused", "capturing", "stopped", "reviewing", "drafting_proposal", "testing_proposal",
		"ready_for_review", "approved"}
	if got := all.states(id); !slices.Equal(got, want) {
		t.Errorf("the session went through\n%v, want\n%v", got, want)
	}
	told := w.receipts(client.ReceiptFilter{})
	for _, kind := range []string{"learn.session.started", "learn.session.armed", "learn.capture.stopped", "learn.proposal.created",
		"learn.validation.started", "learn.validation.completed", "learn.install.started", "learn.install.completed",
		"bridge.rebuild.completed", "ability.snapshot.updated"} { // DOC3 0C.12
		if !slices.Contains(all.kinds(), kind) || !slices.ContainsFunc(told, func(r client.Receipt) bool { return string(r.Kind) == kind }) {
			t.Errorf("%s lacks its event or its receipt", kind)
		}
	}
}

func TestR11_2_05_InvalidTransition(t *testing.T) {
	t.Parallel()
	if state.CanGo(state.Idle, state.TestingProposal) {
		t.Error("the table lets idle become testing_proposal")
	}
	w := begin(t)
	s := w.shell()
	// No route leads from idle or armed to testing; the nearest ones that ask for a draft are refused and change nothing.
	sess := w.armed(asked(s))
	unchanged := func(state client.State, do func() error) {
		t.Helper()
		before := len(w.receipts(client.ReceiptFilter{SessionID: sess.LearnSessionID}))
		f := refused(t, do(), fault.InvalidLearnStateTransition)
		if f.Details["from"] != string(state) {
			t.Errorf("refused from %v, want %s", f.Details["from"], state)
		}
		if now := w.state(sess.LearnSessionID); now != state || len(w.receipts(client.ReceiptFilter{SessionID: sess.LearnSessionID})) != before {
			t.Errorf("the refused call left the session %s, with other receipts", now)
		}
	}
	generate := func() error { _, err := w.c.GenerateProposal(t.Context(), sess.LearnSessionID); return err }
	unchanged("armed", generate)
	unchanged("armed", func() error { _, err := w.c.ResumeSession(t.Context(), sess.LearnSessionID); return err })
	unchanged("armed", func() error { _, err := w.c.StopSession(t.Context(), sess.LearnSessionID); return err })
	got(w.c.StartSession(t.Context(), sess.LearnSessionID))(t)
	unchanged("capturing", generate)
	got(w.c.PauseSession(t.Context(), sess.LearnSessionID))(t)
	unchanged("paused", generate)
	got(w.c.CancelSession(t.Context(), sess.LearnSessionID, ""))(t)
	unchanged("cancelled", generate)

	// A draft whose questions come first cannot be tested.
	r := asked(s)
	r.AskBeforeBuild = true
	sess = w.demonstrated(s, r, errand...)
	g := got(w.c.GenerateProposal(t.Context(), sess.LearnSessionID))(t)
	if w.state(sess.LearnSessionID) != "awaiting_questions" {
		t.Fatalf("the session is %s", w.state(sess.LearnSessionID))
	}
	_, err := w.c.Validate(t.Context(), g.ProposalID, client.ValidateRequest{})
	refused(t, err, fault.InvalidLearnStateTransition)
	if now := w.state(sess.LearnSessionID); now != "awaiting_questions" {
		t.Errorf("the refused validation left the session %s", now)
	}
	if a := w.send("POST", "/api/learn/proposals/"+g.ProposalID+"/validate", `{"schema_version":1}`,
		false); a.status != http.StatusBadRequest {
		t.Errorf("INVALID_LEARN_STATE_TRANSITION came with status %d", a.status)
	}
}

func TestR11_2_06_SecondSessionIsRefused(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	first := w.capturing(s, asked(s))
	_, err := w.c.CreateSession(t.Context(), asked(s))
	f := refused(t, err, fault.LearnSessionAlreadyActive)
	if f.Details["active_session_id"] != first.LearnSessionID {
		t.Errorf("details %v do not name the active session", f.Details)
	}
	a := w.send("POST", "/api/learn/sessions", `{"entry_mode":"demonstrating_skill"}`, false)
	if a.status != http.StatusConflict || a.fault(t).Code != fault.LearnSessionAlreadyActive {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	if l := got(w.c.Sessions(t.Context(), client.SessionFilter{}))(t); l.Total != 1 || l.Sessions[0].State != "capturing" {
		t.Errorf("%d sessions, the first %s", l.Total, l.Sessions[0].State)
	}
	got(w.c.CancelSession(t.Context(), first.LearnSessionID, ""))(t)
	got(w.c.CreateSession(t.Context(), asked(s)))(t) // the slot is free again
}

func TestR11_2_07_Resume(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	sess := w.capturing(s, asked(s))
	s.run("echo before")
	paused := got(w.c.PauseSession(t.Context(), sess.LearnSessionID))(t)
	s.run("echo meanwhile")
	s.marked(false)
	resumed := got(w.c.ResumeSession(t.Context(), sess.LearnSessionID))(t)
	if paused.State != "paused" || paused.PauseReason != "user" || resumed.State != "capturing" || resumed.PauseReason != "" {
		t.Errorf("paused: %s (%s), resumed: %s (%s)", paused.State, paused.PauseReason, resumed.State, resumed.PauseReason)
	}
	s.marked(true)
	s.run("echo after")
	w.stopped(sess, 2)
	if got := w.commands(sess.LearnSessionID); !slices.Equal(got, []string{"echo before", "echo after"}) {
		t.Errorf("kept %q", got)
	}
}

// commands are the lines that were kept of a session.
func (w *world) commands(id string) (out []string) {
	w.t.Helper()
	l := got(w.c.Observations(w.t.Context(), id, client.PageQuery{Page: 1, PageSize: 100}))(w.t)
	for _, o := range l.Observations {
		if o.Action.Command != nil {
			out = append(out, o.Action.Command.Line)
		}
	}
	return out
}

// boundaries are those of a kind.
func (w *world) boundaries(id string, kind state.BoundaryKind) (out []client.Boundary) {
	w.t.Helper()
	for _, b := range got(w.c.Boundaries(w.t.Context(), id))(w.t).Boundaries {
		if b.Kind == kind {
			out = append(out, b)
		}
	}
	return out
}

func TestR11_2_08_MarkGoal(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	id := w.armed(asked(s)).LearnSessionID
	_, err := w.c.MarkGoal(t.Context(), id, client.MarkGoalRequest{GoalDescription: "too early"})
	refused(t, err, fault.InvalidLearnStateTransition)
	got(w.c.StartSession(t.Context(), id))(t)
	got(w.c.MarkGoal(t.Context(), id, client.MarkGoalRequest{GoalDescription: "a summary for the boss"}))(t)
	b := w.boundaries(id, "mark_goal")
	if len(b) != 1 || b[0].Label != "a summary for the boss" || b[0].Source != "api_call" || b[0].LearnSessionID != id {
		t.Errorf("boundaries %+v", b)
	}
	if r := w.receipts(client.ReceiptFilter{SessionID: id, Kind: "learn.boundary.marked"}); len(r) != 1 {
		t.Errorf("%d receipts", len(r))
	}
}

func TestR11_2_09_MarkStep(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	id := w.capturing(s, asked(s)).LearnSessionID
	s.run("echo one")
	got(w.c.MarkStep(t.Context(), id, client.MarkStepRequest{StepLabel: "look at the numbers", StepKindHint: "verification"}))(t)
	got(w.c.MarkStep(t.Context(), id, client.MarkStepRequest{StepLabel: "go on"}))(t)
	b := w.boundaries(id, "mark_step")
	if len(b) != 2 || b[0].Label != "look at the numbers" || b[0].StepKindHint != "verification" || b[1].StepKindHint != "action" {
		t.Errorf("boundaries %+v", b)
	}
	if w.state(id) != "capturing" {
		t.Errorf("marking left the session %s", w.state(id))
	}
}

func TestR11_2_10_Trim(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	lines := append([]string{"uptime"}, append(slices.Clone(errand), "whoami")...)
	sess := w.demonstrated(s, asked(s), lines...)
	id := sess.LearnSessionID
	seen := got(w.c.Observations(t.Context(), id, client.PageQuery{Page: 1, PageSize: 100}))(t).Observations
	got(w.c.Trim(t.Context(), id, client.TrimRequest{TrimKind: "trim_start", ToEventID: seen[1].Event.EventID}))(t)
	trimmed := got(w.c.Trim(t.Context(), id, client.TrimRequest{TrimKind: "trim_end", ToEventID: seen[3].Event.EventID}))(t)
	start, end := w.boundaries(id, "trim_start"), w.boundaries(id, "trim_end")
	if len(start) != 1 || len(end) != 1 || start[0].SourceEventID != seen[1].Event.EventID || end[0].SourceEventID != seen[3].Event.EventID {
		t.Fatalf("start %+v, end %+v", start, end)
	}
	if trimmed.StartBoundaryRef != start[0].BoundaryID || trimmed.StopBoundaryRef != end[0].BoundaryID ||
		trimmed.StartBoundaryRef == sess.StartBoundaryRef {
		t.Errorf("the session's boundaries are %s and %s", trimmed.StartBoundaryRef, trimmed.StopBoundaryRef)
	}
	_, err := w.c.Trim(t.Context(), id, client.TrimRequest{TrimKind: "trim_end", ToEventID: seen[0].Event.EventID})
	refused(t, err, fault.InvalidRequest) // nothing would be left

	// What was trimmed away is not in the draft; it is still there to be seen.
	d := w.proposal(got(w.c.GenerateProposal(t.Context(), id))(t).ProposalID)
	if strings.Contains(d.SkillMD, "uptime") || strings.Contains(d.SkillMD, "whoami") || !strings.Contains(d.SkillMD, "cut -d") {
		t.Errorf("the draft does not follow the boundaries:\n%s", d.SkillMD)
	}
	if n := len(w.commands(id)); n != len(lines) {
		t.Errorf("%d of %d observations are left", n, len(lines))
	}
}

func TestR11_2_11_GenerateProposal(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	all := w.listen("", 0)
	sess := w.demonstrated(s, asked(s), plain...)
	g := got(w.c.GenerateProposal(t.Context(), sess.LearnSessionID))(t)
	if g.Session.State != "drafting_proposal" || g.Session.ProposalID != g.ProposalID {
		t.Errorf("%s with the proposal %s", g.Session.State, g.Session.ProposalID)
	}
	all.await("learn.proposal.created")
	if got := all.states(sess.LearnSessionID); !slices.Equal(got[len(got)-3:], []string{"stopped", "reviewing", "drafting_proposal"}) {
		t.Errorf("the way was %v", got)
	}
	p := w.proposal(g.ProposalID).Proposal
	if p.ProposalState != "draft" || p.Revision != 1 || len(p.SourceTraceIDs) != 1 || p.SourceTraceIDs[0] != sess.ActiveTraceIDs[0] {
		t.Errorf("%+v", p)
	}
	if b, err := os.ReadFile(filepath.Join(w.o.Config.Memory, filepath.FromSlash(p.DraftSkillPath))); err != nil ||
		!strings.HasPrefix(string(b), "---\nname: "+p.ProposedSkillSlug+"\n") {
		t.Errorf("the draft's file: %v\n%s", err, b)
	}
	if r := w.receipts(client.ReceiptFilter{ProposalID: g.ProposalID, Kind: "learn.proposal.created"}); len(r) != 1 {
		t.Errorf("%d receipts", len(r))
	}
	got(w.c.CancelSession(t.Context(), sess.LearnSessionID, ""))(t)

	empty := w.stopped(w.capturing(s, asked(s)), 0)
	_, err := w.c.GenerateProposal(t.Context(), empty.LearnSessionID)
	refused(t, err, fault.InsufficientTraces)
	if w.state(empty.LearnSessionID) != "stopped" {
		t.Errorf("without a trace the session became %s", w.state(empty.LearnSessionID))
	}
}

func TestR11_2_12_Approve(t *testing.T) {
	t.Parallel()
	w := begin(t)
	d := w.reviewable()
	id, all := d.Session.LearnSessionID, w.listen("", 0)
	approve := func(revision int, hash string) (client.ProposalDetail, error) {
		return w.c.Approve(t.Context(), d.Proposal.ProposalID, client.ApproveRequest{Revision: revision, ContentHash: hash})
	}
	_, err := approve(d.Proposal.Revision+1, d.Proposal.ContentHash)
	refused(t, err, fault.RevisionConflict)
	_, err = approve(d.Proposal.Revision, "sha256:"+strings.Repeat("0", 64))
	refused(t, err, fault.ContentHashMismatch)
	if w.state(id) != "ready_for_review" {
		t.Fatalf("refused approvals left the session %s", w.state(id))
	}
	got(approve(d.Proposal.Revision, d.Proposal.ContentHash))(t)
	all.await("learn.session.ended")
	if got := all.states(id); !slices.Equal(got, []string{"ready_for_review", "approved"}) {
		t.Errorf("the way was %v", got)
	}
	if r := w.receipts(client.ReceiptFilter{SessionID: id, Kind: "learn.proposal.approved"}); len(r) != 1 {
		t.Errorf("%d receipts of the approval", len(r))
	}
	_, err = approve(d.Proposal.Revision, d.Proposal.ContentHash)
	refused(t, err, fault.InvalidLearnStateTransition)
}

func TestR11_2_13_Reject(t *testing.T) {
	t.Parallel()
	w := begin(t)
	d := w.reviewable()
	all := w.listen("", 0)
	rejected := got(w.c.Reject(t.Context(), d.Proposal.ProposalID, "it counts the wrong thing"))(t)
	if rejected.Proposal.ProposalState != "rejected" || rejected.Session.State != "rejected" || !rejected.Session.Ended {
		t.Errorf("the proposal is %s, the session %s", rejected.Proposal.ProposalState, rejected.Session.State)
	}
	all.await("learn.session.ended")
	if got := all.states(d.Session.LearnSessionID); !slices.Equal(got, []string{"ready_for_review", "rejected"}) {
		t.Errorf("the way was %v", got)
	}
	for _, r := range w.receipts(client.ReceiptFilter{SessionID: d.Session.LearnSessionID}) {
		if strings.Contains(r.Reason+r.Summary, "wrong thing") {
			t.Error("a receipt repeats the person's words")
		}
	}
	_, err := w.install(d)
	refused(t, err, fault.InvalidLearnStateTransition)
	if n := len(theirOwn(got(w.c.Availability(t.Context()))(t).Abilities)); n != 0 {
		t.Errorf("%d abilities after a rejection", n)
	}
}

func TestR11_2_14_ArmedForAnHourTimesOut(t *testing.T) {
	t.Parallel()
	w := begin(t)
	sess := w.armed(asked(w.shell()))
	w.forward(59 * time.Minute)
	if w.state(sess.LearnSessionID) != "armed" {
		t.Fatalf("after 59 minutes it is %s", w.state(sess.LearnSessionID))
	}
	w.forward(2 * time.Minute)
	w.until("the session's end", func() bool { return w.state(sess.LearnSessionID) == "cancelled" })
	r := w.receipts(client.ReceiptFilter{SessionID: sess.LearnSessionID, Kind: "learn.session.cancelled"})
	if len(r) != 1 || r[0].Reason != "session_timeout" || r[0].CreatedAt.Sub(sess.CreatedAt.Time) < time.Hour {
		t.Errorf("%+v", r)
	}
	_, err := w.c.StartSession(t.Context(), sess.LearnSessionID)
	refused(t, err, fault.SessionTimeout)
	got(w.c.CreateSession(t.Context(), asked(nil)))(t) // the slot is free
}

// What the demonstration used is not there when the draft is tested: the draft goes back, is revised, and passes.
func TestR11_2_15_RevisionLoop(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	bin := filepath.Join(w.o.Roots.Home, "bin")
	must(t, os.MkdirAll(bin, 0o700))
	must(t, os.WriteFile(filepath.Join(bin, "tally-orders"), []byte("#!/bin/sh\necho 3 > tally.txt\n"), 0o700))
	lines := append(slices.Clone(errand), "tally-orders")
	d := w.proposed(w.demonstrated(s, asked(s), lines...))
	all := w.listen("", 0)
	if run := w.validate(d); run.OverallResult != "failed" {
		t.Fatalf("a draft that needs a missing command: %s (%s)", run.OverallResult, run.Reason)
	}
	if now := w.state(d.Session.LearnSessionID); now != "drafting_proposal" {
		t.Fatalf("after a failed validation the session is %s", now)
	}
	_, err := w.install(w.proposal(d.Proposal.ProposalID))
	refused(t, err, fault.NotValidated)

	last := d.Graph.Steps[len(d.Graph.Steps)-1]
	revised := got(w.c.Revise(t.Context(), d.Proposal.ProposalID, client.ReviseRequest{RevisionInstructions: "nobody needs the tally",
		EditedFields: map[string]any{"drop_steps": []string{last.StepID}}}))(t)
	if revised.Proposal.Revision != d.Proposal.Revision+1 || strings.Contains(revised.SkillMD, "tally-orders") {
		t.Fatalf("revision %d:\n%s", revised.Proposal.Revision, revised.SkillMD)
	}
	w.validated(revised)
	want := []string{"drafting_proposal", "testing_proposal", "drafting_proposal", "testing_proposal", "ready_for_review"}
	w.until("the way through the states", func() bool { return slices.Equal(all.states(d.Session.LearnSessionID), want) })
}

func TestR11_2_16_CancelReceipt(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	sess := w.capturing(s, asked(s))
	s.run("echo one")
	cancelled := got(w.c.CancelSession(t.Context(), sess.LearnSessionID, "I changed my mind", client.Correlation("cancel-1")))(t)
	if cancelled.State != "cancelled" || !cancelled.Ended {
		t.Errorf("%s, ended %v", cancelled.State, cancelled.Ended)
	}
	r := w.receipts(client.ReceiptFilter{SessionID: sess.LearnSessionID, Kind: "learn.session.cancelled"})
	if len(r) != 1 || r[0].CorrelationID != "cancel-1" {
		t.Fatalf("%+v", r)
	}
	w.until("the receipt in receipts.jsonl", func() bool {
		return slices.ContainsFunc(lines[client.Receipt](w, "learning/receipts.jsonl"), func(x client.Receipt) bool {
			return x.ReceiptID == r[0].ReceiptID
		})
	})
	s.marked(false) // nothing is watched any more
}

func TestR11_2_17_EventsInRealTime(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	sess := w.armed(asked(s))
	id := sess.LearnSessionID
	h := w.listen(id, 0)
	for _, step := range []struct {
		kind string
		do   func() error
	}{
		{"learn.capture.started", func() error { _, err := w.c.StartSession(t.Context(), id); return err }},
		{"learn.session.paused", func() error { _, err := w.c.PauseSession(t.Context(), id); return err }},
		{"learn.session.resumed", func() error { _, err := w.c.ResumeSession(t.Context(), id); return err }},
		{"learn.session.stopped", func() error { _, err := w.c.StopSession(t.Context(), id); return err }},
		{"learn.session.cancelled", func() error { _, err := w.c.CancelSession(t.Context(), id, ""); return err }},
	} {
		if slices.Contains(h.kinds(), step.kind) {
			t.Errorf("%s was told before it happened", step.kind)
		}
		before := clock.Now()
		must(t, step.do())
		e := h.await(step.kind) // while the stream stays open
		if e.ID == 0 || e.SessionID != id || e.Timestamp.Before(before.Add(-time.Second)) {
			t.Errorf("%s: %+v", step.kind, e)
		}
	}
	h.over() // with the session
	if k := h.kinds(); k[len(k)-1] != "learn.session.ended" {
		t.Errorf("the stream was %v", k)
	}
}

// A subscriber that comes back with the last id it saw gets what it missed, in order, none twice.
func TestLastEventIDResumes(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	id := w.capturing(s, asked(s)).LearnSessionID
	h := w.listen(id, 0)
	got(w.c.PauseSession(t.Context(), id))(t)
	seen := h.await("learn.capture.paused")
	h.stop()
	got(w.c.ResumeSession(t.Context(), id))(t)
	got(w.c.StopSession(t.Context(), id))(t)
	again := w.listen(id, seen.ID)
	again.await("learn.capture.stopped")
	want := []string{"learn.session.resumed", "learn.capture.resumed", "learn.session.stopped", "learn.capture.stopped"}
	if k := again.kinds(); !slices.Equal(k, want) {
		t.Errorf("got %v, want %v", k, want)
	}
	for _, e := range again.all() {
		if e.ID <= seen.ID {
			t.Errorf("%s came twice", e.Kind)
		}
	}
	unknown := w.listen(id, seen.ID+1_000_000) // from a database that is no more
	unknown.await("snapshot")
	if k := unknown.kinds(); k[0] != "reset" {
		t.Errorf("a subscriber from the future heard %v", k)
	}
}

// Two sessions as examples of one skill share the slot and become one proposal (decisions A3).
func TestExamplesShareASlot(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	first := w.demonstrated(s, asked(s), errand...)
	r := asked(s)
	r.ExampleOf = first.LearnSessionID
	must(t, os.WriteFile(filepath.Join(s.dir, "june.csv"), []byte(orders), 0o600))
	second := w.demonstrated(s, r, "wc -l june.csv", "cut -d, -f1,3 june.csv > summary.csv", "grep -c shipped summary.csv")
	if second.TargetID != first.TargetID || second.ExampleOf != first.LearnSessionID {
		t.Fatalf("the example's target is %s, of %s", second.TargetID, second.ExampleOf)
	}
	d := w.proposed(second)
	if len(d.Proposal.SourceTraceIDs) != 2 || d.Proposal.LearnSessionID != first.LearnSessionID {
		t.Errorf("%d traces, of session %s", len(d.Proposal.SourceTraceIDs), d.Proposal.LearnSessionID)
	}
	if len(d.Interpretation.Inputs) != 1 {
		t.Errorf("what varies between the two is the file: %+v", d.Interpretation.Inputs)
	}
	_, err := w.c.CreateSession(t.Context(), asked(s))
	refused(t, err, fault.LearnSessionAlreadyActive)
	d = w.validated(d)
	got(w.install(d))(t)
	for _, id := range []string{first.LearnSessionID, second.LearnSessionID} {
		if x := got(w.c.Session(t.Context(), id))(t); x.State != "installed_private" || !x.Ended {
			t.Errorf("%s is %s, ended %v", id, x.State, x.Ended)
		}
	}
	got(w.c.CreateSession(t.Context(), asked(s)))(t)
}
