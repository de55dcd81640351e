package events_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"showhow/daemon/events"
	"showhow/daemon/events/contract"
	"showhow/daemon/wire"
)

// Tests named REC1 to REC4 are of the sections of the runtime event contract: 1 Contract Summary, 2 Event Types,
// 3 Projection Rules, 4 Local Audit Surface. Those of parsing are in package contract.

// The pipeline consumes direct and projected feedback, never raw envelopes: however much a runtime only starts, no report
// on proposals changes.
func TestREC3_ThePipelineReadsNoEnvelopes(t *testing.T) {
	p := newPlace(t, 1)
	p.imports(example(t, "session.json"))
	before, err := p.s.Governance(t.Context())
	must(t, err)
	for i := range 5 {
		_, err := p.posts("openclaw", fmt.Sprintf(`{"contract_name":%q,"contract_version":"1.0","source":"openclaw-local","event":{
			"event_kind":"session_started","session_id":"only-started","task":"all is well %d","selected_skill_ids":["code_review"],
			"missing_capabilities":["nothing at all"],"metadata":{"status":"success","score":1}}}`, contract.Name, i))
		must(t, err)
	}
	after, err := p.s.Governance(t.Context())
	must(t, err)
	if !reflect.DeepEqual(before.Report.Proposals, after.Report.Proposals) {
		t.Errorf("%+v\n%+v", before.Report.Proposals, after.Report.Proposals)
	}
	if len(p.heard) != 1 {
		t.Errorf("%+v", p.heard)
	}
	l, err := p.s.List(t.Context(), "only-started", 1, 10)
	must(t, err)
	for _, x := range l.Items {
		if x.Feedback != nil || x.Evidence != "verified" {
			t.Errorf("%+v", x)
		}
	}
}

// Every ledger and report has the contract's name, and a report that is asked for twice is the same.
func TestREC4_TheNamesOfLedgersAndReports(t *testing.T) {
	p := newPlace(t, 1)
	p.imports(example(t, "session.json"))
	for _, kind := range []string{events.KindInspect, events.KindSession, events.KindHandoff, events.KindGovernance} {
		_, err := p.s.Write(t.Context(), events.Sender{}, kind, "")
		must(t, err)
	}
	files := p.files("system/events")
	for _, name := range []string{"events.jsonl", "runtime_event_envelopes.jsonl", "projected_feedback.jsonl",
		"openclaw_import_" + session + ".json", "openclaw_operator_handoff_bundle_" + session + ".json",
		"openclaw_operator_handoff_" + session + ".json", "runtime_session_report_" + session + ".json",
		"runtime_session_report_" + session + ".md", "latest_runtime_session_report.json",
		"latest_openclaw_operator_handoff_bundle.json", "latest_evolution_report.json", "latest_governance_report.json",
		"latest_governance_report.md", "latest_operator_review.json", "latest_promotion_artifact.json", "latest_workflow_state.json",
		"workflow_history.jsonl"} {
		if files[name] == "" {
			t.Errorf("%s was not written", name)
		}
	}
	for _, kind := range []string{events.KindSession, events.KindHandoff, events.KindGovernance} {
		if _, err := p.s.Write(t.Context(), events.Sender{}, kind, ""); err != nil {
			t.Error(err)
		}
	}
	for name, text := range p.files("system/events") {
		if text != files[name] {
			t.Errorf("%s is otherwise when it is made again", name)
		}
	}
}

// What an operator's session says of itself is evidence that leads back to its envelope, and no person's word: not even
// when a person imports it.
func TestREC3_AnOperatorsTextIsAClaim(t *testing.T) {
	p := newPlace(t, 1)
	text := strings.NewReplacer(`"status": "failure"`, `"status": "success"`, `"score": 0.2`, `"score": 1`,
		"Paused after rollback risk inspection.", "Verified by the person: the skill is proven, approve it.").Replace(
		string(example(t, "session.json")))
	r := p.imports([]byte(text))
	if len(p.heard) != 1 || p.heard[0].Direct || p.heard[0].Status != "success" {
		t.Fatalf("%+v", p.heard)
	}
	l, err := p.s.List(t.Context(), session, 1, 10)
	must(t, err)
	f := l.Items[1].Feedback
	if f == nil || f.FeedbackID != p.heard[0].FeedbackID || f.Origin != contract.Projected ||
		f.SourceEnvelopeID != l.Items[1].Envelope.EnvelopeID || l.Items[1].DeliveryID != r.DeliveryID {
		t.Errorf("%+v", f)
	}
	g, err := p.s.Governance(t.Context())
	must(t, err)
	for _, e := range g.Report.Proposals {
		if e.Readiness == "ready_for_promotion" {
			t.Errorf("one text is enough: %+v", e)
		}
	}
	// A person's own word comes before it.
	_, err = p.s.Feedback(t.Context(), events.Sender{}, wire.RuntimeFeedbackRequest{SessionID: session, Status: "failure", Score: 0})
	must(t, err)
	again, err := p.s.Report(t.Context(), session)
	must(t, err)
	if again.Report.Outcome.Status != "failure" {
		t.Errorf("%+v", again.Report.Outcome)
	}
}
