package m365test

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed graph.json
var description []byte

// Asked is a request that came.
type Asked struct {
	Method, Path, Query, Bearer string
	Body                        map[string]any
}

// Answer is what is answered instead of the usual.
type Answer struct {
	Status int
	Header map[string]string
	Body   any    // judged like any other
	Raw    string // not judged: what a broken server sends
}

// Graph is the server.
type Graph struct {
	URL    string // of Graph, with its version
	Origin string
	Files  string // the origin of contents

	t        testing.TB
	schemas  map[string]*jsonschema.Schema
	paths    map[string]map[string]operation
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	asked   []Asked
	odd     []func(method, path string) *Answer
	world   *World
	tokens  map[string]bool // good access tokens
	refresh map[string]bool
	codes   map[string]url.Values
	signs   []url.Values // requests to the token endpoint
	Life    int          // of access tokens, seconds
	Scopes  string       // that are granted; "" for all that were asked for
	made    int
}

type operation struct {
	Parameters []struct {
		Name string `json:"name"`
	} `json:"parameters"`
	Body      content            `json:"requestBody"`
	Responses map[string]content `json:"responses"`
}

type content struct {
	Content map[string]struct {
		Schema json.RawMessage `json:"schema"`
	} `json:"content"`
}

// New starts a Graph. It ends with the test.
func New(t testing.TB) *Graph {
	g := &Graph{t: t, schemas: map[string]*jsonschema.Schema{}, world: newWorld(), tokens: map[string]bool{}, refresh: map[string]bool{},
		codes: map[string]url.Values{}, Life: 3600}
	var d struct {
		Paths map[string]map[string]operation `json:"paths"`
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(description))
	if err == nil {
		err = json.Unmarshal(description, &d)
	}
	g.paths, g.compiler = d.Paths, jsonschema.NewCompiler()
	g.compiler.AssertFormat()
	if err == nil {
		err = g.compiler.AddResource("graph.json", whole)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(g.serve))
	files := httptest.NewServer(http.HandlerFunc(g.file))
	t.Cleanup(s.Close)
	t.Cleanup(files.Close)
	g.Origin, g.URL, g.Files = s.URL, s.URL+"/v1.0", files.URL
	g.world.files = files.URL
	return g
}

// World changes what the Graph has.
func (g *Graph) World(f func(*World)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(g.world)
}

// Odd answers the next request for which f returns something with that.
func (g *Graph) Odd(f func(method, path string) *Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.odd = append(g.odd, f)
}

// Next answers the next n requests with a.
func (g *Graph) Next(n int, a Answer) {
	for range n {
		g.Odd(func(string, string) *Answer { return &a })
	}
}

// Asked returns the requests since the last time.
func (g *Graph) Asked() []Asked {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := g.asked
	g.asked = nil
	return out
}

// Token makes a good access token.
func (g *Graph) Token() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.token()
}

func (g *Graph) token() string {
	g.made++
	t := fmt.Sprintf("CANARY-access-%d", g.made)
	g.tokens[t] = true
	return t
}

// Revoke makes every access token bad, and every refresh token, too, if all.
func (g *Graph) Revoke(all bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.tokens)
	if all {
		clear(g.refresh)
	}
}

func (g *Graph) serve(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case strings.HasSuffix(r.URL.Path, "/oauth2/v2.0/authorize"):
		g.authorize(w, r)
		return
	case strings.HasSuffix(r.URL.Path, "/oauth2/v2.0/token"):
		g.exchange(w, r)
		return
	}
	raw, _ := io.ReadAll(r.Body)
	a := Asked{Method: r.Method, Path: strings.TrimPrefix(r.URL.EscapedPath(), "/v1.0"), Query: r.URL.RawQuery,
		Bearer: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}
	if len(raw) > 0 && json.Unmarshal(raw, &a.Body) != nil {
		g.t.Errorf("%s %s: the body is no JSON object", a.Method, a.Path)
	}
	g.asked = append(g.asked, a)
	template, op, ids, ok := g.match(r.Method, a.Path)
	if !ok || !strings.HasPrefix(r.URL.Path, "/v1.0/") {
		g.t.Errorf("Graph has no %s %s", r.Method, a.Path)
		http.NotFound(w, r)
		return
	}
	g.judge(template, op, r, raw)
	for i, f := range g.odd {
		if odd := f(r.Method, a.Path); odd != nil {
			g.odd = slices.Delete(g.odd, i, i+1)
			g.answer(w, template, r.Method, op, *odd)
			return
		}
	}
	if !g.tokens[a.Bearer] {
		g.answer(w, template, r.Method, op, Answer{Status: 401, Header: map[string]string{"WWW-Authenticate": `Bearer realm=""`},
			Body: failure("InvalidAuthenticationToken")})
		return
	}
	g.answer(w, template, r.Method, op, g.world.do(r.Method+" "+template, ids, r.URL.Query(), a.Body, g.URL))
}

func failure(code string) any {
	return map[string]any{"error": map[string]any{"code": code, "message": "CANARY what the service says of the person's own data"}}
}

