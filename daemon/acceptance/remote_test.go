package acceptance_test

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	"showhow/daemon/client"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// remoteOn turns remote callers on, as the person.
func (w *world) remoteOn() client.RemoteStatus {
	w.t.Helper()
	return got(w.c.TurnRemoteOn(w.t.Context(), client.RemoteOn{Addresses: []string{"127.0.0.1:0"}}))(w.t)
}

var consentCode = regexp.MustCompile(`<b class="code">([A-Z0-9-]+)</b>`)

// letIn is the person, who types the code that their browser shows. Nothing but the browser has it.
func (w *world) letIn(code string) {
	w.t.Helper()
	st := got(w.c.Remote(w.t.Context()))(w.t)
	if said := string(got(json.Marshal(st))(w.t)); len(st.Waiting) != 1 || strings.Contains(said, code) {
		w.t.Fatalf("%s", said)
	}
	items := got(w.c.Inbox(w.t.Context()))(w.t).Items
	said := string(got(json.Marshal(items))(w.t))
	if i := slices.IndexFunc(items, func(i client.InboxItem) bool { return i.Kind == "remote_sign_in" }); i < 0 ||
		items[i].Ref != st.Waiting[0].RequestID || strings.Contains(said, code) {
		w.t.Errorf("%s", said)
	}
	got(w.c.DecideRemote(w.t.Context(), "any", client.RemoteDecision{Allow: true, Code: code}))(w.t)
}

// oauthClient signs in by golang.org/x/oauth2, with what discovery says.
func (w *world) oauthClient(base string, scopes ...string) (*oauth2.Config, *oauth2.Token) {
	w.t.Helper()
	ctx := w.t.Context()
	const back = "http://127.0.0.1:4711/back"
	var meta struct {
		Authorize string `json:"authorization_endpoint"`
		Token     string `json:"token_endpoint"`
		Register  string `json:"registration_endpoint"`
	}
	res, err := http.Get(base + "/.well-known/oauth-authorization-server")
	must(w.t, err)
	must(w.t, json.NewDecoder(res.Body).Decode(&meta))
	res.Body.Close()
	res, err = http.Post(meta.Register, "application/json", strings.NewReader(`{"client_name":"Scout","redirect_uris":["`+back+`"]}`))
	must(w.t, err)
	var reg struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	must(w.t, json.NewDecoder(res.Body).Decode(&reg))
	res.Body.Close()
	conf := &oauth2.Config{ClientID: reg.ID, ClientSecret: reg.Secret, RedirectURL: back, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: meta.Authorize, TokenURL: meta.Token}}
	verifier := oauth2.GenerateVerifier()
	stay := &http.Client{Jar: got(cookiejar.New(nil))(w.t),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err = stay.Get(conf.AuthCodeURL("st-2", oauth2.S256ChallengeOption(verifier)))
	must(w.t, err)
	res.Body.Close()
	page := res.Header.Get("Location")
	res, err = stay.Get(page)
	must(w.t, err)
	m := consentCode.FindSubmatch(got(io.ReadAll(res.Body))(w.t))
	res.Body.Close()
	if m == nil {
		w.t.Fatal("the page shows no code")
	}
	w.letIn(string(m[1]))
	res, err = stay.Get(page)
	must(w.t, err)
	res.Body.Close()
	to := got(url.Parse(res.Header.Get("Location")))(w.t)
	if to.Query().Get("state") != "st-2" || to.Query().Get("iss") != base {
		w.t.Fatalf("%v", to)
	}
	return conf, got(conf.Exchange(ctx, to.Query().Get("code"), oauth2.VerifierOption(verifier)))(w.t)
}

// from is an MCP client elsewhere.
func (w *world) from(at, token string) *mcp.ClientSession {
	w.t.Helper()
	tr := &http.Transport{TLSClientConfig: &tls.Config{}}
	w.t.Cleanup(tr.CloseIdleConnections)
	s := got(mcp.NewClient(&mcp.Implementation{Name: "far", Version: "1"}, nil).Connect(w.t.Context(),
		&mcp.StreamableClientTransport{Endpoint: at, HTTPClient: &http.Client{Transport: bearer{tr, token}},
			DisableStandaloneSSE: true}, nil))(w.t)
	w.t.Cleanup(func() { s.Close() })
	return s
}

func toolsOf(t *testing.T, s *mcp.ClientSession) (names []string) {
	t.Helper()
	for _, x := range got(s.ListTools(t.Context(), nil))(t).Tools {
		names = append(names, x.Name)
	}
	return names
}

