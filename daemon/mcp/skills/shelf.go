package skills

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Ref names a usable skill and the hash of the content that a person approved.
type Ref struct{ Name, Hash string }

// Source has the installed skills. agents are the names of the agent that asks, as far as they are known.
type Source interface {
	// Usable lists the skills that the agent may use now, by name.
	Usable(ctx context.Context, agents []string) ([]Ref, error)
	// Open reads a skill from the disk. It fails if the agent may not use it, or if one byte is not as approved.
	Open(ctx context.Context, name string, agents []string) (skill.Bundle, error)
}

// Shelf serves the skills of a source. The entry of a content is made once.
type Shelf struct {
	src Source

	mu   sync.Mutex
	made map[Ref]kept
}

// kept is the entry of a content, or why it has none.
type kept struct {
	entry *entry
	err   error
}

// New makes a shelf.
func New(src Source) *Shelf { return &Shelf{src: src, made: map[Ref]kept{}} }

// View is the shelf as one agent sees it.
type View struct {
	*Shelf
	agents []string
}

// For returns the shelf as an agent sees it.
func (s *Shelf) For(agents []string) View { return View{s, agents} }

// usable returns the entries of the skills that the agent may use, by name. Skills that cannot be served are left out.
func (v View) usable(ctx context.Context) ([]*entry, error) {
	refs, err := v.src.Usable(ctx, v.agents)
	if err != nil {
		return nil, failed(err)
	}
	out := make([]*entry, 0, len(refs))
	for _, r := range refs {
		if e, err := v.entryFor(ctx, r); err == nil {
			out = append(out, e)
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	v.forget(len(refs))
	return out, nil
}

func (v View) entryFor(ctx context.Context, r Ref) (*entry, error) {
	v.mu.Lock()
	k, ok := v.made[r]
	v.mu.Unlock()
	if ok {
		return k.entry, k.err
	}
	b, err := v.src.Open(ctx, r.Name, v.agents)
	if err != nil {
		return nil, err // the next list tells why
	}
	return v.keep(b)
}

// keep makes the entry of a bundle that was just read, once for each content.
func (v View) keep(b skill.Bundle) (*entry, error) {
	r := Ref{b.Name, b.Hash()}
	v.mu.Lock()
	k, ok := v.made[r]
	v.mu.Unlock()
	if !ok {
		k.entry, k.err = entryOf(b)
		v.mu.Lock()
		v.made[r] = k
		v.mu.Unlock()
	}
	return k.entry, k.err
}

// forget bounds the memory: contents that are not installed any more go when they outnumber those that are.
func (s *Shelf) forget(installed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.made) > 2*installed+100 {
		clear(s.made)
	}
}

// opened is a skill as it is on the disk at this moment.
func (v View) opened(ctx context.Context, name string) (skill.Bundle, *entry, error) {
	b, err := v.src.Open(ctx, name, v.agents)
	if err != nil {
		return b, nil, err
	}
	e, err := v.keep(b)
	return b, e, err
}

// A page of a list holds at most pageSize entries, and ends after the entry that fills pageBytes.
const (
	pageSize  = 500
	pageBytes = 1 << 20
)

// ttl is the hint for how long a client may keep a list or an entry, in milliseconds; it is told of changes besides.
const ttl = 5000

func cacheable() mcp.Cacheable { return mcp.Cacheable{TTLMs: ttl, CacheScope: "private"} }

// List answers skills/list.
func (v View) List(ctx context.Context, p *ListParams) (*ListResult, error) {
	after, err := position(p.Cursor)
	if err != nil {
		return nil, err
	}
	all, err := v.usable(ctx)
	if err != nil {
		return nil, err
	}
	i := sort.Search(len(all), func(i int) bool { return all[i].name > after })
	out := &ListResult{ResultType: complete, Skills: []json.RawMessage{}, Cacheable: cacheable()}
	for n := 0; i < len(all); i++ {
		if len(out.Skills) == pageSize || n > pageBytes {
			out.NextCursor = cursor(all[i-1].name)
			break
		}
		out.Skills, n = append(out.Skills, all[i].json), n+len(all[i].json)
	}
	return out, nil
}

// Get answers skills/get.
func (v View) Get(ctx context.Context, p *GetParams) (*GetResult, error) {
	name, file, ok := split(p.URI)
	if p.URI == "" {
		return nil, invalid("", "skills/get needs the uri of a skill, "+URI("NAME", skill.Entry))
	}
	if !ok || file != skill.Entry {
		return nil, invalid(p.URI, "no skill is served at "+p.URI)
	}
	_, e, err := v.opened(ctx, name)
	if err != nil {
		return nil, refusal(p.URI, err)
	}
	return &GetResult{ResultType: complete, Skill: e.json, Cacheable: cacheable()}, nil
}

// Read answers resources/read for a file of a skill.
func (v View) Read(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	name, file, ok := split(uri)
	if !ok {
		return nil, invalid(uri, "no file of a skill is served at "+uri)
	}
	b, e, err := v.opened(ctx, name)
	if err != nil {
		return nil, refusal(uri, err)
	}
	f := b.File(file)
	if f == nil || e.types[file] == "" {
		return nil, invalid(uri, "the skill "+name+" has no such file")
	}
	// A copy with ttl 0: whether the agent may use the skill is asked again at every read.
	return &mcp.ReadResourceResult{Cacheable: mcp.Cacheable{CacheScope: "private"},
		Contents: []*mcp.ResourceContents{contents(URI(name, file), e.types[file], f.Data)}}, nil
}

func contents(uri, mimeType string, data []byte) *mcp.ResourceContents {
	c := &mcp.ResourceContents{URI: uri, MIMEType: mimeType}
	if utf8.Valid(data) && len(data) > 0 {
		c.Text = string(data)
	} else {
		c.Blob = append([]byte{}, data...)
	}
	return c
}

// Directory answers resources/directory/read.
func (v View) Directory(ctx context.Context, p *DirectoryParams) (*DirectoryResult, error) {
	if at, slash := strings.CutSuffix(p.URI, "/"); slash {
		return nil, invalid(p.URI, "the URI of a directory ends without a slash: "+at)
	}
	name, dir, ok := split(p.URI)
	if !ok {
		return nil, invalid(p.URI, p.URI+" is not a directory of a skill")
	}
	after, err := position(p.Cursor)
	if err != nil {
		return nil, err
	}
	_, e, err := v.opened(ctx, name)
	if err != nil {
		return nil, refusal(p.URI, err)
	}
	if e.types[dir] != "" {
		return nil, invalid(p.URI, p.URI+" is a file, not a directory")
	}
	out := &DirectoryResult{ResultType: complete, Resources: []*mcp.Resource{}}
	found := false
	for _, c := range e.children(dir) {
		found = true
		switch {
		case c.Name <= after:
		case len(out.Resources) == pageSize:
			out.NextCursor = cursor(out.Resources[pageSize-1].Name)
			return out, nil
		default:
			out.Resources = append(out.Resources, c)
		}
	}
	if !found {
		return nil, invalid(p.URI, "the skill "+name+" has no such directory")
	}
	return out, nil
}

// children lists the files and folders directly in a folder, by name.
func (e *entry) children(dir string) (out []*mcp.Resource) {
	prefix := dir + "/"
	if dir == "" {
		prefix = ""
	}
	seen := map[string]bool{}
	for i, p := range e.paths {
		rest, in := strings.CutPrefix(p, prefix)
		if !in {
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
		switch {
		case seen[first]:
		case deeper:
			out = append(out, &mcp.Resource{URI: URI(e.name, prefix+first), Name: first, MIMEType: directoryType})
		default:
			out = append(out, e.resource(i))
		}
		seen[first] = true
	}
	slices.SortFunc(out, func(a, b *mcp.Resource) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// resource is a file as a plain resource; SKILL.md is presented as the skill.
func (e *entry) resource(i int) *mcp.Resource {
	f, p := e.skill.Resources[i], e.paths[i]
	r := &mcp.Resource{URI: f.URI, Name: path.Base(p), MIMEType: e.types[p], Size: int64(f.Size)}
	if p == skill.Entry {
		r.Name, r.Description = e.name, e.description
	}
	return r
}

// Resources lists the files of all usable skills as plain resources, for clients that do not know the extension. The
// cursor is what an earlier page gave; more is empty on the last.
func (v View) Resources(ctx context.Context, from string) (out []*mcp.Resource, more string, err error) {
	after, err := position(from)
	if err != nil {
		return nil, "", err
	}
	all, err := v.usable(ctx)
	if err != nil {
		return nil, "", err
	}
	i := sort.Search(len(all), func(i int) bool { return all[i].name > after })
	for ; i < len(all); i++ {
		if len(out) > 0 && len(out)+len(all[i].paths) > maxPlain {
			return out, cursor(all[i-1].name), nil
		}
		for j := range all[i].paths {
			r := all[i].resource(j)
			if all[i].paths[j] != skill.Entry {
				r.Name = all[i].name + "/" + all[i].paths[j]
			}
			out = append(out, r)
		}
	}
	return out, "", nil
}

// maxPlain is how many files a page of plain resources holds; one skill is never split.
const maxPlain = 1000

// Names lists the names of the usable skills that begin with a prefix, sorted.
func (v View) Names(ctx context.Context, prefix string) ([]string, error) {
	refs, err := v.src.Usable(ctx, v.agents)
	if err != nil {
		return nil, failed(err)
	}
	out := []string{}
	for _, r := range refs {
		if strings.HasPrefix(r.Name, prefix) {
			out = append(out, r.Name)
		}
	}
	return out, nil
}

// Paths lists the files of a skill that begin with a prefix, sorted.
func (v View) Paths(ctx context.Context, name, prefix string) ([]string, error) {
	_, e, err := v.opened(ctx, name)
	if err != nil {
		return nil, refusal(Scheme+name, err)
	}
	out := []string{}
	for _, p := range e.paths {
		if strings.HasPrefix(p, prefix) {
			out = append(out, p)
		}
	}
	return out, nil
}

func cursor(last string) string { return base64.RawURLEncoding.EncodeToString([]byte("after:" + last)) }

// position is the name after which a page begins.
func position(c string) (string, error) {
	if c == "" {
		return "", nil
	}
	b, err := base64.RawURLEncoding.DecodeString(c)
	last, ok := strings.CutPrefix(string(b), "after:")
	if err != nil || !ok || len(c) > 1000 {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the cursor is not one of this list"}
	}
	return last, nil
}

// refusal explains why a skill is not served to this agent.
func refusal(uri string, err error) error {
	f := fault.From(err)
	if f.Code == fault.Internal {
		return failed(err)
	}
	if f.Code == fault.AbilityNotFound {
		return invalid(uri, "no skill is served at "+uri)
	}
	message := fmt.Sprintf("%s is not served: %s", uri, f.Message)
	if f.Hint != "" {
		message += " (" + f.Hint + ")"
	}
	e := invalid(uri, message)
	data := map[string]string{"uri": uri, "code": string(f.Code)}
	if r, ok := f.Details["reason_code"].(string); ok {
		data["reason_code"] = r
	}
	e.Data, _ = json.Marshal(data)
	return e
}

func invalid(uri, message string) *jsonrpc.Error {
	e := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
	e.Data, _ = json.Marshal(map[string]string{"uri": uri})
	return e
}

func failed(err error) error {
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		return err
	}
	f := fault.From(err)
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: string(f.Code) + ": " + f.Message}
}

// Descriptions returns what each usable skill says about itself, by name.
func (v View) Descriptions(ctx context.Context) (map[string]string, error) {
	all, err := v.usable(ctx)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(all))
	for _, e := range all {
		out[e.name] = e.description
	}
	return out, nil
}
