//go:build linux

package agents

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// agent is one of the agents as npm delivers it.
type agent struct {
	name    string
	program string   // below node_modules
	args    []string // that perform one task without a person
	serve   []string // that start what serves it
	env     func(m *model, d *desk) []string
	config  map[string]string // its own files below the home, by name; MODEL is the endpoint's address
	// steps are the model's answers after n results. They read the skill, run a command, look a skill up at the door, and call
	// a tool that the person denies.
	steps []turn
	show  turn // reads the skill at the door
	// hidden says that the model finds the tools of MCP servers by searching only.
	hidden bool
}

const task = "How many parcels arrived?"

var shown = map[string]any{"skill": "count-the-parcels", "file": "SKILL.md"}

var claudeCode = agent{name: "claude-code", program: "@anthropic-ai/claude-code-linux-x64/claude",
	args: []string{"-p", task, "--output-format", "json", "--allowedTools", "Bash Skill mcp__showhow"},
	env: func(m *model, _ *desk) []string {
		return []string{"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
	},
	config: map[string]string{".claude/settings.json": "{\n  \"includeCoAuthoredBy\": false\n}\n"},
	hidden: true,
	steps: []turn{
		{Tool: "Skill", Input: map[string]any{"skill": "count-the-parcels"}},
		{Tool: "Bash", Input: map[string]any{"command": "ls parcels | wc -l", "description": "count"}},
		{Tool: "ToolSearch", Input: map[string]any{
			"query": "select:mcp__showhow__lookup_skills,mcp__showhow__show_skill,mcp__showhow__depot__burn"}},
		{Tool: "mcp__showhow__lookup_skills", Input: map[string]any{"task": "count the parcels"}},
		{Tool: "mcp__showhow__depot__burn", Input: map[string]any{}},
	},
	show: turn{Tool: "mcp__showhow__show_skill", Input: shown}}

var codex = agent{name: "codex", program: "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
	// A person trusts a hook in /hooks once; there is nobody here.
	args: []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", task},
	env:  func(_ *model, d *desk) []string { return []string{"CODEX_HOME=" + filepath.Join(d.home, ".codex")} },
	config: map[string]string{".codex/config.toml": `model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "MODEL/v1"
wire_api = "responses"
`},
	steps: []turn{
		{Tool: "exec_command", Input: map[string]any{"cmd": "cat ~/.agents/skills/count-the-parcels/SKILL.md"}},
		{Tool: "exec_command", Input: map[string]any{"cmd": "ls parcels | wc -l"}},
		{Tool: "mcp__showhow.lookup_skills", Input: map[string]any{"task": "count the parcels"}},
		{Tool: "mcp__showhow.depot__burn", Input: map[string]any{}},
	},
	show: turn{Tool: "mcp__showhow.show_skill", Input: shown}}

var openClaw = agent{name: "openclaw", program: ".bin/openclaw",
	args: []string{"agent", "--agent", "main", "--message", task, "--json"},
	env:  func(_ *model, d *desk) []string { return []string{"OPENCLAW_GATEWAY_PORT=" + d.port} },
	// Only the gateway loads plugins, and so the hook: an embedded turn (--local) loads none.
	serve: []string{"gateway", "run"},
	config: map[string]string{".openclaw/openclaw.json": `{
  "gateway": {
    "mode": "local",
    "auth": {
      "mode": "token",
      "token": "none"
    }
  },
  "models": {
    "providers": {
      "scripted": {
        "baseUrl": "MODEL",
        "apiKey": "none",
        "api": "anthropic-messages",
        "models": [
          {
            "id": "m",
            "name": "m",
            "contextWindow": 200000,
            "maxTokens": 8000
          }
        ]
      }
    }
  },
  "agents": {
    "defaults": {
      "model": {
        "primary": "scripted/m"
      }
    }
  }
}
`},
	hidden: true,
	steps: []turn{
		{Tool: "read", Input: map[string]any{"path": "~/.openclaw/workspace/skills/count-the-parcels/SKILL.md"}},
		{Tool: "exec", Input: map[string]any{"command": "ls DEPOT/parcels | wc -l"}},
		{Tool: "tool_search", Input: map[string]any{"query": "showhow lookup skills"}},
		{Tool: "tool_call", Input: map[string]any{"id": "mcp:showhow:showhow__lookup_skills",
			"args": map[string]any{"task": "count the parcels"}}},
		{Tool: "tool_call", Input: map[string]any{"id": "mcp:showhow:showhow__depot__burn", "args": map[string]any{}}},
	},
	show: turn{Tool: "tool_call", Input: map[string]any{"id": "mcp:showhow:showhow__show_skill", "args": shown}}}

func TestClaudeCode(t *testing.T) { claudeCode.test(t) }
func TestCodex(t *testing.T)      { codex.test(t) }
func TestOpenClaw(t *testing.T)   { openClaw.test(t) }

func TestClaudeCodeOverMCP(t *testing.T) { claudeCode.testMCP(t) }
func TestCodexOverMCP(t *testing.T)      { codex.testMCP(t) }
func TestOpenClawOverMCP(t *testing.T)   { openClaw.testMCP(t) }

// begin writes the agent's configuration and connects it to Showhow.
func (a agent) begin(d *desk, m *model) (program string, config map[string]string) {
	config = map[string]string{}
	for name, text := range a.config {
		config[name] = strings.ReplaceAll(text, "MODEL", m.url)
		d.write(name, config[name])
	}
	d.showhow("agent", "connect", a.name, "--yes")
	program = filepath.Join(d.npm, a.program)
	d.t.Log(lastLine(d.runs(a.env(m, d), program, "--version")))
	return program, config
}

// works performs the task and returns what the agent printed.
func (a agent) works(d *desk, m *model, program string) string {
	if a.serve != nil {
		d.serves(a.env(m, d), program, a.serve...)
	}
	out := d.runs(a.env(m, d), program, a.args...)
	if !strings.Contains(out, "Three parcels arrived.") {
		d.t.Errorf("the agent does not say it:\n%s", out)
	}
	return out
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// script answers with one step after another.
func script(steps []turn) func(call) turn {
	return func(c call) turn {
		if n := len(c.Results); n < len(steps) {
			return steps[n]
		}
		return turn{Text: "Three parcels arrived."}
	}
}

// testMCP lets an agent that has no copies look a skill up and read it at the door. None of the three takes skills from
// skills/list or from resources by itself; if one does, its model is offered the skill and this test tells.
func (a agent) testMCP(t *testing.T) {
	d := newDesk(t, "mcp")
	var steps []turn
	for _, s := range a.steps {
		b, _ := json.Marshal(s.Input)
		if name := s.Tool + string(b); strings.Contains(name, "lookup_skills") || strings.Contains(s.Tool, "earch") {
			steps = append(steps, s)
		}
	}
	m := newModel(t, script(append(steps, a.show)))
	program, _ := a.begin(d, m)
	a.works(d, m, program)
	calls := m.worked()
	first, last := calls[0], calls[len(calls)-1]
	if strings.Contains(first.Text, "Counts the parcels of a depot") {
		t.Error("the agent takes skills over MCP now: say so in docs/agents.md")
	}
	if len(last.Results) == 0 || !strings.Contains(last.Results[len(last.Results)-1], "KUMQUAT") {
		t.Errorf("the skill is not read: %q of %v", last.Results, last.Tools)
	}
}

// test lets an agent perform a task: its model is offered the skill and reads it; the hook delivers receipts; the door's
// tools arrive; what a person denies does not happen; and uninstalling leaves the agent's files as they were.
func (a agent) test(t *testing.T) {
	d := newDesk(t, "both")
	burnt := d.service("depot", "burn")
	m := newModel(t, script(a.steps))
	program, config := a.begin(d, m)
	d.showhow("agent", "hook", "install", a.name)
	_, err := d.c.SetJournal(t.Context(), a.name, true)
	must(t, err)
	denied := d.denies()
	a.works(d, m, program)
	calls := m.worked()
	if len(calls) < len(a.steps)+1 {
		t.Fatalf("%d requests to the model; the last:\n%+v", len(calls), calls[len(calls)-1])
	}
	first, last := calls[0], calls[len(calls)-1]
	if !strings.Contains(first.Text, "Counts the parcels of a depot") {
		t.Errorf("the skill is not offered:\n%s", first.Text)
	}
	if strings.Contains(first.Text, "KUMQUAT") || !strings.Contains(last.Text, "KUMQUAT") {
		t.Error("the skill was not read, or before it was wanted")
	}
	if !a.hidden && first.offers("showhow") == "" {
		t.Errorf("the door's tools are not offered: %v", first.Tools)
	}
	if found := last.Results[len(last.Results)-2]; !strings.Contains(strings.ReplaceAll(found, `\`, ""), `"skill_slug":"count-the-parcels"`) {
		t.Errorf("looked up: %s", found)
	}
	if burnt.Load() > 0 || denied.Load() == 0 {
		t.Errorf("%d calls went through although a person denied them: %s", burnt.Load(), last.Results[len(last.Results)-1])
	}
	if runs := d.showhow("agent", "journal", "list"); !strings.Contains(runs, a.name) {
		t.Errorf("no receipts: %s", runs)
	}

	d.showhow("uninstall", "--keep-data")
	for name, before := range config {
		if after := d.read(name); after != before {
			t.Errorf("%s before\n%s\nafter\n%s", name, before, after)
		}
	}
	for _, name := range []string{".claude/skills/count-the-parcels", ".agents/skills/count-the-parcels",
		".openclaw/workspace/skills/count-the-parcels", ".openclaw/extensions/showhow", ".codex/hooks.json"} {
		if _, err := os.Lstat(filepath.Join(d.home, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	if t.Failed() {
		for i, c := range calls {
			t.Log(fmt.Sprint(i), c.Tools, c.Results)
		}
	}
}
