package remote_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/daemon/remote"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/store"
	"showhow/store/keys"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // as the daemon does: the library logs by it
	os.Exit(m.Run())
}

// stand is a service that is on, with a store of its own and a clock that a test moves.
type stand struct {
	t   *testing.T
	s   *remote.Service
	st  *store.Store
	url string
	dir string
	log *bytes.Buffer

	mu        sync.Mutex
	at        time.Time
	cookies   []*http.Cookie // of the one browser
	evicted   []string       // callers whose doings were ended
	forgotten []string       // agents to whom nothing is open any more
}

// gone lists the callers whose doings were ended, and forgets them.
func (x *stand) gone() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := x.evicted
	x.evicted = nil
	return out
}

func (x *stand) now() clock.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	return clock.At(x.at)
}

func (x *stand) pass(d time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.at = x.at.Add(d)
}

// echo answers with who called.
func echo(at string) func(remote.Guest) http.Handler {
	return func(g remote.Guest) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("hang") != "" {
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
				return
			}
			fmt.Fprintf(w, "%s %s writes=%v connectors=%v auth=%q", at, g.Agent, g.Writes, g.Connectors, r.Header.Get("Authorization"))
		})
	}
}

func begin(t *testing.T) *stand {
	t.Helper()
	x := &stand{t: t, dir: t.TempDir(), at: time.Now(), log: &bytes.Buffer{}}
	var err error
	if x.st, err = store.Open(t.Context(), store.Options{Dir: x.dir}); err != nil {
		t.Fatal(err)
	}
	x.s = x.service()
	on, err := x.s.On(t.Context(), wire.RemoteOn{Addresses: []string{"127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	x.url = on.URL
	t.Cleanup(func() { x.s.Close(); x.st.Close() })
	return x
}

func (x *stand) service() *remote.Service {
	return remote.New(remote.Options{Store: x.st.Remote(), Keys: keys.Files(x.dir + "/keys"), MCP: echo("mcp"), Contract: echo("contract"),
		Evict: func(_ context.Context, g remote.Guest) error {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.evicted = append(x.evicted, g.CallerID+" "+g.Agent)
			return nil
		}, Forget: func(_ context.Context, agent string) error {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.forgotten = append(x.forgotten, agent)
			return nil
		}, Now: x.now, Log: slog.New(slog.NewTextHandler(x.log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
}

// answer is a response, read.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) json(t *testing.T) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(a.body), &m); err != nil {
		t.Fatalf("%d %s: %v", a.status, a.body, err)
	}
	return m
}

var direct = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (x *stand) do(method, at, kind, body string, change ...func(*http.Request)) answer {
	x.t.Helper()
	if !strings.HasPrefix(at, "http") {
		at = x.url + at
	}
	r, err := http.NewRequestWithContext(x.t.Context(), method, at, strings.NewReader(body))
	if err != nil {
		x.t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for _, c := range change {
		c(r)
	}
	x.mu.Lock()
	for _, c := range x.cookies {
		r.AddCookie(c)
	}
	x.mu.Unlock()
	res, err := direct.Do(r)
	if err != nil {
		x.t.Fatal(err)
	}
	defer res.Body.Close()
	x.mu.Lock()
	x.cookies = append(x.cookies, res.Cookies()...)
	x.mu.Unlock()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		x.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(b)}
}

func (x *stand) get(at string) answer { x.t.Helper(); return x.do("GET", at, "", "") }

func (x *stand) form(at string, v url.Values) answer {
	x.t.Helper()
	return x.do("POST", at, "application/x-www-form-urlencoded", v.Encode())
}

func (x *stand) with(token, at string) answer {
	x.t.Helper()
	return x.do("POST", at, "application/json", "{}", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) })
}

const (
	back     = "http://127.0.0.1:4711/back"
	verifier = "a-verifier-that-is-long-enough-to-be-one-0123456789"
)

func challenge(v string) string {
	sum := sha256.Sum256([]byte(v))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (x *stand) register(body string) answer {
	x.t.Helper()
	return x.do("POST", "/oauth/register", "application/json", body)
}

// client registers a public client.
func (x *stand) client() string {
	x.t.Helper()
	a := x.register(`{"client_name":"Far Agent","redirect_uris":["` + back + `"],"token_endpoint_auth_method":"none"}`)
	if a.status != http.StatusCreated {
		x.t.Fatalf("%d %s", a.status, a.body)
	}
	return a.json(x.t)["client_id"].(string)
}

// request is an authorization request as it should be.
func (x *stand) request(client, scope string) url.Values {
	return url.Values{"response_type": {"code"}, "client_id": {client}, "redirect_uri": {back}, "scope": {scope}, "state": {"st-1"},
		"code_challenge": {challenge(verifier)}, "code_challenge_method": {"S256"}}
}

var shown = regexp.MustCompile(`<b class="code">([A-Z0-9-]+)</b>`)

// ask begins a sign-in: the consent page's address and the code that it shows.
func (x *stand) ask(v url.Values) (page, code string) {
	x.t.Helper()
	a := x.get("/oauth/authorize?" + v.Encode())
	page = a.header.Get("Location")
	if a.status != http.StatusFound || !strings.HasPrefix(page, x.url+"/oauth/consent?id=") {
		x.t.Fatalf("%d %s %s", a.status, page, a.body)
	}
	m := shown.FindStringSubmatch(x.get(page).body)
	if m == nil {
		x.t.Fatal("the page shows no code")
	}
	return page, m[1]
}

// allow is the person's yes; the answer is what the browser is sent back with.
func (x *stand) allow(v url.Values) url.Values {
	x.t.Helper()
	page, code := x.ask(v)
	if _, err := x.s.Decide(x.t.Context(), remote.AnyRequest, wire.RemoteDecision{Allow: true, Code: code}); err != nil {
		x.t.Fatal(err)
	}
	u, err := url.Parse(x.get(page).header.Get("Location"))
	if err != nil || !strings.HasPrefix(u.String(), back+"?") {
		x.t.Fatal(u, err)
	}
	return u.Query()
}

func exchange(client, code string) url.Values {
	return url.Values{"grant_type": {"authorization_code"}, "client_id": {client}, "code": {code}, "redirect_uri": {back},
		"code_verifier": {verifier}}
}

func refresh(client, token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "client_id": {client}, "refresh_token": {token}}
}

// signIn does all of it.
func (x *stand) signIn(scope string) (client, access, refreshToken string) {
	x.t.Helper()
	client = x.client()
	a := x.form("/oauth/token", exchange(client, x.allow(x.request(client, scope)).Get("code")))
	if a.status != http.StatusOK {
		x.t.Fatalf("%d %s", a.status, a.body)
	}
	m := a.json(x.t)
	return client, m["access_token"].(string), m["refresh_token"].(string)
}

func (x *stand) kinds() map[string]int {
	x.t.Helper()
	out := map[string]int{}
	events, err := x.st.Events(context.Background(), 0, "", 1000)
	if err != nil {
		x.t.Fatal(err)
	}
	for _, e := range events {
		out[string(e.Kind)]++
	}
	return out
}
