package skills_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v3"

	"showhow/daemon/mcp/skills"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// library is a source of skills in memory: what is approved, and what the disk has.
type library struct {
	mu       sync.Mutex
	approved map[string]skill.Bundle
	disk     map[string]skill.Bundle
	only     map[string]string // the one agent that may use a skill
	broken   error
}

func newLibrary(t testing.TB, bundles ...skill.Bundle) *library {
	t.Helper()
	l := &library{approved: map[string]skill.Bundle{}, disk: map[string]skill.Bundle{}, only: map[string]string{}}
	for _, b := range bundles {
		l.approved[b.Name], l.disk[b.Name] = b, b
	}
	return l
}

func (l *library) Usable(_ context.Context, agents []string) ([]skills.Ref, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []skills.Ref
	for name, b := range l.approved {
		if l.disk[name].Hash() == b.Hash() && (l.only[name] == "" || slices.Contains(agents, l.only[name])) {
			out = append(out, skills.Ref{Name: name, Hash: b.Hash()})
		}
	}
	slices.SortFunc(out, func(a, b skills.Ref) int { return strings.Compare(a.Name, b.Name) })
	return out, l.broken
}

func (l *library) Open(_ context.Context, name string, agents []string) (skill.Bundle, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.disk[name]
	switch {
	case l.broken != nil:
		return b, l.broken
	case !ok:
		return b, fault.New(fault.AbilityNotFound, "there is no such ability")
	case l.only[name] != "" && !slices.Contains(agents, l.only[name]):
		return skill.Bundle{}, fault.New(fault.TrustRequired, "it is approved for other agents").WithDetail("reason_code", "other_agents")
	case b.Hash() != l.approved[name].Hash():
		return skill.Bundle{}, fault.New(fault.TrustRequired, "its files changed just now").WithDetail("reason_code", "drifted")
	}
	return b, nil
}

// rotate changes a file on the disk only.
func (l *library) rotate(name, path, data string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	files := slices.Clone(l.disk[name].Files)
	for i := range files {
		if files[i].Path == path {
			files[i].Data = []byte(data)
		}
	}
	l.disk[name] = skill.Bundle{Name: name, Files: files}
}

// bundle is a skill with more files, given as path and content in turn.
func bundle(t testing.TB, name, head string, more ...string) skill.Bundle {
	t.Helper()
	if head == "" {
		head = "name: " + name + "\ndescription: What " + name + " is for.\n"
	}
	files := []skill.File{{Path: "SKILL.md", Data: []byte("---\n" + head + "---\n\n# " + name + "\n")}}
	for i := 0; i < len(more); i += 2 {
		files = append(files, skill.File{Path: more[i], Data: []byte(more[i+1])})
	}
	b, err := skill.New(name, files)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// host is an MCP client that does what SEP-2640 demands of one before it uses a skill.
type host struct {
	t  testing.TB
	cs *mcp.ClientSession
}

// connect serves a library over HTTP to the SDK's client. way may change what passes; nil: nothing does.
func connect(t testing.TB, l skills.Source, agent string, way http.RoundTripper) host {
	t.Helper()
	caps := &mcp.ServerCapabilities{Resources: &mcp.ResourceCapabilities{}}
	skills.Declare(caps)
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, &mcp.ServerOptions{Capabilities: caps})
	view := skills.New(l).For([]string{agent})
	if err := view.Attach(s); err != nil {
		t.Fatal(err)
	}
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok && method == "resources/read" {
				return view.Read(ctx, p.URI)
			}
			return next(ctx, method, req)
		}
	})
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(ts.Close)
	c := mcp.NewClient(&mcp.Implementation{Name: "host"}, nil)
	must(t, errors.Join(mcp.AddSendingCustomMethod[*skills.ListParams, *skills.ListResult](c, skills.MethodList),
		mcp.AddSendingCustomMethod[*skills.GetParams, *skills.GetResult](c, skills.MethodGet),
		mcp.AddSendingCustomMethod[*skills.DirectoryParams, *skills.DirectoryResult](c, skills.MethodDirectory)))
	cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: ts.URL, HTTPClient: &http.Client{Transport: way}}, nil)
	must(t, err)
	t.Cleanup(func() { cs.Close() })
	return host{t, cs}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (h host) page(cursor string) (*skills.ListResult, error) {
	return mcp.CallCustomMethod[*skills.ListParams, *skills.ListResult](h.t.Context(), h.cs, skills.MethodList,
		&skills.ListParams{Cursor: cursor})
}

func (h host) get(uri string) (*skills.GetResult, error) {
	return mcp.CallCustomMethod[*skills.GetParams, *skills.GetResult](h.t.Context(), h.cs, skills.MethodGet, &skills.GetParams{URI: uri})
}

func (h host) dir(uri, cursor string) (*skills.DirectoryResult, error) {
	return mcp.CallCustomMethod[*skills.DirectoryParams, *skills.DirectoryResult](h.t.Context(), h.cs, skills.MethodDirectory,
		&skills.DirectoryParams{URI: uri, Cursor: cursor})
}

// list lists all skills, with a bound on the pages.
func (h host) list() (out []skills.Skill) {
	h.t.Helper()
	cursor := ""
	for range 100 {
		p, err := h.page(cursor)
		must(h.t, err)
		for _, raw := range p.Skills {
			var s skills.Skill
			must(h.t, json.Unmarshal(raw, &s))
			out = append(out, s)
		}
		if cursor = p.NextCursor; cursor == "" {
			return out
		}
	}
	h.t.Fatal("the list does not end")
	return nil
}

// read reads a listed file and verifies it against its entry.
func (h host) read(f skills.File) ([]byte, error) {
	r, err := h.cs.ReadResource(h.t.Context(), &mcp.ReadResourceParams{URI: f.URI})
	if err != nil {
		return nil, err
	}
	c := r.Contents[0]
	data := c.Blob
	if c.Text != "" {
		data = []byte(c.Text)
	}
	sum := sha256.Sum256(data)
	if len(data) != f.Size || "sha256:"+hex.EncodeToString(sum[:]) != f.Digest {
		return nil, fmt.Errorf("%s is not what its entry describes", f.URI)
	}
	return data, nil
}

// load loads a skill as a host does: the files are verified, and the frontmatter is compared field by field.
func (h host) load(s skills.Skill) error {
	for _, f := range s.Resources {
		data, err := h.read(f)
		if err != nil {
			return err
		}
		if f.URI != s.URI {
			continue
		}
		var listed, written map[string]any
		head, _, _ := bytes.Cut(bytes.TrimPrefix(data, []byte("---\n")), []byte("\n---\n"))
		if err := errors.Join(json.Unmarshal(s.Frontmatter, &listed), yaml.Unmarshal(head, &written)); err != nil {
			return err
		}
		again, err := json.Marshal(written)
		if err != nil {
			return err
		}
		written = nil
		if err := json.Unmarshal(again, &written); err != nil || !reflect.DeepEqual(listed, written) {
			return fmt.Errorf("%s: the frontmatter is not the listed one: %v %v", s.URI, listed, written)
		}
	}
	return nil
}

// code is the code of a protocol error.
func code(err error) int64 {
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// forger changes what passes between server and host.
type forger struct{ old, new string }

func (f forger) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || r.Method != http.MethodPost {
		return res, err
	}
	b, err := io.ReadAll(res.Body)
	res.Body.Close()
	b = bytes.ReplaceAll(b, []byte(f.old), []byte(f.new))
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	res.Header.Del("Content-Length")
	return res, err
}
