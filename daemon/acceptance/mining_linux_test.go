package acceptance_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/daemon/client"
	"showhow/daemon/learn/state"
	"showhow/internal/canary"
	"showhow/internal/fault"
)

// The rows of R9 0.11C about mining, by name.

const minedCanary = "canary-heron"

// minedRuns numbers the runs: a call that was reported before is not taken again.
var minedRuns atomic.Int64

// busy has an agent do the same work, with other work around it, in n runs of its own.
func (w *world) busy(agent *client.Client, name string, n int) {
	w.t.Helper()
	before := got(w.c.Runs(w.t.Context(), name, client.PageQuery{}))(w.t).Total
	other := [][2]string{{"cat notes.txt", "ls"}, {"df -h", "du -s"}, {"uptime", "who"}, {"free", "uname -a"}, {"ps aux", "id"},
		{"date", "pwd"}}
	for range n {
		i := int(minedRuns.Add(1)) - 1
		run := fmt.Sprint("run", i)
		for k, line := range []string{other[i%6][0], "git pull", fmt.Sprintf("cut -d, -f1,3 export-%d.csv", i), "sort summary.csv",
			"git commit -m 'note of " + minedCanary + "'", "git push", other[i%6][1]} {
			must(w.t, w.send1(agent, client.AgentReceipt{Kind: report.ToolCall, Agent: name, RunID: run, CallID: run + fmt.Sprint("-", k),
				Tool: "Bash", Outcome: report.OK, Cwd: "/work", Command: line}))
		}
	}
	w.until("the runs are kept", func() bool {
		l := got(w.c.Runs(w.t.Context(), name, client.PageQuery{}))(w.t)
		for _, r := range l.Runs {
			if r.Observations != 7 {
				return false
			}
		}
		return l.Total == before+n
	})
}

func mode(m client.MiningMode) *client.MiningMode { return &m }

var agreed = true

// mined is a daemon in which an agent did something three times, that may be looked at.
func mined(t *testing.T, m client.MiningMode) (*world, *client.Client) {
	t.Helper()
	w := begin(t)
	scout := w.agent("scout")
	w.keepRuns("scout")
	got(w.c.SetMiningSettings(t.Context(), client.MiningSettingsChange{Mode: mode(m),
		Sources: &client.MiningSourcesChange{Runs: &agreed, Fingerprints: &agreed}}))(t)
	w.busy(scout, "scout", 3)
	return w, scout
}

func (w *world) routine() client.MinedRoutine {
	w.t.Helper()
	s := got(w.c.ScanForRoutines(w.t.Context()))(w.t)
	if len(s.Routines) != 1 {
		w.t.Fatalf("%+v", s)
	}
	return s.Routines[0]
}

// Row "build-then-review mode": learn it drafts from what is kept, and stops at the review.
func TestR9_BuildThenReviewMode(t *testing.T) {
	w, scout := mined(t, "build_then_review")
	ctx := t.Context()
	r := w.routine()
	if r.State != "waiting" || r.Own || r.Times != 3 || !strings.HasPrefix(r.Summary, "scout did this 3 times: ran git pull") {
		t.Fatalf("%+v", r)
	}
	_, err := scout.MinedRoutines(ctx)
	refused(t, err, fault.Forbidden)
	_, err = scout.LearnMined(ctx, r.Cluster.ClusterID, client.LearnMinedRequest{})
	refused(t, err, fault.Forbidden)
	l := got(w.c.LearnMined(ctx, r.Cluster.ClusterID, client.LearnMinedRequest{Answers: []client.MiningAnswer{
		{Question: "name", Text: "Publish the summary"}, {Question: "scope", Text: "global"}, {Question: "approval", Text: "yes"}}}))(t)
	d := w.proposal(l.ProposalID)
	if l.NextAction != "review" || d.Proposal.Title != "Publish the summary" || len(d.Proposal.SourceTraceIDs) != 3 {
		t.Errorf("%+v %s %v", l, d.Proposal.Title, d.Proposal.SourceTraceIDs)
	}
	for _, s := range d.Graph.Steps {
		if strings.Contains(s.Title, "notes") || strings.Contains(s.Title, "uptime") || strings.Contains(s.Title, "df ") {
			t.Errorf("other work is in the draft: %s", s.Title)
		}
	}
	if s := w.state(l.LearnSessionID); s != state.DraftingProposal && s != state.ReadyForReview && s != state.AwaitingQuestions {
		t.Errorf("%s", s)
	}
	if n := len(theirOwn(got(w.c.Availability(ctx))(t).Abilities)); n != 0 {
		t.Errorf("%d installed", n)
	}
	if now := w.routine(); now.State != "learned" || now.ProposalID != l.ProposalID {
		t.Errorf("%+v", now)
	}
}

