package contract_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/capture/redact"
	"showhow/daemon/events/contract"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

var now = clock.At(time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC))

// rules are the real ones, loaded once for all tests.
var rules = sync.OnceValues(redact.Load)

func cleaner(t testing.TB) contract.Cleaner {
	t.Helper()
	r, err := rules()
	if err != nil {
		t.Fatal(err)
	}
	return contract.Cleaner{Text: r.Text, Secret: func(s string) bool {
		return slices.ContainsFunc(r.Find(s), func(x redact.Span) bool { return !x.Kind.Personal() })
	}}
}

func example(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parsed(t *testing.T, c contract.Cleaner, text string) contract.Delivery {
	t.Helper()
	d, err := contract.Parse([]byte(text), c, now)
	if err != nil {
		f := fault.From(err)
		t.Fatalf("%v %v", f, f.Details)
	}
	return d
}

func TestREC1_TheContractsEnvelope(t *testing.T) {
	d := parsed(t, cleaner(t), string(example(t, "envelope.json")))
	if d.Shape != contract.ShapeEnvelope || len(d.Envelopes) != 1 {
		t.Fatalf("%+v", d)
	}
	e := d.Envelopes[0]
	if e.EnvelopeID != "9b1f66ae-5f44-47f8-a1a9-bd5f84d22b70" || e.RecordedAt.String() != "2026-03-13T18:22:41.000Z" ||
		e.Source != "openclaw-local" || e.Metadata["operator"] != "local-demo" || e.ContractName != contract.Name {
		t.Errorf("%+v", e)
	}
	ev := e.Event
	if ev.EventID != "7d4f2fda-36bc-4c47-b1d3-dc1cb8ef04e0" || ev.Status != "failure" || *ev.Score != 0.2 ||
		ev.Comment != "missed rollback coverage" || !slices.Equal(ev.SelectedSkillIDs, []string{"code_review"}) ||
		ev.Metadata["trace_id"] != "demo-trace-001" || ev.Task != "review postgres migration rollback safety" {
		t.Errorf("%+v", ev)
	}
	f, ok := contract.Project(e, "openclaw", now)
	if !ok || f.ContractName != contract.Name || f.ContractVersion != "1.0" || f.SourceEnvelopeID != e.EnvelopeID ||
		f.SourceEventID != ev.EventID || f.ProjectedAt == nil || *f.ProjectedAt != now || f.Score != .2 || f.ReportedBy != "openclaw" {
		t.Errorf("%+v", f)
	}
	ev.EventKind = contract.SessionStarted
	e.Event = ev
	if _, ok := contract.Project(e, "openclaw", now); ok {
		t.Error("a session that started was projected")
	}
}

// What senders leave out follows from what they sent: a repeat has the same ids, equal events of one message have different ones.
func TestREC2_OmittedIDsAreDerived(t *testing.T) {
	c := cleaner(t)
	first, again := parsed(t, c, string(example(t, "batch.json"))), parsed(t, c, string(example(t, "batch.json")))
	if first.Shape != contract.ShapeBatch || len(first.Envelopes) != 2 || !reflect.DeepEqual(first, again) {
		t.Fatalf("%+v\n%+v", first, again)
	}
	a, b := first.Envelopes[0], first.Envelopes[1]
	if a.EnvelopeID == b.EnvelopeID || a.Event.EventID == b.Event.EventID || a.Event.OccurredAt != now || a.Event.SchemaVersion != "1.1" {
		t.Errorf("%+v\n%+v", a, b)
	}
	twice := parsed(t, c, `{"contract_name":"openclaw_appleseed.runtime_event","contract_version":"1.0","events":[
		{"event_kind":"session_started","session_id":"s","task":"t"},{"event_kind":"session_started","session_id":"s","task":"t"}]}`)
	if twice.Envelopes[0].Event.EventID == twice.Envelopes[1].Event.EventID {
		t.Error("equal events of one batch are one")
	}
	list := parsed(t, c, "["+string(example(t, "envelope.json"))+"]")
	if one := parsed(t, c, string(example(t, "envelope.json"))); list.Shape != contract.ShapeList || !reflect.DeepEqual(list.Envelopes,
		one.Envelopes) {
		t.Errorf("%+v", list)
	}
}

func TestREC3_AnOperatorsSession(t *testing.T) {
	d := parsed(t, cleaner(t), string(example(t, "session.json")))
	if d.Shape != contract.OperatorSession || len(d.Envelopes) != 2 {
		t.Fatalf("%+v", d)
	}
	started, ended := d.Envelopes[0].Event, d.Envelopes[1].Event
	if started.EventKind != contract.SessionStarted || !slices.Equal(started.Steps, []string{"inspect rollback risk"}) ||
		started.OccurredAt.String() != "2026-03-13T18:20:00.000Z" || !slices.Equal(started.MissingCapabilities, []string{"database migrations"}) {
		t.Errorf("%+v", started)
	}
	if ended.EventKind != contract.SessionFeedback || ended.Status != "failure" || *ended.Score != .2 ||
		ended.OccurredAt.String() != "2026-03-13T18:28:00.000Z" || !slices.Equal(ended.SelectedSkillIDs, []string{"code_review"}) {
		t.Errorf("%+v", ended)
	}
	for _, m := range []map[string]any{started.Metadata, ended.Metadata, d.Envelopes[0].Metadata} {
		last, _ := m[contract.MetaLast].(map[string]any)
		handoff, _ := m[contract.MetaHandoff].(map[string]any)
		if m[contract.MetaOperator] != "local-demo" || last["checkpoint_id"] != "cp-risk" ||
			handoff["next_action"] != "Verify lock-time risk before promotion." {
			t.Errorf("%+v", m)
		}
	}
	if got := contract.Checkpoints(started); len(got) != 1 || got[0].Status != "blocked" || got[0].Step != "inspect rollback risk" {
		t.Errorf("%+v", got)
	}

	// The order is that of time; without an outcome nothing is projected.
	open := parsed(t, cleaner(t), `{"artifact_kind":"openclaw_operator_session","schema_version":"1.0","session":{"session_id":"s","task":"t"},
		"timeline":[{"step":"second","occurred_at":"2026-03-13T18:25:00"},{"step":"first","occurred_at":"2026-03-13T19:24:00+01:00"}]}`)
	if len(open.Envelopes) != 1 || !slices.Equal(open.Envelopes[0].Event.Steps, []string{"first", "second"}) {
		t.Errorf("%+v", open.Envelopes)
	}
	// A later export of the session says something else, so it has ids of its own.
	later := parsed(t, cleaner(t), strings.Replace(string(example(t, "session.json")), "18:30:00", "18:31:00", 1))
	if later.Envelopes[0].Event.EventID == started.EventID {
		t.Error("two exports of a session have the same ids")
	}
}

// What Parse returns is clean, and reading it again changes nothing.
func TestRedacted(t *testing.T) {
	c := cleaner(t)
	const secret, mail = "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ada.lovelace@example.org"
	text := `{"contract_name":"openclaw_appleseed.runtime_event","contract_version":"1.0","source":"x","metadata":{"` + secret + `":1,
		"password":"hunter2-x9","deep":{"list":["token ` + secret + `"],"n":4111111111111111}},
		"event":{"event_kind":"session_feedback","session_id":"s-1","task":"write to ` + mail + `","status":"partial","score":1,
		"comment":"export GITHUB_TOKEN=` + secret + `","selected_skill_ids":["` + secret + `"],"missing_capabilities":["mail ` + mail + `"],
		"steps":["psql postgres://u:pa55w0rdXY@db/x"],"unknown":"` + secret + `","metadata":{"trace_id":"t-1"}}}`
	d := parsed(t, c, text)
	b, err := contract.Marshal(d.Envelopes)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{secret, mail, "hunter2", "pa55w0rdXY", "4111111111111111"} {
		if strings.Contains(string(b), s) {
			t.Errorf("%s is in %s", s, b)
		}
	}
	if d.Envelopes[0].Event.SessionID != "s-1" || d.Envelopes[0].Event.Metadata["trace_id"] != "t-1" {
		t.Errorf("ids were cleaned away: %s", b)
	}
	again, err := contract.Parse(b, c, now)
	if err != nil {
		t.Fatal(err)
	}
	if b2, _ := contract.Marshal(again.Envelopes); string(b2) != string(b) {
		t.Errorf("read again it is otherwise:\n%s\n%s", b, b2)
	}
}

func TestREC2_Refused(t *testing.T) {
	c := cleaner(t)
	head := `"contract_name":"openclaw_appleseed.runtime_event","contract_version":"1.0"`
	event := func(more string) string {
		return `{` + head + `,"event":{"event_kind":"session_started","session_id":"s","task":"t"` + more + `}}`
	}
	for name, tt := range map[string]struct{ text, path, rule string }{
		"no contract": {`{"event":{"event_kind":"session_started","session_id":"s","task":"t"}}`, "body.contract_name", "required"},
		"another version": {`{"contract_name":"openclaw_appleseed.runtime_event","contract_version":"2.0","event":{}}`,
			"body.contract_version", "enum"},
		"an unknown kind": {strings.Replace(event(""), "session_started", "session_paused", 1), "body.event.event_kind", "enum"},
		"no session":      {strings.Replace(event(""), `"session_id":"s"`, `"session_id":""`, 1), "body.event.session_id", "min_length"},
		"a path as an id": {strings.Replace(event(""), `"session_id":"s"`, `"session_id":"../../x"`, 1), "body.event.session_id", "pattern"},
		"a secret as an id": {strings.Replace(event(""), `"session_id":"s"`, `"session_id":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"`, 1),
			"body.event.session_id", "pattern"},
		"a score of 2":       {strings.Replace(event(`,"status":"failure","score":2`), "started", "feedback", 1), "body.event.score", "maximum"},
		"no score":           {strings.Replace(event(`,"status":"failure"`), "started", "feedback", 1), "body.event.score", "required"},
		"another status":     {strings.Replace(event(`,"status":"bad","score":1`), "started", "feedback", 1), "body.event.status", "enum"},
		"no time":            {event(`,"occurred_at":"yesterday"`), "body.event.occurred_at", "format"},
		"steps of another":   {event(`,"steps":[1]`), "body.event.steps[0]", "type"},
		"metadata of a list": {event(`,"metadata":[]`), "body.event.metadata", "type"},
		"an empty batch":     {`{` + head + `,"events":[]}`, "body.events", "min_items"},
		"an empty list":      {`[]`, "body", "min_items"},
		"another artifact":   {`{"artifact_kind":"x"}`, "body.artifact_kind", "enum"},
		"large metadata": {event(`,"metadata":{"x":["` + strings.Repeat(`x y z","`, 10000) + `"]}`), "body.event.metadata",
			"max_bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := contract.Parse([]byte(tt.text), c, now)
			f := fault.From(err)
			if err == nil || f.Code != fault.InvalidRequest {
				t.Fatalf("%v", err)
			}
			all, _ := f.Details["violations"].([]wire.Violation)
			if !slices.ContainsFunc(all, func(v wire.Violation) bool { return v.Path == tt.path && v.Rule == tt.rule }) {
				t.Errorf("%+v", all)
			}
		})
	}
	for name, text := range map[string]string{"no JSON": `{`, "a key twice": `{"a":1,"a":2}`, "two values": `{}{}`, "nothing": ``,
		"too deep": strings.Repeat("[", 40) + strings.Repeat("]", 40), "a long text": `["` + strings.Repeat("x ", 40000) + `"]`} {
		if _, err := contract.Parse([]byte(text), c, now); !fault.Is(err, fault.MalformedJSON) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
