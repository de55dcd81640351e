package takeover_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/registry"
	"showhow/daemon/connector/takeover"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
	"showhow/store"
)

// chain is a keychain in memory.
type chain struct {
	mu sync.Mutex
	m  map[string]string
}

func (c *chain) get(_ context.Context, name string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.m[name]; ok {
		return v, nil
	}
	return "", fault.New(fault.NotFound, "there is no such secret")
}

func (c *chain) set(name, value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[name] = value
}

func (c *chain) all() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.m)
}

// place is a home with agents' configurations, a registry, and a service that notes every header that reaches it.
type place struct {
	*takeover.Service
	t        *testing.T
	home     string
	chain    *chain
	registry *registry.Registry
	url      string
	mu       sync.Mutex
	seen     []string
	refuses  string // a credential that cannot be stored
}

func begin(t *testing.T, stored map[string]string) *place {
	t.Helper()
	p := &place{t: t, home: t.TempDir(), chain: &chain{m: stored}}
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.seen = append(p.seen, strings.Join(append(r.Header.Values("X-Key"), r.Header.Values("X-Second")...), " "))
		p.mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(ts.Close)
	p.url = ts.URL
	dir := t.TempDir()
	db, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data"), Memory: filepath.Join(dir, "memory")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	p.registry = registry.New(registry.Options{Store: db.Connectors(), Secret: p.chain.get})
	t.Cleanup(p.registry.Close)
	p.Service = takeover.New(takeover.Options{Registry: p.registry, Env: mcpconfig.Env{Home: p.home},
		Secret: func(string) bool { return false }, Mask: func(s string) string { return s }, Keychain: func() bool { return true },
		Value: p.chain.get,
		Used: func(context.Context) (map[string][]string, error) {
			return map[string][]string{"skills_x_key": {"a-skill"}}, nil
		},
		Store: func(_ context.Context, name, value string) error {
			if name == p.refuses {
				return errors.New("the keychain is locked")
			}
			p.chain.set(name, value)
			return nil
		},
		Forget: func(_ context.Context, name string) error {
			p.chain.mu.Lock()
			defer p.chain.mu.Unlock()
			delete(p.chain.m, name)
			return nil
		}})
	return p
}

// says writes the agent's configuration: a server of this name, with these headers.
func (p *place) says(name, path, headers string) {
	p.t.Helper()
	text := `{"mcpServers": {"` + name + `": {"type": "http", "url": "` + p.url + path + `", "headers": {` + headers + `}}}}`
	if err := os.WriteFile(filepath.Join(p.home, ".claude.json"), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) request(name string) (mcpconfig.Server, wire.MCPServerCreateRequest) {
	p.t.Helper()
	found, q, err := p.Request(p.t.Context(), wire.MCPTakeRequest{Agent: "claude-code", Name: name})
	if err != nil {
		p.t.Fatal(err)
	}
	return found, q
}

func (p *place) take(name string) wire.MCPTakeResponse {
	p.t.Helper()
	found, q := p.request(name)
	r, err := p.Take(p.t.Context(), found, q)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

func (p *place) sent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.seen, ",")
}

func (p *place) connected() int {
	p.t.Helper()
	l, err := p.registry.List(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return len(l.Servers)
}

// The configuration chooses the server's name, the header's and the address. A secret that is stored for something else
// stays what it is, and never reaches that address.
func TestAStoredSecretGoesNowhereElse(t *testing.T) {
	for name, tt := range map[string]struct{ server, header, want string }{
		"another value":                       {"github", "its-own", "its-own"},
		"a value that only the agent knows":   {"github", "${input:key}", ""},
		"no value":                            {"github", "", ""},
		"a name that a skill waits for":       {"skills", "its-own", "its-own"},
		"the same value, and nothing uses it": {"github", "canary-stored", "canary-stored"},
	} {
		p := begin(t, map[string]string{"github_x_key": "canary-stored"})
		p.says(tt.server, "", `"X-Key": "`+tt.header+`"`)
		r := p.take(tt.server)
		sent, credential := p.sent(), r.Server.Registry.HeaderSecrets["X-Key"]
		if tt.want != "canary-stored" && (strings.Contains(sent, "canary") || credential == "github_x_key") ||
			!strings.Contains(sent, tt.want) || p.chain.all()["github_x_key"] != "canary-stored" || credential == "skills_x_key" {
			t.Errorf("%s: %q was sent from %s, and %v is stored", name, sent, credential, p.chain.all())
		}
		if (tt.want == "") != (len(r.Missing) == 1 && r.Missing[0] == credential) {
			t.Errorf("%s: missing is %v", name, r.Missing)
		}
	}
}

// Two servers of one name wait for a secret: each has a credential of its own.
func TestWhatOneServiceWaitsForIsNotAnothers(t *testing.T) {
	p := begin(t, map[string]string{})
	p.says("half", "/one", `"X-Key": "${input:key}"`)
	one := p.take("half")
	p.says("half", "/two", `"X-Key": "${input:key}"`)
	two := p.take("half")
	if len(one.Missing) != 1 || len(two.Missing) != 1 || one.Missing[0] == two.Missing[0] {
		t.Errorf("%v and %v", one.Missing, two.Missing)
	}
}

// What fails leaves neither a connector nor a secret.
func TestWhatFailsLeavesNothing(t *testing.T) {
	for name, tt := range map[string]struct{ headers, refuses string }{
		"a secret that cannot be stored": {`"X-Key": "k-1", "X-Second": "k-2"`, "issues_x_second"},
		"a refused registration":         {`"X-Key": "k-1", "Host": "elsewhere"`, ""},
	} {
		p := begin(t, map[string]string{"other": "o"})
		p.refuses = tt.refuses
		p.says("issues", "", tt.headers)
		found, q := p.request("issues")
		if _, err := p.Take(t.Context(), found, q); err == nil {
			t.Errorf("%s: it is connected", name)
		}
		if got := p.chain.all(); len(got) != 1 || p.connected() != 0 || p.sent() != "" {
			t.Errorf("%s: %v is left, %d connectors, %q was sent", name, got, p.connected(), p.sent())
		}
	}
}

// What is connected is what was confirmed, though the configuration or the keychain is another since.
func TestOnlyWhatWasConfirmedIsConnected(t *testing.T) {
	p := begin(t, map[string]string{})
	p.says("issues", "/confirmed", `"X-Key": "k-1"`)
	found, q := p.request("issues")
	p.says("issues", "/another", `"X-Key": "k-2"`)
	r, err := p.Take(t.Context(), found, q)
	if err != nil || r.Server.Registry.EndpointURL != p.url+"/confirmed" || strings.Contains(p.sent(), "k-2") {
		t.Errorf("%+v, %q was sent, %v", r.Server.Registry, p.sent(), err)
	}
	p.says("notes", "", `"X-Key": "k-3"`)
	found, q = p.request("notes")
	p.chain.set("notes_x_key", "canary-stored")
	if _, err := p.Take(t.Context(), found, q); !fault.Is(err, fault.ContentHashMismatch) || strings.Contains(p.sent(), "canary") {
		t.Errorf("a credential was stored meanwhile: %v, %q was sent", err, p.sent())
	}
}
