package offered_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/registry"
	"showhow/daemon/mcp/offered"
	"showhow/daemon/mcp/skills"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

const uri = "skill://team/count-orders/SKILL.md"

var md = []byte("---\nname: count-orders\ndescription: Counts the orders.\n---\n\n# Count\n")

// offer is what a service answers; each of the hostile ones changes one thing.
type offer struct {
	files   map[string][]byte // what reading answers, by URI
	entry   map[string]any
	noSkill bool
	list    func(context.Context, *mcp.ServerSession, *skills.ListParams) (*skills.ListResult, error) // nil: the entry
	reads   atomic.Int64
}

func fileOf(uri string, data []byte) map[string]any {
	sum := sha256.Sum256(data)
	return map[string]any{"uri": uri, "digest": "sha256:" + hex.EncodeToString(sum[:]), "size": len(data)}
}

// sound is an offer in which everything fits.
func sound() *offer {
	script := []byte{0, 1, 2, 'x'}
	return &offer{files: map[string][]byte{uri: md, "skill://team/count-orders/scripts/a%20b.bin": script},
		entry: map[string]any{"uri": uri, "frontmatter": map[string]any{"name": "count-orders", "description": "Counts the orders."},
			"resources": []any{fileOf(uri, md), fileOf("skill://team/count-orders/scripts/a%20b.bin", script)}}}
}

func (o *offer) add(uri string, data []byte) {
	o.files[uri] = data
	o.entry["resources"] = append(o.entry["resources"].([]any), fileOf(uri, data))
}

// serve makes a service of it, and connects it.
func serve(t *testing.T, o *offer) (*offered.Service, string) {
	t.Helper()
	caps := &mcp.ServerCapabilities{Resources: &mcp.ResourceCapabilities{}}
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, &mcp.ServerOptions{Capabilities: caps})
	if !o.noSkill {
		skills.Declare(caps)
		raw, err := json.Marshal(o.entry)
		must(t, err)
		if o.list == nil {
			o.list = func(context.Context, *mcp.ServerSession, *skills.ListParams) (*skills.ListResult, error) {
				return &skills.ListResult{ResultType: "complete", Skills: []json.RawMessage{raw}}, nil
			}
		}
		must(t, mcp.AddReceivingCustomMethod(s, skills.MethodList, o.list))
		must(t, mcp.AddReceivingCustomMethod(s, skills.MethodGet,
			func(_ context.Context, _ *mcp.ServerSession, p *skills.GetParams) (*skills.GetResult, error) {
				if !strings.HasPrefix(p.URI, "skill://team/") {
					return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown"}
				}
				return &skills.GetResult{ResultType: "complete", Skill: raw}, nil
			}))
	}
	for u, data := range o.files {
		s.AddResource(&mcp.Resource{URI: u, Name: "f"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			o.reads.Add(1)
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: u, Blob: data}}}, nil
		})
	}
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true}))
	dir := t.TempDir()
	st, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data"), Memory: filepath.Join(dir, "memory")})
	must(t, err)
	r := registry.New(registry.Options{Store: st.Connectors(), Client: offered.Prepare})
	t.Cleanup(func() { r.Close(); st.Close(); ts.CloseClientConnections(); ts.Close() })
	x, err := r.Register(t.Context(), wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: "Team", EndpointURL: ts.URL,
		Transport: "remote_http", SchemaVersion: 1})
	must(t, err)
	return &offered.Service{Registry: r, Now: clock.Now}, x.Server.Registry.ServerID
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestASkillIsListedAndFetched(t *testing.T) {
	s, id := serve(t, sound())
	l, err := s.List(t.Context(), id)
	must(t, err)
	if len(l.Skills) != 1 || l.Skills[0].Name != "count-orders" || l.Skills[0].Description != "Counts the orders." || l.Skills[0].Files != 2 ||
		l.Skills[0].Refused != "" {
		t.Fatalf("%+v", l)
	}
	q := wire.SkillImportSourceRequest{Kind: "connector", ConnectorID: id, Reference: uri, Digest: l.Skills[0].Digest}
	files, name, from, err := s.Fetch(t.Context(), q)
	must(t, err)
	b := skill.Bundle{Name: name, Files: files}
	if name != "count-orders" || len(files) != 2 || !bytes.Equal(b.File("SKILL.md").Data, md) || b.File("scripts/a b.bin") == nil ||
		from.ConnectorID != id || from.Digest != q.Digest || from.Reference != uri {
		t.Errorf("%s %+v %+v", name, files, from)
	}
	q.Digest = "sha256:" + strings.Repeat("0", 64)
	if _, _, _, err := s.Fetch(t.Context(), q); !fault.Is(err, fault.ContentHashMismatch) {
		t.Error(err)
	}
	q.Reference, q.Digest = "skill://other/SKILL.md", ""
	if _, _, _, err := s.Fetch(t.Context(), q); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	off := false
	_, err = s.Registry.Patch(t.Context(), id, wire.MCPServerPatchRequest{Enabled: &off, SchemaVersion: 1}, nil)
	must(t, err)
	if _, err := s.List(t.Context(), id); !fault.Is(err, fault.ConnectorOff) {
		t.Error(err)
	}
}

