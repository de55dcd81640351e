package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// house is what Showhow knows in a test.
type house struct {
	entries []ability.AvailabilityEntry
	text    string // of SKILL.md
	long    int    // receipts
	broken  bool
	waited  []time.Duration
	opened  int
	told    []string // checkpoints
}

func (h *house) Availability(context.Context) (ability.AvailabilitySnapshot, error) {
	if h.broken {
		return ability.AvailabilitySnapshot{}, errors.New("the disk is gone")
	}
	return ability.AvailabilitySnapshot{Abilities: h.entries}, nil
}

func (h *house) AvailabilityOf(_ context.Context, id string) (ability.AvailabilityEntry, error) {
	i := slices.IndexFunc(h.entries, func(e ability.AvailabilityEntry) bool { return e.AbilityID == id || e.SkillSlug == id })
	if i < 0 {
		return ability.AvailabilityEntry{}, fault.New(fault.AbilityNotFound, "there is no such ability")
	}
	return h.entries[i], nil
}

func (h *house) Open(ctx context.Context, id string, agents []string) (skill.Bundle, ability.AvailabilityEntry, error) {
	e, err := h.AvailabilityOf(ctx, id)
	if err != nil {
		return skill.Bundle{}, e, err
	}
	if seen, there := e.For(agents); agents != nil && (!there || !seen.UsableNow) {
		return skill.Bundle{}, e, fault.New(fault.TrustRequired, "the skill is for other agents")
	}
	return skill.Bundle{Name: e.SkillSlug, Files: []skill.File{{Path: skill.Entry, Data: []byte(h.text)}}}, e, nil
}

func (h *house) Lookup(_ context.Context, q ability.LookupQuery) (ability.LookupResult, error) {
	if strings.Contains(q.UserQuery, "nothing") {
		return ability.LookupResult{}, nil
	}
	m := ability.LookupMatch{AbilityID: "a1", Title: "Sort receipts", Score: .7, MatchReasons: []string{"x"}}
	return ability.LookupResult{Matches: []ability.LookupMatch{m}}, nil
}

func (h *house) NoteLookup(ability.Reporter, []ability.LookupMatch) {}
func (h *house) NoteOpened(context.Context, ability.Reporter, string) error {
	h.opened++
	return nil
}
func (h *house) VerifyCheckpoint(_ context.Context, r ability.VerifyCheckpointRequest,
	_ ability.Reporter) (journal.CheckpointReceipt, error) {
	h.told = append(h.told, r.CheckpointID)
	return journal.CheckpointReceipt{ReceiptID: "r-" + r.CheckpointID}, nil
}
func (h *house) Progress(context.Context, string, wire.ProgressRequest) (wire.DispatchProgress, error) {
	return wire.DispatchProgress{}, nil
}

func (h *house) Sessions(context.Context, wire.SessionFilter) (wire.LearnSessionsListResponse, error) {
	return wire.LearnSessionsListResponse{Total: 1, Sessions: []wire.LearnSession{{LearnSessionID: "s1", State: "approved",
		CreatedAt: clock.At(noon)}}}, nil
}

func (h *house) Receipts(_ context.Context, f wire.ReceiptFilter) (wire.LearnReceiptsResponse, error) {
	out := wire.LearnReceiptsResponse{Total: h.long + 1}
	for i := range h.long + 1 {
		out.Receipts = append(out.Receipts, wire.LearningReceipt{ReceiptID: fmt.Sprint("r", i), Kind: wire.EventKind(journal.AbilityApproved),
			Summary: "You approved a skill." + strings.Repeat(" Again.", 60), CreatedAt: clock.At(noon)})
	}
	return out, nil
}

