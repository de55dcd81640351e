package oci

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// vendor is how a registry differs from the one of the specification.
type vendor struct {
	name      string
	auth      string // host of the token service; "": passwords go to the registry itself
	referrers bool   // it has the referrers API
	mounts    bool   // it mounts blobs from other repositories; otherwise it begins an upload
	store     bool   // it sends those who pull a blob to another host
	made      bool   // a repository must be made before it is pushed to
	catalog   int    // how it refuses to list its repositories
}

var vendors = []vendor{
	{name: "as Harbor", auth: "registry.test", referrers: true, mounts: true, catalog: http.StatusUnauthorized},
	{name: "as GHCR", auth: "auth.test", mounts: false, store: true, catalog: http.StatusNotFound},
	{name: "as ECR", referrers: true, store: true, made: true, catalog: http.StatusMethodNotAllowed},
}

const vendorPassword = "correct-horse-9"

// vendored is a vendor's registry over TLS, with its token service and its store, by the names registry.test, auth.test and
// store.test.
type vendored struct {
	vendor
	registry http.Handler
	srv      *httptest.Server

	mu      sync.Mutex
	made    []string        // repositories
	blobs   map[string]bool // REPOSITORY@DIGEST
	seen    []string        // host, method, path and query
	secrets []string        // hosts that got the password
	tokens  []string        // hosts that got a token
	scopes  []string        // that were asked for
	sent    int64           // bytes of uploads
	mounted int
}

func serveVendor(t *testing.T, v vendor) *vendored {
	x := &vendored{vendor: v, made: []string{"team/sort"}, blobs: map[string]bool{},
		registry: registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithReferrersSupport(v.referrers))}
	x.srv = httptest.NewTLSServer(x)
	t.Cleanup(x.srv.Close)
	return x
}

// signedIn is a machine that reaches the vendor by its names and has its password.
func (x *vendored) signedIn(t *testing.T, m *machine) *machine {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AddCert(x.srv.Certificate())
	real := newTransports()
	away := real.away.Clone()
	away.TLSClientConfig = &tls.Config{RootCAs: pool, ServerName: "example.com"}
	dial := away.DialContext
	away.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if host, _, _ := net.SplitHostPort(address); strings.HasSuffix(host, ".test") {
			return (&net.Dialer{}).DialContext(ctx, network, x.srv.Listener.Addr().String())
		}
		return dial(ctx, network, address)
	}
	m.Service.transports = func() *transports { return &transports{home: real.home, away: away} }
	b, err := json.Marshal(map[string]any{"auths": map[string]any{"registry.test": map[string]string{
		"auth": base64.StdEncoding.EncodeToString([]byte("anna:" + vendorPassword))}}})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(m.dir, "config.json"), b, 0o600))
	t.Cleanup(away.CloseIdleConnections)
	return m
}

func (x *vendored) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x.note(r)
	switch {
	case r.URL.Path == "/token" && r.Host == x.auth:
		x.token(w, r)
	case r.Host == "store.test":
		if r.Header.Get("Authorization") != "" { // as object stores do, whose signed address is the authorization
			http.Error(w, "two authorizations", http.StatusBadRequest)
			return
		}
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/stored")
		x.registry.ServeHTTP(w, r)
	case r.Host == "registry.test":
		x.serve(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (x *vendored) note(r *http.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.seen = append(x.seen, r.Host+" "+r.Method+" "+r.URL.String())
	if name, password, ok := r.BasicAuth(); ok && name == "anna" && password == vendorPassword {
		x.secrets = append(x.secrets, r.Host)
	}
	if strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		x.tokens = append(x.tokens, r.Host)
	}
	if r.Method == http.MethodPut || r.Method == http.MethodPatch {
		x.sent += max(r.ContentLength, 0)
	}
}

// token gives a token for what was asked, except the catalog, which is for others.
func (x *vendored) token(w http.ResponseWriter, r *http.Request) {
	if _, password, ok := r.BasicAuth(); !ok || password != vendorPassword {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	granted := []string{"nothing"}
	for _, s := range r.URL.Query()["scope"] {
		for _, one := range strings.Fields(s) {
			x.mu.Lock()
			x.scopes = append(x.scopes, one)
			x.mu.Unlock()
			if strings.HasPrefix(one, "repository:") {
				granted = append(granted, one)
			}
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"token": base64.RawURLEncoding.EncodeToString([]byte(strings.Join(granted, " ")))})
}

// allowed reports whether a token covers an action on a repository, by its own scopes alone.
func allowed(r *http.Request, repository, action string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	return err == nil && slices.ContainsFunc(strings.Fields(string(raw)), func(s string) bool {
		p := strings.SplitN(s, ":", 3)
		return len(p) == 3 && p[1] == repository && slices.Contains(strings.Split(p[2], ","), action)
	})
}

// serve is the registry itself.
func (x *vendored) serve(w http.ResponseWriter, r *http.Request) {
	repository, rest := "", ""
	for _, part := range []string{"/manifests/", "/blobs/", "/tags/", "/referrers/"} {
		if i := strings.Index(r.URL.Path, part); i > 0 {
			repository, rest = strings.TrimPrefix(r.URL.Path[:i], "/v2/"), r.URL.Path[i:]
		}
	}
	action := "pull"
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		action = "push"
	}
	if !x.mayPass(w, r, repository, action) {
		return
	}
	switch {
	case r.URL.Path == "/v2/_catalog":
		w.WriteHeader(x.catalog)
	case strings.HasPrefix(rest, "/referrers/") && !x.referrers:
		http.NotFound(w, r)
	case x.vendor.made && action == "push" && !x.has(repository):
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, `{"errors":[{"code":"NAME_UNKNOWN","message":"The repository does not exist"}]}`)
	case r.Method == http.MethodPost && r.URL.Query().Get("mount") != "":
		x.mount(w, r, repository)
	case action == "pull" && strings.HasPrefix(rest, "/blobs/sha256:") && !x.holds(repository, strings.TrimPrefix(rest, "/blobs/")):
		http.NotFound(w, r)
	case x.store && r.Method == http.MethodGet && strings.HasPrefix(rest, "/blobs/sha256:"):
		http.Redirect(w, r, "https://store.test/stored"+r.URL.Path+"?signature=1", http.StatusTemporaryRedirect)
	default:
		if d := r.URL.Query().Get("digest"); action == "push" && d != "" {
			x.puts(repository, d)
		}
		x.registry.ServeHTTP(w, r)
	}
}

