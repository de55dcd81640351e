// Package offered reads the skills that connected services offer (SEP-2640), for import: it lists them, and fetches one
// with all of its files.
//
// Guarantees: every file is what the service's own entry says, by digest and size, and lies below the skill's folder by
// the rules of an archive; the frontmatter of SKILL.md is the listed one; what was listed can be fetched and nothing else,
// because its digest covers all of its files. Number and size of files and entries are bounded, before anything is read.
// Listing reads no file. Nothing is written.
//
// Not guaranteed: that a skill is harmless. The import scans it, and a person approves it.
//
// Package daemon gives it to package imports and the API. To test against it: package skills behind a registry.
package offered

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/health"
	"showhow/daemon/connector/registry"
	"showhow/daemon/mcp/skills"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Bounds of what is listed.
const (
	mostSkills = 200
	mostPages  = 50
	entryBytes = 1 << 20 // of one entry
)

// Service reads what connectors offer.
type Service struct {
	Registry *registry.Registry
	Now      func() clock.Time
}

// Prepare lets a client of a service use the extension's methods.
func Prepare(c *mcp.Client) error {
	return errors.Join(mcp.AddSendingCustomMethod[*skills.ListParams, *skills.ListResult](c, skills.MethodList),
		mcp.AddSendingCustomMethod[*skills.GetParams, *skills.GetResult](c, skills.MethodGet))
}

// List lists the skills that a connector offers; none if it does not know the extension.
func (s *Service) List(ctx context.Context, server string) (wire.MCPOfferedSkillList, error) {
	out := wire.MCPOfferedSkillList{ServerID: server, Skills: []wire.MCPOfferedSkill{}, SchemaVersion: 1}
	err := s.ask(ctx, server, func(ctx context.Context, cs *mcp.ClientSession) error {
		cursor := ""
		for range mostPages {
			page, err := mcp.CallCustomMethod[*skills.ListParams, *skills.ListResult](ctx, cs, skills.MethodList,
				&skills.ListParams{Cursor: cursor})
			if err != nil {
				return err
			}
			for _, raw := range page.Skills {
				if len(out.Skills) == mostSkills {
					out.More = true
					return nil
				}
				out.Skills = append(out.Skills, shown(raw))
			}
			if cursor = page.NextCursor; cursor == "" {
				return nil
			}
		}
		out.More = true
		return nil
	})
	if errors.Is(err, errNone) {
		err = nil
	}
	slices.SortFunc(out.Skills, func(a, b wire.MCPOfferedSkill) int { return strings.Compare(a.URI, b.URI) })
	return out, err
}

// errNone means that the service does not offer skills.
var errNone = errors.New("offered: none")

func (s *Service) ask(ctx context.Context, server string, f func(context.Context, *mcp.ClientSession) error) error {
	x, err := s.Registry.Server(ctx, server)
	if err != nil {
		return err
	}
	if !x.Entry.Enabled || !x.Entry.ActiveBuildSurface {
		return fault.New(fault.ConnectorOff, "the connector is turned off").WithHint("turn it on first")
	}
	if wait := health.Waiting(s.Registry.HealthOf(&x), s.Now()); wait > 0 {
		return fault.New(fault.ConnectorThrottled, "the service asked to be left alone for a while").
			WithDetail("retry_after_ms", wait.Milliseconds()).WithHint("try again later")
	}
	var none bool
	err = s.Registry.Link(&x).Do(ctx, "", func(ctx context.Context, cs *mcp.ClientSession) error {
		i := cs.InitializeResult()
		if none = i == nil || i.Capabilities == nil || i.Capabilities.Extensions[skills.Extension] == nil; none {
			return nil
		}
		return f(ctx, cs)
	})
	if none && err == nil {
		return errNone
	}
	return err
}

// shown is an entry as a person sees it before an import.
func shown(raw json.RawMessage) wire.MCPOfferedSkill {
	e, err := entryOf(raw)
	out := wire.MCPOfferedSkill{URI: plain.Clip(e.URI, 400), Name: plain.Clip(e.name, 64), Files: len(e.Resources), Digest: e.digest()}
	for _, f := range e.Resources {
		out.Bytes += max(f.Size, 0)
	}
	head, _ := e.head() // a description of another kind is none
	out.Description = plain.Clip(head.Description, 1024)
	if err != nil {
		out.Refused, out.Digest = fault.From(err).Message, ""
	}
	return out
}

// entry is a service's entry of a skill.
type entry struct {
	skills.Skill
	name   string
	folder string // of its URIs, with a slash at its end
	paths  []string
}

// head is what the entry says of the frontmatter.
func (e entry) head() (h struct{ Name, Description string }, err error) {
	err = json.Unmarshal(e.Frontmatter, &h)
	return h, err
}

