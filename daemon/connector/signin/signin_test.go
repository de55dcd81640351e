package signin_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/registry"
	"showhow/daemon/connector/signin"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

// chain is a keychain in memory.
type chain struct {
	mu sync.Mutex
	m  map[string]string
}

func (c *chain) Get(_ context.Context, name string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.m[name]; ok {
		return v, nil
	}
	return "", fault.New(fault.NotFound, "none")
}

func (c *chain) Set(_ context.Context, name, value string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[name] = value
	return nil
}

func (c *chain) Delete(_ context.Context, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.m, name)
	return nil
}

// site is a service with its authorization server: it gives codes to whoever asks, and checks everything that it is told.
type site struct {
	*httptest.Server
	t       *testing.T
	mu      sync.Mutex
	codes   map[string]url.Values // what each code was asked for with
	good    map[string]bool       // access tokens
	refresh map[string]bool
	life    int
	seen    []string // bearers that the service was shown
	reads   bool     // client id metadata documents
	revoked atomic.Int32
}

func newSite(t *testing.T) *site {
	s := &site{t: t, codes: map[string]url.Values{}, good: map[string]bool{}, refresh: map[string]bool{}, life: 3600}
	service := mcp.NewServer(&mcp.Implementation{Name: "protected", Version: "1"}, nil)
	service.AddTool(&mcp.Tool{Name: "get_secret", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return service }, nil)
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mu.Lock()
		ok := s.good[token]
		if token != "" {
			s.seen = append(s.seen, token)
		}
		s.mu.Unlock()
		if !ok {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+s.URL+`/.well-known/oauth-protected-resource/mcp"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []string{s.URL}, "scopes_supported": []string{"notes"}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token",
			"registration_endpoint": s.URL + "/register", "revocation_endpoint": s.URL + "/revoke", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported":               []string{"S256"},
			"authorization_response_iss_parameter_supported": true, "jwks_uri": s.URL + "/jwks",
			"client_id_metadata_document_supported": s.reads})
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		var m map[string]any
		_ = json.NewDecoder(r.Body).Decode(&m)
		if m["application_type"] != "native" {
			t.Errorf("registered as %v", m)
		}
		m["client_id"] = "client-1"
		w.WriteHeader(http.StatusCreated)
		write(w, m)
	})
	mux.HandleFunc("/token", s.token)
	mux.HandleFunc("/revoke", func(_ http.ResponseWriter, r *http.Request) {
		s.revoked.Add(1)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.good, r.FormValue("token"))
		delete(s.refresh, r.FormValue("token"))
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (s *site) token(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.FormValue("grant_type") {
	case "authorization_code":
		asked := s.codes[r.FormValue("code")]
		delete(s.codes, r.FormValue("code"))
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		if asked == nil || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) ||
			asked.Get("code_challenge_method") != "S256" || r.FormValue("resource") != s.URL+"/mcp" ||
			r.FormValue("redirect_uri") != asked.Get("redirect_uri") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	case "refresh_token":
		if !s.refresh[r.FormValue("refresh_token")] {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		delete(s.refresh, r.FormValue("refresh_token"))
	}
	access, again := "canary-access-"+rand.Text(), "canary-refresh-"+rand.Text()
	s.good[access], s.refresh[again] = true, true
	write(w, map[string]any{"access_token": access, "refresh_token": again, "expires_in": s.life, "token_type": "Bearer", "scope": "notes"})
}

// consent is the person at the authorization server: it gives a code for what it was asked, and says where the browser goes.
func (s *site) consent(authURL string) url.Values {
	u, err := url.Parse(authURL)
	if err != nil || !strings.HasPrefix(authURL, s.URL+"/authorize?") {
		s.t.Fatal(authURL, err)
	}
	code := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[code] = u.Query()
	return url.Values{"code": {code}, "state": {u.Query().Get("state")}, "iss": {s.URL}, "to": {u.Query().Get("redirect_uri")}}
}

type house struct {
	*signin.Service
	t        *testing.T
	registry *registry.Registry
	chain    *chain
	ahead    atomic.Int64
	dir      string
	store    *store.Store
}

func newHouse(t *testing.T) *house {
	dir := t.TempDir()
	st, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data"), Memory: filepath.Join(dir, "memory")})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, chain: &chain{m: map[string]string{}}, dir: dir, store: st}
	now := func() clock.Time { return clock.At(time.Now().Add(time.Duration(h.ahead.Load()))) }
	h.Service = signin.New(signin.Options{Store: st.Connectors(), Registry: func() *registry.Registry { return h.registry },
		Keychain: h.chain, Now: now})
	h.registry = registry.New(registry.Options{Store: st.Connectors(), Token: h.Token, Now: now})
	t.Cleanup(func() { h.Close(); h.registry.Close(); st.Close() })
	return h
}

func (h *house) add(name, address string) string {
	h.t.Helper()
	r, err := h.registry.Register(h.t.Context(), wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: name,
		Transport:   "remote_http",
		EndpointURL: address, SchemaVersion: 1})
	if err != nil {
		h.t.Fatal(err)
	}
	return r.Server.Registry.ServerID
}

func (h *house) begin(id string) wire.MCPAuthStartResponse {
	h.t.Helper()
	r, err := h.Start(h.t.Context(), id, wire.MCPAuthStartRequest{ServerID: id, SchemaVersion: 1})
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// visit is the browser that is sent back.
func visit(t *testing.T, q url.Values, change func(*http.Request)) (int, string) {
	t.Helper()
	to := q.Get("to")
	q.Del("to")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to+"?"+q.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(req)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(b)
}

func TestSignIn(t *testing.T) {
	s, h := newSite(t), newHouse(t)
	id := h.add("tracker", s.URL+"/mcp")
	if x, err := h.registry.Item(t.Context(), id); err != nil || x.Health.AuthState != "challenge_required" ||
		strings.Join(x.BadgeStates, " ") != "auth_required" {
		t.Fatalf("%+v %v", x, err)
	}
	started := h.begin(id)
	if started.AuthURL != started.AuthorizationURL || started.OAuthStateRef == "" || started.PKCEVerifierRef == "" {
		t.Errorf("%+v", started)
	}
	q := s.consent(started.AuthURL)
	replay := url.Values{"code": q["code"], "state": q["state"], "iss": q["iss"], "to": q["to"]}
	q.Set("something_else", "that real servers send")
	status, page := visit(t, q, nil)
	if status != 200 || strings.Contains(page, "<script") {
		t.Fatal(status, page)
	}
	if a, err := h.registry.AuthStatus(t.Context(), id); err != nil || a.AuthState != "healthy" || strings.Join(a.ScopesGranted,
		" ") != "notes" {
		t.Errorf("%+v %v", a, err)
	}
	if r, err := h.registry.SmokeTest(t.Context(), id, wire.MCPSmokeTestRequest{ServerID: id}); err != nil || r.Status != "passed" {
		t.Errorf("%+v %v", r, err)
	}
	// The same answer again, at the port and at the route.
	if status, _ := visit(t, replay, nil); status == 200 {
		t.Error("an answer was good twice")
	}
	_, err := h.Callback(t.Context(), id, wire.MCPAuthCallbackQuery{Code: replay.Get("code"), State: replay.Get("state"), Issuer: s.URL})
	if !fault.Is(err, fault.MCPOAuthStateInvalid) {
		t.Error(err)
	}
	h.canaries()
}

// canaries looks for tokens in every byte on the disk.
func (h *house) canaries() {
	h.t.Helper()
	if err := h.store.Connectors().Flush(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	files := 0
	_ = filepath.WalkDir(h.dir, func(p string, d fs.DirEntry, _ error) error {
		if b, err := os.ReadFile(p); err == nil {
			files++
			if strings.Contains(string(b), "canary-") {
				h.t.Errorf("a token is in %s", p)
			}
		}
		return nil
	})
	held := false
	for _, v := range h.chain.m {
		held = held || strings.Contains(v, "canary-access-")
	}
	if files == 0 || !held {
		h.t.Error("nothing was looked at")
	}
}

// A client id that is an address names a document about the client, at servers that read such documents.
func TestClientIDMetadataDocument(t *testing.T) {
	const document = "https://example.com/showhow.json"
	s, h := newSite(t), newHouse(t)
	id := h.add("tracker", s.URL+"/mcp")
	p, err := h.registry.AddProfile(t.Context(), wire.MCPAuthProfileCreateRequest{Provider: "custom_remote", AuthMode: "oauth2_delegated",
		ClientID: document, RefreshPolicy: "manual", SchemaVersion: 1})
	if err == nil {
		_, err = h.registry.Patch(t.Context(), id, wire.MCPServerPatchRequest{AuthProfileID: &p.AuthProfileID, SchemaVersion: 1}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.Start(t.Context(), id, wire.MCPAuthStartRequest{ServerID: id, SchemaVersion: 1})
	if f := fault.From(err); f == nil || f.Code != fault.MCPAuthChallengeRequired || f.Details["reason"] != "client_id_address" {
		t.Fatal(err)
	}
	s.reads = true
	q := s.consent(h.begin(id).AuthURL)
	for _, asked := range s.codes {
		if asked.Get("client_id") != document {
			t.Errorf("%v", asked)
		}
	}
	if status, page := visit(t, q, nil); status != http.StatusOK {
		t.Errorf("%d %s", status, page)
	}
}

func TestHostileAnswers(t *testing.T) {
	s, h := newSite(t), newHouse(t)
	id := h.add("tracker", s.URL+"/mcp")
	for name, tt := range map[string]struct {
		values func(url.Values)
		change func(*http.Request)
		wait   time.Duration
		status int
	}{
		"another method":        {change: func(r *http.Request) { r.Method = http.MethodPost }, status: 404},
		"another host":          {change: func(r *http.Request) { r.Host = "evil.example" }, status: 404},
		"a state that is made":  {values: func(q url.Values) { q.Set("state", rand.Text()) }, status: 400},
		"no state":              {values: func(q url.Values) { q.Del("state") }, status: 404},
		"another server's word": {values: func(q url.Values) { q.Set("iss", "https://evil.example") }, status: 400},
		"nobody's word":         {values: func(q url.Values) { q.Del("iss") }, status: 400},
		"a code that is made":   {values: func(q url.Values) { q.Set("code", "x") }, status: 502},
		"refused":               {values: func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }, status: 502},
		"too late":              {wait: 11 * time.Minute, status: 410},
	} {
		t.Run(name, func(t *testing.T) {
			h.ahead.Store(0)
			q := s.consent(h.begin(id).AuthURL)
			if tt.values != nil {
				tt.values(q)
			}
			h.ahead.Store(int64(tt.wait))
			if status, page := visit(t, q, tt.change); status != tt.status {
				t.Errorf("%d %s", status, page)
			}
			if a, err := h.registry.AuthStatus(t.Context(), id); err != nil || a.AuthState == "healthy" {
				t.Errorf("%+v %v", a, err)
			}
		})
	}
}

// The callback's row of the specification (0.2D): what it takes, each of its codes, what it answers, and its receipts.
func TestTheCallbacksRow(t *testing.T) {
	s, h := newSite(t), newHouse(t)
	id, other := h.add("tracker", s.URL+"/mcp"), h.add("other", s.URL+"/mcp")
	answer := func(to string, q url.Values) error {
		t.Helper()
		a, err := h.Callback(t.Context(), to, wire.MCPAuthCallbackQuery{Code: q.Get("code"), State: q.Get("state"), Issuer: q.Get("iss"),
			Error: q.Get("error")})
		if err == nil && (a.ServerID != id || a.AuthState != "healthy" || strings.Join(a.ScopesGranted, " ") != "notes" ||
			len(a.ScopesMissing) != 0) {
			t.Errorf("%+v", a)
		}
		return err
	}
	set := func(k, v string) func(url.Values) { return func(q url.Values) { q.Set(k, v) } }
	for name, tt := range map[string]struct {
		to     string
		change func(url.Values)
		wait   time.Duration
		code   fault.Code
		reason any
	}{
		"a state that is made": {to: id, change: set("state", rand.Text()), code: fault.MCPOAuthStateInvalid},
		"another connector's":  {to: other, code: fault.MCPOAuthStateInvalid},
		"another server's":     {to: id, change: set("iss", "https://evil.example"), code: fault.MCPOAuthStateInvalid},
		"after eleven minutes": {to: id, wait: 11 * time.Minute, code: fault.MCPOAuthCallbackExpired},
		"the person said no":   {to: id, change: set("error", "access_denied"), code: fault.MCPOAuthExchangeFailed, reason: "refused"},
		"a code that is made":  {to: id, change: set("code", "x"), code: fault.MCPOAuthExchangeFailed, reason: "exchange"},
	} {
		t.Run(name, func(t *testing.T) {
			h.ahead.Store(0)
			q := s.consent(h.begin(id).AuthURL)
			if tt.change != nil {
				tt.change(q)
			}
			h.ahead.Store(int64(tt.wait))
			err := answer(tt.to, q)
			if f := fault.From(err); !fault.Is(err, tt.code) || f.Details["reason"] != tt.reason || f.Hint == "" {
				t.Errorf("%v, want %s: %+v", err, tt.code, f)
			}
			if err := answer(id, q); !fault.Is(err, fault.MCPOAuthStateInvalid) && tt.to == id && name != "a state that is made" {
				t.Errorf("its state is good a second time: %v", err)
			}
		})
	}
	h.ahead.Store(0)
	if err := answer(id, s.consent(h.begin(id).AuthURL)); err != nil {
		t.Fatal(err)
	}
	l, err := h.registry.Receipts(t.Context(), connector.ReceiptFilter{ServerID: id, Limit: 50})
	kinds := map[string]int{}
	for _, r := range l.Receipts {
		kinds[r.ReceiptKind+" "+r.Status]++
	}
	if err != nil || kinds["auth_start ok"] != 7 || kinds["auth_callback ok"] != 1 || kinds["auth_callback failed"] == 0 {
		t.Errorf("%v %v", kinds, err)
	}
}

// A token is for one service: another one with the same auth profile is not shown it.
func TestATokenGoesToItsServiceAlone(t *testing.T) {
	s, other, h := newSite(t), newSite(t), newHouse(t)
	id := h.add("tracker", s.URL+"/mcp")
	if status, _ := visit(t, s.consent(h.begin(id).AuthURL), nil); status != 200 {
		t.Fatal(status)
	}
	x, err := h.registry.Item(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	second := h.add("other", other.URL+"/mcp")
	profile := x.Registry.AuthProfileID
	if _, err := h.registry.Patch(t.Context(), second, wire.MCPServerPatchRequest{AuthProfileID: &profile}, nil); err != nil {
		t.Fatal(err)
	}
	_, _ = h.registry.SmokeTest(t.Context(), second, wire.MCPSmokeTestRequest{ServerID: second})
	if len(other.seen) > 0 {
		t.Error("another service was shown a token")
	}
}

func TestRenewalAndRevocation(t *testing.T) {
	s, h := newSite(t), newHouse(t)
	id := h.add("tracker", s.URL+"/mcp")
	if status, _ := visit(t, s.consent(h.begin(id).AuthURL), nil); status != 200 {
		t.Fatal(status)
	}
	h.ahead.Store(int64(2 * time.Hour)) // the token is over: it is renewed by itself
	if r, err := h.registry.SmokeTest(t.Context(), id, wire.MCPSmokeTestRequest{ServerID: id}); err != nil || r.Status != "passed" {
		t.Fatalf("%+v %v", r, err)
	}
	x, _ := h.registry.Item(t.Context(), id)
	deny := "deny"
	if _, err := h.registry.PatchProfile(t.Context(), x.Registry.AuthProfileID,
		wire.MCPAuthProfilePatchRequest{RefreshPolicy: &deny}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Refresh(t.Context(), id, true); !fault.Is(err, fault.MCPOAuthRefreshNotOK) {
		t.Error(err)
	}
	h.ahead.Store(int64(8 * time.Hour))
	if r, err := h.registry.SmokeTest(t.Context(), id, wire.MCPSmokeTestRequest{ServerID: id}); err != nil || r.Status != "blocked" ||
		r.AuthOK {
		t.Errorf("%+v %v", r, err)
	}
	if a, _ := h.registry.AuthStatus(t.Context(), id); a.AuthState != "expired" || a.ChallengeID == "" {
		t.Errorf("%+v", a)
	}
	h.ahead.Store(0)
	if status, _ := visit(t, s.consent(h.begin(id).AuthURL), nil); status != 200 {
		t.Fatal(status)
	}
	r, err := h.Revoke(t.Context(), id, wire.MCPAuthRevokeRequest{ServerID: id, RevokeRemote: true})
	if err != nil || !r.Revoked || r.Status != "revoked" || s.revoked.Load() != 2 {
		t.Errorf("%+v %v, %d told", r, err, s.revoked.Load())
	}
	if r, err = h.Revoke(t.Context(), id, wire.MCPAuthRevokeRequest{ServerID: id}); err != nil || r.Status != "already_revoked" {
		t.Errorf("%+v %v", r, err)
	}
	for name := range h.chain.m {
		if strings.HasPrefix(name, "token/") {
			t.Errorf("%s is still there", name)
		}
	}
}
