package acceptance_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/api"
	"showhow/daemon/client"
	"showhow/internal/canary"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// document is the OpenAPI document with what the rows need of it.
type document struct {
	text       []byte
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]json.RawMessage `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID     string `json:"operationId"`
	Access struct {
		Principals []string `json:"principals"`
		Presence   string   `json:"presence"`
	} `json:"x-showhow-access"`
}

func openAPI(t *testing.T) document {
	t.Helper()
	d := document{text: got(api.Document())(t)}
	must(t, json.Unmarshal(d.text, &d))
	if len(d.Paths) < 50 || len(d.Components.Schemas) < 50 {
		t.Fatalf("%d paths, %d schemas", len(d.Paths), len(d.Components.Schemas))
	}
	return d
}

// Each schema once: no name stands twice in any object of the document, and no two schemas are the same under two names.
func TestR11_2_01_EachSchemaOnce(t *testing.T) {
	t.Parallel()
	d := openAPI(t)
	dec := json.NewDecoder(bytes.NewReader(d.text))
	if key := doubled(t, dec); key != "" {
		t.Errorf("the key %q stands twice in one object", key)
	}
	first := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		var v map[string]any
		must(t, json.Unmarshal(d.Components.Schemas[name], &v))
		delete(v, "description")
		props, _ := v["properties"].(map[string]any)
		if len(props) < 5 { // small ones may look alike by chance: an id and a revision
			continue
		}
		b := string(got(json.Marshal(v))(t))
		if first[b] != "" {
			t.Errorf("%s and %s are the same schema", first[b], name)
		}
		first[b] = name
	}
}

// doubled reads one value and returns a key that stands twice in an object of it.
func doubled(t *testing.T, dec *json.Decoder) string {
	t.Helper()
	tok := got(dec.Token())(t)
	open, ok := tok.(json.Delim)
	if !ok {
		return ""
	}
	keys := map[string]bool{}
	for dec.More() {
		if open == '{' {
			key := got(dec.Token())(t).(string)
			if keys[key] {
				return key
			}
			keys[key] = true
		}
		if k := doubled(t, dec); k != "" {
			return k
		}
	}
	got(dec.Token())(t)
	return ""
}

// No schema is used but by its name among the components, and every one that is there is used.
func TestR11_2_02_SchemasComeFromOnePlace(t *testing.T) {
	d := openAPI(t)
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`"\$ref":\s*"([^"]*)"`).FindAllSubmatch(d.text, -1) {
		name, ok := strings.CutPrefix(string(m[1]), "#/components/schemas/")
		if !ok || d.Components.Schemas[name] == nil {
			t.Errorf("%s leads nowhere", m[1])
		}
		used[name] = true
	}
	for name := range d.Components.Schemas {
		if !used[name] {
			t.Errorf("nothing uses %s", name)
		}
	}
}

func TestR11_2_03_NoEntryPoint(t *testing.T) {
	d := openAPI(t)
	for _, old := range []string{"entry_point", "LearningEntryPoint", "EntryPoint"} {
		if bytes.Contains(d.text, []byte(old)) {
			t.Errorf("the document knows %s", old)
		}
	}
	if !bytes.Contains(d.text, []byte(`"entry_mode"`)) {
		t.Error("entry_mode is missing")
	}
	w := begin(t)
	a := w.send("POST", "/api/learn/sessions", `{"entry_point":"demonstrating_skill"}`, false)
	if a.status != http.StatusUnprocessableEntity || a.fault(t).Code != fault.InvalidRequest {
		t.Errorf("entry_point was answered with %d: %s", a.status, a.body)
	}
}

func TestR11_2_44_KindWithoutImplementation(t *testing.T) {
	t.Parallel()
	w := begin(t)
	r := asked(w.shell())
	r.Adapters = []capture.Kind{"file_dialog"} // phase 2
	_, err := w.c.CreateSession(t.Context(), r)
	f := refused(t, err, fault.AdapterUnavailable)
	if alternatives, _ := f.Details["alternatives"].([]any); f.Details["adapter"] != "file_dialog" || f.Details["code"] != "not_in_build" ||
		!slices.Contains(alternatives, any("terminal_command")) || f.Hint == "" {
		t.Errorf("%+v", f)
	}
	a := w.send("POST", "/api/learn/sessions",
		`{"entry_mode":"demonstrating_skill","observation_mode":"outside_agent","adapters":["file_dialog"]}`, false)
	if a.status != http.StatusServiceUnavailable {
		t.Errorf("status %d", a.status)
	}
	if l := got(w.c.Sessions(t.Context(), client.SessionFilter{}))(t); l.Total != 0 {
		t.Error("a session was made")
	}
	for _, x := range got(w.c.Adapters(t.Context()))(t).Adapters {
		if x.Kind == "file_dialog" && (x.Available || x.Enabled || x.Healthy || x.LastSeenAt != nil || x.LastErrorCode != "" ||
			x.Health.Reason == "") {
			t.Errorf("listed as %+v", x)
		}
		if x.SchemaVersion != 1 {
			t.Errorf("%s has schema_version %d", x.Kind, x.SchemaVersion)
		}
	}
}

