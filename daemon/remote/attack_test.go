package remote_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"showhow/daemon/wire"
)

// sentTo is where the browser would be sent, and with which error.
func sentTo(a answer) (to *url.URL, fail string) {
	to, err := url.Parse(a.header.Get("Location"))
	if err != nil || a.status != http.StatusFound {
		return nil, ""
	}
	return to, to.Query().Get("error")
}

func TestPKCEIsForEverybody(t *testing.T) {
	x := begin(t)
	client := x.client()
	for name, change := range map[string]func(url.Values){
		"no challenge":    func(v url.Values) { v.Del("code_challenge"); v.Del("code_challenge_method") },
		"plain":           func(v url.Values) { v.Set("code_challenge_method", "plain"); v.Set("code_challenge", verifier) },
		"plain unsaid":    func(v url.Values) { v.Del("code_challenge_method") },
		"short challenge": func(v url.Values) { v.Set("code_challenge", "x") },
		"unknown method":  func(v url.Values) { v.Set("code_challenge_method", "S512") },
	} {
		v := x.request(client, "showhow")
		change(v)
		if to, fail := sentTo(x.get("/oauth/authorize?" + v.Encode())); to == nil || fail != "invalid_request" ||
			to.Query().Get("iss") != x.url {
			t.Errorf("%s: %v", name, to)
		}
	}
	for name, change := range map[string]func(url.Values){
		"no verifier":    func(v url.Values) { v.Del("code_verifier") },
		"wrong verifier": func(v url.Values) { v.Set("code_verifier", verifier+"x") },
		"the challenge":  func(v url.Values) { v.Set("code_verifier", challenge(verifier)) },
		"other redirect": func(v url.Values) { v.Set("redirect_uri", "http://127.0.0.1:4712/back") },
		"no redirect":    func(v url.Values) { v.Del("redirect_uri") },
		"other client":   func(v url.Values) { v.Set("client_id", x.client()) },
		"other resource": func(v url.Values) { v.Set("resource", x.url+"/mcp") },
		"half a code":    func(v url.Values) { v.Set("code", v.Get("code")[:20]) },
	} {
		v := exchange(client, x.allow(x.request(client, "showhow")).Get("code"))
		right := v.Encode()
		change(v)
		if a := x.form("/oauth/token", v); a.status < 400 || strings.Contains(a.body, "at_") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		if name == "no redirect" || name == "half a code" {
			continue // the code itself was not shown
		}
		if a := x.do("POST", "/oauth/token", "application/x-www-form-urlencoded", right); a.status < 400 {
			t.Errorf("%s: the code could be tried again", name)
		}
	}
}

func TestACodeWorksOnce(t *testing.T) {
	x := begin(t)
	client := x.client()
	v := exchange(client, x.allow(x.request(client, "showhow")).Get("code"))
	access := x.form("/oauth/token", v).json(t)["access_token"].(string)
	if x.with(access, "/contract").status != http.StatusOK {
		t.Fatal("it does not work at all")
	}
	if a := x.form("/oauth/token", v); !strings.Contains(a.body, "invalid_grant") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := x.with(access, "/contract"); a.status != http.StatusUnauthorized {
		t.Errorf("%d: what the code yielded is still good", a.status)
	}
	if x.kinds()["remote.token.reused"] != 1 {
		t.Error("nobody is told")
	}
	late := exchange(client, x.allow(x.request(client, "showhow")).Get("code"))
	x.pass(10*time.Minute + time.Second)
	if a := x.form("/oauth/token", late); a.status < 400 {
		t.Errorf("%d: a code of ten minutes ago", a.status)
	}
}

// Twenty programs with one code at once: one of them gets tokens at most, and in the end nobody is in.
func TestARaceForACode(t *testing.T) {
	x := begin(t)
	client := x.client()
	v := exchange(client, x.allow(x.request(client, "showhow")).Get("code"))
	got := make([]string, 20)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			if a := x.form("/oauth/token", v); a.status == http.StatusOK {
				got[i] = a.body
			}
		})
	}
	wg.Wait()
	if n := len(slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s == "" })); n > 1 {
		t.Errorf("%d got tokens", n)
	}
	for _, s := range got {
		var m map[string]any
		if s != "" && json.Unmarshal([]byte(s), &m) == nil && x.with(m["access_token"].(string), "/contract").status == http.StatusOK {
			t.Error("a token of a code that came twenty times is good")
		}
	}
}