func TestAServiceWithoutSkills(t *testing.T) {
	s, id := serve(t, &offer{noSkill: true})
	if l, err := s.List(t.Context(), id); err != nil || len(l.Skills) != 0 {
		t.Errorf("%+v %v", l, err)
	}
	_, _, _, err := s.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "connector", ConnectorID: id, Reference: uri})
	if !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// Whatever a service says of its files, nothing of a skill that does not fit is kept.
func TestHostileOffers(t *testing.T) {
	for name, change := range map[string]func(o *offer){
		"another content": func(o *offer) { o.files[uri] = append([]byte{}, append(md, 'x')...) },
		"same size, another content": func(o *offer) {
			o.files[uri] = bytes.Replace(md, []byte("Count\n"), []byte("Delete"), 1)
		},
		"another digest":     func(o *offer) { o.entry["resources"].([]any)[0].(map[string]any)["digest"] = "sha256:00" },
		"above its folder":   func(o *offer) { o.add("skill://team/count-orders/../../evil.md", []byte("x")) },
		"above, escaped":     func(o *offer) { o.add("skill://team/count-orders/%2e%2e/%2e%2e/evil.md", []byte("x")) },
		"above, by slashes":  func(o *offer) { o.add("skill://team/count-orders/a%2f..%2f..%2f..%2fevil.md", []byte("x")) },
		"absolute":           func(o *offer) { o.add("skill://team/count-orders/%2fetc%2fpasswd", []byte("x")) },
		"another skill's":    func(o *offer) { o.add("skill://team/other/a.md", []byte("x")) },
		"a file of the disk": func(o *offer) { o.add("file:///etc/passwd", []byte("x")) },
		"twice":              func(o *offer) { o.add(uri, md) },
		"a name with a NUL":  func(o *offer) { o.add("skill://team/count-orders/a%00.md", []byte("x")) },
		"too large":          func(o *offer) { o.add("skill://team/count-orders/big.bin", make([]byte, 2<<20)) },
		"a size of its own": func(o *offer) {
			o.add("skill://team/count-orders/big.bin", []byte("x"))
			o.entry["resources"].([]any)[2].(map[string]any)["size"] = 1 << 40
		},
		"a negative size": func(o *offer) { o.entry["resources"].([]any)[1].(map[string]any)["size"] = -1 },
		"too many": func(o *offer) {
			for i := range 600 {
				o.entry["resources"] = append(o.entry["resources"].([]any), fileOf(fmt.Sprintf("skill://team/count-orders/%d", i), nil))
			}
		},
		"without SKILL.md":    func(o *offer) { o.entry["resources"] = o.entry["resources"].([]any)[1:] },
		"a name that is none": func(o *offer) { o.entry["uri"] = "skill://team/Count Orders/SKILL.md" },
		"no entry":            func(o *offer) { o.entry = map[string]any{"uri": 7} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := sound()
			change(o)
			s, id := serve(t, o)
			files, _, _, err := s.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "connector", ConnectorID: id, Reference: uri})
			if err == nil || len(files) > 0 {
				t.Errorf("%d files came", len(files))
			}
			if _, err := s.List(t.Context(), id); err != nil { // one bad entry does not hide the others
				t.Error(err)
			}
		})
	}
}