// holds and puts keep what is in which repository: the registry in memory shows every blob in all of them.
func (x *vendored) holds(repository, digest string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.blobs[repository+"@"+digest]
}

func (x *vendored) puts(repository, digest string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.blobs[repository+"@"+digest] = true
}

func (x *vendored) has(repository string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Contains(x.made, repository)
}

// mayPass checks who asks: by a token for exactly this, or by the password where there is no token service.
func (x *vendored) mayPass(w http.ResponseWriter, r *http.Request, repository, action string) bool {
	if x.auth == "" {
		if _, password, ok := r.BasicAuth(); ok && password == vendorPassword {
			return true
		}
		w.Header().Set("Www-Authenticate", `Basic realm="registry"`)
		w.WriteHeader(http.StatusUnauthorized)
		return false
	}
	from := r.URL.Query().Get("from")
	if repository != "" && allowed(r, repository, action) && (from == "" || allowed(r, from, "pull")) {
		return true
	}
	if repository == "" && x.catalog == http.StatusNotFound && r.Header.Get("Authorization") != "" {
		return true // there is no such list, for nobody
	}
	scope := "registry:catalog:*"
	if repository != "" {
		scope = "repository:" + repository + ":" + action
	}
	w.Header().Set("Www-Authenticate", `Bearer realm="https://`+x.auth+`/token",service="registry.test",scope="`+scope+`"`)
	w.WriteHeader(http.StatusUnauthorized)
	return false
}

// mount takes a blob from another repository, or begins an upload where the registry does not mount.
func (x *vendored) mount(w http.ResponseWriter, r *http.Request, repository string) {
	q := r.URL.Query()
	if !x.mounts {
		r.URL.RawQuery = ""
		x.registry.ServeHTTP(w, r)
		return
	}
	x.mu.Lock()
	x.mounted++
	x.mu.Unlock()
	x.puts(repository, q.Get("mount"))
	w.Header().Set("Docker-Content-Digest", q.Get("mount"))
	w.Header().Set("Location", "/v2/"+repository+"/blobs/"+q.Get("mount"))
	w.WriteHeader(http.StatusCreated)
}

// Registries differ: who gives tokens and for what, whether there are referrers, mounts and a catalog, and where blobs
// are. A signed skill travels through each, and the password goes nowhere but to who asks for it in the registry's name.
func TestRegistriesAsTheyDiffer(t *testing.T) {
	for _, v := range vendors {
		t.Run(v.name, func(t *testing.T) {
			x := serveVendor(t, v)
			one, two := x.signedIn(t, signing(t)), x.signedIn(t, newMachine(t))
			one.has(t, "sort", "Sort them.")
			ref := "registry.test/team/sort:1.0"
			pushed := one.push(t, "sort", ref)
			if k := two.installs(t, ref); k.From.Signer != pushed.Signer || k.From.Signer == "" {
				t.Errorf("signed by %q, want %q", k.From.Signer, pushed.Signer)
			}
			if p, err := two.Pull(t.Context(), "registry.test/team/sort@"+pushed.Digest); err != nil || p.Signer != pushed.Signer {
				t.Errorf("by its digest: %+v %v", p.Signer, err)
			}
			if s := two.stateOfOne(t); s.State != "current" {
				t.Errorf("%+v", s)
			}
			_, err := two.Search(t.Context(), wire.SkillSearchQuery{In: "registry.test/team/"})
			if f := refused(t, err, fault.RegistryNoList); f.Hint == "" {
				t.Error("no hint")
			}
			x.passesOn(t, two)
			x.keeps(t)
		})
	}
}

