package acceptance_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// practised runs a practice to its end, in sight of a person.
func (l *lab) practised(r client.PracticeRequest) client.Practice {
	l.t.Helper()
	ctx, stop := context.WithCancel(l.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_, _ = l.c.RenewIndicator(ctx, "terminal")
			time.Sleep(200 * time.Millisecond) // pace: how often a terminal says that it shows the run
		}
	}()
	defer func() { stop(); <-done }()
	p := got(l.c.StartPractice(ctx, r))(l.t)
	for end := time.Now().Add(2 * time.Minute); p.State == "running"; time.Sleep(20 * time.Millisecond) { // poll:
		if time.Now().After(end) {
			l.t.Fatalf("it does not end: %+v", p)
		}
		p = got(l.c.Practice(ctx, p.PracticeID))(l.t)
	}
	return p
}

func policy(most int) *client.TestPolicy {
	return &client.TestPolicy{PolicyID: clock.NewID(), Mode: "safe_target_only", MaxActions: most, SchemaVersion: 1,
		SafeTargets: []client.SafeTarget{{TargetKind: "temp_folder", Ref: "workspace"}}}
}

// reporting is the start of an agent that reports each command through its hook, as agents do.
const reporting = `agent=$(ls ~/.local/state/showhow/receipts)
did() { # command, file
  printf '{"tool":"shell","command":"%s","cwd":"/home/work","outcome":"ok","exit_code":0,"files":[{"path":"/home/work/%s",` +
	`"change":"created","size":9}]}' "$1" "$2" | showhow hook generic --agent "$agent"
}
printf 'a,1\nb,2\n' > orders.csv
`

func TestPracticeLearnsFromWhatWorked(t *testing.T) {
	l := newLab(t)
	p := l.practised(client.PracticeRequest{Goal: "Turn the orders into a report", Attempts: 2, TestPolicy: policy(20),
		Verify: "test -s report.csv",
		Command: l.agentScript(reporting + "sort -r orders.csv > sorted.csv\ndid 'sort -r orders.csv > sorted.csv' sorted.csv\nwc -l " +
			"sorted.csv > report.csv\ndid 'wc -l sorted.csv > report.csv' report.csv\n")})
	if p.State != "drafted" || p.ProposalID == "" || len(p.Attempts) != 2 || !p.Attempts[0].Worked || !p.Attempts[1].Worked {
		t.Fatalf("%+v", p)
	}
	d := got(l.c.Proposal(t.Context(), p.ProposalID))(t)
	if s := got(l.c.Session(t.Context(), p.LearnSessionID))(t); s.EntryMode != "autonomous_agent_practice" || len(s.ExampleIDs) != 1 {
		t.Errorf("%+v", s)
	}
	if len(d.Interpretation.Checkpoints) == 0 {
		t.Errorf("%+v", d.Interpretation)
	}
}

// Statements are not effects: an attempt does not count if the file that the agent claims is missing, if its result
// fails the person's check, if it did more than the policy allows, or if it reported nothing.
func TestPracticeDoesNotLearnFromWhatFailed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, c := range []struct{ name, lines, verify, reason string }{
		{"a false claim", "did 'sort orders.csv > report.csv' report.csv\n", "", "brought about"},
		{"a failed check", "touch report.csv; did 'touch report.csv' report.csv\n", "test -s report.csv", "brought about"},
		{"too many actions", "for i in 1 2 3 4 5 6 7 8; do touch f$i; did \"touch f$i\" f$i; done; sleep 60\n", "", "policy"},
		{"silence", "sort orders.csv > report.csv\n", "", "reported nothing"},
		{"a failure", "did 'true' orders.csv; exit 3\n", "", "failure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := l.practised(client.PracticeRequest{Goal: "Turn the orders into a report", TestPolicy: policy(5), Verify: c.verify,
				Command: l.agentScript(reporting + c.lines)})
			if p.State != "failed" || len(p.Attempts) != 1 || p.Attempts[0].Worked || !strings.Contains(p.Attempts[0].Reason, c.reason) {
				t.Errorf("%+v", p)
			}
		})
	}
	_, err := l.agent("scout").StartPractice(t.Context(), client.PracticeRequest{Goal: "x", Command: []string{"true"}})
	refused(t, err, fault.Forbidden)
}

// A coach's hints reach the agent, and it may ask.
func TestCoaching(t *testing.T) {
	l := newLab(t)
	p := l.practised(client.PracticeRequest{EntryMode: "coaching_agent", Goal: "Turn the orders into a report",
		Hints: []string{"sort them backwards"}, TestPolicy: policy(20),
		Command: l.agentScript(
			reporting + "grep -q 'sort them backwards' .showhow/brief.md\nsort -r orders.csv > report.csv\ndid 'sort -r orders.csv > report.csv' " +
				"report.csv\n")})
	if p.State != "drafted" || !p.Attempts[0].Worked {
		t.Fatalf("%+v", p)
	}
}

// A practice outlives the daemon: what had ended is still there, what was under way is interrupted.
func TestPracticeSurvivesARestart(t *testing.T) {
	l := newLab(t)
	drafted := l.practised(client.PracticeRequest{Goal: "Turn the orders into a report", TestPolicy: policy(20),
		Command: l.agentScript(reporting + "wc -l orders.csv > report.csv\ndid 'wc -l orders.csv > report.csv' report.csv\n")})
	got(l.c.CancelSession(t.Context(), drafted.LearnSessionID, "not needed"))(t)
	p := got(l.c.StartPractice(t.Context(), client.PracticeRequest{
		Goal: "Wait", TestPolicy: policy(20), Command: l.agentScript("sleep 600\n")}))(t)
	l.stop()
	must(t, l.world.start())
	l.c = client.Unix(l.o.Roots.Socket()) // the demo's grant was for the first start
	if q := got(l.c.Practice(t.Context(), p.PracticeID))(t); q.State != "interrupted" || len(q.Attempts) != 1 || !q.Attempts[0].Ended ||
		q.Attempts[0].Worked {
		t.Errorf("%+v", q)
	}
	if all := got(l.c.Practices(t.Context()))(t).Practices; len(all) != 2 || all[1].State != drafted.State ||
		all[1].ProposalID != drafted.ProposalID {
		t.Errorf("%+v", all)
	}
}
