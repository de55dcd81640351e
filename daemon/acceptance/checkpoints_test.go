package acceptance_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// verify reports a checkpoint as an agent does.
func (w *world) verify(agent *client.Client, a client.Ability, status string) client.CheckpointReceipt {
	w.t.Helper()
	return got(agent.VerifyCheckpoint(w.t.Context(), client.VerifyCheckpointRequest{AbilityID: a.AbilityID, CheckpointID: a.Checkpoints[0],
		Status: status, Evidence: "the file has three lines", Reason: "seen", DispatchID: "dispatch-1"}))(w.t)
}

func TestR11_2_18_ReachedCheckpointLeavesAReceipt(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	helper := w.agent("helper")
	r := w.verify(helper, a, "reached")
	w.until("the line in checkpoint_receipts.jsonl", func() bool {
		return len(lines[client.CheckpointReceipt](w, "learning/checkpoint_receipts.jsonl")) == 1
	})
	line := lines[client.CheckpointReceipt](w, "learning/checkpoint_receipts.jsonl")[0]
	if line != r || line.Status != "reached" || line.AbilityID != a.AbilityID || line.CheckedBy != "agent" || line.ReportedBy != "helper" ||
		line.DispatchID != "dispatch-1" {
		t.Errorf("the line is %+v, the receipt %+v", line, r)
	}
	if again := w.verify(helper, a, "reached"); again.ReceiptID != r.ReceiptID {
		t.Error("the same report left a second receipt")
	}
	l := got(w.c.DispatchCheckpointReceipts(t.Context(), "dispatch-1", client.PageQuery{}))(t)
	if l.Total != 1 || l.Receipts[0].ReceiptID != r.ReceiptID {
		t.Errorf("the dispatch has %d receipts", l.Total)
	}
	later := w.verify(helper, a, "failed")
	l = got(w.c.AbilityCheckpointReceipts(t.Context(), a.AbilityID, client.PageQuery{PageSize: 1}))(t)
	if l.Total != 2 || len(l.Receipts) != 1 || l.Receipts[0].ReceiptID != later.ReceiptID {
		t.Errorf("the ability's latest of %d receipts is %+v", l.Total, l.Receipts)
	}
}

// reportLeads reports a status and expects an event about that very checkpoint.
func reportLeads(t *testing.T, status string, kinds ...string) {
	t.Helper()
	w := begin(t)
	a, _ := w.installed()
	all := w.listen("", 0)
	r := w.verify(w.agent("helper"), a, status)
	for _, kind := range kinds {
		e := all.await(kind)
		if payload(e, "receipt_id") != r.ReceiptID || payload(e, "checkpoint_id") != a.Checkpoints[0] ||
			payload(e, "ability_id") != a.AbilityID || payload(e, "dispatch_id") != "dispatch-1" {
			t.Errorf("%s says %s", kind, e.Payload)
		}
		if strings.Contains(string(e.Raw), "three lines") {
			t.Errorf("%s repeats the evidence", kind)
		}
	}
	for _, other := range []string{"checkpoint.reached", "ability.friction", "ability.repair_candidate"} {
		if !slices.Contains(kinds, other) && slices.Contains(all.kinds(), other) {
			t.Errorf("a checkpoint that was %s led to %s", status, other)
		}
	}
}

func TestR11_2_19_SkippedCheckpointIsFriction(t *testing.T) {
	t.Parallel()
	reportLeads(t, "skipped", "checkpoint.skipped", "ability.friction")
}

func TestR11_2_20_FailedCheckpointIsARepairCandidate(t *testing.T) {
	t.Parallel()
	reportLeads(t, "failed", "checkpoint.failed", "ability.repair_candidate")
}

