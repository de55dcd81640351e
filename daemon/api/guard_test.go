package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/access"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Attacks on the loopback port: each takes one thing away from a request that would be answered.
func TestAttacksOnThePort(t *testing.T) {
	r := newRig(t)
	base, bearer := r.login()
	address := strings.TrimPrefix(base, "http://")
	_, port, _ := strings.Cut(address, ":")
	good := "Authorization: Bearer " + bearer
	for name, c := range map[string]struct {
		headers []string
		code    fault.Code // "": answered
	}{
		"our own page":                  {[]string{good, "Origin: " + base, "Sec-Fetch-Site: same-origin"}, ""},
		"a program without a browser":   {[]string{good}, ""},
		"rebinding: a foreign host":     {[]string{good, "Host: evil.example"}, fault.OriginRefused},
		"rebinding: foreign, our port":  {[]string{good, "Host: evil.example:" + port}, fault.OriginRefused},
		"localhost is not our name":     {[]string{good, "Host: localhost:" + port}, fault.OriginRefused},
		"the host without the port":     {[]string{good, "Host: 127.0.0.1"}, fault.OriginRefused},
		"another port":                  {[]string{good, "Host: 127.0.0.1:1"}, fault.OriginRefused},
		"IPv6 loopback":                 {[]string{good, "Host: [::1]:" + port}, fault.OriginRefused},
		"a trailing dot":                {[]string{good, "Host: 127.0.0.1.:" + port}, fault.OriginRefused},
		"a foreign origin":              {[]string{good, "Origin: https://evil.example"}, fault.OriginRefused},
		"a null origin":                 {[]string{good, "Origin: null"}, fault.OriginRefused},
		"an empty origin":               {[]string{good, "Origin: "}, fault.OriginRefused},
		"two origins":                   {[]string{good, "Origin: " + base, "Origin: https://evil.example"}, fault.OriginRefused},
		"https of ours":                 {[]string{good, "Origin: https://" + address}, fault.OriginRefused},
		"an origin that begins as ours": {[]string{good, "Origin: " + base + ".evil.example"}, fault.OriginRefused},
		"same site, other port":         {[]string{good, "Origin: http://127.0.0.1:1", "Sec-Fetch-Site: same-site"}, fault.OriginRefused},
		"same site without an origin":   {[]string{good, "Sec-Fetch-Site: same-site"}, fault.OriginRefused},
		"cross site without an origin":  {[]string{good, "Sec-Fetch-Site: cross-site"}, fault.OriginRefused},
		"an unknown fetch site":         {[]string{good, "Sec-Fetch-Site: sideways"}, fault.OriginRefused},
		"no token":                      {nil, fault.Unauthorized},
		"an empty token":                {[]string{"Authorization: Bearer "}, fault.Unauthorized},
		"basic authentication":          {[]string{"Authorization: Basic dTpw"}, fault.Unauthorized},
		"a wrong token":                 {[]string{"Authorization: Bearer " + access.NewToken(access.BearerPrefix)}, fault.Unauthorized},
		"a token in a cookie":           {[]string{"Cookie: bearer=" + bearer}, fault.Unauthorized},
		"a token of another case":       {[]string{"Authorization: Bearer " + strings.ToUpper(bearer)}, fault.Unauthorized},
		"two tokens":                    {[]string{good, good}, fault.Unauthorized},
		"an invented agent's token":     {[]string{"Authorization: Bearer " + access.NewToken(access.AgentPrefix)}, fault.Unauthorized},
		"claimed presence":              {[]string{good, "X-Showhow-Presence: demo x"}, fault.PresenceRejected},
	} {
		t.Run(name, func(t *testing.T) {
			a := send(t, http.DefaultClient, base+"/api/status", "GET", "", c.headers...)
			if c.code == "" {
				a.ok(t, 200)
				return
			}
			a.want(t, c.code)
			if a.header.Get("Access-Control-Allow-Origin") != "" || a.header.Get("Set-Cookie") != "" {
				t.Errorf("headers %v", a.header)
			}
		})
	}
	t.Run("a token in the query", func(t *testing.T) {
		send(t, http.DefaultClient, base+"/api/status?bearer="+bearer, "GET", "").want(t, fault.Unauthorized)
	})
	t.Run("a preflight", func(t *testing.T) {
		send(t, http.DefaultClient, base+"/api/status", "OPTIONS", "", "Origin: https://evil.example",
			"Access-Control-Request-Method: POST").want(t, fault.OriginRefused)
	})
	t.Run("the guard comes before routing", func(t *testing.T) {
		send(t, http.DefaultClient, base+"/api/nothing", "GET", "").want(t, fault.Unauthorized)
		send(t, http.DefaultClient, base+"/api/capabilities/teach/start", "POST", "").want(t, fault.Unauthorized)
	})
}