// match finds the operation of a path.
func (g *Graph) match(method, path string) (template string, op operation, ids []string, ok bool) {
	parts := strings.Split(path, "/")
	if i := slices.Index(parts, "sites"); i == 1 && len(parts) > 3 && strings.HasSuffix(parts[2], ":") { // a site by its path is one parameter
		parts = slices.Replace(parts, 2, len(parts)-1, strings.Join(parts[2:len(parts)-1], "/"))
	}
	best := -1
	for t, methods := range g.paths {
		o, has := methods[strings.ToLower(method)]
		want := strings.Split(t, "/")
		if !has || len(want) != len(parts) {
			continue
		}
		same, found := 0, []string{}
		for i, w := range want {
			if strings.HasPrefix(w, "{") && parts[i] != "" {
				id, _ := url.PathUnescape(parts[i])
				found = append(found, id)
			} else if w == parts[i] {
				same++
			} else {
				same = -1
				break
			}
		}
		if same > best {
			template, op, ids, ok, best = t, o, found, true, same
		}
	}
	return
}

// judge compares a request with the description.
func (g *Graph) judge(template string, op operation, r *http.Request, raw []byte) {
	for name := range r.URL.Query() {
		known := false
		for _, p := range op.Parameters {
			known = known || p.Name == name
		}
		if !known {
			g.t.Errorf("%s %s takes no parameter %s", r.Method, template, name)
		}
	}
	if strings.Contains(r.URL.RawQuery, "+") {
		g.t.Errorf("%s %s: a space is written as a plus, which OData reads as one", r.Method, template)
	}
	schema := op.Body.Content["application/json"].Schema
	if (schema == nil) != (len(raw) == 0) {
		g.t.Errorf("%s %s: a body of %d bytes", r.Method, template, len(raw))
		return
	}
	if schema != nil {
		g.valid(r.Method+" "+template+" request", pointer(template, r.Method, "requestBody/content/application~1json/schema"), raw)
	}
}

func pointer(template, method, rest string) string {
	return "graph.json#/paths/" + url.PathEscape(strings.ReplaceAll(template, "/", "~1")) + "/" + strings.ToLower(method) + "/" + rest
}

func (g *Graph) valid(what, at string, raw []byte) {
	s := g.schemas[at]
	if s == nil {
		var err error
		if s, err = g.compiler.Compile(at); err != nil {
			g.t.Errorf("%s: %v", what, err)
			return
		}
		g.schemas[at] = s
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		err = s.Validate(v)
	}
	if err != nil {
		g.t.Errorf("%s does not fit Graph's description: %v\n%s", what, err, raw)
	}
}

func (g *Graph) answer(w http.ResponseWriter, template, method string, op operation, a Answer) {
	for k, v := range a.Header {
		w.Header().Set(k, v)
	}
	if a.Body == nil {
		w.WriteHeader(a.Status)
		_, _ = io.WriteString(w, a.Raw)
		return
	}
	key := fmt.Sprint(a.Status)
	if a.Status >= 400 {
		key = key[:1] + "XX"
	}
	raw, err := json.Marshal(a.Body)
	if err != nil {
		g.t.Error(err)
	}
	if _, known := op.Responses[key]; !known {
		g.t.Errorf("%s %s does not answer %d", method, template, a.Status)
	} else {
		g.valid(method+" "+template+" answer", pointer(template, method, "responses/"+key+"/content/application~1json/schema"), raw)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.Status)
	_, _ = w.Write(raw)
}

// file answers with contents; it is another host and must see no credentials.
func (g *Graph) file(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
		g.t.Error("the file host was sent credentials")
	}
	g.mu.Lock()
	b, ok := g.world.Contents[strings.TrimPrefix(r.URL.Path, "/")]
	g.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(b)
}

// authorize answers as if the person agreed at once.
func (g *Graph) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" || q.Has("resource") || q.Get("client_id") == "" {
		g.t.Errorf("the sign-in asks with %v", q)
	}
	code := fmt.Sprintf("CANARY-code-%d", len(g.codes))
	g.codes[code] = q
	back, _ := url.Parse(q.Get("redirect_uri"))
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}, "session_state": {"s"}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (g *Graph) exchange(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	f := r.PostForm
	g.signs = append(g.signs, f)
	refuse := func() {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(400)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"CANARY"}`)
	}
	scope := f.Get("scope")
	switch f.Get("grant_type") {
	case "authorization_code":
		asked, ok := g.codes[f.Get("code")]
		delete(g.codes, f.Get("code"))
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		if !ok || base64.RawURLEncoding.EncodeToString(sum[:]) != asked.Get("code_challenge") ||
			f.Get("redirect_uri") != asked.Get("redirect_uri") {
			refuse()
			return
		}
		scope = asked.Get("scope")
	case "refresh_token":
		if !g.refresh[f.Get("refresh_token")] {
			refuse()
			return
		}
		delete(g.refresh, f.Get("refresh_token")) // it is good once
	case "client_credentials":
		if f.Get("client_secret") != "CANARY-secret" || !strings.HasSuffix(scope, "/.default") {
			refuse()
			return
		}
	default:
		refuse()
		return
	}
	if g.Scopes != "" {
		scope = g.Scopes
	}
	out := map[string]any{"token_type": "Bearer", "access_token": g.token(), "expires_in": g.Life, "scope": scope}
	if f.Get("grant_type") != "client_credentials" && strings.Contains(scope+" offline_access", "offline_access") {
		fresh := fmt.Sprintf("CANARY-refresh-%d", g.made)
		g.refresh[fresh] = true
		out["refresh_token"] = fresh
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

// Signs returns the requests to the token endpoint since the last time.
func (g *Graph) Signs() []url.Values {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := g.signs
	g.signs = nil
	return out
}