func TestR11_2_21_ReportingIsVoluntary(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, d := w.installed()
	agent := w.agent("helper")
	// The agent finds the skill, reads and follows it, and reports nothing: all of it goes as it does for one that reports.
	found := got(agent.Lookup(t.Context(), client.LookupQuery{UserQuery: "summarise the customer orders"}))(t)
	if len(found.Matches) != 1 || !found.Matches[0].UsableNow {
		t.Fatalf("%+v", found)
	}
	if _, err := os.ReadFile(filepath.Join(w.o.Config.Targets[0].Dir, a.SkillSlug, "SKILL.md")); err != nil {
		t.Error(err)
	}
	if !strings.Contains(d.SkillMD, "\n## Reporting\n\nOptional.") {
		t.Error("the skill does not say that reporting is optional")
	}
	now := got(agent.Ability(t.Context(), a.AbilityID))(t)
	if !now.UsableNow || now.CheckpointHealth != "no_data" || now.InstallLane != "experimental_private" {
		t.Errorf("without a report it is usable %v, %s, in %s", now.UsableNow, now.CheckpointHealth, now.InstallLane)
	}
	if l := got(w.c.DispatchCheckpointReceipts(t.Context(), "dispatch-1", client.PageQuery{}))(t); l.Total != 0 {
		t.Errorf("%d receipts of nothing", l.Total)
	}
	w.verify(agent, a, "reached")
	if now := got(agent.Ability(t.Context(), a.AbilityID))(t); now.CheckpointHealth == "no_data" {
		t.Error("a report makes no difference to the health")
	}
}

// reworded is the draft with another success condition of its first checkpoint.
func (w *world) reworded(d client.ProposalDetail, condition string) client.ProposalDetail {
	w.t.Helper()
	cp := d.Interpretation.Checkpoints[0].CheckpointID
	return got(w.c.Revise(w.t.Context(), d.Proposal.ProposalID, client.ReviseRequest{RevisionInstructions: "say it differently",
		EditedFields: map[string]any{"checkpoints": map[string]any{cp: map[string]any{"success_condition": condition}}}}))(w.t)
}

// lintFails expects exactly this rule about the first checkpoint, and the gate to hold.
func lintFails(t *testing.T, condition, rule string) (*world, client.ProposalDetail) {
	t.Helper()
	w := begin(t)
	d := w.reworded(w.drafted(), condition)
	l := d.CheckpointLintReport
	if l == nil || l.Passed || d.Proposal.LintPassed {
		t.Fatalf("the lint passed: %+v", l)
	}
	if !slices.ContainsFunc(l.Findings, func(f client.Finding) bool {
		return f.Rule == rule && f.Severity == "error" && f.Subject == d.Interpretation.Checkpoints[0].CheckpointID
	}) {
		t.Errorf("no %s in %+v", rule, l.Findings)
	}
	return w, d
}

func TestR11_2_22_LintRefusesDOMSelectors(t *testing.T) {
	t.Parallel()
	lintFails(t, "div-8472", "CKP-001")
}

func TestR11_2_23_LintRefusesCoordinates(t *testing.T) {
	t.Parallel()
	lintFails(t, "(340, 220)", "CKP-002")
}

func TestR11_2_24_LintPassesMeaningfulCheckpoints(t *testing.T) {
	t.Parallel()
	w := begin(t)
	d := w.drafted()
	if l := d.CheckpointLintReport; l == nil || !l.Passed || !d.Proposal.LintPassed || len(d.Interpretation.Checkpoints) < 2 {
		t.Errorf("%d checkpoints, %+v", len(d.Interpretation.Checkpoints), l)
	}
	d = w.reworded(d, "The file summary.csv lists every customer with a status")
	if l := d.CheckpointLintReport; !l.Passed || len(l.Findings) != 0 {
		t.Errorf("%+v", l)
	}
}

func TestR11_2_25_FailedLintKeepsADraftFromReview(t *testing.T) {
	t.Parallel()
	w, d := lintFails(t, "div-8472", "CKP-001")
	all := w.listen("", 0)
	id, session := d.Proposal.ProposalID, d.Session.LearnSessionID
	_, err := w.c.Validate(t.Context(), id, client.ValidateRequest{})
	f := refused(t, err, fault.CheckpointLintFailed)
	if findings, _ := f.Details["findings"].([]any); len(findings) == 0 {
		t.Errorf("details %v name no finding", f.Details)
	}
	if a := w.send("POST", "/api/learn/proposals/"+id+"/validate", `{"schema_version":1}`, false); a.status != 400 {
		t.Errorf("status %d", a.status)
	}
	if run := w.validate(d, "lint"); run.OverallResult != "failed" { // the lint itself may be looked at
		t.Errorf("a run of the lint alone %s", run.OverallResult)
	}
	_, err = w.install(w.proposal(id))
	if c := fault.CodeOf(err); c != fault.NotValidated && c != fault.CheckpointLintFailed {
		t.Errorf("install: %v", err)
	}
	if now := w.state(session); now != "drafting_proposal" {
		t.Errorf("the session is %s", now)
	}
	w.validated(w.reworded(w.proposal(id), "The file summary.csv lists every customer"))
	w.until("the review", func() bool { return slices.Contains(all.states(session), "ready_for_review") })
	s := all.states(session)
	if n := len(s); s[n-2] != "testing_proposal" || slices.Index(s, "ready_for_review") != n-1 {
		t.Errorf("the way was %v", s)
	}
}

