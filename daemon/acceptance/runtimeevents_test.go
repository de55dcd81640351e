package acceptance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// Runtime events through a whole daemon: an agent sends, a person reads, feedback on an installed ability leaves a
// receipt, a gap becomes a candidate at the third time, and a purge deletes the originals.
func TestRuntimeEvents(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	agent := w.agent("openclaw")
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	event := func(session string) string {
		return `{"contract_name":"openclaw_appleseed.runtime_event","contract_version":"1.0","source":"openclaw-local","event":{
			"event_kind":"session_feedback","session_id":"` + session + `","task":"change an order","status":"failure","score":0.1,
			"comment":"the token ` + secret + ` did not work","selected_skill_ids":["` + a.SkillSlug + `"],
			"missing_capabilities":["database migrations"]}}`
	}
	for _, id := range []string{"s-1", "s-2", "s-3"} {
		if r := got(agent.SendRuntimeEvents(t.Context(), []byte(event(id))))(t); r.Kept != 1 || r.Projected != 1 {
			t.Errorf("%+v", r)
		}
	}
	if r := got(agent.SendRuntimeEvents(t.Context(), []byte(event("s-1"))))(t); r.Kept != 0 || r.Duplicates != 1 {
		t.Errorf("sent again: %+v", r)
	}
	if _, err := w.agent("codex").SendRuntimeEvents(t.Context(), []byte(event("s-4"))); !fault.Is(err, fault.Forbidden) {
		t.Errorf("in another's name: %v", err)
	}
	if _, err := agent.RuntimeEvents(t.Context(), "", client.PageQuery{}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an agent read events: %v", err)
	}
	if _, err := agent.ImportRuntimeEvents(t.Context(), []byte(event("s-4"))); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an agent imported: %v", err)
	}
	for body, status := range map[string]int{`{"a":1,"a":2}`: 400, `{}`: 422, "[" + strings.Repeat(" ", 1<<20) + "]": 413} {
		if a := w.send("POST", "/api/events/runtime", body, false); a.status != status {
			t.Errorf("%d, not %d: %s", a.status, status, a.body)
		}
	}
	l := got(w.c.RuntimeEvents(t.Context(), "", client.PageQuery{}))(t)
	if l.Total != 3 || l.Items[0].ReportedBy != "openclaw" || l.Items[0].Evidence != "verified" || l.Items[0].Feedback == nil {
		t.Errorf("%+v", l)
	}
	signals := w.receipts(client.ReceiptFilter{AbilityID: a.AbilityID, Kind: "events.feedback.signal"})
	if len(signals) != 3 || !strings.Contains(signals[0].Summary, "failure") {
		t.Errorf("%+v", signals)
	}

	h := got(w.c.AbilityHealth(t.Context(), a.AbilityID))(t)
	if h.Health.Status != "degraded" || len(h.Outcomes) < 3 || h.Outcomes[0].Source != "event" || h.Outcomes[0].Code != "session_failed" {
		t.Errorf("three sessions failed with it, and its health is %+v, %+v", h.Health, h.Outcomes)
	}
	g := got(w.c.Governance(t.Context()))(t)
	var ids []string
	for _, p := range g.Report.Proposals {
		ids = append(ids, p.ProposalID+" "+p.Readiness)
		if p.Kind == "skill_review" && (p.AbilityID != a.AbilityID || !p.Rollback.Available || p.Rollback.ContentHash == "") {
			t.Errorf("%+v", p)
		}
	}
	for _, want := range []string{"skill:" + a.SkillSlug + " operator_review_required",
		"capability:database-migrations operator_review_required"} {
		if !slices.Contains(ids, want) {
			t.Errorf("%q is not among %q", want, ids)
		}
	}
	written := got(w.c.WriteRuntimeReports(t.Context(), "governance", ""))(t)
	for _, f := range written.Files {
		if _, err := os.Stat(filepath.Join(w.o.Config.Memory, filepath.FromSlash(f))); err != nil {
			t.Error(err)
		}
	}

	session := got(os.ReadFile("../events/testdata/session.json"))(t)
	if r := got(w.c.ImportRuntimeEvents(t.Context(), session))(t); r.Kept != 2 || len(r.Written) < 9 {
		t.Errorf("%+v", r)
	}
	bundle := got(w.c.RuntimeHandoff(t.Context(), "demo-openclaw-session-001"))(t)
	b := got(json.Marshal(bundle))(t)
	if r := got(w.c.ImportRuntimeEvents(t.Context(), b))(t); r.Kept != 0 || r.Duplicates != 2 || len(r.Written) != 0 {
		t.Errorf("%+v", r)
	}

	if p := got(w.c.PurgeData(t.Context()))(t); p.Originals != 4 {
		t.Errorf("%+v", p)
	}
	if l := got(w.c.RuntimeEvents(t.Context(), "s-1", client.PageQuery{}))(t); l.Total != 1 || l.Items[0].Evidence != "purged" {
		t.Errorf("%+v", l)
	}
	got(w.c.DeleteRuntimeSession(t.Context(), "s-1"))(t)
	w.stop()
	must(t, filepath.WalkDir(filepath.Dir(w.o.Roots.Data), func(name string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if b, err := os.ReadFile(name); err == nil && strings.Contains(string(b), secret) {
			t.Errorf("the secret is in %s", name)
		}
		return nil
	}))
}
