package signin_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/wire"
)

// oidc starts oidc-provider, an authorization server that nobody here wrote, and returns its issuer.
func oidc(t *testing.T) string {
	t.Helper()
	modules := os.Getenv("SHOWHOW_NODE_MODULES") // make sets it
	if modules == "" {
		modules = "../../../build/judges/node_modules"
	}
	modules, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "oidc-provider")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the judges from npm are missing: build/setup.sh test")
		}
		t.Skip("the judges from npm are missing: build/setup.sh test")
	}
	c := exec.CommandContext(t.Context(), filepath.Join(modules, "node", "bin", "node"), "testdata/oidc.mjs", modules)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// asked reads an answer of the authorization server's that is only for this test.
func asked[T any](t *testing.T, address string) (v T) {
	t.Helper()
	res, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

type good struct{ Audience, Scope string }

// guardedBy is a service that takes only tokens which that server gave for it.
func guardedBy(t *testing.T, issuer string, wrong *string) string {
	t.Helper()
	service := mcp.NewServer(&mcp.Implementation{Name: "protected", Version: "1"}, nil)
	service.AddTool(&mcp.Tool{Name: "get_secret", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return service }, nil)
	mux := http.NewServeMux()
	ts := httptest.NewServer(mux)
	t.Cleanup(func() { ts.CloseClientConnections(); ts.Close() })
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if g := asked[good](t, issuer+"/check?token="+url.QueryEscape(token)); token == "" || g.Audience != ts.URL+"/mcp" || g.Scope != "notes" {
			*wrong = g.Audience
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+ts.URL+`/.well-known/oauth-protected-resource/mcp"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"resource": ts.URL + "/mcp", "authorization_servers": []string{issuer}, "scopes_supported": []string{"notes"}})
	})
	return ts.URL + "/mcp"
}

// agrees is the person in the browser: signs in, agrees, and is led back.
func agrees(t *testing.T, address string) int {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: 20 * time.Second}
	res, err := browser.Get(address)
	for _, form := range []url.Values{{"prompt": {"login"}, "login": {"ann"}, "password": {"x"}}, {"prompt": {"consent"}}} {
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if !strings.Contains(res.Request.URL.Path, "/interaction/") {
			break // it asks no more
		}
		res, err = browser.PostForm(res.Request.URL.String(), form)
	}
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if !strings.Contains(res.Request.URL.RawQuery, "state=") {
		t.Fatalf("the browser ended at %s (%d)", res.Request.URL, res.StatusCode)
	}
	return res.StatusCode
}

// The whole life of a sign-in at a server that nobody here wrote: discovered as OpenID describes itself, registered
// dynamically, with PKCE and a resource, renewed with rotating tokens, and revoked there.
func TestSignInAtOIDCProvider(t *testing.T) {
	issuer := oidc(t)
	wrong := ""
	address := guardedBy(t, issuer, &wrong)
	h := newHouse(t)
	id := h.add("tracker", address)
	started, err := h.Start(t.Context(), id, wire.MCPAuthStartRequest{ServerID: id, ConfirmIssuer: issuer, SchemaVersion: 1})
	if err != nil {
		t.Fatal(err)
	}
	q, err := url.Parse(started.AuthURL)
	if err != nil || q.Query().Get("code_challenge_method") != "S256" || q.Query().Get("resource") != address {
		t.Fatal(started.AuthURL, err)
	}
	if status := agrees(t, started.AuthURL); status != http.StatusOK {
		t.Fatal(status)
	}
	works := func() bool {
		r, err := h.registry.SmokeTest(t.Context(), id, wire.MCPSmokeTestRequest{ServerID: id})
		if err != nil {
			t.Fatal(err)
		}
		return r.Status == "passed"
	}
	if !works() {
		t.Fatalf("the service refuses the token, which is for %q", wrong)
	}
	for range 2 { // the second time with the token that the first one brought
		h.ahead.Add(int64(2 * time.Hour))
		if !works() {
			t.Fatal("it was not renewed")
		}
	}
	n := asked[map[string]int](t, issuer+"/counts")
	if n["registered"] != 1 || n["authorization_code"] != 1 || n["refresh_token"] != 2 {
		t.Errorf("%v", n)
	}
	access := ""
	for _, v := range h.chain.m {
		var k struct {
			Access string `json:"access_token"`
		}
		if json.Unmarshal([]byte(v), &k) == nil && k.Access != "" {
			access = k.Access
		}
	}
	if g := asked[good](t, issuer+"/check?token="+url.QueryEscape(access)); access == "" || g.Audience != address {
		t.Fatalf("%+v", g)
	}
	r, err := h.Revoke(t.Context(), id, wire.MCPAuthRevokeRequest{ServerID: id, RevokeRemote: true})
	if err != nil || !r.Revoked {
		t.Fatalf("%+v %v", r, err)
	}
	if g := asked[good](t, issuer+"/check?token="+url.QueryEscape(access)); g.Audience != "" {
		t.Errorf("it still takes the token: %+v", g)
	}
	if works() {
		t.Error("it works without a sign-in")
	}
}
