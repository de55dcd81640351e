package door

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/registry"
	"showhow/internal/fault"
	"showhow/internal/lang"
)

// catalogue is the connectors' tools, as agents list and name them.
type catalogue struct {
	registry *registry.Registry
	reader   reader

	mu      sync.Mutex
	index   *index              // nil after a change in the registry
	changes int                 // of what is registered, since the start
	read    map[string][]string // the rules by which definitions give orders, by the definitions' hashes
}

// forget forgets what was listed: something is registered otherwise.
func (c *catalogue) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.index = nil
	c.changes++
}

// index is everything that is registered, ready to be listed.
type index struct {
	all    []entry
	byName map[string]int
}

type entry struct {
	server *connector.Server
	def    *connector.Definition
	name   string          // at the door
	tool   json.RawMessage // its definition, as agents read it
	words  []string
}

// told is the part of a definition that agents read.
func (e entry) told() connector.Told { return (&connector.Definition{Tool: e.tool}).Told() }

// shown is an entry as one agent may use it.
type shown struct {
	entry
	mode string
}

// current returns the index of what is registered now.
func (c *catalogue) current(ctx context.Context) (*index, error) {
	c.mu.Lock()
	x, change, known := c.index, c.changes, c.read
	c.mu.Unlock()
	if x != nil {
		return x, nil
	}
	all, err := c.registry.Servers(ctx)
	if err != nil {
		return nil, err
	}
	x = &index{byName: map[string]int{}}
	read := map[string][]string{}
	for _, s := range all {
		if !s.Entry.Enabled || !s.Entry.ActiveBuildSurface || s.ID() == connector.Self {
			continue
		}
		for i := range s.Tools {
			def := &s.Tools[i]
			name := connector.DoorName(s.ID(), def.Name)
			if _, taken := x.byName[name]; taken || !registry.Visible(s, def) {
				continue
			}
			orders, ok := known[def.Hash]
			if !ok {
				orders = c.reader.instructs(def.Texts())
			}
			read[def.Hash] = orders
			e := entry{server: s, def: def, name: name, tool: c.reader.tool(s.ID(), def, orders)}
			told := e.told()
			e.words = lang.Words(strings.Join([]string{s.Entry.DisplayName, strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(def.Name),
				told.Title, told.Description}, " "))
			x.byName[name] = len(x.all)
			x.all = append(x.all, e)
		}
	}
	c.mu.Lock()
	if c.changes == change { // else it is of before
		c.index, c.read = x, read
	}
	c.mu.Unlock()
	return x, nil
}

// readSwitches makes Decide know what a person turned off: the registry reads its store when it is first asked what it has.
func (c *catalogue) readSwitches(ctx context.Context) error {
	_, err := c.registry.Servers(ctx)
	return err
}

// visible lists what an agent may use.
func (c *catalogue) visible(ctx context.Context, k room) ([]shown, error) {
	x, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	var out []shown
	for i := range x.all {
		if v, ok := c.visibleTo(k, x.all[i]); ok {
			out = append(out, v)
		}
	}
	return out, nil
}

// visibleTo is an entry as the agent in a room may use it; false if it may not.
func (c *catalogue) visibleTo(k room, e entry) (shown, bool) {
	if k.ownOnly || k.server != "" && e.server.ID() != k.server {
		return shown{}, false
	}
	mode := c.registry.Decide(e.server, e.def, k.agent, nil).Mode
	return shown{e, mode}, mode != connector.Disabled
}

// lookUp returns the tool that has a name in a room, whether or not the agent is shown it.
func (c *catalogue) lookUp(ctx context.Context, k room, name string) (entry, bool, error) {
	x, err := c.current(ctx)
	if err != nil {
		return entry{}, false, err
	}
	if k.server != "" {
		name = connector.DoorName(k.server, name)
	}
	i, ok := x.byName[name]
	if !ok {
		return entry{}, false, nil
	}
	return x.all[i], true, nil
}

// named returns the tool that an agent names.
func (c *catalogue) named(ctx context.Context, k room, name string) (shown, bool, error) {
	e, ok, err := c.lookUp(ctx, k, name)
	if err != nil || !ok {
		return shown{}, false, err
	}
	v, ok := c.visibleTo(k, e)
	return v, ok, nil
}

type found struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Asks        bool            `json:"asks_a_person,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// find searches tools by words: a tool's score is how many of them it contains, those in its name counted twice.
func (c *catalogue) find(ctx context.Context, k room, args json.RawMessage) (*mcp.CallToolResult, error) {
	var q struct {
		Query string `json:"query"`
		Limit int    `json:"limit"`
	}
	if json.Unmarshal(args, &q) != nil || q.Query == "" {
		return Refused(fault.New(fault.InvalidRequest, "say what you look for")), nil
	}
	if q.Limit < 1 || q.Limit > 50 {
		q.Limit = 10
	}
	seen, err := c.visible(ctx, k)
	if err != nil {
		return nil, failed(err)
	}
	want := lang.Words(q.Query)
	type hit struct {
		shown
		score int
	}
	var hits []hit
	for _, v := range seen {
		score := 0
		for _, w := range want {
			if slices.Contains(v.words, w) {
				score += 2
			} else if len(w) > 3 && slices.ContainsFunc(v.words, func(o string) bool { return strings.HasPrefix(o, w[:len(w)-1]) }) {
				score++
			}
			if strings.Contains(strings.ToLower(v.name), w) {
				score += 2
			}
		}
		if score > 0 {
			hits = append(hits, hit{v, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.score - a.score })
	out := struct {
		Tools []found `json:"tools"`
		Total int     `json:"total"`
	}{Tools: []found{}, Total: len(hits)}
	for _, h := range hits[:min(len(hits), q.Limit)] {
		told := h.told()
		out.Tools = append(out.Tools, found{Name: h.name, Description: told.Description, Asks: h.mode == connector.Ask,
			InputSchema: told.InputSchema})
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, failed(err)
	}
	return Whole(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(b)}},
		StructuredContent: json.RawMessage(b)}), nil
}