func TestAnswersAreNeitherCachedNorFramed(t *testing.T) {
	r := newRig(t)
	h := r.do("GET", "/api/version", "").ok(t, 200).header
	for k, want := range map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer"} {
		if h.Get(k) != want {
			t.Errorf("%s: %q", k, h.Get(k))
		}
	}
	if !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error(h.Get("Content-Security-Policy"))
	}
}

func TestLoginCodesAreGoodOnceAndForAMinute(t *testing.T) {
	now := clock.Now()
	r := newRig(t, func(d *Deps) { d.Now = func() clock.Time { return now } })
	base, code := r.openPort()
	trade := func(code string) answerOf {
		return send(t, http.DefaultClient, base+exchangePath, "POST", fmt.Sprintf(`{"code":%q}`, code))
	}
	trade("shcode_wrong").want(t, fault.Unauthorized)
	a := trade(code).ok(t, 201)
	trade(code).want(t, fault.Unauthorized) // replayed
	var x wire.Exchanged
	if err := json.Unmarshal(a.body, &x); err != nil {
		t.Fatal(err)
	}
	status := func() answerOf {
		return send(t, http.DefaultClient, base+"/api/status", "GET", "", "Authorization: Bearer "+x.Bearer)
	}
	status().ok(t, 200)
	// A code is no bearer, and a bearer no code.
	send(t, http.DefaultClient, base+"/api/status", "GET", "", "Authorization: Bearer "+code).want(t, fault.Unauthorized)
	trade(x.Bearer).want(t, fault.Unauthorized)

	_, late := r.openPort()
	now = now.Plus(codeLife)
	trade(late).want(t, fault.Unauthorized)
	now = now.Plus(bearerLife - codeLife - time.Second)
	status().ok(t, 200)
	now = now.Plus(time.Second)
	status().want(t, fault.Unauthorized)
}

func TestLoginIsForItsOwnTransport(t *testing.T) {
	r := newRig(t)
	base, bearer := r.login()
	r.do("GET", "/api/status", "", "Authorization: Bearer "+bearer).want(t, fault.Unauthorized)
	r.do("POST", exchangePath, `{"code":"x"}`).want(t, fault.Forbidden)
	auth := "Authorization: Bearer " + bearer
	send(t, http.DefaultClient, base+"/api/session/open", "POST", "{}", auth).want(t, fault.Forbidden)
	send(t, http.DefaultClient, base+"/api/daemon/stop", "POST", "{}", auth).want(t, fault.Forbidden)
}

func TestThePortExistsOnlyAfterOpenAndClosesWhenIdle(t *testing.T) {
	r := newRig(t, func(d *Deps) { d.TCPIdle = 40 * time.Millisecond })
	if r.s.browser.gate.listening() {
		t.Fatal("a port is open already")
	}
	base, _ := r.openPort()
	r.until("the port closes", func() bool {
		res, err := http.Get(base + "/api/version")
		if err == nil {
			res.Body.Close()
		}
		return err != nil && !r.s.browser.gate.listening()
	})
	r.until("it opens again", func() bool { // a busy machine may need longer than it stays open
		again, _ := r.openPort()
		res, err := http.Get(again + "/api/version")
		if err == nil {
			res.Body.Close()
		}
		return err == nil
	})
}

