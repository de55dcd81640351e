package agenthook

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/pelletier/go-toml/v2"

	"showhow/internal/fault"
)

// Door is the entry of Showhow's MCP server in an agent's own configuration.
type Door struct {
	Agent   string
	Path    string // the agent's configuration
	Snippet string // what goes there
	Next    string // what the person has to do for it to take effect

	plan    Plan
	server  bool     // our entry is an MCP server; others may have one of its name
	members []string // that lead to our entry in a JSON file; none: a TOML file
	value   jsontext.Value
}

// doorName is the server's name in the configuration.
const doorName = "showhow"

// tomlHead is the header of our table in Codex's configuration.
const tomlHead = "[mcp_servers." + doorName + "]"

// tomlBelow begins the headers of tables below ours, which Codex may add.
const tomlBelow = "[mcp_servers." + doorName + "."

// server is the door in an agent's JSON.
type server struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// DoorFor returns the door of an agent.
func DoorFor(agent string, e Env) (Door, error) {
	value, err := json.Marshal(server{e.Exe, []string{"mcp"}, e.Vars}, json.Deterministic(true))
	if err != nil {
		return Door{}, err
	}
	d := Door{Agent: agent, value: value, server: true}
	in := func(usual, name string) string {
		if dir := e.Dirs[agent]; dir != "" {
			return filepath.Join(dir, name)
		}
		return filepath.Join(e.Home, usual, name)
	}
	switch agent {
	case "claude-code":
		d.Path, d.members = in("", ".claude.json"), []string{"mcpServers", doorName}
		d.Next = "it takes effect in the next session of Claude Code"
	case "openclaw":
		d.Path, d.members = in(".openclaw", "openclaw.json"), []string{"mcp", "servers", doorName}
		d.Next = "restart OpenClaw: openclaw gateway restart"
	case "codex":
		d.Path, d.Next = in(".codex", "config.toml"), "it takes effect in the next session of Codex"
		d.Snippet = tomlHead + "\ncommand = " + strconv.Quote(e.Exe) + "\nargs = [\"mcp\"]\n" + tomlVars(e.Vars)
	default:
		return Door{}, fault.New(fault.NotFound, "no configuration of this agent is known").
			WithHint("known: " + strings.Join(Names, ", ") + "; for another, name the command `showhow mcp` in its MCP configuration")
	}
	d.plan = Plan{Agent: agent, Path: d.Path, dir: filepath.Dir(d.Path)}
	if d.members != nil {
		root := object{}
		if err := nest(&root, d.members, d.value); err != nil {
			return d, err
		}
		d.Snippet = string(root.text("  ")) + "\n"
	}
	return d, nil
}

// tomlVars is the line with the variables.
func tomlVars(vars map[string]string) string {
	if len(vars) == 0 {
		return ""
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		value, _ := jsontext.AppendQuote(nil, vars[name]) // a JSON string is a TOML string
		pairs = append(pairs, name+" = "+string(value))
	}
	return "env = { " + strings.Join(pairs, ", ") + " }\n"
}

// nest sets a value below members, or removes it if nil; an object that becomes empty is removed too.
func nest(o *object, members []string, v jsontext.Value) error {
	if len(members) == 1 {
		o.set(members[0], v)
		return nil
	}
	inner := object{}
	if was := o.get(members[0]); was != nil {
		var err error
		if inner, err = parse(was); err != nil {
			return err
		}
	}
	if err := nest(&inner, members[1:], v); err != nil {
		return err
	}
	if len(inner) == 0 {
		o.set(members[0], nil)
		return nil
	}
	o.set(members[0], inner.text(""))
	return nil
}

// Connect adds the door to the configuration, beside the existing content, or replaces one in another form. It is idempotent,
// and replaces no entry of another's.
func (d Door) Connect() error {
	if d.members == nil {
		return d.rewrite(true)
	}
	return d.put(d.value)
}

// put sets our entry in a JSON file, or removes it if v is nil. The entry is looked at again where it is changed: somebody
// else may have changed it meanwhile.
func (d Door) put(v jsontext.Value) error {
	if d.server && d.Whose() == Another {
		return d.Refused()
	}
	_, err := d.plan.edit(func(o *object) error {
		if d.server && d.whoseIn(o.text("")) == Another {
			return d.Refused()
		}
		return nest(o, d.members, v)
	}, nil)
	return err
}

