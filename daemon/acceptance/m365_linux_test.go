package acceptance_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/daemon/m365"
	"showhow/daemon/m365/m365test"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// microsoft is a whole daemon with a local Microsoft Graph. It was never run against the real one.
type microsoft struct {
	*world
	g *m365test.Graph
}

func atMicrosoft(t *testing.T) *microsoft {
	t.Parallel()
	w := begin(t, func(o *daemon.Options) { o.Test.Secrets = &lockedSecrets{m: fakeSecrets{}} })
	m := &microsoft{w, m365test.New(t)}
	t.Cleanup(w.stop)
	return m
}

// wish is a registration with operations and what they need.
func (m *microsoft) wish(families ...string) client.ConnectorCreate {
	return client.ConnectorCreate{Provider: "m365", DisplayName: "m365", Transport: "remote_http", EndpointURL: m.g.URL,
		M365Registration: client.M365Registration{OperationFamilies: families, RequestedScopes: m365.ScopesOf(families), ClientID: "app-1",
			TenantID: "contoso.com", RedirectURI: "http://" + freeAddress(m.t) + "/callback"}}
}

// connect registers and signs a person in.
func (m *microsoft) connect(families ...string) {
	m.t.Helper()
	got(m.c.RegisterConnector(m.t.Context(), m.wish(families...)))(m.t)
	m.login()
}

func (m *microsoft) login() {
	m.t.Helper()
	before := m.tests()
	s := got(m.c.StartConnectorAuth(m.t.Context(), client.ConnectorAuthStart{ServerID: "m365"}))(m.t)
	res, err := http.Get(s.AuthURL) // the person's browser, which comes back to the port of this computer
	must(m.t, err)
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		m.t.Fatalf("the sign-in ended with %d", res.StatusCode)
	}
	m.until("the sign-in's test is over", func() bool { return m.tests() > before })
}

// tests is how often the connector was tested.
func (m *microsoft) tests() (n int) {
	for _, r := range got(m.c.ConnectorReceipts(m.t.Context(), "m365", "", 100))(m.t).Receipts {
		if r.ReceiptKind == "smoke_test" {
			n++
		}
	}
	return n
}

// call calls an operation as an agent. code is "" if it was done; r is the operation's own response.
func (m *microsoft) call(cs *mcp.ClientSession, family string, args map[string]any) (r m365.Response, code string) {
	m.t.Helper()
	res, err := cs.CallTool(m.t.Context(), &mcp.CallToolParams{Name: "m365__" + family, Arguments: args})
	must(m.t, err)
	b, err := json.Marshal(res.StructuredContent)
	must(m.t, err)
	if strings.Contains(string(b), "CANARY") {
		m.t.Errorf("%s: %s", family, b)
	}
	if !res.IsError {
		must(m.t, json.Unmarshal(b, &r))
		return r, ""
	}
	var said struct {
		Error     struct{ Code string } `json:"error"`
		Operation *m365.Response        `json:"operation"`
	}
	must(m.t, json.Unmarshal(b, &said))
	switch {
	case said.Operation != nil:
		return *said.Operation, said.Error.Code
	case said.Error.Code != "": // it did not get as far as the operation
		return r, said.Error.Code
	}
	must(m.t, json.Unmarshal(b, &r))
	return r, r.ErrorCode
}