func (h *house) List(context.Context) (wire.MCPServerListResponse, error) {
	return wire.MCPServerListResponse{Servers: []wire.MCPServerListItem{{Registry: wire.MCPServerRegistryEntry{ServerID: "mail",
		DisplayName: "Mail"}, BadgeStates: []string{"connected"}}}}, nil
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const hush = "hunter2-Xq9"

// served is a contract over a house with two skills: one for everybody, one for the agent claude alone.
func served(t testing.TB) (*Service, *house) {
	t.Helper()
	h := &house{text: "# Sort\n", entries: []ability.AvailabilityEntry{
		{AbilityID: "a1", SkillSlug: "sort", Title: "Sort receipts", UsableNow: true, Trust: "approved", Source: "learned",
			Checkpoints: []string{"c1"}, Configured: map[string]any{"folder": "/home/anna/bills"}},
		{AbilityID: "a2", SkillSlug: "secret-sauce", Title: "Secret sauce", UsableNow: true, Trust: "approved", Source: "imported",
			Checkpoints: []string{}, Permissions: wire.AbilityPermissions{Agents: []string{"claude"}}}}}
	find := func(text string) (secrets, personal []string) {
		if strings.Contains(text, hush) {
			secrets = []string{"password"}
		}
		if strings.Contains(text, "@example.org") {
			personal = []string{"email"}
		}
		return secrets, personal
	}
	s := New(Options{Abilities: h, Record: h, Connectors: h, Find: find, Version: "1.2", Now: func() time.Time { return noon },
		Wait: func(_ context.Context, d time.Duration) { h.waited = append(h.waited, d) }})
	return s, h
}

var (
	person  = Caller{Person: true, Agent: "terminal", Reporter: "p"}
	bot     = Caller{Agent: "bot", Names: []string{"bot"}, Reporter: "b"}
	unknown = Caller{Agent: "agent", Reporter: "u"}
)

var responseSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(published("response")))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("response.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("response.json")
})

// fits validates an answer by the published schema, with another library than the one that serves it.
func fits(t testing.TB, raw []byte) {
	t.Helper()
	s, err := responseSchema()
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%v\n%s", err, raw)
	}
}

type reply struct {
	OK           bool           `json:"ok"`
	Verb         string         `json:"verb"`
	Result       map[string]any `json:"result"`
	Structured   any            `json:"structured"`
	Rendered     string         `json:"rendered_text"`
	Error        string         `json:"error"`
	Hint         string         `json:"hint"`
	BlockClass   string         `json:"block_class"`
	Blocked      string         `json:"blocked_reason"`
	Warning      string         `json:"safety_warning"`
	Artifact     string         `json:"artifact_id"`
	Confidence   float64        `json:"confidence"`
	Signals      []string       `json:"signals"`
	Caveats      []string       `json:"absent_knowledge_caveats"`
	Disclosure   any            `json:"disclosure_applied"`
	Retrieved    bool           `json:"is_retrieved_content"`
	Approval     bool           `json:"approval_required"`
	Compression  map[string]any `json:"_compression"`
	Provenance   map[string]any `json:"provenance"`
	Expectedness map[string]any `json:"expectedness"`
}

// asks calls a tool with an envelope and checks the answer's form.
func asks(t testing.TB, s *Service, c Caller, tool, request string) (reply, []byte) {
	t.Helper()
	raw, err := s.Call(t.Context(), c, tool, json.RawMessage(request))
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	fits(t, raw)
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r, raw
}

