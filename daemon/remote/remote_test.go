package remote_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func TestSignInToTheEnd(t *testing.T) {
	x := begin(t)
	a := x.do("POST", "/contract", "application/json", "{}")
	if h := a.header.Get("WWW-Authenticate"); a.status != http.StatusUnauthorized ||
		!strings.Contains(h, `resource_metadata="`+x.url+`/.well-known/oauth-protected-resource/contract"`) {
		t.Fatalf("%d %s", a.status, h)
	}
	resource := x.get("/.well-known/oauth-protected-resource/contract").json(t)
	if resource["resource"] != x.url+"/contract" || resource["authorization_servers"].([]any)[0] != x.url {
		t.Errorf("%v", resource)
	}
	for _, at := range []string{"oauth-authorization-server", "openid-configuration"} {
		m := x.get("/.well-known/" + at).json(t)
		if m["issuer"] != x.url || m["registration_endpoint"] != x.url+"/oauth/register" ||
			!slices.Equal(m["code_challenge_methods_supported"].([]any), []any{"S256"}) {
			t.Errorf("%v", m)
		}
	}
	client := x.client()
	v := x.request(client, "showhow showhow.write offline_access")
	v.Set("resource", x.url+"/contract")
	page, code := x.ask(v)
	st, err := x.s.Status(t.Context())
	if err != nil || len(st.Waiting) != 1 || st.Waiting[0].RequestID == "" || st.Waiting[0].ClientName != "Far Agent" ||
		st.Waiting[0].SendsTo != "127.0.0.1:4711" {
		t.Fatalf("%+v %v", st, err)
	}
	if _, err := x.s.Decide(t.Context(), "any", wire.RemoteDecision{Allow: true, Code: code, Scopes: []string{"showhow",
		"showhow.mcp"}}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("more than was asked for: %v", err)
	}
	if _, err := x.s.Decide(t.Context(), "any", wire.RemoteDecision{Allow: true, Code: code, Name: "scout"}); err != nil {
		t.Fatal(err)
	}
	to := x.get(page).header.Get("Location")
	for _, want := range []string{back + "?", "state=st-1", "code=ac_", "iss=http"} {
		if !strings.Contains(to, want) {
			t.Errorf("%s lacks %s", to, want)
		}
	}
	if a := x.get(page); a.status != http.StatusNotFound {
		t.Errorf("the page works twice: %d", a.status)
	}
	code = to[strings.Index(to, "ac_"):]
	code, _, _ = strings.Cut(code, "&")
	a = x.form("/oauth/token", exchange(client, code))
	m := a.json(t)
	if m["expires_in"] != 86400.0 || m["scope"] != "showhow showhow.write" || m["id_token"] != nil ||
		a.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", a.status, m)
	}
	access := m["access_token"].(string)
	if len(access) != 3+54 || !strings.HasPrefix(access, "at_") || !strings.HasPrefix(m["refresh_token"].(string), "rt_") {
		t.Errorf("%v", m)
	}
	if a := x.with(access, "/contract"); a.body != `contract remote/scout writes=true connectors=false auth=""` {
		t.Errorf("%d %s", a.status, a.body)
	}
	st, _ = x.s.Status(t.Context())
	if len(st.Callers) != 1 || st.Callers[0].Calls != 1 || st.Callers[0].Name != "remote/scout" || len(st.Waiting) != 0 {
		t.Errorf("%+v", st)
	}
	m = x.form("/oauth/token", refresh(client, m["refresh_token"].(string))).json(t)
	if x.with(m["access_token"].(string), "/contract").status != http.StatusOK {
		t.Errorf("%v", m)
	}
	if a := x.form("/oauth/revoke", map[string][]string{"token": {m["refresh_token"].(string)},
		"client_id": {client}}); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := x.with(m["access_token"].(string), "/contract"); a.status != http.StatusUnauthorized {
		t.Errorf("%d after the token was revoked", a.status)
	}
	k := x.kinds()
	if k["remote.on"] != 1 || k["remote.caller.allowed"] != 1 || k["remote.signed_in"] != 1 {
		t.Errorf("%v", k)
	}
}

func TestARefusalIsToldToTheProgram(t *testing.T) {
	x := begin(t)
	page, _ := x.ask(x.request(x.client(), "showhow.mcp"))
	st, _ := x.s.Status(t.Context())
	if _, err := x.s.Decide(t.Context(), st.Waiting[0].RequestID, wire.RemoteDecision{}); err != nil {
		t.Fatal(err)
	}
	if to := x.get(page).header.Get("Location"); !strings.Contains(to, "error=access_denied") || !strings.Contains(to, "state=st-1") {
		t.Error(to)
	}
	if k := x.kinds(); k["remote.caller.denied"] != 1 || k["remote.caller.allowed"] != 0 {
		t.Errorf("%v", k)
	}
}

