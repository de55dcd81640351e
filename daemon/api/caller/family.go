package caller

import (
	"slices"
	"strings"

	"showhow/adapters/receipts/report"
	"showhow/daemon/access"
)

// Families names the agents whose marks are on a process or above it, whose work a caller without a token may report.
// Running agents come first, the nearest foremost; a mark in an environment is inherited by whatever they start. The
// names are those under which hooks report (report.Known), or an agent's own name in lower case.
func (a *Ancestry) Families(p Peer) []string {
	process, err := a.procs.process(p.PID)
	if err != nil {
		return nil
	}
	registered := map[int]string{}
	if a.agents != nil {
		registered = a.agents()
	}
	var there, marked []string
	for range maxDepth {
		if process.pid == a.until {
			break
		}
		there = append(there, registered[process.pid])
		if slices.Contains(agentNames, process.name) {
			there = append(there, familyName(process.name))
		}
		for _, kv := range process.env {
			if name, value, _ := strings.Cut(kv, "="); value != "" && agentVariable(name) {
				marked = append(marked, familyOf(name, value))
			}
		}
		if process.ppid <= 1 {
			break
		}
		parent, err := a.parent(process)
		if err != nil || parent.started.After(process.started) {
			break
		}
		process = parent
	}
	if !a.stillThere(p) {
		return nil
	}
	var out []string
	for _, name := range append(there, marked...) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// stillThere reports whether the examined process was the caller, not a later one with its pid.
func (a *Ancestry) stillThere(p Peer) bool {
	process, err := a.procs.process(p.PID)
	return err == nil && a.same(p, process)
}

// familyName is the name under which an agent's hook reports.
func familyName(program string) string {
	if program == "claude" {
		return "claude-code"
	}
	return program
}

// KnownAgents names the callers that may come without a token: agents that are recognised, a person's own terminal, and an
// agent that is not recognised (Caller.Agent).
func KnownAgents() []string {
	out := []string{"terminal", "agent", "cline"}
	for _, program := range agentNames {
		out = append(out, familyName(program))
	}
	return out
}

// familyOf is the agent that sets a variable for its child processes; "" when the variable does not tell.
func familyOf(name, value string) string {
	switch {
	case name == "CLAUDECODE" || strings.HasPrefix(name, "CLAUDE_CODE_"):
		return "claude-code"
	case strings.HasPrefix(name, "CODEX_"):
		return "codex"
	case strings.HasPrefix(name, "OPENCLAW_"):
		return "openclaw"
	case name == "GEMINI_CLI":
		return "gemini"
	case name == "CURSOR_AGENT":
		return "cursor-agent"
	case name == "OPENCODE":
		return "opencode"
	case name == "CLINE_ACTIVE":
		return "cline"
	case name == "AI_AGENT" || name == "AGENT" || strings.HasPrefix(name, "SHOWHOW_AGENT"):
		if value = strings.ToLower(value); report.ValidAgent(value) {
			return familyName(value)
		}
	}
	return ""
}

// SpeaksFor checks whose receipt a caller reports, and fills in a missing agent. An agent with a token reports for
// itself; one that is recognised by its ancestry for an agent among its ancestors; the person for everybody. A caller
// that could not be examined reports for nobody: it could be anyone.
func (c *Caller) SpeaksFor(r *report.Receipt) error {
	switch {
	case c.Kind == access.User:
		return nil
	case c.Name != "":
		if r.Agent != "" && r.Agent != c.Name {
			return c.Forbidden("an agent reports its own work only")
		}
		r.Agent = c.Name
		return nil
	case len(c.Families) == 0:
		return c.Forbidden("it is not known which agent reports")
	case r.Agent == "":
		r.Agent = c.Families[0]
		return nil
	case !slices.Contains(c.Families, r.Agent):
		return c.Forbidden("an agent reports its own work only")
	}
	return nil
}
