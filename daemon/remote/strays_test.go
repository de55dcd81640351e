package remote_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/remote"
	"showhow/daemon/wire"
)

// To look at the page by HEAD uses nothing up.
func TestHeadUsesNoAnswerUp(t *testing.T) {
	x := begin(t)
	page, code := x.ask(x.request(x.client(), "showhow"))
	if _, err := x.s.Decide(t.Context(), remote.AnyRequest, wire.RemoteDecision{Allow: true, Code: code}); err != nil {
		t.Fatal(err)
	}
	if a := x.do("HEAD", page, "", ""); a.status != http.StatusMethodNotAllowed || a.header.Get("Location") != "" {
		t.Errorf("%d %v", a.status, a.header)
	}
	if to := x.get(page).header.Get("Location"); !strings.Contains(to, "code=ac_") {
		t.Errorf("the answer is gone: %q", to)
	}
}

// A computer that got another name refuses what was granted under the old one, and goes on.
func TestATokenOfAnotherURL(t *testing.T) {
	x := begin(t)
	client, _, old := x.signIn("showhow")
	addr := strings.TrimPrefix(x.url, "http://")
	on := wire.RemoteOn{Addresses: []string{addr}, URL: "https://a-much-longer-name-than-before.desk.example"}
	if _, err := x.s.On(t.Context(), on); err != nil {
		t.Fatal(err)
	}
	v := refresh(client, old)
	v.Set("scope", "showhow")
	a := x.do("POST", "/oauth/token", "application/x-www-form-urlencoded", url.Values(v).Encode(),
		func(r *http.Request) { r.Host = "a-much-longer-name-than-before.desk.example" })
	if a.status != http.StatusBadRequest {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// What cannot be a token of this server makes and reads no key.
func TestAForeignTokenTouchesNoKey(t *testing.T) {
	x := begin(t)
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for _, token := range []string{"a.b.c", part(`{"alg":"ES256","kid":"0123456789abcdef"}`) + "." +
		part(`{"iss":"https://elsewhere.example","client_id":"mc_1"}`) + "." + part(strings.Repeat("x", 64))} {
		if a := x.with(token, "/mcp"); a.status != http.StatusUnauthorized {
			t.Errorf("%d", a.status)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(x.dir, "keys", "remote-signing-*")); len(files) != 0 {
		t.Errorf("%v: a stranger's token made a key", files)
	}
}