// Every error of section 11.2 is reached, word for word.
func TestErrors(t *testing.T) {
	s, h := served(t)
	claim := func(more string) string {
		return `{"verb":"INSERT","from_kind":"ai_observation","purpose":"ai_writeback_from_conversation","payload":{` + more + `}}`
	}
	for _, x := range []struct{ tool, request, want, class string }{
		{toolMain, `{}`, "from_kind required", ""},
		{toolMain, `{"from_kind":"situation_brief","purpose":"p"}`, "from_match required for from_kind=situation_brief", ""},
		{toolMain, `{"from_kind":"recall"}`, "ask required for from_kind=recall", ""},
		{toolMain, `{"from_kind":"profile"}`, "purpose required for SENSITIVE from_kind", "safety_tier_gate"},
		{toolMain, `{"from_kind":"lab_results","purpose":" "}`, "purpose required for RESTRICTED from_kind", "safety_tier_gate"},
		{toolMain, `{"from_kind":"person","depth":"deep"}`, "purpose required for SENSITIVE from_kind", "safety_tier_gate"},
		{toolMain, `{"from_kind":"passw<o>rds"}`, "unknown from_kind: passwords", ""},
		{toolWrite, claim(``), "payload.claim required", ""},
		{toolWrite, claim(`"claim":"x"`), "payload.confidence required (0.0-1.0)", ""},
		{toolWrite, claim(`"claim":"x","confidence":1.5`), "payload.confidence required (0.0-1.0)", ""},
		{toolWrite, claim(`"claim":"x","confidence":0.5`), "payload.trigger_reason required", ""},
		{toolWrite, strings.Replace(claim(`"claim":"x","confidence":0.5,"trigger_reason":"ai_synthesis","user":"bea"`), `"purpose"`,
			`"caller":{"who":"anna"},"purpose"`, 1), "CROSS_USER_WRITEBACK_BLOCKED", ""},
		{toolWrite, claim(`"claim":"her password is ` + hush + `","confidence":0.5,"trigger_reason":"ai_synthesis"`),
			"pii_pattern_rejection", ""},
		{toolMain, `{"from_kind":"ability","caller":{"disclosure_mode":"gossip"}}`, "response blocked by disclosure policy", "disclosure_policy"},
		{toolMain, `{"from_kind":"photo"}`, "response blocked by disclosure policy", ""},
		{toolMain, `{"from_kind":"synthesis"}`, "deprecated from_kind: synthesis", ""},
		{toolMain, `{"from_kind":"dev_tech_debt","purpose":"p"}`, "schema not yet landed", ""},
		{toolWrite, `{"verb":"DELETE","from_kind":"ability"}`, "verb DELETE not supported for from_kind=ability", ""},
		{toolWrite, `{"verb":"INSERT","from_kind":"checkpoint","payload":{}}`,
			"payload.ability, payload.checkpoint and payload.status required", ""},
	} {
		r, _ := asks(t, s, person, x.tool, x.request)
		if r.OK || r.Error != x.want || r.BlockClass != x.class || r.Confidence != 0 || !slices.Equal(r.Signals, []string{"error_response"}) {
			t.Errorf("%s: %+v", x.request, r)
		}
	}
	h.text = "The password is " + hush
	r, _ := asks(t, s, person, toolMain, `{"from_kind":"file","from_id":"sort"}`)
	if r.OK || r.Error != "response blocked by safety review" || r.BlockClass != "safety_content" || r.Blocked == "" ||
		strings.Contains(fmt.Sprint(r), hush) {
		t.Errorf("%+v", r)
	}
	h.text = "Ask anna@example.org."
	if r, _ := asks(t, s, person, toolMain, `{"from_kind":"file","from_id":"sort"}`); !r.OK || r.Warning == "" {
		t.Errorf("%+v", r)
	}
	h.broken = true
	if r, _ := asks(t, s, person, toolMain, `{"from_kind":"ability"}`); r.OK || !strings.HasPrefix(r.Error, "INTERNAL") ||
		strings.Contains(r.Error, "disk") {
		t.Errorf("%+v", r)
	}
}

// Errors of section 11.1 are the route's: form, right and failure.
func TestErrorsOfTheRoute(t *testing.T) {
	s, h := served(t)
	for _, x := range []struct {
		c             Caller
		tool, request string
		code          fault.Code
	}{
		{person, toolMain, `{`, fault.InvalidRequest},
		{person, toolMain, `{"verb":"DROP"}`, fault.InvalidRequest},
		{person, toolMain, `{"since":"yesterday"}`, fault.InvalidRequest},
		{person, toolMain, `{"verb":"INSERT","from_kind":"checkpoint"}`, fault.InvalidRequest}, // it is declared as reading
		{person, toolRead, `{"verb":"DELETE","from_kind":"ability"}`, fault.InvalidRequest},
		{person, toolWrite, `{"from_kind":"ability"}`, fault.InvalidRequest},
		{unknown, toolWrite, `{"verb":"INSERT"}`, fault.Forbidden},
		{bot, toolChannel, `{}`, fault.Forbidden},
		{Caller{Revoked: true}, toolMain, `{}`, fault.Forbidden},
		{person, "mandate", `{}`, fault.NotFound},
	} {
		if _, err := s.Call(t.Context(), x.c, x.tool, json.RawMessage(x.request)); !fault.Is(err, x.code) {
			t.Errorf("%s %s: %v, want %s", x.tool, x.request, err, x.code)
		}
	}
	// A token without the scope is told which to ask for (section 10.4).
	_, err := s.Call(t.Context(), Remote("remote/far", "", false), toolWrite, json.RawMessage(`{"verb":"INSERT"}`))
	if !fault.Is(err, fault.Forbidden) || !strings.Contains(fault.From(err).Hint, "sign in again and ask for the scope showhow.write") {
		t.Errorf("%v", err)
	}
	h.broken = true
	if _, err := s.Call(t.Context(), person, toolStatus, nil); fault.From(err).Code != fault.Internal {
		t.Errorf("%v", err)
	}
}