func TestR11_2_46_RawDataGoesAfterSevenDays(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	const word = "quizzical-marmoset"
	sess := w.demonstrated(s, asked(s), "mkdir "+word, "echo done > "+word+"/report.txt")
	id := sess.LearnSessionID
	hits := func() int {
		return len(got(canary.Scan(w.o.Roots.Data, canary.Canary{Label: "a word of a command", Text: word}))(t))
	}
	if hits() == 0 {
		t.Fatal("the word was not kept at all, so its purge would show nothing")
	}
	ended := got(w.c.CancelSession(t.Context(), id, ""))(t)

	// Housekeeping happened at least once after five days: it happens with the time limits, and of those one is seen twice.
	w.forward(5 * 24 * time.Hour)
	for range 2 {
		other := w.armed(asked(s)).LearnSessionID
		w.forward(61 * time.Minute)
		w.until("the time limit", func() bool { return w.state(other) == "cancelled" })
	}
	if x := got(w.c.Session(t.Context(), id))(t); x.RawPurgedAt != nil || len(w.commands(id)) != 2 {
		t.Fatalf("before seven days: purged %v, %d observations", x.RawPurgedAt, len(w.commands(id)))
	}

	w.forward(2 * 24 * time.Hour)
	w.until("the purge", func() bool { return got(w.c.Session(t.Context(), id))(t).RawPurgedAt != nil })
	x := got(w.c.Session(t.Context(), id))(t)
	if x.RawPurgedAt.Sub(ended.EndedAt.Time) < 7*24*time.Hour {
		t.Errorf("purged after %s", x.RawPurgedAt.Sub(ended.EndedAt.Time))
	}
	if n := len(w.commands(id)); n != 0 || hits() != 0 {
		t.Errorf("%d observations are left, the word in %d places", n, hits())
	}
	if r := w.receipts(client.ReceiptFilter{SessionID: id, Kind: "learn.raw.purged"}); len(r) != 1 {
		t.Errorf("%d receipts", len(r))
	}
	if x.State != "cancelled" || len(got(w.c.Boundaries(t.Context(), id))(t).Boundaries) == 0 {
		t.Error("the record of the session went too")
	}
}

func TestR11_2_47_TeachStartRedirects(t *testing.T) {
	t.Parallel()
	w := begin(t)
	const body = `{"goal":"from an older client","observation_mode":"outside_agent"}`
	a := w.send("POST", "/api/capabilities/teach/start", body, false)
	if a.status != http.StatusPermanentRedirect || a.header.Get("Location") != "/api/learn/sessions?entry_mode=demonstrating_skill" ||
		a.header.Get("Sunset") == "" {
		t.Fatalf("%d to %s, sunset %q", a.status, a.header.Get("Location"), a.header.Get("Sunset"))
	}
	a = w.send("POST", "/api/capabilities/teach/start", body, true)
	var r client.CreateResponse
	if err := json.Unmarshal(a.body, &r); err != nil || r.Session.Goal != "from an older client" ||
		r.Session.EntryMode != "demonstrating_skill" || r.Session.State != "armed" {
		t.Errorf("followed: %d %s", a.status, a.body)
	}
}

func TestR11_2_48_SingularRoutesRedirect(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a := w.send("POST", "/api/learn/session/start", `{"entry_mode":"demonstrating_skill"}`, false)
	if a.status != http.StatusPermanentRedirect || a.header.Get("Location") != "/api/learn/sessions" {
		t.Fatalf("%d to %s", a.status, a.header.Get("Location"))
	}
	if a = w.send("POST", "/api/learn/session/start", `{"entry_mode":"demonstrating_skill"}`, true); a.status/100 != 2 {
		t.Fatalf("followed: %d %s", a.status, a.body)
	}
	id := got(w.c.Status(t.Context()))(t).ActiveSession
	for _, path := range []string{"/api/learn/session/start", "/api/learn/session/" + id + "/pause", "/api/learn/session/stop"} {
		if a := w.send("POST", path, `{}`, true); a.status/100 != 2 {
			t.Errorf("%s, followed: %d %s", path, a.status, a.body)
		}
	}
	if now := w.state(id); now != "stopped" {
		t.Errorf("after start, pause and stop by the older routes the session is %s", now)
	}
}

// DOC3 0C.28 legacy_post_redirects_never_use_301.
func TestLegacyPostRedirectsNeverUse301(t *testing.T) {
	t.Parallel()
	w := begin(t)
	id := w.armed(asked(nil)).LearnSessionID
	redirected := 0
	for _, path := range []string{"/api/capabilities/teach/start", "/api/capabilities/teach/finish", "/api/capabilities/teach/cancel",
		"/api/capabilities/promote?ability_id=x", "/api/learn/session", "/api/learn/session/start", "/api/learn/session/" + id + "/stop",
		"/api/skills/mining/proposals", "/api/skills/mining/proposals/" + clock.NewID() + "/test",
		"/api/skills/mining/proposals/" + clock.NewID() + "/feedback"} {
		a := w.send("POST", path, `{}`, false)
		switch {
		case a.status == http.StatusPermanentRedirect:
			redirected++
		case a.status/100 == 3:
			t.Errorf("%s answers %d", path, a.status)
		case a.status != http.StatusGone:
			t.Errorf("%s answers %d: %s", path, a.status, a.body)
		}
	}
	if redirected < 7 {
		t.Errorf("only %d were redirected", redirected)
	}
}