// A caller that a person let in reads what an agent may read, at the one address that it was let in for. What is the
// person's own it learns nothing about, whatever purpose it names. Off again, nobody answers; and no token was ever
// written down.
func TestCallersFromElsewhere(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ctx := t.Context()
	a := w.owns()
	if st := got(w.c.Remote(ctx))(t); st.On || len(st.Addresses) != 0 {
		t.Fatalf("%+v", st)
	}
	if _, err := w.agent("scout").TurnRemoteOn(ctx, client.RemoteOn{Addresses: []string{"127.0.0.1:0"}}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an agent opens the house: %v", err)
	}
	for _, r := range []client.RemoteOn{{Addresses: []string{"0.0.0.0:8443"}}, {Addresses: []string{"127.0.0.1:0"}, URL: "http://a.example"}} {
		_, err := client.Unix(w.o.Roots.Socket()).TurnRemoteOn(ctx, r) // refused before anybody is asked
		refused(t, err, fault.InvalidRequest)
	}
	base := w.remoteOn().URL
	conf, reader := w.oauthClient(base, "showhow")
	names := toolsOf(t, w.from(base+"/contract", reader.AccessToken))
	if !slices.Contains(names, "showhow_read") || slices.Contains(names, "showhow_write") || slices.Contains(names, "showhow_channel") {
		t.Errorf("%v", names)
	}
	s := w.from(base+"/contract", reader.AccessToken)
	ask := func(q map[string]any) string {
		t.Helper()
		r := got(s.CallTool(ctx, &mcp.CallToolParams{Name: "showhow", Arguments: q}))(t)
		return r.Content[0].(*mcp.TextContent).Text
	}
	task := map[string]any{"from_kind": "recall", "ask": "sort the receipts of a folder by month"}
	if found := ask(task); strings.Contains(found, a.AbilityID) {
		t.Errorf("a skill that was approved for the agents here: %s", found)
	}
	may := a.Permissions
	may.Agents = []string{"remote/scout"}
	got(w.c.SetPermissions(ctx, a.AbilityID, may))(t)
	if found := ask(task); !strings.Contains(found, a.AbilityID) {
		t.Errorf("%s", found)
	}
	nothing := ask(map[string]any{"from_kind": "file", "from_id": "there-is-none"})
	for _, kind := range []string{"receipt", "session", "connector", "decisions", "note", "task"} {
		for _, purpose := range []string{"researching_history", "the person said so", "admin"} {
			if said := ask(map[string]any{"from_kind": kind, "purpose": purpose, "caller": map[string]any{"who": "owner",
				"disclosure_mode": "direct"}}); said != nothing {
				t.Errorf("%s for %q: %s", kind, purpose, said)
			}
		}
	}
	_, mcpToken := w.oauthClient(base, "showhow.mcp")
	names = toolsOf(t, w.from(base+"/mcp", mcpToken.AccessToken))
	if !slices.Contains(names, "lookup_skills") || !slices.Contains(names, "verify_checkpoint") {
		t.Errorf("%v", names)
	}
	if slices.Contains(names, "search_notes") {
		t.Errorf("%v: the person's own", names)
	}
	if _, err := w.from(base+"/mcp", mcpToken.AccessToken).CallTool(ctx, &mcp.CallToolParams{Name: "search_notes",
		Arguments: map[string]any{"query": "door"}}); err == nil || !strings.Contains(err.Error(), "no such tool") {
		t.Errorf("a caller from elsewhere searches notes: %v", err)
	}
	if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "approve") || strings.Contains(n, "install") }) {
		t.Errorf("%v: something that a person decides", names)
	}
	reader.Expiry = reader.Expiry.AddDate(-1, 0, 0)
	fresh := got(conf.TokenSource(ctx, reader).Token())(t)
	if fresh.AccessToken == reader.AccessToken || len(toolsOf(t, w.from(base+"/contract", fresh.AccessToken))) == 0 {
		t.Error("the refresh yielded nothing new")
	}
	m := got(w.c.AddRemoteMachine(ctx, client.RemoteMachineAdd{Name: "nightly", Scopes: []string{"showhow"}, Resource: "contract"}))(t)
	st := got(w.c.Remote(ctx))(t)
	if len(st.Callers) != 3 || st.Callers[0].Calls == 0 || st.Callers[0].Name != "remote/scout" || st.Callers[1].Name != "remote/scout-2" {
		t.Errorf("%+v", st.Callers)
	}
	if x := got(w.c.RevokeRemote(ctx, "scout"))(t); !x.Revoked {
		t.Error("not revoked")
	}
	if _, err := s.ListTools(ctx, nil); err == nil {
		t.Error("a caller that was shut out is still in")
	}
	if got(w.c.TurnRemoteOff(ctx))(t).On {
		t.Error("it is not off")
	}
	if _, err := http.Get(base + "/health"); err == nil {
		t.Error("something still listens")
	}
	kinds := map[string]bool{}
	for _, r := range w.receipts(client.ReceiptFilter{}) {
		kinds[string(r.Kind)] = true
	}
	for _, k := range []string{"remote.on", "remote.caller.allowed", "remote.signed_in", "remote.caller.revoked", "remote.off"} {
		if !kinds[k] {
			t.Errorf("the record lacks %s", k)
		}
	}
	w.stop()
	secrets := []string{reader.AccessToken, reader.RefreshToken, mcpToken.AccessToken, mcpToken.RefreshToken, fresh.AccessToken,
		fresh.RefreshToken, m.ClientSecret, conf.ClientSecret}
	searched := 0
	for _, root := range []string{w.o.Roots.Data, w.o.Config.Memory, w.o.Roots.State} {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			b, err := os.ReadFile(p)
			searched += len(b)
			for _, x := range secrets {
				if strings.Contains(string(b), x[3:]) {
					t.Errorf("a token is in %s", p)
				}
			}
			return err
		})
		must(t, err)
	}
	if searched == 0 {
		t.Error("nothing was searched")
	}
}

// A caller that is shut out while it asks the person something leaves no question behind.
func TestAQuestionFromElsewhereEndsWithItsCaller(t *testing.T) {
	w := begin(t)
	ctx := t.Context()
	base := w.remoteOn().URL
	_, token := w.oauthClient(base, "showhow.mcp")
	s := w.from(base+"/mcp", token.AccessToken)
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = s.CallTool(ctx, &mcp.CallToolParams{Name: "ask_person", Arguments: map[string]any{"question": "Which month?"}})
	}()
	open := func() int { return len(got(w.c.Inbox(ctx))(t).Items) }
	await.Until(t, "the question", func() bool { return open() == 1 })
	got(w.c.RevokeRemote(ctx, "scout"))(t)
	<-over
	await.Until(t, "no question", func() bool { return open() == 0 })
}