// What a caller may not have, what nobody knows and what Showhow does not hold is the same to the last byte, and takes
// the same multiple of time.
func TestNoInformation(t *testing.T) {
	s, h := served(t)
	_, want := asks(t, s, bot, toolMain, `{"from_kind":"photo","from_match":"anna"}`)
	for _, request := range []string{
		`{"from_kind":"file","from_id":"secret-sauce"}`,                                        // for another agent
		`{"from_kind":"file","from_id":"nobody"}`,                                              // unknown
		`{"from_kind":"file","from_id":"sort/references/none.md"}`,                             // unknown
		`{"from_kind":"ability","from_id":"nobody"}`,                                           // unknown
		`{"from_kind":"session","purpose":"p","format_hint":"both"}`,                           // the person's
		`{"from_kind":"receipt","purpose":"p","max_chars":3}`,                                  //
		`{"from_kind":"lab_results","purpose":"p"}`,                                            // not held
		`{"from_kind":"profile","purpose":"p","caller":{"disclosure_mode":"gossip"}}`,          // held back
		`{"from_kind":"decision","from_id":"r0","purpose":"p","since":"2026-01-01T00:00:00Z"}`, //
	} {
		_, got := asks(t, s, bot, toolMain, request)
		if !bytes.Equal(got, want) {
			t.Errorf("%s\n%s\nwant\n%s", request, got, want)
		}
	}
	if len(h.waited) != 10 || h.opened != 0 {
		t.Errorf("waited %d times, opened %d", len(h.waited), h.opened)
	}
	for _, d := range h.waited {
		if d <= 0 || d > quantum {
			t.Errorf("waited %s", d)
		}
	}
	if bytes.Contains(want, []byte("block_class")) || bytes.Contains(want, []byte("2026")) {
		t.Errorf("it tells something: %s", want)
	}
	if _, got := asks(t, s, person, toolMain, `{"from_kind":"decision","from_id":"none","purpose":"p"}`); !bytes.Equal(got, want) {
		t.Errorf("%s", got)
	}
}

// Where others see the answer, the person's record is no part of it: not a row, not a name, not how many there are.
func TestOthersSeeNoRecord(t *testing.T) {
	s, _ := served(t)
	_, want := asks(t, s, person, toolChannel, `{"from_kind":"photo","from_match":"anna"}`)
	for _, kind := range []string{"session", "receipt", "decision", "decisions", "recent_decisions", "connector"} {
		if r, got := asks(t, s, person, toolMain, fmt.Sprintf(`{"from_kind":%q,"purpose":"p"}`, kind)); !r.OK {
			t.Errorf("%s in the person's own room: %s", kind, got)
		}
		if _, got := asks(t, s, person, toolChannel, fmt.Sprintf(`{"from_kind":%q,"purpose":"p"}`, kind)); !bytes.Equal(got, want) {
			t.Errorf("%s in a channel: %s", kind, got)
		}
		relayed := fmt.Sprintf(`{"from_kind":%q,"purpose":"p","caller":{"disclosure_mode":"relay"}}`, kind)
		if _, got := asks(t, s, person, toolMain, relayed); !bytes.Equal(got, want) {
			t.Errorf("%s passed on: %s", kind, got)
		}
	}
	for tool, all := range map[string]bool{toolMain: true, toolChannel: false} {
		r, raw := asks(t, s, person, tool, `{"from_kind":"system"}`)
		if has := strings.Contains(fmt.Sprint(r.Result["counts"]), "sessions"); !r.OK || has != all {
			t.Errorf("%s: %s", tool, raw)
		}
	}
}