// Disconnect removes exactly that again. A missing entry is not an error; one of another's is.
func (d Door) Disconnect() error {
	if d.server && d.Whose() == Another {
		return d.Refused()
	}
	if !d.Connected() {
		return nil
	}
	if d.members == nil {
		if err := d.rewrite(false); err != nil {
			return err
		}
	} else if err := d.put(nil); err != nil {
		return err
	}
	fi, err := os.Lstat(d.Path)
	if b, _ := os.ReadFile(d.Path); err == nil && fi.Mode().IsRegular() && len(bytes.Trim(b, "{} \n")) == 0 {
		return os.Remove(d.Path) // there was nothing before ours
	}
	return nil
}

// Connected reports whether the configuration has the door, in whatever form.
func (d Door) Connected() bool {
	if d.server {
		w := d.Whose()
		return w == Exactly || w == Ours
	}
	b, err := os.ReadFile(d.Path)
	if err != nil {
		return false
	}
	o, err := parse(b)
	for _, m := range d.members {
		if err != nil {
			return false
		}
		v := o.get(m)
		if v == nil {
			return false
		}
		o, err = parse(v)
	}
	return err == nil
}

// withoutTable returns a TOML text without our table and the tables below it, and without the line break that Connect
// puts before it. Blank lines and comments stay: they may be of what follows.
func withoutTable(text string) string {
	var out, kept string
	ours := false
	for l := range strings.Lines(text) {
		line := strings.TrimSpace(l)
		if strings.HasPrefix(line, "[") {
			was := ours
			if ours = strings.HasPrefix(line, tomlHead) || strings.HasPrefix(line, tomlBelow); ours && !was {
				out = strings.TrimSuffix(out, "\n")
			}
		}
		switch {
		case !ours:
			out += kept + l
			kept = ""
		case line == "" || strings.HasPrefix(line, "#"):
			kept += l
		}
	}
	return out + kept
}

// rewrite adds our table to a TOML file, or removes it. It refuses to write anything that another reader would not take
// for the same content with and without our table.
func (d Door) rewrite(add bool) error {
	path := d.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if fi, err := os.Stat(filepath.Dir(path)); err != nil || !fi.IsDir() {
		return fault.New(fault.NotFound, "this agent is not set up here: its folder is missing").WithHint("start the agent once")
	}
	for range 5 { // somebody may be faster
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.Wrap(err, fault.InvalidRequest, "the agent's configuration cannot be read")
		}
		mode := fs.FileMode(0o600)
		if fi, err := os.Stat(path); err == nil {
			mode = fi.Mode().Perm()
		}
		if d.whoseIn(before) == Another {
			return d.Refused()
		}
		after := withoutTable(string(before))
		if add {
			if after != "" {
				after += "\n" // and no more: it is taken away again
			}
			after += d.Snippet
		}
		if !sameBut(string(before), after, add) {
			return fault.New(fault.InvalidRequest, "the agent's configuration could not be changed; it is as it was").
				WithHint("it must be valid TOML with `" + tomlHead + "` in no other form; `showhow agent connect codex` shows what to add by hand")
		}
		done, err := replace(path, before, err == nil, []byte(after), mode)
		if err != nil {
			return fault.Wrap(err, fault.StoreReadOnly, "the agent's configuration cannot be written")
		}
		if done {
			return nil
		}
	}
	return fault.New(fault.Internal, "the agent's configuration changes all the time").WithHint("end the agent and try again")
}

// sameBut reports whether two TOML texts are valid and mean the same but for our table, which the second one has or not.
func sameBut(before, after string, has bool) bool {
	without := func(text string) (m map[string]any, had, ok bool) {
		if toml.Unmarshal([]byte(text), &m) != nil {
			return nil, false, false
		}
		servers, _ := m["mcp_servers"].(map[string]any)
		_, had = servers[doorName]
		if delete(servers, doorName); len(servers) == 0 {
			delete(m, "mcp_servers")
		}
		return m, had, true
	}
	a, _, ok1 := without(before)
	b, had, ok2 := without(after)
	return ok1 && ok2 && had == has && (len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b))
}