// clickSequence finds instructions of the hand.
var clickSequence = regexp.MustCompile(
	`(?im)^\s*(?:[-*]|\d+[.)])?\s*(?:then\s+)?(?:click|double-click|press|tap|type|scroll|move the mouse)\b`)

// A demonstration in pages, with clicks, as well as in a shell: what is written are the states to reach.
func TestR11_2_26_SkillDescribesCheckpointsNotClicks(t *testing.T) {
	t.Parallel()
	w, d := browsed(t)
	got(w.install(w.validatedWith(d)))(t)
	text := string(got(os.ReadFile(filepath.Join(w.o.Config.Targets[0].Dir, d.Proposal.ProposedSkillSlug, "SKILL.md")))(t))
	kinds := map[string]bool{}
	for _, c := range d.Interpretation.Checkpoints {
		kinds[c.Check.Kind] = true
		if plainText := strings.TrimSuffix(c.SuccessCondition, "."); !strings.Contains(strings.ToLower(text), strings.ToLower(plainText)) {
			t.Errorf("the skill does not describe %s: %s", c.CheckpointID, c.SuccessCondition)
		}
	}
	if len(d.Interpretation.Checkpoints) < 2 || len(kinds) < 2 {
		t.Errorf("%d checkpoints of kinds %v", len(d.Interpretation.Checkpoints), kinds)
	}
	if m := clickSequence.FindString(text); m != "" {
		t.Errorf("the skill tells where to click (%q):\n%s", m, text)
	}
	for _, bad := range []string{"querySelector", "#order", "div[", "nth-child", "xpath", "px,"} {
		if strings.Contains(text, bad) {
			t.Errorf("the skill holds %q", bad)
		}
	}
	graphStays(t, w, d)
}

// graphStays: nothing that an agent can read, in files or through the API, is the graph (R11.2-27).
func graphStays(t *testing.T, w *world, d client.ProposalDetail) {
	t.Helper()
	if d.Graph == nil || len(d.Graph.Steps) == 0 {
		t.Fatal("the reviewer does not see the graph")
	}
	isGraph := func(where string, b []byte) {
		var v any
		if json.Unmarshal(b, &v) != nil {
			v = string(b)
		}
		if hasGraph(v) {
			t.Errorf("the graph is in %s", where)
		}
	}
	if b, _ := json.Marshal(d); !hasGraph(decode(b)) {
		t.Fatal("the search does not recognise a graph")
	}
	agent := w.agent("reader")
	for _, path := range []string{"/api/abilities/availability", "/api/abilities/catalog", "/api/capabilities/bridge"} {
		isGraph(path, got(agent.Raw(t.Context(), "GET", path, nil))(t))
	}
	isGraph("lookup", got(agent.Raw(t.Context(), "POST", "/api/abilities/lookup",
		map[string]any{"user_query": d.Proposal.Title, "schema_version": 1}))(t))
	_, err := agent.Proposal(t.Context(), d.Proposal.ProposalID)
	refused(t, err, fault.Forbidden)
	for _, target := range w.o.Config.Targets {
		dir := filepath.Join(target.Dir, d.Proposal.ProposedSkillSlug)
		n := 0
		must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			isGraph(path, b)
			n++
			return err
		}))
		if n < 3 {
			t.Errorf("%s: %d files", target.Name, n)
		}
	}
}

func decode(b []byte) (v any) {
	_ = json.Unmarshal(b, &v)
	return v
}

// hasGraph finds a WorkflowGraph: steps with ids that are linked by edges or surfaces.
func hasGraph(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if steps, ok := v["steps"].([]any); ok && len(steps) > 0 {
			if s, ok := steps[0].(map[string]any); ok && s["step_id"] != nil {
				return true
			}
		}
		for _, x := range v {
			if hasGraph(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasGraph)
	}
	return false
}

func TestR11_2_27_GraphStaysInside(t *testing.T) {
	t.Parallel()
	w := begin(t)
	_, d := w.installed()
	graphStays(t, w, d)
}