// Every kind of the catalogue answers, with and without a purpose, by the published schema; a sensitive one without a
// purpose is refused, whatever it is.
func TestEveryKind(t *testing.T) {
	s, _ := served(t)
	if n := len(catalog()); n != 111 { // 96 of the contract, 7 more names, 3 deprecated, 5 own
		t.Errorf("%d kinds", n)
	}
	restrictedKinds := 0
	for _, k := range catalog() {
		for _, c := range []Caller{person, bot, unknown} {
			for _, purpose := range []string{"", "researching_history"} {
				for _, depth := range []string{"standard", "exhaustive"} {
					r, _ := asks(t, s, c, toolMain, fmt.Sprintf(`{"from_kind":%q,"purpose":%q,"depth":%q,"ask":"sort","from_match":"sort"}`,
						k.Name, purpose, depth))
					to, _ := kindOf(k.Name)
					if gated := to.tierAt(depth) != standard && purpose == ""; gated != (r.BlockClass == blockTier) {
						t.Errorf("%s as %s: %+v", k.Name, k.Tier, r)
					}
				}
			}
		}
		if k.Tier == restricted {
			restrictedKinds++
		}
	}
	if restrictedKinds != 11 {
		t.Errorf("%d restricted kinds", restrictedKinds)
	}
}

// What Showhow holds is answered.
func TestWhatIsHeld(t *testing.T) {
	s, h := served(t)
	for _, x := range []struct {
		c       Caller
		tool    string
		request string
		check   func(r reply) bool
	}{
		{person, toolMain, `{"from_kind":"ability"}`, func(r reply) bool {
			return r.Result["count"] == 2.0 && r.Result["provenance"] == "derived_index" && r.Confidence == .65 && r.Rendered != "" &&
				r.Structured == nil
		}},
		{person, toolMain, `{"from_kind":"ability","from_id":"sort","format_hint":"both"}`, func(r reply) bool {
			return r.Result["provenance"] == "observed" && r.Confidence == .85 && r.Structured != nil &&
				strings.Contains(fmt.Sprint(r.Result), "/home/anna")
		}},
		{person, toolChannel, `{"from_kind":"ability","from_id":"sort"}`, func(r reply) bool {
			d, _ := r.Disclosure.(map[string]any)
			return !strings.Contains(fmt.Sprint(r.Result), "/home/anna") && d["context"] == "channel" &&
				fmt.Sprint(d["redacted_fields"]) == "[configured]"
		}},
		{bot, toolMain, `{"from_kind":"ability","fields":["name","usable_now"]}`, func(r reply) bool {
			return fmt.Sprint(r.Result["abilities"]) == "[map[name:sort usable_now:true] map[name:secret-sauce usable_now:false]]"
		}},
		{bot, toolMain, `{"from_kind":"ability","from_match":"nothing like it"}`, func(r reply) bool {
			return r.OK && r.Result["found"] == false && r.Confidence == .25 && r.Expectedness["surface_recommendation"] == "SUPPRESS"
		}},
		{bot, toolMain, `{"ask":"sort my bills"}`, func(r reply) bool {
			return r.OK && r.Retrieved && r.Result["count"] == 1.0 && r.Confidence == .7
		}},
		{bot, toolMain, `{"from_kind":"document","ask":"sort my bills"}`, func(r reply) bool { return r.OK && r.Retrieved }},
		{bot, toolMain, `{"from_kind":"file","from_id":"sort/SKILL.md"}`, func(r reply) bool {
			return r.Retrieved && strings.HasPrefix(r.Result["text"].(string), retrievedBegin) && r.Provenance["audience"] == "agent"
		}},
		{bot, toolWrite, `{"verb":"CREATE","from_kind":"checkpoint","payload":{"ability":"sort","checkpoint":"c1","status":"reached"}}`,
			func(r reply) bool { return r.OK && r.Verb == "INSERT" && r.Artifact == "r-c1" }},
		{bot, toolMain, `{"from_kind":"checkpoint","from_id":"sort"}`, func(r reply) bool { return r.OK }},
		{bot, toolMain, `{"from_kind":"server_status"}`, func(r reply) bool {
			return strings.Contains(fmt.Sprint(r.Result["counts"]), "abilities_usable:1") &&
				!strings.Contains(fmt.Sprint(r.Result["counts"]), "sessions")
		}},
		{person, toolMain, `{"from_kind":"session","purpose":"p"}`, func(r reply) bool { return r.Result["count"] == 1.0 }},
		{person, toolMain, `{"from_kind":"session","purpose":"p","until":"2026-03-01T12:00:00Z"}`, func(r reply) bool {
			return r.Result["count"] == 0.0
		}},
		{person, toolMain, `{"from_kind":"decision","from_id":"r0","purpose":"p"}`, func(r reply) bool {
			return r.Result["audit_ref"] == "r0" && r.Result["found"] == true && len(r.Result["evaluations"].([]any)) == 1
		}},
		{person, toolMain, `{"from_kind":"connector","purpose":"p","filters":{"limit":1,"mood":"x"}}`, func(r reply) bool {
			return r.Result["count"] == 1.0 && len(r.Caveats) == 1 && strings.Contains(r.Caveats[0], "mood")
		}},
		{person, toolMain, `{"from_kind":"ability","sources":["people.db"]}`, func(r reply) bool { return r.Result["found"] == false }},
		{person, toolMain, `{"from_kind":"ability","max_chars":5}`, func(r reply) bool { return len([]rune(r.Rendered)) <= 5 }},
	} {
		if r, raw := asks(t, s, x.c, x.tool, x.request); !r.OK || !x.check(r) {
			t.Errorf("%s: %s", x.request, raw)
		}
	}
	h.long = 99
	r, raw := asks(t, s, person, toolMain, `{"from_kind":"receipt","purpose":"p","filters":{"limit":100}}`)
	if r.Compression["applied"] != true || r.Result["_original_result_was_compressed"] != true || len(raw) > longEnvelope {
		t.Errorf("%d bytes, %v", len(raw), r.Compression)
	}
	h.text = strings.Repeat("Sort. ", 6000)
	if r, raw := asks(t, s, person, toolMain, `{"from_kind":"file","from_id":"sort"}`); r.Compression != nil || len(raw) < longEnvelope {
		t.Errorf("a file was shortened: %v", r.Compression)
	}
}