// m365_auto_refresh_once: one automatic refresh attempt occurs, then challenge state is surfaced if refresh fails.
func TestM365_m365_auto_refresh_once(t *testing.T) {
	m := atMicrosoft(t)
	m.connect(m365.MailSearch)
	cs := m.atDoor("codex")
	query := map[string]any{"query": "x"}
	if _, code := m.call(cs, m365.MailSearch, query); code != "" {
		t.Fatal(code)
	}
	m.g.Signs()
	m.g.Asked()
	m.g.Revoke(false) // the access token is refused: it is renewed once, and the call is repeated
	if _, code := m.call(cs, m365.MailSearch, query); code != "" {
		t.Errorf("renewed, but %s", code)
	}
	if s, a := m.g.Signs(), m.g.Asked(); len(s) != 1 || s[0].Get("grant_type") != "refresh_token" || s[0].Has("resource") || len(a) != 2 {
		t.Errorf("%v, %d requests", s, len(a))
	}
	if x := m.connector("m365"); slices.Contains(x.BadgeStates, "auth_required") || x.Auth.ExpiresAt == nil {
		t.Errorf("%v", x.BadgeStates)
	}
	m.forward(time.Minute) // another call has an attempt of its own
	m.g.Revoke(true)       // nor can it be renewed
	r, code := m.call(cs, m365.MailSearch, query)
	if code != string(fault.M365AuthExpired) || r.ErrorCode != code || r.Status != "blocked" {
		t.Errorf("%s %+v", code, r)
	}
	if s := m.g.Signs(); len(s) != 1 {
		t.Errorf("%d attempts to renew", len(s))
	}
	x := m.connector("m365")
	if x.Auth.AuthState != "challenge_required" || !slices.Contains(x.BadgeStates, "auth_required") {
		t.Errorf("%+v %v", x.Auth, x.BadgeStates)
	}
	kinds := []string{}
	for _, r := range got(m.c.ConnectorReceipts(t.Context(), "", "", 50))(t).Receipts {
		kinds = append(kinds, r.ReceiptKind+" "+r.Status)
	}
	if !slices.Contains(kinds, "auth_refresh ok") || !slices.Contains(kinds, "auth_refresh blocked") {
		t.Errorf("%v", kinds)
	}
	m.g.Asked()
	if _, code := m.call(cs, m365.MailSearch, query); code != string(fault.M365AuthExpired) || len(m.g.Asked()) > 1 || len(m.g.Signs()) > 1 {
		t.Errorf("again: %s", code)
	}
	m.login()
	if _, code := m.call(cs, m365.MailSearch, query); code != "" {
		t.Errorf("signed in again, but %s", code)
	}
	m.g.Signs()
	m.forward(2 * time.Hour) // what is over is renewed before it is sent; if Graph refuses that, too, the call's attempt is used up
	m.g.Next(1, m365test.Answer{Status: 401, Body: map[string]any{"error": map[string]any{
		"code": "InvalidAuthenticationToken", "message": ""}}})
	if _, code := m.call(cs, m365.MailSearch, query); code != string(fault.M365AuthExpired) || len(m.g.Signs()) != 1 {
		t.Errorf("renewed twice, or %q", code)
	}
}

