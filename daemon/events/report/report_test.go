package report_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/events/contract"
	"showhow/daemon/events/report"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

var now = clock.At(time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC))

func said(session, status string, score float64, skills, missing []string) report.Feedback {
	return report.Feedback{FeedbackID: session + status, Origin: contract.Projected, SessionID: session, Task: "t", Status: status,
		Score: score, SelectedSkillIDs: skills, MissingCapabilities: missing, OccurredAt: now, ReportedBy: "openclaw"}
}

// sessions is n sessions with the same outcome.
func sessions(n int, name, status string, skill, missing []string) (out []report.Feedback) {
	for i := range n {
		out = append(out, said(fmt.Sprintf("%s-%d", name, i), status, .2, skill, missing))
	}
	return out
}

func proposal(t *testing.T, e wire.EvolutionReport, id string) report.Proposal {
	t.Helper()
	i := slices.IndexFunc(e.Proposals, func(p report.Proposal) bool { return p.ProposalID == id })
	if i < 0 {
		t.Fatalf("%s is not among %+v", id, e.Proposals)
	}
	return e.Proposals[i]
}

func TestReadiness(t *testing.T) {
	installed := []report.Ability{{AbilityID: "ab-1", SkillSlug: "code-review", Title: "Review code", ApprovedHash: "sha256:aa"}}
	draft := func(change func(*report.Draft)) []report.Draft {
		d := report.Draft{ProposalID: "p", Title: "Change an order", ProposedSkillSlug: "change-an-order", ProposalState: "ready_for_review",
			LintPassed: true, Validation: "passed", Revision: 2, ContentHash: "sha256:bb"}
		change(&d)
		return []report.Draft{d}
	}
	of := func(change func(*report.Draft)) report.State {
		return report.State{Abilities: installed, Drafts: draft(change)}
	}
	skill, gap := []string{"code_review"}, []string{"Database  migrations"}
	on := func(all ...[]report.Feedback) report.State {
		return report.State{Abilities: installed, Feedback: slices.Concat(all...)}
	}
	failed := func(n int) []report.Feedback { return sessions(n, "s", "failure", skill, nil) }
	missed := func(n int, what []string) []report.Feedback { return sessions(n, "s", "failure", nil, what) }
	for name, tt := range map[string]struct {
		state     report.State
		id        string
		readiness string
		risk      string
		rollback  bool
	}{
		"a draft that is ready": {of(func(*report.Draft) {}), "draft:p", report.Ready, "low", false},
		"with an open question": {of(func(d *report.Draft) { d.OpenQuestions = 1 }), "draft:p", report.Review, "low", false},
		"not validated":         {of(func(d *report.Draft) { d.Validation = "none" }), "draft:p", report.Review, "medium", false},
		"partial, not accepted": {of(func(d *report.Draft) { d.Validation = "partial" }), "draft:p", report.Review, "medium", false},
		"partial, and accepted": {of(func(d *report.Draft) { d.Validation, d.ConfirmedPartial = "partial", true }), "draft:p", report.Ready,
			"medium", false},
		"its validation failed":     {of(func(d *report.Draft) { d.Validation = "failed" }), "draft:p", report.Blocked, "high", false},
		"lint does not pass":        {of(func(d *report.Draft) { d.LintPassed = false }), "draft:p", report.Blocked, "low", false},
		"it replaces a skill":       {of(func(d *report.Draft) { d.ImprovesSkill = "ab-1" }), "draft:p", report.Ready, "medium", true},
		"a skill that failed 3 x":   {on(failed(3)), "skill:code-review", report.Review, "high", true},
		"a skill that failed 2 x":   {on(failed(2)), "skill:code-review", report.Blocked, "medium", true},
		"a skill of nobody":         {report.State{Feedback: failed(3)}, "skill:code-review", report.Blocked, "high", false},
		"a skill that fails seldom": {on(failed(1), sessions(5, "g", "partial", skill, nil)), "skill:code-review", report.Blocked, "low", true},
		"a gap for the third time":  {on(missed(3, gap)), "capability:database-migrations", report.Review, "low", false},
		"a gap for the second time": {on(missed(2, gap)), "capability:database-migrations", report.Blocked, "low", false},
		"a gap that is covered":     {on(missed(3, []string{"review code"})), "capability:review-code", report.Blocked, "low", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := proposal(t, report.Evolution(tt.state, now), tt.id)
			if p.Readiness != tt.readiness || p.Risk.Level != tt.risk || p.Rollback.Available != tt.rollback {
				t.Errorf("%s, risk %s, rollback %v: %+v", p.Readiness, p.Risk.Level, p.Rollback.Available, p)
			}
			if len(p.OperatorActions) == 0 || p.Rollback.How == "" || len(p.Gate.Requirements) < 2 {
				t.Errorf("nothing to do or to take back: %+v", p)
			}
		})
	}
}