// Row "ask-before-build mode": nothing is built before the five questions of 0.4G are answered.
func TestR9_AskBeforeBuildMode(t *testing.T) {
	w, _ := mined(t, "ask_before_build")
	r := w.routine()
	if len(r.Questions) != 5 || !r.Questions[0].Required || !r.Questions[4].Required {
		t.Errorf("%+v", r.Questions)
	}
	_, err := w.c.LearnMined(t.Context(), r.Cluster.ClusterID, client.LearnMinedRequest{
		Answers: []client.MiningAnswer{{Question: "name", Text: "x"}}})
	refused(t, err, fault.QuestionsOpen)
	if n := got(w.c.Sessions(t.Context(), client.SessionFilter{}))(t).Total; n != 0 {
		t.Errorf("%d sessions were made", n)
	}
	var as []client.MiningAnswer
	for _, q := range r.Questions {
		as = append(as, client.MiningAnswer{Question: q.Question, Text: q.Suggested})
	}
	l := got(w.c.LearnMined(t.Context(), r.Cluster.ClusterID, client.LearnMinedRequest{Answers: as}))(t)
	if d := w.proposal(l.ProposalID); d.Proposal.Title == "" || len(d.Proposal.SourceTraceIDs) != 3 {
		t.Errorf("%+v %+v", l, d.Proposal)
	}
	// 0.4G's own routes lead to the session's questions (0C.20B)
	a := w.send(http.MethodPost, "/api/skills/mining/proposals/"+l.ProposalID+"/answers", "{}", false)
	want := "/api/learn/sessions/" + l.LearnSessionID + "/answer-questions"
	if a.status != http.StatusPermanentRedirect || a.header.Get("Location") != want {
		t.Errorf("%d %s", a.status, a.header.Get("Location"))
	}
}

// Row "auto-install-private mode": what the person did three times is learned and installed automatically, announced,
// and can be undone; what an agent did waits. The mode needs a person.
func TestR9_AutoInstallPrivateMode(t *testing.T) {
	w, scout := mined(t, "auto_install_private")
	ctx := t.Context()
	_, err := scout.SetMiningSettings(ctx, client.MiningSettingsChange{Mode: mode("off")})
	refused(t, err, fault.Forbidden)
	got(w.c.SetMiningSettings(ctx, client.MiningSettingsChange{Mode: mode("build_then_review")}))(t)
	_, err = client.Unix(w.o.Roots.Socket()).SetMiningSettings(ctx, client.MiningSettingsChange{Mode: mode("auto_install_private")})
	refused(t, err, fault.PresenceRequired)
	got(w.c.SetMiningSettings(ctx, client.MiningSettingsChange{Mode: mode("auto_install_private"),
		Sources: &client.MiningSourcesChange{Sessions: &agreed}}))(t)
	if r := w.routine(); r.State != "waiting" {
		t.Errorf("what the agent did is %s", r.State)
	}
	s := w.shell()
	for range 3 {
		sess := w.demonstrated(s, asked(s), "ls -l", "df -h", "du -s")
		got(w.c.CancelSession(ctx, sess.LearnSessionID, "not now"))(t)
	}
	got(w.c.ScanForRoutines(ctx))(t)
	var own client.MinedRoutine
	for _, r := range got(w.c.MinedRoutines(ctx))(t).Routines {
		if r.Own {
			own = r
		} else if r.State != "waiting" {
			t.Errorf("what the agent did is %s", r.State)
		}
	}
	if own.State != "learned" {
		t.Fatalf("%+v", own)
	}
	w.until("the installation", func() bool { return w.state(own.LearnSessionID) == state.InstalledPrivate })
	as := theirOwn(got(w.c.Availability(ctx))(t).Abilities)
	if len(as) != 1 || as[0].InstallLane != "experimental_private" {
		t.Fatalf("%+v", as)
	}
	for _, r := range got(w.c.MinedRoutines(ctx))(t).Routines {
		if r.Own && r.AbilityID != as[0].AbilityID {
			t.Errorf("%+v does not say what was installed", r)
		}
	}
	got(w.c.DeleteAbility(ctx, as[0].AbilityID))(t)
	if n := len(theirOwn(got(w.c.Availability(ctx))(t).Abilities)); n != 0 {
		t.Errorf("%d abilities after it was taken back", n)
	}
}