func TestShuttingOutEndsWhatRuns(t *testing.T) {
	x := begin(t)
	_, access, _ := x.signIn("showhow.mcp")
	ended := make(chan answer)
	go func() { ended <- x.with(access, "/mcp?hang=1") }()
	for {
		if st, _ := x.s.Status(t.Context()); st.Callers[0].Calls == 1 {
			break
		}
	}
	if _, err := x.s.Revoke(t.Context(), "far-agent"); err != nil {
		t.Fatal(err)
	}
	<-ended
	if a := x.with(access, "/mcp"); a.status != http.StatusUnauthorized {
		t.Errorf("%d", a.status)
	}
	if _, err := x.s.Revoke(t.Context(), "nobody"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

func TestMachines(t *testing.T) {
	x := begin(t)
	m, err := x.s.AddMachine(t.Context(), wire.RemoteMachineAdd{Name: "nightly", Scopes: []string{"showhow"}, Resource: "contract"})
	if err != nil {
		t.Fatal(err)
	}
	sign := func(secret, scope string) answer {
		b, _ := json.Marshal(map[string]string{"grant_type": "client_credentials", "client_id": m.ClientID, "client_secret": secret,
			"scope": scope})
		return x.do("POST", "/auth/machine/token", "application/json", string(b))
	}
	out := sign(m.ClientSecret, "").json(t)
	token := out["access_token"].(string)
	if out["expires_in"] != 3600.0 {
		t.Errorf("%v", out)
	}
	set := jose.JSONWebKeySet{}
	if err := json.Unmarshal([]byte(x.get("/.well-known/jwks.json").body), &set); err != nil || len(set.Keys) != 1 {
		t.Fatal(err)
	}
	jws, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	claims, err := jws.Verify(set.Keys[0])
	if err != nil || !strings.Contains(string(claims), `"iss":"`+x.url) || !strings.Contains(string(claims), x.url+"/contract") {
		t.Errorf("%s %v", claims, err)
	}
	if a := x.with(token, "/contract"); a.body != `contract remote/nightly writes=false connectors=false auth=""` {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := sign("ms_wrong", ""); a.status != http.StatusUnauthorized {
		t.Errorf("%d", a.status)
	}
	if a := sign(m.ClientSecret, "showhow showhow.write"); !strings.Contains(a.body, "invalid_scope") {
		t.Errorf("%s", a.body)
	}
	// A new key signs; what the old one signed is good until it expires, and then the old key is gone.
	ks, err := x.s.Rotate(t.Context())
	if err != nil || len(ks.KeyIDs) != 2 || ks.KeyIDs[1] != set.Keys[0].KeyID {
		t.Fatalf("%v %v", ks, err)
	}
	if x.with(token, "/contract").status != http.StatusOK {
		t.Error("the rotation ended a token")
	}
	x.pass(61 * time.Minute)
	if a := x.with(token, "/contract"); a.status != http.StatusUnauthorized {
		t.Errorf("%d for an expired token", a.status)
	}
	if b := x.get("/.well-known/jwks.json").body; strings.Contains(b, set.Keys[0].KeyID) || !strings.Contains(b, ks.KeyIDs[0]) {
		t.Error(b)
	}
	files, _ := filepath.Glob(filepath.Join(x.dir, "keys", "remote-signing-*.key"))
	if len(files) != 1 {
		t.Errorf("%v: an old signing key is still there", files)
	}
	x.pass(31 * 24 * time.Hour) // the next one comes by itself
	next := sign(m.ClientSecret, "").json(t)["access_token"].(string)
	if jws, _ = jose.ParseSignedCompact(next, []jose.SignatureAlgorithm{jose.ES256}); jws.Signatures[0].Header.KeyID == ks.KeyIDs[0] {
		t.Error("the same key signs for ever")
	}
	if _, err := x.s.Revoke(t.Context(), m.CallerID); err != nil {
		t.Fatal(err)
	}
	if a := x.with(next, "/contract"); a.status != http.StatusUnauthorized {
		t.Errorf("%d: a machine that was shut out is still in", a.status)
	}
	if a := sign(m.ClientSecret, ""); a.status != http.StatusUnauthorized {
		t.Errorf("%d", a.status)
	}
	if kty := x.get("/.well-known/showhow-requester-key.json").json(t); kty["kty"] != "OKP" || kty["crv"] != "Ed25519" ||
		len(kty["kid"].(string)) != 16 {
		t.Errorf("%v", kty)
	}
}

// Off is off: nothing listens, and what was granted is kept for the next time.
func TestOffAndOnAgain(t *testing.T) {
	x := begin(t)
	_, access, _ := x.signIn("showhow.mcp showhow.connectors")
	st, err := x.s.Off(t.Context())
	if err != nil || st.On || x.s.Listening() {
		t.Fatalf("%+v %v", st, err)
	}
	if _, err := http.Get(x.url + "/health"); err == nil {
		t.Fatal("something still listens")
	}
	for _, err := range []error{second(x.s.AddMachine(t.Context(), wire.RemoteMachineAdd{Name: "a", Scopes: []string{"showhow"}})),
		second(x.s.Rotate(t.Context()))} {
		if !fault.Is(err, fault.RemoteOff) {
			t.Error(err)
		}
	}
	again := x.service()
	if err := again.Open(t.Context()); err != nil || again.Listening() {
		t.Fatal("a start turned it on", err)
	}
	if _, err := again.On(t.Context(), wire.RemoteOn{Addresses: []string{strings.TrimPrefix(x.url, "http://")}}); err != nil {
		t.Fatal(err)
	}
	if a := x.with(access, "/mcp"); a.body != `mcp remote/far-agent writes=true connectors=true auth=""` {
		t.Errorf("%d %s", a.status, a.body)
	}
	again.Close()
	third := x.service() // as after a restart
	if err := third.Open(t.Context()); err != nil || !third.Listening() {
		t.Fatal(err)
	}
	defer third.Close()
	if a := x.with(access, "/mcp"); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func second[T any](_ T, err error) error { return err }

func TestAddressesThatExposeMoreThanWasMeant(t *testing.T) {
	x := begin(t)
	for name, r := range map[string]wire.RemoteOn{
		"none":                {},
		"every interface":     {Addresses: []string{"0.0.0.0:8443"}},
		"every interface, v6": {Addresses: []string{"[::]:8443"}, CertFile: "c", KeyFile: "k"},
		"a name":              {Addresses: []string{"example.com:8443"}},
		"plain, off loopback": {Addresses: []string{"192.0.2.7:8443"}},
		"mapped":              {Addresses: []string{"[::ffff:192.0.2.7]:8443"}},
		"half a certificate":  {Addresses: []string{"127.0.0.1:0"}, CertFile: "c"},
		"no certificate": {Addresses: []string{"127.0.0.1:0"}, CertFile: filepath.Join(x.dir, "none"),
			KeyFile: filepath.Join(x.dir, "none")},
		"plain URL":       {Addresses: []string{"127.0.0.1:0"}, URL: "http://showhow.example.com"},
		"URL with a path": {Addresses: []string{"127.0.0.1:0"}, URL: "https://showhow.example.com/x"},
		"URL with a user": {Addresses: []string{"127.0.0.1:0"}, URL: "https://me@showhow.example.com"},
	} {
		if _, err := x.s.On(t.Context(), r); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x.get("/health").status != http.StatusOK {
		t.Error("a mistake turned it off")
	}
}

// No token, code or secret is anywhere in the clear: not in the data directory, not in a log.
func TestNoTokenIsStored(t *testing.T) {
	old := slog.Default() // the library's log
	defer slog.SetDefault(old)
	x := begin(t)
	slog.SetDefault(slog.New(slog.NewTextHandler(x.log, nil)))
	client, access, fresh := x.signIn("showhow")
	m, err := x.s.AddMachine(t.Context(), wire.RemoteMachineAdd{Name: "nightly", Scopes: []string{"showhow"}})
	if err != nil {
		t.Fatal(err)
	}
	secret := x.register(`{"redirect_uris":["` + back + `"]}`).json(t)["client_secret"].(string)
	x.form("/oauth/token", refresh(client, fresh))
	x.form("/oauth/token", refresh(client, fresh)) // reuse is recorded
	x.with("at_"+strings.Repeat("x", 54), "/contract")
	if err := x.st.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"access": access, "refresh": fresh, "machine": m.ClientSecret, "client": secret} {
		if strings.Contains(x.log.String(), text[3:]) {
			t.Errorf("the %s token is in the log", name)
		}
		err := filepath.WalkDir(x.dir, func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(p)
			if strings.Contains(string(b), text[3:]) {
				t.Errorf("the %s token is in %s", name, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// While it is off, and after it was turned off, no goroutine of it is there.
func TestOffIsNothing(t *testing.T) {
	x := begin(t)
	if _, err := x.s.Off(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := x.service().Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 1<<20)
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "showhow/daemon/remote.(") {
			t.Errorf("still there: %s", g)
		}
	}
}