// However often one session reports, it counts once, by its newest word; a person's counts first.
func TestASessionCountsOnce(t *testing.T) {
	skill := []string{"x"}
	var all []report.Feedback
	for range 10 {
		all = append(all, said("loud", "failure", 0, skill, nil))
	}
	p := proposal(t, report.Evolution(report.State{Feedback: all}, now), "skill:x")
	if p.Evidence.Sessions != 1 || p.Evidence.Failures != 1 {
		t.Errorf("%+v", p.Evidence)
	}
	own := said("loud", "success", 1, skill, nil)
	own.Origin, own.OccurredAt = contract.Direct, now.Plus(-time.Hour)
	if e := report.Evolution(report.State{Feedback: append(all, own)}, now); len(e.Proposals) != 0 {
		t.Errorf("a person said that it went well: %+v", e.Proposals)
	}
	// A success below the gate's score is none.
	if e := report.Evolution(report.State{Feedback: []report.Feedback{said("s", "success", .3, skill, nil)}}, now); len(e.Proposals) != 1 {
		t.Errorf("%+v", e.Proposals)
	}
}

func TestGovernance(t *testing.T) {
	state := report.State{Drafts: []report.Draft{{ProposalID: "p", Title: "Ready", ProposalState: "ready_for_review", LintPassed: true,
		Validation: "passed", Revision: 1}}, Feedback: sessions(3, "s", "failure", []string{"x"}, []string{"y"}), Sessions: 3}
	state.Handoffs = []wire.RuntimeSessionReport{{SessionID: "s-0", Task: "t", Handoff: wire.RuntimeHandoffState{State: "open",
		NextAction: "go on"}}}
	e := report.Evolution(state, now)
	g := report.Governance(e)
	if g.Ready != 1 || g.Review != 1 || g.Blocked != 1 || g.Proposals[0].ProposalID != "draft:p" {
		t.Errorf("%+v", g)
	}
	q := report.OperatorReview(state, e)
	if len(q.Items) != 3 || q.Items[0].Action != "showhow events report --session s-0" ||
		q.Items[1].ID != "draft:p" || q.Items[2].Action != "showhow learn start 'y'" {
		t.Errorf("%+v", q)
	}
	if a := report.Promotion(e); a.Mode != "dry_run" || len(a.Candidates) != 1 || a.NotReady != 2 {
		t.Errorf("%+v", a)
	}
	text := report.GovernanceMarkdown(g)
	for _, want := range []string{"- Ready for promotion: 1", "## Ready", "`showhow proposal install p`",
		"| validation | passed | passed | yes |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// What an agent writes stays text, in a page and in a command.
func TestAgentsTextStaysText(t *testing.T) {
	const evil = "x\n# All is well\n[click](http://evil)|`rm -rf /`<script>'; rm -rf / #"
	e := report.Evolution(report.State{Feedback: sessions(3, "s", "failure", nil, []string{evil})}, now)
	text := report.GovernanceMarkdown(report.Governance(e))
	if strings.Contains(text, "\n# All") || strings.Contains(text, "[click](http") || strings.Contains(text, "<script>") {
		t.Error(text)
	}
	if a := e.Proposals[0].OperatorActions[0]; a != "showhow learn start 'x All is well click http evil rm rf script rm rf'" {
		t.Error(a)
	}
	ev := contract.Event{EventKind: contract.SessionStarted, SessionID: "s", Task: evil, OccurredAt: now}
	r := report.Session(report.Evidence{SessionID: "s", Envelopes: []contract.Envelope{{Event: ev}}}, now)
	if page := report.SessionMarkdown(r); strings.Contains(page, "\n# All") || strings.Contains(page, "<script>") {
		t.Error(page)
	}
}

// A sum that grows event by event says what the report on the whole says.
func TestASumIsTheReport(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	at := func() clock.Time {
		return clock.At(time.Date(2026, 5, 1, rnd.IntN(24), 0, 0, 0, time.UTC))
	}
	for range 300 {
		e, sum := report.Evidence{SessionID: "s"}, report.Sum{}
		for range 1 + rnd.IntN(12) {
			if rnd.IntN(2) == 0 || len(e.Envelopes) == 0 {
				env := contract.Envelope{Event: contract.Event{Task: fmt.Sprint("task ", rnd.IntN(3)), SessionID: "s", OccurredAt: at()}}
				switch rnd.IntN(4) {
				case 0:
					env.Event.Metadata = map[string]any{contract.MetaHandoff: map[string]any{"summary": "paused"}}
				case 1:
					env.Event.Metadata = map[string]any{contract.MetaHandoff: map[string]any{"summary": ""}}
				}
				e.Envelopes, sum = append(e.Envelopes, env), sum.Envelope(env)
			} else {
				f := report.Feedback{FeedbackID: fmt.Sprint(len(e.Feedback)), Status: []string{"success", "failure", "partial"}[rnd.IntN(3)],
					Score: rnd.Float64(), OccurredAt: at(), Origin: []string{contract.Direct, "projected"}[rnd.IntN(2)]}
				e.Feedback, sum = append(e.Feedback, f), sum.Feedback(f)
			}
			r := report.Session(e, at())
			if sum.Task != r.Task || sum.Stage() != report.Stage(r) || sum.Envelopes != len(e.Envelopes) ||
				(sum.Best == nil) != (r.Outcome == nil) ||
				r.Outcome != nil && (sum.Best.Status != r.Outcome.Status || sum.Best.Score != r.Outcome.Score) {
				t.Fatalf("%+v is not %+v", sum, r)
			}
		}
	}
}
