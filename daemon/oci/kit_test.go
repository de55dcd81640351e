package oci

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"

	"showhow/capture/redact"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/fault"
	"showhow/internal/syncbuf"
)

// machine is one computer's service with its approved skills and its docker configuration.
type machine struct {
	*Service
	dir    string
	skills map[string]Shareable
	told   []string // the skills that left
	pushed wire.ImportProvenance

	installed []Installed
}

func (m *machine) Installed(context.Context) ([]Installed, error) { return m.installed, nil }

func (m *machine) Shareable(_ context.Context, name string) (Shareable, error) {
	k, ok := m.skills[name]
	if !ok {
		return k, fault.New(fault.AbilityNotFound, "there is no such ability")
	}
	return k, nil
}

// Pushed is the ability service's part, which has tests of its own.
func (m *machine) Pushed(_ context.Context, id string, to wire.ImportProvenance, sent bool) (string, error) {
	m.pushed = to
	if sent {
		m.told = append(m.told, id)
		return "receipt", nil
	}
	return "", nil
}

var rules = sync.OnceValues(redact.Load)

func newMachine(t testing.TB) *machine {
	t.Helper()
	r, err := rules()
	must(t, err)
	m := &machine{dir: t.TempDir(), skills: map[string]Shareable{}}
	m.Service = New(Options{ConfigDir: m.dir, Skills: m, Scan: scan.Skill, Find: r.Find})
	return m
}

const entry = "---\nname: %s\ndescription: Sorts the receipts of a folder by month. Use when somebody asks for that.\n---\n\n# Sort\n\n%s\n"

// has gives the machine an approved skill.
func (m *machine) has(t testing.TB, name, text string, more ...skill.File) Shareable {
	t.Helper()
	files := append([]skill.File{{Path: skill.Entry, Data: fmt.Appendf(nil, entry, name, text)}}, more...)
	b, err := skill.New(name, files)
	must(t, err)
	k := Shareable{AbilityID: "id-" + name, Revision: 1, Title: name, Origin: "learned", Bundle: b}
	m.skills[name] = k
	return k
}

// push pushes what the preview shows.
func (m *machine) push(t testing.TB, name, ref string) wire.SkillPushed {
	t.Helper()
	q := wire.SkillPushRequest{AbilityID: name, Reference: ref}
	p, err := m.Preview(t.Context(), q)
	must(t, err)
	q.Seal = p.Seal
	out, err := m.Push(t.Context(), q)
	must(t, err)
	return out
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v (%v)", err, fault.From(err).Unwrap())
	}
}

func refused(t testing.TB, err error, code fault.Code) *fault.Error {
	t.Helper()
	if !fault.Is(err, code) {
		t.Fatalf("got %v, want %s", err, code)
	}
	return fault.From(err)
}

// served is a registry in memory, and every request that it got.
type served struct {
	http.Handler
	host string
	mu   sync.Mutex
	seen []string
}

func (s *served) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen = append(s.seen, r.Method+" "+r.URL.String())
	s.mu.Unlock()
	s.Handler.ServeHTTP(w, r)
}

func (s *served) asked(part string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.seen {
		if strings.Contains(x, part) {
			n++
		}
	}
	return n
}

// inMemory serves a registry, and before it what the test wants to come between.
func inMemory(t testing.TB, between ...func(w http.ResponseWriter, r *http.Request, next http.Handler)) *served {
	t.Helper()
	h := registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithReferrersSupport(true))
	for _, b := range between {
		next := h
		h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b(w, r, next) })
	}
	s := &served{Handler: h}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	s.host = strings.TrimPrefix(srv.URL, "http://")
	return s
}

// debian runs Debian's docker-registry; with a password if htpasswd is given.
func debian(t testing.TB, htpasswd string) string {
	t.Helper()
	program, err := exec.LookPath("docker-registry")
	if err != nil {
		t.Skip("docker-registry is not installed (build/setup.sh test)")
	}
	dir := t.TempDir()
	auth := ""
	if htpasswd != "" {
		must(t, os.WriteFile(filepath.Join(dir, "htpasswd"), []byte(htpasswd), 0o600))
		auth = "auth:\n  htpasswd:\n    realm: here\n    path: " + filepath.Join(dir, "htpasswd") + "\n"
	}
	must(t, os.WriteFile(filepath.Join(dir, "config.yml"), []byte("version: 0.1\nlog:\n  level: info\n"+
		"storage:\n  filesystem:\n    rootdirectory: "+
		filepath.Join(dir, "data")+"\n  delete:\n    enabled: true\nhttp:\n  addr: 127.0.0.1:0\n"+auth), 0o600))
	cmd := exec.CommandContext(t.Context(), program, "serve", filepath.Join(dir, "config.yml"))
	var out syncbuf.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	host := ""
	await.Until(t, "the registry listens", func() bool {
		if _, rest, ok := strings.Cut(out.String(), "listening on "); ok && strings.ContainsAny(rest, " \"\n") {
			host = strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '"' || r == '\n' || r == ',' })[0]
		}
		return host != ""
	})
	return host
}

// readBody reads a request's body and leaves it to be read again.
func readBody(t testing.TB, r *http.Request) []byte {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	must(t, err)
	r.Body = io.NopCloser(bytes.NewReader(b))
	return b
}

func asDigest(s string) digest.Digest { return digest.Digest(s) }

// sizeOf is the size of the manifest that a reference leads to.
func sizeOf(t testing.TB, m *machine, ref string) int64 {
	t.Helper()
	r, err := Parse(ref)
	must(t, err)
	d, err := m.repository(r).Resolve(t.Context(), r.Reference.Reference)
	must(t, err)
	return d.Size
}

func copyGraph(ctx context.Context, from, to oras.Target, d ocispec.Descriptor) error {
	return oras.CopyGraph(ctx, from, to, d, oras.DefaultCopyGraphOptions)
}
