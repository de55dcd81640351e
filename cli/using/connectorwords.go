package using

import (
	"fmt"
	"slices"
	"strings"

	"showhow/cli/kit"
	"showhow/daemon/wire"
)

// modeWords say what agents may do in a table; modeSentences in a sentence about them.
var (
	modeWords     = map[string]string{"enabled": "may", "ask_first": "ask you", "disabled": "may not"}
	modeSentences = map[string]string{"enabled": "may, without asking you", "ask_first": "ask you", "disabled": "may not"}
)

// decidedWords say whose decision counts for a tool.
var decidedWords = map[string]string{"tool": "you, for this tool", "server": "you, for the connector", "provider": "you, for its provider",
	"global": "you, for all", "default": "what it does", "switch": "a switch"}

// lastCall says how the last call of a tool ended.
func lastCall(all map[string]wire.MCPToolHealth, tool string) string {
	switch h, called := all[tool]; {
	case !called || h.LastCheckedAt == nil:
		return "-"
	case h.OK:
		return "worked"
	default:
		return "failed (" + h.LastError + ")"
	}
}

// mostNamed bounds how many exceptions are named; `connector tools` has all.
const mostNamed = 20

// whatCounts says what agents may do after a decision. The decision alone does not tell: something more particular may be
// decided otherwise, and something may be turned off as a whole.
func whatCounts(l wire.MCPServerListResponse, p wire.MCPEffectivePolicy) []string {
	t, d := p.Target, p.Decision
	if d.ReasonCode == "switched_off" {
		return []string{"Agents may not, whatever is decided: it is turned off by a switch."}
	}
	broad := t.TargetKind == "provider" || t.TargetKind == "global" || t.TargetKind == "server" && d.ReasonCode == "default"
	out := []string{"Agents " + modeSentences[d.Mode] + "."}
	if broad && d.Mode == "enabled" {
		out[0] = "Agents may read, and ask you before anything else."
	}
	var others, hidden []string
	for _, x := range l.Servers {
		id := x.Registry.ServerID
		if t.ServerID != "" && t.ServerID != id || t.Provider != "" && t.Provider != x.Registry.Provider {
			continue
		}
		if t.ServerID != "" && !x.Registry.Enabled {
			hidden = append(hidden, "The connector itself is turned off: nothing of it can be called.")
		}
		own := x.EffectivePolicy
		decided := own.Decision.UpdatedBy == "user" &&
			(own.InheritedFrom == "none" || t.TargetKind == "global" && own.InheritedFrom == "provider")
		decided = decided && t.ServerID == "" && own.Decision.ReasonCode != "switched_off"
		if decided && (own.Decision.Mode != d.Mode || broad && d.Mode == "enabled") {
			others = append(others, fmt.Sprintf("%s (%s)", id, modeSentences[own.Decision.Mode]))
		}
		for _, tool := range x.Tools {
			switch {
			case t.TargetKind == "tool" && tool.Name == t.ToolName && tool.State != "usable":
				hidden = append(hidden, "No agent sees it at the moment: "+stateSentences[tool.State]+".")
			case t.TargetKind != "tool" && tool.DecidedBy == "tool" && (tool.Mode != d.Mode || broad && d.Mode == "enabled"):
				name := tool.Name
				if t.ServerID == "" {
					name = id + "/" + name
				}
				others = append(others, fmt.Sprintf("%s (%s)", name, modeSentences[tool.Mode]))
			}
		}
	}
	if len(others) > mostNamed {
		others = append(others[:mostNamed], fmt.Sprintf("%d more", len(others)-mostNamed))
	}
	if len(others) > 0 {
		out = append(out, "Otherwise decided, which counts more: "+strings.Join(others, ", ")+".")
	}
	if d.Mode != "disabled" {
		for _, s := range l.Switches {
			if s.Scope == "runtime" && concerns(s, t) {
				out = append(out, "Turned off all the same: "+switchWords(s))
			}
		}
	}
	return append(out, hidden...)
}

func sayLines(say func(format string, args ...any), lines []string) {
	for _, l := range lines {
		say("%s", l)
	}
}

// troubleLines are the last lines that a program wrote before it ended.
func troubleLines(t *wire.MCPTrouble) []string {
	if t == nil || len(t.Output) == 0 {
		return nil
	}
	out := []string{"The last lines of its error output:"}
	for _, line := range t.Output {
		out = append(out, "  "+kit.PlainText(line))
	}
	return out
}

var stateSentences = map[string]string{"changed": "its definition is another than you saw", "new": "it came since you looked",
	"gone": "its service does not offer it any more", "refused": "it cannot be offered to agents"}

// concerns reports whether a switch of an agent's is about something that a decision is about, too.
func concerns(s wire.MCPSwitch, t wire.MCPPolicyTarget) bool {
	same := func(a, b string) bool { return a == "" || b == "" || a == b }
	return same(s.ServerID, t.ServerID) && same(s.ToolName, t.ToolName)
}

func switchWords(s wire.MCPSwitch) string {
	return strings.Join(slices.DeleteFunc([]string{s.Scope, s.Name, s.ServerID, s.ToolName}, func(w string) bool { return w == "" }), " ")
}

// stateOf is a connector's state in a list: its badges, and whether agents may call anything of it at all.
func stateOf(x wire.MCPServerListItem) string {
	out := slices.Clone(x.BadgeStates)
	may := 0
	for _, t := range x.Tools {
		if t.Mode != "disabled" {
			may++
		}
	}
	switch off := x.EffectivePolicy.Decision.Mode == "disabled"; {
	case off && may > 0:
		out = append(out, fmt.Sprintf("off for agents but %d of its tools", may))
	case off, may == 0 && len(x.Tools) > 0:
		out = append(out, "off for agents")
	}
	h := x.Health
	if len(x.BadgeStates) == 0 || slices.Equal(x.BadgeStates, []string{"approval_required"}) {
		state := "not reached yet"
		if h.HealthReasonCode != "" {
			state = "does not work"
		}
		out = append([]string{state}, out...)
	}
	return strings.Join(out, ", ")
}
