package own

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/ability"
	"showhow/daemon/connector"
	"showhow/daemon/connector/door"
	"showhow/daemon/imports"
	"showhow/daemon/journal"
	"showhow/daemon/mcp/question"
	"showhow/daemon/mcp/skills"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Abilities is the part of *ability.Service that agents use.
type Abilities interface {
	Listed(ctx context.Context) ([]ability.AvailabilityEntry, error)
	Availability(ctx context.Context) (ability.AvailabilitySnapshot, error)
	AvailabilityOf(ctx context.Context, id string) (ability.AvailabilityEntry, error)
	Open(ctx context.Context, id string, agents []string) (skill.Bundle, ability.AvailabilityEntry, error)
	Lookup(ctx context.Context, q ability.LookupQuery) (ability.LookupResult, error)
	NoteLookup(by ability.Reporter, found []ability.LookupMatch)
	NoteOpened(ctx context.Context, by ability.Reporter, name string) error
	ExplainMatch(ctx context.Context, r ability.ExplainMatchRequest) (ability.ExplainMatchResponse, error)
	VerifyCheckpoint(ctx context.Context, r ability.VerifyCheckpointRequest, by ability.Reporter) (journal.CheckpointReceipt, error)
	Progress(ctx context.Context, reporter string, r wire.ProgressRequest) (wire.DispatchProgress, error)
}

// Imports is the part of *imports.Service that proposals use.
type Imports interface {
	Proposers(ctx context.Context) ([]string, error)
	Upload(ctx context.Context, m imports.Meta, b imports.Bundle, meta func() (imports.UploadMetadata, error)) (imports.UploadResponse, error)
	Scan(ctx context.Context, m imports.Meta, r imports.ScanRequest) (imports.ScanResponse, error)
	Stage(ctx context.Context, m imports.Meta, r imports.StageRequest) (imports.StageResponse, error)
}

// Options is what a House stands on.
type Options struct {
	Abilities Abilities
	Imports   Imports
	Questions *question.Desk
	// Files reports whether an agent with these names gets skills as copies only: its lists are empty here. Nil: none does.
	Files func(names []string) bool
	Notes Notes // may be nil
	// Documents and PDF may be nil.
	Documents Documents
	PDF       PDF
	Outlook   Outlook // may be nil
	// Record commits a receipt and its event together; nil: none are kept.
	Record Record
	// Instructs returns the rules by which a text gives an agent orders; nil: nobody checks.
	Instructs func(text string) []string
	Redact    func(string) string // removes secrets from what an agent says to the person
}

// Record commits what a function writes into the journal.
type Record func(ctx context.Context, fn func(journal.Writer) error) error

// House is what Showhow offers; it implements door.Own.
type House struct {
	o     Options
	shelf *skills.Shelf
	tools []tool
	// asking are the definitions of the tools that ask, made when they are first needed
	asking func() ([]connector.Definition, error)

	proposing sync.Mutex // held while a proposal is counted and brought in
	reading   sync.Mutex // held while a document is in memory
}

var _ door.Own = (*House)(nil)

// New makes a house.
func New(o Options) *House {
	h := &House{o: o, shelf: skills.New(source{o.Abilities, o.Files})}
	h.tools = slices.Concat(h.allTools(), h.noteTools(), h.wordTools(), h.documentTools(), outlookTools(o.Outlook, o.Record))
	h.asking = sync.OnceValues(h.define)
	return h
}

// Declare implements door.Own.
func (h *House) Declare(c *mcp.ServerCapabilities) { skills.Declare(c) }

// Attach implements door.Own.
func (h *House) Attach(s *mcp.Server, g door.Guest) (params func(method string) any, err error) {
	return skills.Params, h.shelf.For(g.Names).Attach(s)
}

// source is the installed abilities as the shelf reads them.
type source struct {
	abilities Abilities
	files     func(names []string) bool
}

func (s source) Usable(ctx context.Context, agents []string) ([]skills.Ref, error) {
	copies := s.files != nil && s.files(agents)
	all, err := s.abilities.Listed(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]skills.Ref, 0, len(all))
	for _, e := range all {
		if copies && !e.BuiltIn { // of what comes with Showhow there are no copies
			continue
		}
		if e, there := e.For(agents); there && e.UsableNow {
			out = append(out, skills.Ref{Name: e.SkillSlug, Hash: e.ApprovedHash})
		}
	}
	return out, nil
}

func (s source) Open(ctx context.Context, name string, agents []string) (skill.Bundle, error) {
	b, e, err := s.abilities.Open(ctx, name, agents)
	if err == nil && e.SkillSlug != name { // it was named by its id
		err = fault.New(fault.AbilityNotFound, "there is no such skill")
	}
	return b, err
}

// Resources implements door.Own.
func (h *House) Resources(ctx context.Context, g door.Guest, cursor string) ([]*mcp.Resource, string, error) {
	return h.shelf.For(g.Names).Resources(ctx, cursor)
}

// template is the form of a skill file's URI.
const template = skills.Scheme + "{name}/{+path}"

// Templates implements door.Own.
func (h *House) Templates() []*mcp.ResourceTemplate {
	return []*mcp.ResourceTemplate{{URITemplate: template, Name: "skill-file", Title: "A file of a skill",
		Description: "name: a skill that you may use; path: SKILL.md, or a file that it refers to"}}
}