func TestConfidence(t *testing.T) {
	for _, x := range []struct {
		e    Envelope
		want float64
	}{
		{Envelope{}, .40},
		{Envelope{SourcesUsed: []string{"a", "b", "c", "d"}}, .85},
		{Envelope{Result: map[string]any{"found": true}}, .50},
		{Envelope{Result: map[string]any{"found": false}}, .10},
		{Envelope{Result: map[string]any{"provenance": "user_confirmed", "sample_size": 10}}, .65},
		{Envelope{Result: map[string]any{"provenance": "derived_index", "sample_size": 9}}, .40},
		{Envelope{Result: map[string]any{"provenance": "llm_inferred"}}, .25},
		{Envelope{Caveats: []string{"a", "b", "c", "d"}}, .10},
		{Envelope{Caveats: []string{"a", "b", "c"}, Result: map[string]any{"found": false}}, 0},
		{Envelope{Result: map[string]any{"confidence": .9}}, .9},
		{Envelope{SourcesUsed: []string{"a", "b", "c"}, Result: map[string]any{"found": true, "provenance": "observed"}}, 1},
	} {
		if got, why := confidence(&x.e); got != x.want || len(why) == 0 {
			t.Errorf("%+v: %v %v, want %v", x.e, got, why, x.want)
		}
	}
	for want, all := range map[string][]string{"llm_inferred": {"observed", "llm_inferred", "derived_index"},
		"derived_index": {"observed", "derived_index"},
		"observed":      {"observed", "observed"}, "": nil} {
		if got := weakest(all); got != want {
			t.Errorf("%v: %q", all, got)
		}
	}
}

// Telemetry counts, and holds nothing that anybody said.
func TestTelemetry(t *testing.T) {
	s, _ := served(t)
	asks(t, s, bot, toolMain, `{"from_kind":"recall","ask":"find the Smith contract","context_note":"confidential"}`)
	asks(t, s, bot, toolMain, `{"from_kind":"smith_contract"}`)
	asks(t, s, bot, toolMain, `{"from_kind":"session","purpose":"spying on Smith"}`)
	raw, err := s.Call(t.Context(), bot, toolTelemetry, nil)
	if err != nil {
		t.Fatal(err)
	}
	if low := strings.ToLower(string(raw)); strings.Contains(low, "smith") || strings.Contains(low, "confidential") ||
		strings.Contains(low, "bot") {
		t.Errorf("%s", raw)
	}
	if !strings.Contains(string(raw), `"from_kind":"recall","status":"ok","calls":1`) || !strings.Contains(string(raw), "no_information") {
		t.Errorf("%s", raw)
	}
}