// R11.2-39, and each code that a registration can be refused with; a later change cannot get around it.
func TestM365_R11_2_39(t *testing.T) {
	m := atMicrosoft(t)
	ctx := t.Context()
	key := got(m.c.AddAuthProfile(ctx, client.ConnectorAuthProfile{Provider: "m365", AuthMode: "api_key", SecretRef: "some-key"}))(t)
	for name, x := range map[string]struct {
		change func(*client.ConnectorCreate)
		code   fault.Code
	}{
		"an auth profile with a key": {func(q *client.ConnectorCreate) {
			q.AuthProfileID, q.ClientID, q.TenantID = key.AuthProfileID, "", ""
		}, fault.M365ForbiddenAuthMode},
		"a key":        {func(q *client.ConnectorCreate) { q.AuthMode = "api_key" }, fault.M365ForbiddenAuthMode},
		"nothing":      {func(q *client.ConnectorCreate) { q.AuthMode = "none" }, fault.M365ForbiddenAuthMode},
		"an app":       {func(q *client.ConnectorCreate) { q.AuthMode = "oauth2_client_credentials" }, fault.M365ForbiddenAuthMode},
		"on behalf of": {func(q *client.ConnectorCreate) { q.AuthMode = "oauth2_on_behalf_of" }, fault.M365OBOUnverified},
		"no redirect":  {func(q *client.ConnectorCreate) { q.RedirectURI = "" }, fault.M365RedirectRequired},
		"no scope":     {func(q *client.ConnectorCreate) { q.RequestedScopes = []string{"User.Read"} }, fault.M365ScopeMissing},
		"background": {func(q *client.ConnectorCreate) {
			q.InteractionMode, q.OperationFamilies = "background_service", []string{m365.PostMessage}
			q.RequestedScopes = m365.ScopesOf(q.OperationFamilies)
		}, fault.M365DelegatedOnly},
		"elsewhere":    {func(q *client.ConnectorCreate) { q.EndpointURL = "https://graph.example.com/v1.0" }, fault.ConnectorAddress},
		"no client":    {func(q *client.ConnectorCreate) { q.ClientID = "" }, fault.InvalidRequest},
		"other vendor": {func(q *client.ConnectorCreate) { q.Provider = "custom_remote" }, fault.InvalidRequest},
	} {
		q := m.wish(m365.MailSearch)
		x.change(&q)
		_, err := m.c.RegisterConnector(ctx, q)
		if !fault.Is(err, x.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l := got(m.c.Connectors(ctx))(t); len(l.Servers) > 0 {
		t.Errorf("%d were registered", len(l.Servers))
	}
	got(m.c.RegisterConnector(ctx, m.wish(m365.MailSearch)))(t)
	if x := m.connector("m365"); !slices.Contains(x.BadgeStates, "auth_required") || len(x.Tools) != 1 || x.Tools[0].ActionClass != "read" {
		t.Errorf("%v %+v", x.BadgeStates, x.Tools)
	}
	_, err := m.c.PatchConnector(ctx, "m365", client.ConnectorPatch{AuthProfileID: &key.AuthProfileID})
	refused(t, err, fault.M365ForbiddenAuthMode)
	_, err = m.c.Raw(ctx, http.MethodPatch, "/api/mcp/auth-profiles/"+m.connector("m365").Auth.AuthProfileID,
		map[string]any{"redirect_uri": nil, "schema_version": 1})
	refused(t, err, fault.M365RedirectRequired)
}

// R11.2-40: no connector to Microsoft 365 stores a raw token in workspace files; nor is one, or what a document or message
// says, in a log, receipt, page or error.
func TestM365_R11_2_40(t *testing.T) {
	m := atMicrosoft(t)
	ctx := t.Context()
	m.g.World(func(w *m365test.World) {
		w.Messages = []map[string]any{{"id": "m1", "subject": "about canary-subject", "conversationId": "c1"}}
		w.Files = []m365test.File{{Drive: "b!1", ID: "f1", Name: "plan.txt"}}
		w.Contents["f1"] = []byte("canary-content")
	})
	m.connect(m365.MailSearch, m365.DraftReply, m365.FetchFile, m365.LatestDocument)
	cs := m.atDoor("codex")
	if r, code := m.call(cs, m365.MailSearch, map[string]any{"query": "canary-subject"}); code != "" || r.Result == nil {
		t.Fatalf("%s %+v", code, r)
	}
	fetched, code := m.call(cs, m365.FetchFile, map[string]any{"drive_item_ref": "drives/b!1/items/f1", "include_content": true})
	if ref := fetched.Result.(map[string]any)["content_ref"]; code != "" || !strings.HasPrefix(ref.(string), "doc_") {
		t.Errorf("%s %+v", code, fetched)
	}
	m.g.Next(1, m365test.Answer{Status: 500, Raw: "CANARY-error"})
	if _, code := m.call(cs, m365.MailSearch, map[string]any{"query": "canary-words"}); code != string(fault.ConnectorUnreachable) {
		t.Error(code)
	}
	m.calls(cs, true, "m365__"+m365.DraftReply, map[string]any{"message_id": "m1", "body_markdown": "canary-draft"})
	canaries := []string{"CANARY-access", "CANARY-refresh", "CANARY-code", "CANARY-error", "canary-subject", "canary-content", "canary-words",
		"canary-draft"}
	for _, path := range []string{"/api/mcp/servers", "/api/mcp/receipts", "/api/mcp/ask-first/pending", "/api/mcp/health",
		"/api/mcp/auth-profiles", "/api/mcp/m365/operations", "/api/status"} {
		b := got(m.c.Raw(ctx, http.MethodGet, path, nil))(t)
		for _, c := range canaries {
			if strings.Contains(string(b), c) {
				t.Errorf("%s is in %s", c, path)
			}
		}
	}
	m.nothingHolds(canaries...)
}

// DOC3 0C.18A, decisions H7, H8: what writes waits for a person, who sees exactly what is sent; what cannot be done is
// refused without asking anybody. The project's binding is the person's own.
func TestM365_AskFirst(t *testing.T) {
	m := atMicrosoft(t)
	m.g.World(func(w *m365test.World) {
		w.Files = []m365test.File{{Drive: "b!1", ID: "dir", Name: "Atlas", Folder: true},
			{Drive: "b!1", ID: "f1", Parent: "dir", Name: "Plan.docx"}}
	})
	m.g.Scopes = "Calendars.ReadWrite Files.Read.All Sites.Read.All offline_access"
	m.connect(m365.CreateEvent, m365.PostMessage, m365.LatestDocument)
	if a := m.connector("m365").Auth; !slices.Equal(a.ScopesMissing, []string{"ChannelMessage.Send", "Chat.ReadWrite"}) {
		t.Errorf("missing: %v", a.ScopesMissing)
	}
	cs := m.atDoor("codex")
	r, code := m.call(cs, m365.PostMessage, map[string]any{"target_kind": "chat", "target_ref": "c", "message_markdown": "x"})
	if code != string(fault.M365ScopeMissing) || !slices.Equal(r.MissingScopes, []string{"Chat.ReadWrite"}) {
		t.Errorf("%s %+v", code, r)
	}
	if l := got(m.c.PendingCalls(t.Context()))(t); len(l.Dispatches) > 0 {
		t.Errorf("a person was asked about what cannot be done: %+v", l.Dispatches)
	}
	m.g.Asked()
	args := map[string]any{"title": "Review", "start_time": "2026-05-04T09:00:00Z", "end_time": "2026-05-04T10:00:00Z",
		"body_markdown": "*so*"}
	done := make(chan string, 1)
	go func() {
		_, code := m.call(cs, m365.CreateEvent, args)
		done <- code
	}()
	d := m.asked()
	shown, err := json.Marshal(d.Arguments)
	must(t, err)
	for _, text := range []string{"Review", "2026-05-04T09:00:00Z", "*so*"} {
		if !strings.Contains(string(shown), text) {
			t.Errorf("%q is not shown: %s", text, shown)
		}
	}
	if n := len(m.g.Asked()); n > 0 {
		t.Errorf("%d requests were sent before anybody agreed", n)
	}
	got(m.c.DecideCall(t.Context(), d.DispatchID, client.CallDecision{Decision: "approve_once"}))(t)
	if code := <-done; code != "" {
		t.Error(code)
	}
	sent := m.g.Asked()
	if len(sent) != 1 || sent[0].Body["subject"] != "Review" || sent[0].Body["body"].(map[string]any)["content"] != "*so*" {
		t.Errorf("%+v", sent)
	}
	got(m.c.BindProject(t.Context(), wire.ProjectBinding{ProjectID: "atlas", Aliases: []string{"the atlas"}, SourceOfTruth: "onedrive",
		OnedriveRefs: []string{"drives/b!1/items/dir"}}))(t)
	r, code = m.call(cs, m365.LatestDocument, map[string]any{"project_id": "the atlas"})
	if x, _ := r.Result.(map[string]any); code != "" || x["document_ref"] != "drives/b!1/items/f1" || x["resolved_via"] != "project_binding" {
		t.Errorf("%s %+v", code, r)
	}
	m.g.Next(1, m365test.Answer{Status: 429, Header: map[string]string{"Retry-After": "90"}, Body: map[string]any{"error": map[string]any{
		"code": "TooManyRequests", "message": "CANARY"}}})
	for range 2 { // the second does not reach Graph
		if _, code := m.call(cs, m365.LatestDocument, map[string]any{"project_id": "atlas"}); code != string(fault.ConnectorThrottled) {
			t.Error(code)
		}
	}
	if h := m.connector("m365").Health; h.ThrottleState.State != "rate_limited" || h.HealthStatus != "healthy" {
		t.Errorf("%+v", h)
	}
}

// What a person allows is what is done: a reply to a conversation is bound to its message before they are asked.
func TestM365_ApprovedIsSent(t *testing.T) {
	m := atMicrosoft(t)
	letter := func(id, day string) map[string]any {
		return map[string]any{"id": id, "subject": "Keys", "conversationId": "keys", "receivedDateTime": day + "T08:00:00Z",
			"from": map[string]any{"emailAddress": map[string]any{"name": "Di", "address": "di@example.net"}}}
	}
	m.g.World(func(w *m365test.World) {
		w.Messages = append(w.Messages, letter("k1", "2026-03-01"), letter("k2", "2026-03-02"))
	})
	m.connect(m365.DraftReply)
	cs := m.atDoor("codex")
	done := make(chan string, 1)
	go func() {
		_, code := m.call(cs, m365.DraftReply, map[string]any{"thread_id": "keys", "body_markdown": "under the mat"})
		done <- code
	}()
	d := m.asked()
	if d.Arguments["message_id"] != "k2" || d.Arguments["thread_id"] != nil || len(d.About) == 0 {
		t.Errorf("asked about %v", d.Arguments)
	}
	m.g.World(func(w *m365test.World) { w.Messages = append(w.Messages, letter("k3", "2026-03-03")) })
	got(m.c.DecideCall(t.Context(), d.DispatchID, client.CallDecision{Decision: "approve_once"}))(t)
	if code := <-done; code != "" {
		t.Fatal(code)
	}
	sent := m.g.Asked()
	if last := sent[len(sent)-1]; last.Path != "/me/messages/k2/createReply" {
		t.Errorf("a person allowed an answer to k2, and %s %s was sent", last.Method, last.Path)
	}
}

// DOC3 0.2E: an application signs in by itself, for the background alone.
func TestM365_Background(t *testing.T) {
	m := atMicrosoft(t)
	got(m.c.SetCredential(t.Context(), "m365-secret", "CANARY-secret"))(t)
	m.g.World(func(w *m365test.World) {
		w.Sites["s1"], w.Files = "b!1", []m365test.File{{Drive: "b!1", ID: "f1", Name: "a.txt"}}
	})
	q := m.wish(m365.ListDocuments)
	q.InteractionMode, q.AuthMode, q.SecretRef, q.RedirectURI = "background_service", "oauth2_client_credentials", "m365-secret", ""
	_, err := m.c.RegisterConnector(t.Context(), q)
	refused(t, err, fault.M365ForbiddenAuthMode)
	q.AllowBackgroundServiceOps = true
	got(m.c.SetCredential(t.Context(), "m365-secret", "not the secret"))(t)
	got(m.c.RegisterConnector(t.Context(), q))(t)
	test := client.ConnectorTest{ServerID: "m365", SchemaVersion: 1}
	if x := got(m.c.TestConnector(t.Context(), test))(t); x.Status == "passed" || x.AuthOK {
		t.Errorf("with a wrong secret: %+v", x)
	}
	got(m.c.SetCredential(t.Context(), "m365-secret", "CANARY-secret"))(t)
	if x := got(m.c.TestConnector(t.Context(), test))(t); x.Status != "passed" {
		t.Errorf("with the secret: %+v", x)
	}
	if s := m.g.Signs(); len(s) == 0 || s[len(s)-1].Get("scope") != originOf(m.g.URL)+"/.default" {
		t.Errorf("%v", s)
	}
	cs := m.atDoor("codex")
	r, code := m.call(cs, m365.ListDocuments, map[string]any{"site_ref": "s1"})
	if code != "" || r.IdentityAssertedKind != "service_principal" {
		t.Errorf("%s %+v", code, r)
	}
	if _, code := m.call(cs, m365.ListDocuments, map[string]any{"site_ref": "s1", "interaction_mode": "interactive_user"}); code !=
		string(fault.M365BackgroundOnly) {
		t.Error(code)
	}
	if s := m.g.Signs(); len(s) != 0 { // the test's sign-in still holds
		t.Errorf("%v", s)
	}
	if b := m.connector("m365").BadgeStates; !slices.Contains(b, "background_only") {
		t.Error(b)
	}
	m.searched("a secret", "CANARY-secret", "CANARY-access")
}

func originOf(raw string) string {
	u, _ := url.Parse(raw)
	return u.Scheme + "://" + u.Host
}

// The skill of Microsoft 365: an agent finds it with a person's words, reads what is missing until a person connected it
// and signed in, and then gets from words to what a document says in the way that the skill tells.
func TestM365_TheSkill(t *testing.T) {
	m := atMicrosoft(t)
	content, err := io.ReadAll(docx(t, "The desks come in May."))
	must(t, err)
	m.g.World(func(w *m365test.World) {
		f := m365test.File{Drive: "b!1", ID: "f1", Name: "new office.docx"}
		w.Files, w.Contents["f1"] = []m365test.File{f}, content
		w.Hits["driveItem"] = []map[string]any{f.Item()}
	})
	cs := m.atDoor("scout")
	use := func(tool string, args map[string]any, into any) {
		t.Helper()
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		must(t, err)
		b, err := json.Marshal(res.StructuredContent)
		must(t, err)
		if res.IsError {
			t.Errorf("%s: %s", tool, b)
		}
		must(t, json.Unmarshal(b, into))
	}
	const slug, task = "showhow-m365", "read the Word document in SharePoint about the new office"
	finds := func(when string, usable bool, code, says string) {
		t.Helper()
		var seen client.LookupResult
		use("lookup_skills", map[string]any{"task": task}, &seen)
		at := slices.IndexFunc(seen.Matches, func(x client.LookupMatch) bool { return x.SkillSlug == slug })
		if at < 0 || usable && at > 0 || seen.Matches[at].UsableNow != usable { // what cannot be used stands behind what can
			t.Errorf("%s: %+v", when, seen.Matches)
		}
		var state struct {
			Skills []struct {
				UsableNow bool   `json:"usable_now"`
				Reason    string `json:"reason_unusable"`
				Code      string `json:"reason_code"`
			} `json:"skills"`
		}
		use("skill_availability", map[string]any{"skill": slug}, &state)
		if x := state.Skills[0]; x.UsableNow != usable || x.Code != code || !strings.Contains(x.Reason, says) {
			t.Errorf("%s: %+v", when, x)
		}
	}
	finds("nothing is connected", false, "connector_missing", "showhow m365 connect")
	got(m.c.RegisterConnector(t.Context(), m.wish(m365.Search, m365.WordContent)))(t)
	finds("nobody signed in", false, "connector_sign_in", "showhow connector login m365")
	m.login()
	finds("it is connected", true, "", "")
	md, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://" + slug + "/SKILL.md"})
	must(t, err)
	if !strings.HasPrefix(md.Contents[0].Text, "---\nname: "+slug) {
		t.Error(md.Contents[0].Text)
	}
	result := func(family string, args map[string]any) map[string]any {
		t.Helper()
		r, code := m.call(cs, family, args)
		out, _ := r.Result.(map[string]any)
		if code != "" || out == nil {
			t.Fatalf("%s: %s %+v", family, code, r)
		}
		return out
	}
	hits, _ := result(m365.Search, map[string]any{"query": "new office", "entity_filters": []string{"files"}})["hits"].([]any)
	if len(hits) != 1 {
		t.Fatalf("%v", hits)
	}
	fetched := result(m365.WordContent, map[string]any{"document_ref": hits[0].(map[string]any)["hit_id"]})
	var read wire.WordDocument
	use("read_word_document", map[string]any{"document_ref": fetched["content_ref"]}, &read)
	if b, _ := json.Marshal(read); !strings.Contains(string(b), "The desks come in May.") {
		t.Errorf("%s", b)
	}
	m.g.Revoke(true)
	m.forward(2 * time.Hour)
	if _, code := m.call(cs, m365.Search, map[string]any{"query": "x"}); code != string(fault.M365AuthExpired) {
		t.Error(code)
	}
	finds("the sign-in is over", false, "connector_sign_in", "showhow connector login m365")
}