// passesOn pushes what was pulled to another repository of the same registry: mounted where it mounts.
func (x *vendored) passesOn(t *testing.T, two *machine) {
	t.Helper()
	k := two.skills["sort"]
	k.From = wire.ImportProvenance{Reference: "registry.test/team/sort:1.0"}
	two.skills["sort"] = k
	q := wire.SkillPushRequest{AbilityID: "sort", Reference: "registry.test/ours/sort:1.0"}
	p, err := two.Preview(t.Context(), q)
	must(t, err)
	q.Seal = p.Seal
	before := x.sent
	if x.vendor.made {
		_, err := two.Push(t.Context(), q)
		if f := refused(t, err, fault.RegistryNotFound); f.Hint == "" {
			t.Error("no hint")
		}
		x.made = append(x.made, "ours/sort")
	}
	_, err = two.Push(t.Context(), q)
	must(t, err)
	if x.mounts != (x.mounted > 0) {
		t.Errorf("%d mounts", x.mounted)
	}
	if files := int64(len(k.Bundle.Files[0].Data)); !x.mounts && x.sent-before < files {
		t.Errorf("%d bytes were sent", x.sent-before)
	}
	got, err := two.Pull(t.Context(), q.Reference)
	must(t, err)
	if got.Bundle.Hash() != k.Bundle.Hash() {
		t.Error("another content is there")
	}
}

// keeps checks who got passwords and tokens, and that no token was for more than was needed.
func (x *vendored) keeps(t *testing.T) {
	t.Helper()
	asks := x.auth
	if asks == "" {
		asks = "registry.test"
	}
	for _, host := range x.secrets {
		if host != asks {
			t.Errorf("%s got the password", host)
		}
	}
	for _, host := range x.tokens {
		if host != "registry.test" {
			t.Errorf("%s got a token", host)
		}
	}
	if len(x.secrets) == 0 || x.auth == "" != (len(x.tokens) == 0) {
		t.Errorf("%d passwords, %d tokens", len(x.secrets), len(x.tokens))
	}
	for _, s := range x.scopes {
		if strings.Contains(s, "*") && s != "registry:catalog:*" || strings.Contains(s, "delete") {
			t.Errorf("a token for %s was asked for", s)
		}
	}
}

// Whatever a registry answers with, a pull ends, and reads no more than a skill may be: blobs and answers without an end,
// pages without an end, a ring of redirects, a token without an end.
func TestAnswersWithoutAnEnd(t *testing.T) {
	endless := func(w http.ResponseWriter, n *atomic.Int64) {
		block := make([]byte, 64<<10)
		for i := range block {
			block[i] = ' '
		}
		for n.Load() < 256<<20 {
			k, err := w.Write(block)
			n.Add(int64(k))
			if err != nil {
				return
			}
		}
	}
	for name, on := range map[string]func(w http.ResponseWriter, r *http.Request, n *atomic.Int64) bool{
		"a blob": func(w http.ResponseWriter, r *http.Request, n *atomic.Int64) bool {
			if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") {
				return false
			}
			endless(w, n)
			return true
		},
		"a manifest": func(w http.ResponseWriter, r *http.Request, n *atomic.Int64) bool {
			if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/manifests/") {
				return false
			}
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			endless(w, n)
			return true
		},
		"a list of signatures": func(w http.ResponseWriter, r *http.Request, n *atomic.Int64) bool {
			if !strings.Contains(r.URL.Path, "/referrers/") {
				return false
			}
			w.Header().Set("Content-Type", "application/vnd.oci.image.index.v1+json")
			endless(w, n)
			return true
		},
		"a token": func(w http.ResponseWriter, r *http.Request, n *atomic.Int64) bool {
			if r.URL.Path == "/token" {
				endless(w, n)
				return true
			}
			w.Header().Set("Www-Authenticate", `Bearer realm="http://`+r.Host+`/token",service="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return true
		},
		"redirects": func(w http.ResponseWriter, r *http.Request, n *atomic.Int64) bool {
			n.Add(1)
			http.Redirect(w, r, "/v2"+r.URL.Path+"x", http.StatusTemporaryRedirect)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			var wrote atomic.Int64
			var endless atomic.Bool
			s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if !endless.Load() || !on(w, r, &wrote) {
					next.ServeHTTP(w, r)
				}
			})
			m := newMachine(t)
			m.has(t, "sort", "Sort them.")
			m.push(t, "sort", s.host+"/sort:1")
			endless.Store(true)
			_, err := newMachine(t).Pull(t.Context(), s.host+"/sort:1")
			if err == nil {
				t.Error("it was taken")
			}
			if wrote.Load() > 24<<20 { // what is read at most, and what the system buffers
				t.Errorf("%d bytes were taken", wrote.Load())
			}
		})
	}
}