// Row "observation mode banner + off switch": while a source is searched, the status says so; one switch ends it, and
// derived data is deleted with its consent, to the last byte with the next purge.
func TestR9_ObservationModeBannerAndOffSwitch(t *testing.T) {
	w := begin(t)
	ctx := t.Context()
	if s := got(w.c.MiningSettings(ctx))(t); s.Mode != "build_then_review" || s.Sources != (client.MiningSources{}) || s.ObserveInsideAgent ||
		s.ObserveOutsideAgent || s.MinSuccessfulTraces != 3 || s.MaxVariation != .4 || s.MinVerificationCover != .5 {
		t.Errorf("%+v", s)
	}
	if st := got(w.c.Status(ctx))(t); len(st.Mining) > 0 {
		t.Errorf("%v", st.Mining)
	}
	_, err := w.c.ScanForRoutines(ctx)
	refused(t, err, fault.NoScope)
	_, err = client.Unix(w.o.Roots.Socket()).SetMiningSettings(ctx, client.MiningSettingsChange{
		Sources: &client.MiningSourcesChange{Runs: &agreed}})
	refused(t, err, fault.PresenceRequired)
	scout := w.agent("scout")
	w.keepRuns("scout")
	got(w.c.SetMiningSettings(ctx, client.MiningSettingsChange{Sources: &client.MiningSourcesChange{Runs: &agreed, Fingerprints: &agreed}}))(t)
	w.busy(scout, "scout", 3)
	w.routine()
	if st := got(w.c.Status(ctx))(t); len(st.Mining) != 1 || st.Mining[0] != "runs" || st.Mined != 1 {
		t.Errorf("%v %d", st.Mining, st.Mined)
	}
	w.searched("while fingerprints are kept", minedCanary)
	got(w.c.SetMiningSettings(ctx, client.MiningSettingsChange{Mode: mode("off")}))(t)
	if st := got(w.c.Status(ctx))(t); len(st.Mining) > 0 || st.Mined > 0 {
		t.Errorf("%v %d", st.Mining, st.Mined)
	}
	_, err = w.c.ScanForRoutines(ctx)
	refused(t, err, fault.NoScope)

	got(w.c.SetMiningSettings(ctx, client.MiningSettingsChange{Mode: mode("build_then_review")}))(t)
	got(w.c.DeleteRuns(ctx, "scout"))(t) // the person deletes the source
	if l := got(w.c.MinedRoutines(ctx))(t).Routines; len(l) > 0 {
		t.Errorf("%+v", l)
	}
	if s := got(w.c.ScanForRoutines(ctx))(t); s.Works != 0 {
		t.Errorf("%d fingerprints outlive the runs that the person deleted", s.Works)
	}
	w.busy(scout, "scout", 3)
	w.routine()
	w.forward(25 * time.Hour) // the runs' day is over: their fingerprints stay, by consent
	w.until("the runs are gone", func() bool { return got(w.c.Runs(ctx, "scout", client.PageQuery{}))(t).Total == 0 })
	r := w.routine()
	if r.Learnable {
		t.Errorf("%+v", r)
	}
	_, err = w.c.LearnMined(ctx, r.Cluster.ClusterID, client.LearnMinedRequest{})
	refused(t, err, fault.InsufficientTraces)
	got(w.c.PurgeData(ctx))(t)
	hits, err := canary.Scan(filepath.Join(w.o.Roots.Data), canary.Canary{Label: "a mark", Text: "git commit -m"})
	must(t, err)
	if len(hits) > 0 {
		t.Errorf("%v", hits)
	}
	if s := got(w.c.ScanForRoutines(ctx))(t); s.Works != 0 || len(s.Routines) > 0 {
		t.Errorf("%+v", s)
	}
}
