package door

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/internal/fault"
)

// Guest is an agent at the door.
type Guest struct {
	Agent    string   // its name in policies
	Names    []string // by which a person's approval may name it; empty: it was not identified
	Reporter string   // tells apart who follows an ability
	Owner    string   // tells apart whose documents those are
	Remote   bool     // it is on another computer: what is the person's own is not for it
	OwnOnly  bool     // it has what Showhow itself offers, and no connected service
	Project  string   // a name of the project that it says it works for; "" for none
}

// Own is what Showhow itself offers at the door, beside the connectors.
type Own interface {
	// Declare adds to what the server declares, Attach to the methods that it understands. params returns where the params of
	// such a method belong, nil for one that is not among them.
	Declare(c *mcp.ServerCapabilities)
	Attach(s *mcp.Server, g Guest) (params func(method string) any, err error)
	// Tools lists the tools that a guest has. Call answers known false for another name.
	Tools(g Guest) ([]*mcp.Tool, error)
	Call(ctx context.Context, g Guest, req *mcp.CallToolRequest, name string, args json.RawMessage) (res *mcp.CallToolResult, known bool)
	// Asking are the tools that run only with a person's approval, as agents see them. Call refuses these: they are
	// prepared, and done once they are allowed.
	Asking() ([]connector.Definition, error)
	// Prepare checks a call of such a tool, and changes nothing.
	Prepare(ctx context.Context, g Guest, name string, args json.RawMessage) (Deed, error)
	// Resources lists a page; more is the cursor of the next. Read and Complete answer known false for what is not theirs.
	Resources(ctx context.Context, g Guest, cursor string) (page []*mcp.Resource, more string, err error)
	Templates() []*mcp.ResourceTemplate
	Read(ctx context.Context, g Guest, uri string) (res *mcp.ReadResourceResult, known bool, err error)
	Prompts(ctx context.Context, g Guest) ([]*mcp.Prompt, error)
	Prompt(ctx context.Context, g Guest, p *mcp.GetPromptParams) (res *mcp.GetPromptResult, known bool, err error)
	Complete(ctx context.Context, g Guest, p *mcp.CompleteParams) (res *mcp.CompleteResult, known bool, err error)
}

// Deed is what a tool of Showhow's own would do.
type Deed struct {
	About []string        // what the arguments stand for and what would come of it, for the person who decides
	Shown json.RawMessage // the arguments as they are shown to them, without a password; nil: all of them as they are
	Do    func(ctx context.Context) (*mcp.CallToolResult, error)
}

// roomOf is the room of a guest. The name of a project that has no binding opens no room of its own, and neither does
// one that a guest names who was not identified: an approval for it would cover everybody who is not.
func roomOf(ctx context.Context, o Options, g Guest, server string) room {
	project := ""
	if len(g.Names) > 0 {
		var err error
		if project, err = o.Desk.Project(ctx, g.Project); err != nil {
			o.Log.Warn("the project that an agent works for is not known", "code", string(fault.CodeOf(err)))
		}
	}
	return room{agent: g.Agent, names: strings.Join(g.Names, "\x00"), reporter: g.Reporter, owner: g.Owner, project: project,
		server: server, remote: g.Remote, ownOnly: g.OwnOnly}
}

// guest is who is in the room.
func (k room) guest() Guest {
	g := Guest{Agent: k.agent, Names: []string{}, Reporter: k.reporter, Owner: k.owner, Project: k.project, Remote: k.remote,
		OwnOnly: k.ownOnly}
	if k.names != "" {
		g.Names = strings.Split(k.names, "\x00")
	}
	return g
}

// own is what Showhow offers in the room: nothing in the room of one connector, nor to itself.
func (d *Door) own(k room) (Own, bool) {
	return d.o.Own, d.o.Own != nil && k.server == "" && !k.own
}

// SkillsChanged tells agents that what they may use has changed.
func (d *Door) SkillsChanged() {
	for _, s := range d.rooms.servers(func(k room) bool { _, ok := d.own(k); return ok }) {
		notifyListChanged(s, listResources, listPrompts)
	}
}

// Lists whose change is announced.
const (
	listTools = iota
	listResources
	listPrompts
)

// notifyListChanged sends a list-changed notification. The SDK sends it when its own list changes; ours replaces that list.
func notifyListChanged(s *mcp.Server, lists ...int) {
	for _, l := range lists {
		switch l {
		case listTools:
			s.AddTool(&mcp.Tool{Name: "none", InputSchema: map[string]any{"type": "object"}}, nil)
			s.RemoveTools("none")
		case listResources:
			s.AddResource(&mcp.Resource{URI: "showhow:none", Name: "none"}, nil)
			s.RemoveResources("showhow:none")
		case listPrompts:
			s.AddPrompt(&mcp.Prompt{Name: "none"}, nil)
			s.RemovePrompts("none")
		}
	}
}