// A client of the official SDK sees the tools of its grant and no others, and gets answers by their schemas.
func TestOverMCP(t *testing.T) {
	s, _ := served(t)
	for _, x := range []struct {
		c    Caller
		want []string
	}{
		{unknown, []string{toolMain, toolRead}}, {bot, []string{toolMain, toolRead, toolWrite}},
		{person, []string{toolMain, toolRead, toolWrite, toolChannel}}, {Caller{Revoked: true}, nil},
	} {
		srv := httptest.NewServer(s.Handler(x.c))
		client, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(),
			&mcp.StreamableClientTransport{Endpoint: srv.URL, DisableStandaloneSSE: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		l, err := client.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, tool := range l.Tools {
			got = append(got, tool.Name)
			if tool.Annotations.ReadOnlyHint != (tool.Name != toolWrite) {
				t.Errorf("%s reads only: %v", tool.Name, tool.Annotations.ReadOnlyHint)
			}
		}
		want := x.want
		if want != nil {
			want = append(slices.Clone(want), open...)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) || len(got) > 8 {
			t.Errorf("%s has %v, want %v", x.c.Agent, got, want)
		}
		if want != nil {
			res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: toolMain, Arguments: map[string]any{"from_kind": "ability"}})
			if err != nil || res.IsError {
				t.Fatalf("%+v %v", res, err)
			}
			fits(t, []byte(res.Content[0].(*mcp.TextContent).Text))
			res, err = client.CallTool(t.Context(), &mcp.CallToolParams{Name: toolRead, Arguments: map[string]any{"from_kind": "ability"}})
			if err != nil {
				t.Fatal(err)
			}
			fits(t, joined(t, res.Content[0].(*mcp.TextContent).Text))
			if res, err = client.CallTool(t.Context(), &mcp.CallToolParams{Name: toolSpec}); err != nil ||
				!strings.Contains(res.Content[0].(*mcp.TextContent).Text, `"contract":"`+Revision) {
				t.Errorf("%v", err)
			}
		}
		client.Close()
		srv.Close()
	}
}

// The documentation names every kind with its tier, and says of each whether Showhow holds it.
func TestTheDocumentation(t *testing.T) {
	b, err := os.ReadFile("../../docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range catalog() {
		if k.Own || k.AliasOf != "" || k.Deprecated != "" {
			if !strings.Contains(string(b), "`"+k.Name+"`") {
				t.Errorf("%s is not named", k.Name)
			}
			continue
		}
		held := "no"
		if k.Held {
			held = "yes"
		}
		if row := "| `" + k.Name + "` | " + k.Tier + " | " + held + " |"; !strings.Contains(string(b), row) {
			t.Errorf("no row %q", row)
		}
	}
}

// A caller from elsewhere learns of the skills that were opened to it, and counts no others.
func TestACallerFromElsewhereCountsWhatWasOpenedToIt(t *testing.T) {
	s, h := served(t)
	h.entries[1].Permissions.Agents = append(h.entries[1].Permissions.Agents, "remote/scout")
	h.entries[1].Configured = map[string]any{"folder": "/home/anna/bills"}
	for who, want := range map[string]string{
		"remote/scout": `"abilities":1,"abilities_usable":1`,
		"remote/x":     `"abilities":0,"abilities_usable":0`} {
		c := Remote(who, who, false)
		b, err := s.Call(t.Context(), c, toolStatus, nil)
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %s %v", who, b, err)
		}
		b, err = s.Call(t.Context(), c, toolRead, json.RawMessage(`{"verb":"SELECT","from_kind":"ability"}`))
		if err != nil || strings.Contains(string(b), "Sort receipts") || strings.Contains(string(b), "anna") ||
			strings.Contains(string(b), "Secret sauce") != (who == "remote/scout") {
			t.Errorf("%s: %s %v", who, b, err)
		}
	}
}