// DOC3 0C.28 learn_read_routes_not_appendix_only and learn_inventory_uses_plural_session_routes.
func TestLearnRoutesAreThere(t *testing.T) {
	t.Parallel()
	w := begin(t)
	_, d := w.installed()
	session, proposal := "/api/learn/sessions/"+d.Session.LearnSessionID, "/api/learn/proposals/"+d.Proposal.ProposalID
	for path, field := range map[string]string{
		"/api/learn/sessions": "sessions", session + "/detail": "learn_session_id", session + "/observation-scope": "capture_state",
		session + "/checkpoint-receipts": "receipts", session + "/observations": "observations", session + "/boundaries": "boundaries",
		session + "/questions": "questions", "/api/learn/proposals": "proposals", proposal + "/detail": "proposal",
		proposal + "/validation-runs": "runs", "/api/learn/history": "items", "/api/learn/receipts": "receipts",
		"/api/learn/runtime/current": "snapshot_as_of", "/api/abilities/availability": "abilities",
	} {
		a := w.send("GET", path, "", false)
		var body map[string]json.RawMessage
		if err := json.Unmarshal(a.body, &body); err != nil || a.status != 200 || body[field] == nil {
			t.Errorf("GET %s: %d without %s: %.200s", path, a.status, field, a.body)
		}
		if n := body["total"]; n != nil && string(n) == "0" && !strings.HasSuffix(path, "checkpoint-receipts") {
			t.Errorf("GET %s lists nothing", path)
		}
	}
	for path := range openAPI(t).Paths {
		lives := path == "/api/skills/mining/settings" || path == "/api/skills/mining/scan" // decisions I4
		if strings.HasPrefix(path, "/api/learn/session/") || strings.Contains(path, "/teach/") || strings.Contains(path, "/mining/") && !lives {
			t.Errorf("%s is a route of the document", path)
		}
	}
}

// DOC3 0C.28 capture_already_stopped_error_rendered: what a client needs to show the stale state and to look again.
func TestCaptureAlreadyStoppedIsReported(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	sess := w.demonstrated(s, asked(s), plain...)
	_, err := w.c.StopSession(t.Context(), sess.LearnSessionID)
	f := refused(t, err, fault.CaptureAlreadyStopped)
	if f.Details["state"] != "stopped" || f.Message == "" {
		t.Errorf("%+v", f)
	}
	a := w.send("POST", "/api/learn/sessions/"+sess.LearnSessionID+"/stop", `{}`, false)
	if e := a.fault(t); a.status != http.StatusConflict || e.Retryable {
		t.Errorf("status %d, retryable %v", a.status, e.Retryable)
	}
	again := got(w.c.Session(t.Context(), sess.LearnSessionID))(t) // the refresh
	if again.State != "stopped" || slices.Contains(again.AllowedActions, "stop") || again.Revision != sess.Revision {
		t.Errorf("%s, revision %d was %d, allowed %v", again.State, again.Revision, sess.Revision, again.AllowedActions)
	}
}

// An agent's token is refused on every route that is the user's, end to end, before anything else is said about the request.
func TestAgentIsRefusedOnUsersRoutes(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	sess := w.capturing(s, asked(s))
	agent := w.agent("nosy")
	param := regexp.MustCompile(`\{(\w+)\}`)
	before := len(w.receipts(client.ReceiptFilter{}))
	users, theirs := 0, 0
	for path, item := range openAPI(t).Paths {
		path = param.ReplaceAllStringFunc(path, func(p string) string {
			if p == "{sessionId}" {
				return sess.LearnSessionID
			}
			return clock.NewID()
		})
		for method, op := range item {
			if op.ID == "exchange-session" { // a page without any token; on the local port only
				continue
			}
			if slices.Contains(op.Access.Principals, "agent") {
				theirs++
				continue
			}
			users++
			_, err := agent.Raw(t.Context(), strings.ToUpper(method), path, nil)
			if !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s: %v", op.ID, err)
			}
		}
	}
	if users < 40 || theirs < 5 {
		t.Errorf("%d routes of the user, %d open to agents", users, theirs)
	}
	if now := w.state(sess.LearnSessionID); now != "capturing" || len(w.receipts(client.ReceiptFilter{})) != before {
		t.Errorf("an agent's calls left the session %s and other receipts", now)
	}
	got(agent.Availability(t.Context()))(t) // its own routes answer
	got(w.c.RevokeAgent(t.Context(), "nosy"))(t)
	_, err := agent.Availability(t.Context())
	refused(t, err, fault.Unauthorized)
	// What a person must confirm is refused to whoever cannot show that a person did.
	_, err = client.Unix(w.o.Roots.Socket()).AddAgent(t.Context(), "sneaky")
	refused(t, err, fault.PresenceRequired)
}