// An agent's token makes its bearer that agent, on either transport, for every operation there is.
func TestAnAgentsTokenOnEveryRoute(t *testing.T) {
	r := newRig(t)
	token := "Authorization: Bearer " + r.agentToken("scout")
	base, _ := r.openPort()
	may := []string{"call-contract", "explain-match", "get-ability", "get-ability-configuration", "get-availability", "get-bridge",
		"get-catalog",
		"get-progress", "get-version", "lookup-abilities", "capture-inbox", "search-notes", "list-tasks", "get-note", "list-note-changes",
		"propose-changes", "discard-changes", "upload-document", "list-documents", "get-document", "get-document-content",
		"delete-document", "get-acrobat-health", "extract-pdf-text", "extract-pdf-tables", "read-pdf-values",
		"recognise-pdf", "prepare-pdf-redaction",
		"submit-config-intent", "take-receipts", "take-runtime-events", "verify-checkpoint"}
	id := "00000000-0000-7000-8000-000000000000"
	fill := strings.NewReplacer("{sessionId}", id, "{proposalId}", id, "{eventId}", id, "{runId}", id, "{abilityId}", "a", "{dispatchId}", "d",
		"{name}", "n")
	for _, o := range r.s.engine.Operations {
		if slices.Contains(may, o.ID) {
			continue
		}
		path := fill.Replace(o.Path)
		// Demo and confirmation headers do not help, nor does the same process being a person's.
		t.Run(o.ID, func(t *testing.T) {
			r.do(o.Method, path, "{}", token, "X-Showhow-Presence: demo x", "X-Showhow-Confirmation: "+id+":abcdef").want(t, fault.Forbidden)
			if path != exchangePath { // which looks at no token at all
				send(t, http.DefaultClient, base+path, o.Method, "{}", token).want(t, fault.Forbidden)
			}
		})
	}
	r.do("GET", "/api/abilities/availability", "", token).ok(t, 200)
	send(t, http.DefaultClient, base+"/api/abilities/availability", "GET", "", token).ok(t, 200)
	for _, path := range []string{"/api/capabilities/teach/start", "/api/learn/session/start",
		"/api/skills/mining/proposals/" + id + "/test"} {
		r.do("POST", path, "{}", token).want(t, fault.Forbidden)
	}
	e := r.do("POST", "/api/learn/sessions", "not even JSON", token).want(t, fault.Forbidden)
	if !strings.Contains(e.Hint, "agent's token") {
		t.Error(e.Hint)
	}
	if len(r.learn.calls) != 0 {
		t.Errorf("something was done: %s", <-r.learn.calls)
	}
}

func TestARevokedTokenIsNoToken(t *testing.T) {
	r := newRig(t)
	token := "Authorization: Bearer " + r.agentToken("scout")
	r.do("GET", "/api/version", "", token).ok(t, 200)
	r.do("DELETE", "/api/agents/scout", "").ok(t, 200)
	r.do("DELETE", "/api/agents/scout", "").want(t, fault.NotFound)
	r.do("GET", "/api/version", "", token).want(t, fault.Unauthorized) // not silently the person again
}

func TestForgedHeadersDoNotMakeAPerson(t *testing.T) {
	r := newRig(t, func(d *Deps) {
		d.AgentPIDs = func() map[int]string { return map[int]string{d.AncestryUntil + 1<<22: "x"} }
	})
	for _, h := range []string{"X-Showhow-Presence: demo ", "X-Showhow-Presence: demo 0000", "X-Showhow-Presence: window x",
		"Origin: https://evil.example", "Origin: null"} {
		if a := r.do("GET", "/api/status", "", h); a.status == 200 {
			t.Errorf("%s was accepted", h)
		}
	}
	r.do("GET", "/api/status", "", "Origin: wails://wails").ok(t, 200)
}

// Of origins the door takes only that of this computer's own address to which the request is sent: no page of another site has it,
// also not one whose name leads here.
func TestTheDoorsOrigins(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		path, host, origin string
		taken              bool
	}{
		{doorPath, "localhost:8080", "http://localhost:8080", true},
		{doorPath + "/notes", "127.0.0.1:8080", "http://127.0.0.1:8080", true},
		{doorPath, "[::1]:8080", "http://[::1]:8080", true},
		{doorPath, "localhost:8080", "http://localhost:3000", false},
		{doorPath, "localhost:8080", "https://localhost:8080", false},
		{doorPath, "localhost:8080", "http://evil.example:8080", false},
		{doorPath, "localhost:8080", "null", false},
		{doorPath, "evil.example", "http://evil.example", false},
		{doorPath, "localhost.evil.example", "http://localhost.evil.example", false},
		{doorPath, "10.0.0.1:8080", "http://10.0.0.1:8080", false},
		{doorPath + "2", "localhost:8080", "http://localhost:8080", false},
		{"/api/status", "localhost:8080", "http://localhost:8080", false},
		{contractPath, "localhost:8080", "http://localhost:8080", false},
	} {
		a := r.do("GET", c.path, "", "Host: "+c.host, "Origin: "+c.origin)
		if refused := a.fault(t).Code == fault.OriginRefused; refused == c.taken {
			t.Errorf("%+v: %d %s", c, a.status, a.body)
		}
	}
}