// entryOf reads an entry, and checks all that can be before a file is read.
func entryOf(raw json.RawMessage) (e entry, err error) {
	bad := func(text string) (entry, error) { return e, unfit(nil, text) }
	var said struct {
		URI         string          `json:"uri"`
		Frontmatter json.RawMessage `json:"frontmatter"`
		Resources   json.RawMessage `json:"resources"`
	}
	if len(raw) > entryBytes || json.Unmarshal(raw, &said) != nil {
		return bad("the service's entry of a skill cannot be read")
	}
	e.URI, e.Frontmatter = said.URI, said.Frontmatter
	if string(said.Resources) == `"dynamic"` {
		return bad("the service makes the skill's files anew each time, so nothing of them can be checked")
	}
	if json.Unmarshal(said.Resources, &e.Resources) != nil || e.Resources == nil {
		return bad("the service's entry of a skill does not list its files")
	}
	folder, ok := strings.CutSuffix(e.URI, "/"+skill.Entry)
	at, found := strings.CutPrefix(folder, skills.Scheme)
	if e.name = path.Base(at); !ok || !found || len(e.URI) > 400 || !skill.ValidName(e.name) {
		return bad("the skill's address is none of a skill")
	}
	if head, err := e.head(); err != nil || head.Name != e.name || head.Description == "" {
		return bad("the skill is listed under another name than its address has, or without a description")
	}
	if e.folder = folder + "/"; len(e.Resources) > skills.MaxFiles {
		return bad("the skill has too many files")
	}
	total, seen := 0, map[string]bool{}
	for _, f := range e.Resources {
		rel, below := strings.CutPrefix(f.URI, e.folder)
		p, err := url.PathUnescape(rel)
		if !below || err != nil || seen[p] || len(p) > 1000 {
			return bad("a file of the skill lies outside its folder, or is listed twice")
		}
		seen[p] = true
		if f.Size < 0 || f.Size > skills.MaxBytes {
			return bad("a file of the skill is too large")
		}
		total += f.Size
		e.paths = append(e.paths, p)
	}
	if total > skills.MaxBytes {
		return bad("the skill's files are too large together")
	}
	if !seen[skill.Entry] {
		return bad("the skill has no SKILL.md")
	}
	return e, nil
}

func unfit(err error, text string) error {
	if err == nil {
		err = errors.New(text)
	}
	return fault.Wrap(err, fault.SkillImportSourceFailed, text).WithHint("none of it was kept; tell whoever runs the service")
}

// digest covers every file of the entry.
func (e entry) digest() string {
	lines := make([]string, 0, len(e.Resources))
	for _, f := range e.Resources {
		b, _ := json.Marshal(f) // strings and a number
		lines = append(lines, string(b))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(e.URI + "\n" + strings.Join(lines, "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Fetch reads a skill of a connector into memory (imports.Remote). The digest, if given, is that of the list.
func (s *Service) Fetch(ctx context.Context, q wire.SkillImportSourceRequest) ([]skill.File, string, wire.ImportProvenance, error) {
	var files []skill.File
	var e entry
	fail := func(err error) ([]skill.File, string, wire.ImportProvenance, error) {
		return nil, "", wire.ImportProvenance{}, err
	}
	err := s.ask(ctx, q.ConnectorID, func(ctx context.Context, cs *mcp.ClientSession) error {
		got, err := mcp.CallCustomMethod[*skills.GetParams, *skills.GetResult](ctx, cs, skills.MethodGet, &skills.GetParams{URI: q.Reference})
		if err != nil {
			return err
		}
		if e, err = entryOf(got.Skill); err != nil {
			return err
		}
		if e.URI != q.Reference {
			return unfit(nil, "the service answers with another skill")
		}
		if q.Digest != "" && q.Digest != e.digest() {
			return fault.New(fault.ContentHashMismatch, "the skill is not what was listed any more").WithHint("list the skills again")
		}
		files, err = e.read(ctx, cs)
		return err
	})
	var said *jsonrpc.Error
	switch {
	case errors.Is(err, errNone), errors.As(err, &said) && said.Code == jsonrpc.CodeInvalidParams:
		return fail(fault.New(fault.NotFound, "the connector offers no such skill").WithHint("`showhow connector skills NAME` lists them"))
	case err != nil:
		return fail(err)
	}
	return files, e.name, wire.ImportProvenance{ConnectorID: q.ConnectorID, Reference: e.URI, Digest: e.digest(),
		TrustHash: skill.Bundle{Files: files}.Hash()}, nil
}

// read reads every file.
func (e entry) read(ctx context.Context, cs *mcp.ClientSession) ([]skill.File, error) {
	c := archive.NewCollector(archive.Default, "the skill")
	for i, f := range e.Resources {
		err := c.File(e.paths[i], 0o644, int64(f.Size), func() (io.ReadCloser, error) {
			data, err := e.file(ctx, cs, f)
			return io.NopCloser(strings.NewReader(data)), err
		})
		if err != nil {
			return nil, err
		}
	}
	files := c.Files()
	b := skill.Bundle{Files: files}
	if md := b.File(skill.Entry); md == nil || !skills.SameFrontmatter(e.Frontmatter, md.Data) {
		return nil, unfit(nil, "the frontmatter of SKILL.md is not the one that the service lists")
	}
	return files, nil
}

func (e entry) file(ctx context.Context, cs *mcp.ClientSession, f skills.File) (string, error) {
	res, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: f.URI})
	if err != nil {
		return "", err
	}
	if len(res.Contents) != 1 || res.Contents[0] == nil || res.Contents[0].URI != f.URI {
		return "", unfit(nil, "the service answers with another file")
	}
	data := res.Contents[0].Text
	if b := res.Contents[0].Blob; len(b) > 0 {
		data = string(b)
	}
	sum := sha256.Sum256([]byte(data))
	if len(data) != f.Size || "sha256:"+hex.EncodeToString(sum[:]) != f.Digest {
		return "", unfit(nil, "a file of the skill is not what its entry says")
	}
	return data, nil
}
