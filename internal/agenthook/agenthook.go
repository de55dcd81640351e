// Package agenthook adds Showhow's hook to an agent's own settings, and removes exactly that again.
//
// Claude Code and Codex read hooks from a JSON file: our entries are added beside the existing content, which keeps
// its order and its text; only white space may change. The first time, the original file is kept beside it
// (NAME.before-showhow). OpenClaw runs plugins: ours is a folder of three files, and
// an entry in its configuration without which it would not be loaded. A file that is not JSON, a folder
// with other content, and an agent that is not set up on this machine are refused, never touched.
//
// Guarantees: a file is replaced atomically; if somebody changed it meanwhile, it is read again. Installing is
// idempotent. Remove removes what Install added, also after the person edited the rest, and the kept copy.
//
// Not guaranteed: that the agent obeys. Codex asks the person to trust a new hook, OpenClaw has to be restarted:
// Plan.Next.
//
// To test against it: an Env with a home of your own.
package agenthook

import (
	"os"
	"path/filepath"
	"strings"

	"showhow/internal/fault"
)

// Names are the agents whose settings we can edit.
var Names = []string{"claude-code", "codex", "openclaw"}

// Env locates an installation.
type Env struct {
	Home    string
	Exe     string            // showhow
	Hook    string            // showhow-hook; "" where it is missing: `showhow hook` does the same, more slowly
	MarkDir string            // where a mark says that receipts are wanted (receipts.Dir)
	Vars    map[string]string // of the environment, for `showhow mcp`: Codex and OpenClaw pass on little more than PATH and HOME
	Dirs    map[string]string // an agent's own folder when it is not the usual one
}

// Plan is one agent's hook: where it goes and what it is.
type Plan struct {
	Agent   string
	Path    string // the file that gets our entries, or the folder that is ours
	Snippet string // what goes there, as a person would write it
	Next    string // what the person has to do for it to take effect

	dir    string   // the agent's own folder, which must exist
	call   []string // the hook's program and its arguments before the agent's name
	events []event
	files  map[string]string // of a folder that is ours
	enable *Door             // the entry by which the agent loads that folder
}

// event is one of the agent's hook events that we subscribe to. matcher "-" means that the event takes none.
type event struct{ name, matcher string }

// States of a hook.
const (
	Present = "present" // as Install writes it
	Changed = "changed" // ours, but edited or of another version
	Gone    = "gone"
)

// For returns the plan for an agent.
func For(agent string, e Env) (Plan, error) {
	dir := func(usual string) string {
		if d := e.Dirs[agent]; d != "" {
			return d
		}
		return filepath.Join(e.Home, usual)
	}
	p := Plan{Agent: agent, call: e.call()}
	switch agent {
	case "claude-code":
		p.dir = dir(".claude")
		p.Path = filepath.Join(p.dir, "settings.json")
		p.events = []event{{"PostToolUse", "*"}, {"PostToolUseFailure", "*"}, {"SessionEnd", "-"}}
		p.Next = "it takes effect in the next session of Claude Code"
	case "codex":
		p.dir = dir(".codex")
		p.Path = filepath.Join(p.dir, "hooks.json")
		p.events = []event{{"PostToolUse", "*"}, {"SessionEnd", "-"}}
		p.Next = "open /hooks in Codex and trust it: Codex skips a hook that you have not looked at"
	case "openclaw":
		p.dir = dir(".openclaw")
		p.Path = filepath.Join(p.dir, "extensions", "showhow")
		p.files, p.enable = plugin(e), enabled(p.dir)
		p.Next = "restart OpenClaw: openclaw gateway restart"
	default:
		return Plan{}, fault.New(fault.NotFound, "no settings of this agent are known").
			WithHint("known: " + strings.Join(Names, ", ") + "; for another, have it run `showhow hook generic --agent NAME` after each tool call")
	}
	p.Snippet = p.snippet()
	return p, nil
}

// Beside returns the hook's program beside showhow, or "" if there is none that can be trusted as much as showhow: agents
// run it after every tool call.
func Beside(showhow string) string {
	hook := filepath.Join(filepath.Dir(showhow), hookProgram+filepath.Ext(showhow))
	fi, err := os.Lstat(hook)
	own, err2 := os.Stat(showhow)
	if err != nil || err2 != nil || !fi.Mode().IsRegular() || !asTrusted(fi, own) {
		return ""
	}
	return hook
}

const hookProgram = "showhow-hook"

func (e Env) call() []string {
	if e.Hook != "" {
		return []string{e.Hook}
	}
	return []string{e.Exe, "hook"}
}

// command is what the agent runs.
func (p Plan) command() string {
	return strings.Join(append(append([]string{quote(p.call[0])}, p.call[1:]...), p.Agent), " ")
}

// quote quotes a program's path for a shell.
func quote(path string) string {
	if strings.IndexFunc(path, func(r rune) bool {
		return !(r == '/' || r == '.' || r == '-' || r == '_' || r == '\\' || r == ':' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' ||
			r >= 'A' && r <= 'Z')
	}) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// Install adds the hook and returns the paths it created: the ledger's proof that Remove may delete them.
func (p Plan) Install() (made []string, err error) {
	if fi, err := os.Stat(p.dir); err != nil || !fi.IsDir() {
		return nil, fault.New(fault.NotFound, "this agent is not set up here: its folder is missing").
			WithHint("start the agent once, or name its folder as it does (CLAUDE_CONFIG_DIR, CODEX_HOME, OPENCLAW_STATE_DIR)")
	}
	if p.files != nil {
		return p.installPlugin()
	}
	return p.installEntries()
}

// Remove removes the hook.
func (p Plan) Remove() error {
	if p.files != nil {
		return p.removePlugin()
	}
	return p.removeEntries()
}

// State returns the hook's current state.
func (p Plan) State() string {
	if p.files != nil {
		return p.pluginState()
	}
	return p.entriesState()
}