// `showhow demo` answers for the person, with the secret that it gave to the daemon it made, and nobody else does.
func TestDemoGrant(t *testing.T) {
	secret := access.NewToken("")
	r := newRig(t, func(d *Deps) { d.DemoGrant = secret })
	path := "/api/learn/sessions/" + r.learn.session.LearnSessionID
	r.do("DELETE", path, "").want(t, fault.PresenceRequired)
	r.do("DELETE", path, "", "X-Showhow-Presence: demo "+access.NewToken("")).want(t, fault.PresenceRejected)
	r.do("DELETE", path, "", "X-Showhow-Presence: demo "+secret).ok(t, 200)
	token := "Authorization: Bearer " + r.agentToken("scout")
	r.do("DELETE", path, "", "X-Showhow-Presence: demo "+secret, token).want(t, fault.Forbidden)

	short := newRig(t, func(d *Deps) { d.DemoGrant = "weak" })
	short.do("DELETE", path, "", "X-Showhow-Presence: demo weak").want(t, fault.PresenceRejected)
}

// Every presence that an operation names is a sentence for whoever confirms it in the window.
func TestWindowAsksInSentences(t *testing.T) {
	named := map[string]bool{}
	for _, o := range newRig(t).s.engine.Operations {
		if p := o.Access.Presence; p != "" {
			named[p] = true
			if presence.Questions[p] == "" {
				t.Errorf("%s: there is no sentence for %q", o.ID, p)
			}
		}
	}
	for p := range presence.Questions {
		if !named[p] {
			t.Errorf("no operation asks for %q", p)
		}
	}
}

// The window gets the code itself, for one action, over the socket alone; an agent's token takes that away.
func TestWindowPresence(t *testing.T) {
	r := newRig(t, func(d *Deps) { d.IsWindow = func(int) bool { return true } })
	id := r.learn.session.LearnSessionID
	path, ask := "/api/learn/sessions/"+id,
		`{"client_request_id":"0190a1b2-0000-7000-8000-000000000001","action":"delete-session","subject_id":"`+id+`","revision":3,
		"content_hash":"`+r.do("DELETE", "/api/learn/sessions/"+id, "").want(t, fault.PresenceRequired).Details["content_hash"].(string)+`"}`
	r.do("POST", "/api/confirmations", ask, "Authorization: Bearer "+r.agentToken("scout")).want(t, fault.Forbidden)
	var c wire.Confirmation
	if err := json.Unmarshal(r.do("POST", "/api/confirmations", ask).ok(t, 201).body, &c); err != nil || c.How != "window" || c.Code == "" ||
		!strings.Contains(c.What, "for good?\n\nThe demonstration") {
		t.Fatalf("%v %+v", err, c)
	}
	base, bearer := r.login()
	page := "Authorization: Bearer " + bearer
	other := strings.Replace(ask, "8000-000000000001", "8000-000000000002", 1)
	send(t, http.DefaultClient, base+"/api/confirmations", "POST", other, page).want(t, fault.PresenceRequired)
	send(t, http.DefaultClient, base+path, "DELETE", "", page, "X-Showhow-Presence: window p").want(t, fault.PresenceRejected)
	confirmed := "X-Showhow-Confirmation: " + c.ConfirmationID + ":" + c.Code
	r.do("DELETE", path, "", "X-Showhow-Confirmation: "+c.ConfirmationID+":aaaaaa").want(t, fault.PresenceRejected)
	r.do("DELETE", path, "", confirmed).ok(t, 200)
	r.do("DELETE", path, "", confirmed).want(t, fault.PresenceRejected)
}

// A person whose browser is refused reads why; a program gets the error.
func TestARefusedBrowserReadsWords(t *testing.T) {
	base, _ := newRig(t).login()
	for accept, kind := range map[string]string{"text/html,*/*;q=0.8": "text/plain", "application/json": "application/json"} {
		q, err := http.NewRequestWithContext(t.Context(), "GET", base+"/skills", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = "elsewhere.example"
		q.Header.Set("Accept", accept)
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusForbidden || !strings.HasPrefix(res.Header.Get("Content-Type"), kind) ||
			!strings.Contains(string(b), "showhow open") || kind == "text/plain" && strings.Contains(string(b), "{") {
			t.Errorf("%s: %d %s", accept, res.StatusCode, b)
		}
	}
}