func TestRefreshTokensRotate(t *testing.T) {
	x := begin(t)
	client, access, first := x.signIn("showhow showhow.write")
	for name, change := range map[string]func(url.Values){
		"wider":          func(v url.Values) { v.Set("scope", "showhow showhow.write showhow.mcp") },
		"another kind":   func(v url.Values) { v.Set("scope", "showhow.mcp") },
		"other resource": func(v url.Values) { v.Set("resource", x.url+"/mcp") },
		"other client":   func(v url.Values) { v.Set("client_id", x.client()) },
		"access token":   func(v url.Values) { v.Set("refresh_token", access) },
	} {
		v := refresh(client, first)
		change(v)
		if a := x.form("/oauth/token", v); a.status < 400 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	v := refresh(client, first)
	v.Set("scope", "showhow")
	m := x.form("/oauth/token", v).json(t)
	if m["scope"] != "showhow" {
		t.Fatalf("%v", m)
	}
	if a := x.with(m["access_token"].(string), "/contract"); !strings.Contains(a.body, "writes=false") {
		t.Errorf("%s", a.body)
	}
	second := m["refresh_token"].(string)
	m = x.form("/oauth/token", refresh(client, second)).json(t)
	last := m["access_token"].(string)
	if a := x.form("/oauth/token", refresh(client, first)); !strings.Contains(a.body, "invalid_grant") {
		t.Errorf("%d %s", a.status, a.body)
	}
	for what, token := range map[string]string{"first": access, "last": last} {
		if a := x.with(token, "/contract"); a.status != http.StatusUnauthorized {
			t.Errorf("%d: the %s token of a stolen line is good", a.status, what)
		}
	}
	if a := x.form("/oauth/token", refresh(client, m["refresh_token"].(string))); a.status < 400 {
		t.Errorf("%d", a.status)
	}
	client, _, old := x.signIn("showhow")
	x.pass(30*24*time.Hour + time.Second)
	if a := x.form("/oauth/token", refresh(client, old)); a.status < 400 {
		t.Errorf("%d: a refresh token of a month ago", a.status)
	}
}

func TestATokenIsForOneResource(t *testing.T) {
	x := begin(t)
	_, contract, _ := x.signIn("showhow showhow.write")
	_, mcp, fresh := x.signIn("showhow.mcp")
	m, err := x.s.AddMachine(t.Context(), wire.RemoteMachineAdd{Name: "m", Scopes: []string{"showhow"}})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(map[string]string{"grant_type": "client_credentials", "client_id": m.ClientID, "client_secret": m.ClientSecret})
	machine := x.do("POST", "/auth/machine/token", "application/json", string(b)).json(t)["access_token"].(string)
	for name, c := range map[string][2]string{
		"contract at mcp": {contract, "/mcp"}, "mcp at contract": {mcp, "/contract"}, "machine at mcp": {machine, "/mcp"},
		"refresh": {fresh, "/mcp"}, "code": {"ac_" + mcp[3:], "/mcp"}, "another case": {strings.ToUpper(mcp), "/mcp"}, "empty": {"", "/mcp"},
		"with a space": {mcp + " x", "/mcp"}, "huge": {"at_" + strings.Repeat("A", 9000), "/mcp"}, "hash": {"at_", "/mcp"},
	} {
		if a := x.with(c[0], c[1]); a.status != http.StatusUnauthorized || !strings.Contains(a.header.Get("WWW-Authenticate"),
			"resource_metadata=") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	for name, change := range map[string]func(*http.Request){
		"two headers": func(r *http.Request) { r.Header["Authorization"] = []string{"Bearer " + mcp, "Bearer " + contract} },
		"basic":       func(r *http.Request) { r.SetBasicAuth("x", mcp) },
		"in the URL":  func(r *http.Request) { r.URL.RawQuery = "access_token=" + mcp },
	} {
		if a := x.do("POST", "/mcp", "application/json", "{}", change); a.status != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	// Nothing but the two resources is behind it: no API, no connector's own door, no other method's way in.
	for _, at := range []string{"/api/status", "/api/remote", "/mcp/mail", "/mcp/", "//mcp", "/mcp/../api/status", "/%6dcp", "/",
		"/contract/x"} {
		if a := x.with(mcp, at); a.status == http.StatusOK {
			t.Errorf("%s: %d %s", at, a.status, a.body)
		}
	}
	up := func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+mcp)
		r.Header.Set("Upgrade", wire.UpgradeMCP)
	}
	if a := x.do("GET", "/mcp", "", "", up); a.status != http.StatusNotFound {
		t.Errorf("upgrade: %d", a.status)
	}
}

// Signatures: no algorithm, a public key as a secret, another key, another issuer, no end.
func TestForgedMachineTokens(t *testing.T) {
	x := begin(t)
	m, err := x.s.AddMachine(t.Context(), wire.RemoteMachineAdd{Name: "m", Scopes: []string{"showhow"}})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(map[string]string{"grant_type": "client_credentials", "client_id": m.ClientID, "client_secret": m.ClientSecret})
	real := x.do("POST", "/auth/machine/token", "application/json", string(b)).json(t)["access_token"].(string)
	part := strings.Split(real, ".")
	payload, _ := base64.RawURLEncoding.DecodeString(part[1])
	set := jose.JSONWebKeySet{}
	if err := json.Unmarshal([]byte(x.get("/.well-known/jwks.json").body), &set); err != nil {
		t.Fatal(err)
	}
	kid := set.Keys[0].KeyID
	public, _ := set.Keys[0].MarshalJSON()
	enc := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	signed := func(alg jose.SignatureAlgorithm, key any, body string) string {
		s, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: key, KeyID: kid}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		o, err := s.Sign([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := o.CompactSerialize()
		return text
	}
	other := begin(t) // another computer, with the same caller's id
	om, err := other.s.AddMachine(t.Context(), wire.RemoteMachineAdd{Name: "m", Scopes: []string{"showhow"}})
	if err != nil {
		t.Fatal(err)
	}
	b, _ = json.Marshal(map[string]string{"grant_type": "client_credentials", "client_id": om.ClientID, "client_secret": om.ClientSecret})
	foreign := other.do("POST", "/auth/machine/token", "application/json", string(b)).json(t)["access_token"].(string)
	for name, token := range map[string]string{
		"none":              enc(`{"alg":"none","kid":"`+kid+`"}`) + "." + part[1] + ".",
		"None":              enc(`{"alg":"None","kid":"`+kid+`"}`) + "." + part[1] + "." + part[2],
		"no signature":      part[0] + "." + part[1] + ".",
		"HS256, the key":    signed(jose.HS256, public, string(payload)),
		"HS256, the point":  signed(jose.HS256, []byte(fmt.Sprint(set.Keys[0].Key)), string(payload)),
		"other payload":     part[0] + "." + enc(strings.Replace(string(payload), "showhow\"", "showhow showhow.write\"", 1)) + "." + part[2],
		"another computer":  foreign,
		"another's kid":     enc(`{"alg":"ES256","kid":"0000000000000000"}`) + "." + part[1] + "." + part[2],
		"a key of its own":  enc(`{"alg":"ES256","jwk":`+string(public)+`}`) + "." + part[1] + "." + part[2],
		"twice a signature": real + "." + part[2],
	} {
		if a := x.with(token, "/contract"); a.status != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if x.with(real, "/contract").status != http.StatusOK {
		t.Error("not even the real one works")
	}
}

func TestRedirectsGoWhereTheyWereRegistered(t *testing.T) {
	x := begin(t)
	for _, u := range []string{"http://evil.example/back", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
		"https://a.example/#x",
		"https://me@a.example/", "https://*.example/", "http://127.0.0.1.evil.example/", "myapp://back", "https:///x", "//a.example/x", "",
		"http://0.0.0.0:1/", "http://localhost.evil.example/", "https://a.example/ x",
		`https://a.example\@b.example/`, "https://a.example/" + strings.Repeat("x", 600)} {
		b, _ := json.Marshal(map[string]any{"redirect_uris": []string{back, u}})
		x.pass(time.Hour) // so that the rate is not what refuses
		if a := x.register(string(b)); !strings.Contains(a.body, "invalid_redirect_uri") {
			t.Errorf("%q: %d %s", u, a.status, a.body)
		}
	}
	a := x.register(`{"client_name":"web","redirect_uris":["https://app.example/cb","` + back + `"],"token_endpoint_auth_method":"none"}`)
	client := a.json(t)["client_id"].(string)
	for _, u := range []string{"https://app.example/cb/", "https://app.example/cb?x=1", "https://app.example/cb/../x",
		"https://app.example.evil.example/cb",
		"https://app.example@evil.example/cb", "http://app.example/cb", "https://APP.example/cb", "https://app.example/cb#x",
		"http://127.0.0.1:4711/other",
		"http://127.0.0.1:4711/back?x", "http://evil@127.0.0.1:4711/back", "http://127.0.0.1:4711/back#x",
		"https://app.example:444/cb", "", "/cb"} {
		v := x.request(client, "showhow")
		v.Set("redirect_uri", u)
		if a := x.get("/oauth/authorize?" + v.Encode()); a.status == http.StatusFound {
			t.Errorf("%q: %s", u, a.header.Get("Location"))
		}
	}
	v := x.request(client, "showhow")
	v.Set("redirect_uri", "http://127.0.0.1:9/back") // RFC 8252: the port is the program's
	x.ask(v)
	twice := x.request(client, "showhow").Encode() + "&redirect_uri=https%3A%2F%2Fevil.example%2F"
	if a := x.get("/oauth/authorize?" + twice); a.status == http.StatusFound {
		t.Errorf("a second redirect_uri: %s", a.header.Get("Location"))
	}
	for name, change := range map[string]func(url.Values){
		"token":    func(v url.Values) { v.Set("response_type", "token") },
		"code+id":  func(v url.Values) { v.Set("response_type", "code id_token") },
		"fragment": func(v url.Values) { v.Set("response_mode", "fragment") },
		"object":   func(v url.Values) { v.Set("request", "e30.e30.") },
		"by URL":   func(v url.Values) { v.Set("request_uri", "https://evil.example/") },
		"silent":   func(v url.Values) { v.Set("prompt", "none") },
		"scope":    func(v url.Values) { v.Set("scope", "showhow admin") },
		"channel":  func(v url.Values) { v.Set("scope", "showhow showhow.channel") },
		"resource": func(v url.Values) { v.Set("resource", "https://evil.example/contract") },
		"API":      func(v url.Values) { v.Set("resource", x.url+"/api") },
		"mixed":    func(v url.Values) { v.Set("scope", "showhow.write showhow.mcp") },
	} {
		v := x.request(client, "showhow")
		change(v)
		if to, fail := sentTo(x.get("/oauth/authorize?" + v.Encode())); to != nil && fail == "" && !strings.HasPrefix(to.Fragment, "error=") {
			t.Errorf("%s: %v", name, to)
		}
	}
}

// A page elsewhere whose name leads here, and a page that sends requests here.
func TestRebindingAndOtherOrigins(t *testing.T) {
	x := begin(t)
	_, access, _ := x.signIn("showhow.mcp")
	port := x.url[strings.LastIndex(x.url, ":"):]
	for _, host := range []string{"evil.example", "evil.example" + port, "localhost" + port, "127.0.0.1", "[::1]" + port, ""} {
		for _, at := range []string{"/mcp", "/oauth/token", "/oauth/register", "/.well-known/oauth-authorization-server", "/health"} {
			a := x.do("POST", at, "application/json", "{}", func(r *http.Request) {
				r.Header.Set("Authorization", "Bearer "+access)
				if r.Host = host; host == "" {
					r.Host = "evil"
				}
			})
			if a.status != http.StatusMisdirectedRequest {
				t.Errorf("%s at %s: %d", host, at, a.status)
			}
		}
	}
	for _, o := range []string{"https://evil.example", "null", "http://localhost" + port, x.url + ".evil.example"} {
		for _, at := range []string{"/mcp", "/oauth/token", "/oauth/register"} {
			a := x.do("POST", at, "application/json", "{}", func(r *http.Request) {
				r.Header.Set("Authorization", "Bearer "+access)
				r.Header.Set("Origin", o)
			})
			if a.status != http.StatusForbidden || a.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s at %s: %d", o, at, a.status)
			}
		}
	}
	a := x.do("GET", "/oauth/authorize?"+x.request(x.client(), "showhow").Encode(), "", "", func(r *http.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Sec-Fetch-Mode", "no-cors") // an image on a page
	})
	if a.status != http.StatusForbidden {
		t.Errorf("%d", a.status)
	}
	page := x.get("/oauth/consent?id=x")
	if page.header.Get("X-Frame-Options") != "DENY" || strings.Contains(page.body, "<script") || strings.Contains(page.body, "<form") {
		t.Errorf("%v", page.header)
	}
}

func TestFloodsAreBounded(t *testing.T) {
	x := begin(t)
	done, refused := 0, 0
	for range 40 {
		switch a := x.register(`{"redirect_uris":["` + back + `"]}`); a.status {
		case http.StatusCreated:
			done++
		case http.StatusTooManyRequests:
			refused++
			if a.header.Get("Retry-After") == "" {
				t.Error("nobody says when again")
			}
		default:
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	if done != 5 || refused != 35 {
		t.Errorf("%d were registered, %d refused", done, refused)
	}
	for range 200 { // over a long time
		x.pass(6 * time.Minute)
		x.register(`{"redirect_uris":["` + back + `"]}`)
	}
	if st, _ := x.s.Status(t.Context()); st.Clients > 5 {
		t.Errorf("%d registrations that nobody uses are kept", st.Clients)
	}
	if a := x.register(`{"client_name":"` + strings.Repeat("x", 20<<10) + `","redirect_uris":["` + back + `"]}`); a.status < 400 {
		t.Errorf("%d", a.status)
	}
	x.pass(2 * time.Hour)
	for i := range 8 { // programs that each ask a person
		a := x.register(fmt.Sprintf(`{"client_name":"p%d","redirect_uris":["%s"],"token_endpoint_auth_method":"none"}`, i, back))
		if a.status == http.StatusCreated {
			x.get("/oauth/authorize?" + x.request(a.json(t)["client_id"].(string), "showhow").Encode())
		}
		x.pass(6 * time.Minute / 10)
		if i%5 == 4 {
			x.pass(time.Minute)
		}
	}
	if st, _ := x.s.Status(t.Context()); len(st.Waiting) != 3 {
		t.Errorf("%d sign-ins wait", len(st.Waiting))
	}
	slow := 0
	for range 60 {
		if x.with("at_"+strings.Repeat("A", 54), "/mcp").status == http.StatusTooManyRequests {
			slow++
		}
	}
	if slow != 30 {
		t.Errorf("%d of 60 guesses were slowed down", slow)
	}
}

// A caller that has a token is slowed down by itself, and no other with it.
func TestACallerHasARate(t *testing.T) {
	x := begin(t)
	_, one, _ := x.signIn("showhow.mcp")
	_, other, _ := x.signIn("showhow.mcp")
	last := 0
	for range 301 {
		last = x.with(one, "/mcp").status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("%d", last)
	}
	if a := x.with(other, "/mcp"); a.status != http.StatusOK {
		t.Errorf("%d", a.status)
	}
	if a := x.do("POST", "/mcp", "application/json", strings.Repeat("x", 5<<20),
		func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+other) }); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d", a.status)
	}
}

// What a program calls itself is one line of ordinary signs, escaped, and never another agent's name in policies.
func TestNamesProveNothing(t *testing.T) {
	x := begin(t)
	b, _ := json.Marshal(map[string]any{"client_name": "claude-code\n<script>alert(1)</script>\u202e" + strings.Repeat("y", 100),
		"redirect_uris":              []string{back},
		"token_endpoint_auth_method": "none"})
	client := x.register(string(b)).json(t)["client_id"].(string)
	page, _ := x.ask(x.request(client, "showhow"))
	if body := x.get(page).body; strings.Contains(body, "<script") || strings.Contains(body, "\u202e") {
		t.Error(body)
	}
	st, _ := x.s.Status(t.Context())
	if n := st.Waiting[0].ClientName; strings.ContainsAny(n, "\n\u202e") || len([]rune(n)) > 61 {
		t.Errorf("%q", n)
	}
	b, _ = json.Marshal(map[string]any{"client_name": "claude-code", "redirect_uris": []string{back}, "token_endpoint_auth_method": "none"})
	client = x.register(string(b)).json(t)["client_id"].(string)
	token := x.form("/oauth/token", exchange(client, x.allow(x.request(client, "showhow.mcp")).Get("code"))).json(t)["access_token"].(string)
	if a := x.with(token, "/mcp"); !strings.Contains(a.body, "remote/claude-code ") {
		t.Error(a.body)
	}
}