// Read implements door.Own.
func (h *House) Read(ctx context.Context, g door.Guest, uri string) (*mcp.ReadResourceResult, bool, error) {
	if !skills.IsSkill(uri) {
		return nil, false, nil
	}
	res, err := h.shelf.For(g.Names).Read(ctx, uri)
	if err == nil {
		name, _, _ := strings.Cut(strings.TrimPrefix(uri, skills.Scheme), "/")
		err = h.opened(ctx, g, name)
	}
	return res, true, err
}

// seen is a skill as a guest sees it.
func (h *House) seen(ctx context.Context, g door.Guest, id string) (ability.AvailabilityEntry, error) {
	e, err := h.o.Abilities.AvailabilityOf(ctx, id)
	if err != nil {
		return e, err
	}
	e, there := e.For(g.Names)
	if !there {
		return e, fault.New(fault.AbilityNotFound, "there is no such ability")
	}
	return e, nil
}

// opened notes that an agent got a skill's files: it follows the skill.
func (h *House) opened(ctx context.Context, g door.Guest, name string) error {
	if err := h.o.Abilities.NoteOpened(ctx, reporterOf(g), name); err != nil {
		return protocol(err)
	}
	return nil
}

// requestArgument is the one argument of a skill's prompt.
const requestArgument = "request"

// Prompts implements door.Own: each usable skill is a prompt.
func (h *House) Prompts(ctx context.Context, g door.Guest) ([]*mcp.Prompt, error) {
	all, err := h.o.Abilities.Listed(ctx)
	if err != nil {
		return nil, protocol(err)
	}
	about, err := h.shelf.For(g.Names).Descriptions(ctx)
	if err != nil {
		return nil, err
	}
	out := []*mcp.Prompt{}
	for _, e := range all {
		if d, served := about[e.SkillSlug]; served {
			out = append(out, &mcp.Prompt{Name: e.SkillSlug, Title: e.Title, Description: d,
				Arguments: []*mcp.PromptArgument{{Name: requestArgument, Description: "what is to be done this time"}}})
		}
	}
	return out, nil
}

// Prompt implements door.Own.
func (h *House) Prompt(ctx context.Context, g door.Guest, p *mcp.GetPromptParams) (*mcp.GetPromptResult, bool, error) {
	if strings.Contains(p.Name, "__") { // a connector's
		return nil, false, nil
	}
	view := h.shelf.For(g.Names)
	res, err := view.Read(ctx, skills.Scheme+p.Name+"/"+skill.Entry)
	if err != nil {
		return nil, true, err
	}
	if err := h.opened(ctx, g, p.Name); err != nil {
		return nil, true, err
	}
	says := "Follow the skill “" + p.Name + "”, whose SKILL.md is below. Its other files are read as resources beside it."
	if r := strings.TrimSpace(p.Arguments[requestArgument]); r != "" {
		says += "\n\nWhat is to be done: " + r
	}
	return &mcp.GetPromptResult{Description: "Follow the skill " + p.Name, Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: says}},
		{Role: "user", Content: &mcp.EmbeddedResource{Resource: res.Contents[0]}}}}, true, nil
}

// mostCompletions is how many values an answer may hold (MCP).
const mostCompletions = 100

// Complete implements door.Own: names and files of skills, and what a skill's prompt may be asked for.
func (h *House) Complete(ctx context.Context, g door.Guest, p *mcp.CompleteParams) (*mcp.CompleteResult, bool, error) {
	view, typed := h.shelf.For(g.Names), p.Argument.Value
	var all []string
	var err error
	switch {
	case p.Ref.Type == "ref/resource" && p.Ref.URI == template:
		switch p.Argument.Name {
		case "name":
			all, err = view.Names(ctx, typed)
		case "path":
			if p.Context == nil || p.Context.Arguments["name"] == "" {
				all = []string{skill.Entry}
				break
			}
			all, err = view.Paths(ctx, p.Context.Arguments["name"], typed)
		}
	case p.Ref.Type == "ref/prompt" && !strings.Contains(p.Ref.Name, "__"):
		var e ability.AvailabilityEntry
		if e, err = h.seen(ctx, g, p.Ref.Name); err == nil && e.UsableNow && p.Argument.Name == requestArgument {
			for _, t := range e.TriggerPhrases {
				if strings.HasPrefix(strings.ToLower(t), strings.ToLower(typed)) {
					all = append(all, t)
				}
			}
		}
		if err != nil {
			err = protocol(err)
		}
	default:
		return nil, false, nil
	}
	if err != nil {
		return nil, true, err
	}
	res := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Total: len(all), HasMore: len(all) > mostCompletions,
		Values: slices.Clone(all[:min(len(all), mostCompletions)])}}
	if res.Completion.Values == nil {
		res.Completion.Values = []string{}
	}
	res.ResultType = "complete"
	return res, true, nil
}

// protocol converts a fault into a protocol error.
func protocol(err error) error {
	f := fault.From(err)
	e := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: string(f.Code) + ": " + f.Message}
	if f.Code == fault.AbilityNotFound || f.Code == fault.InvalidRequest {
		e.Code, e.Message = jsonrpc.CodeInvalidParams, f.Message
	}
	e.Data, _ = json.Marshal(map[string]string{"code": string(f.Code)})
	return e
}
