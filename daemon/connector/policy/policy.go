// Package policy decides whether a call may be made, whether a person is asked first, and why: a pure function of the
// decisions (policies, switches, grants) and of the tool's class.
//
// Guarantees (decisions H7): the most specific decision counts, in the order temporary grant, tool, server, provider,
// global; where none decides, a tool that only reads is allowed and everything else is asked for. Provider and global
// `enabled` mean "on", not "everything without asking": they leave that default as it is. What is switched off
// (global, a provider, an agent, an entry of an agent's deny-list) stays off whatever a policy or a grant says: the
// stricter wins. An expired decision does not count. The trace names every level and what it said, strictest last.
//
// Not guaranteed: that a decision reaches somebody who holds an older answer; callers ask again for every call.
//
// The packages of connectors above it import it. To test against it: tables of inputs; there is no state.
package policy

import (
	"fmt"

	"showhow/daemon/connector"
	"showhow/internal/clock"
)

// Question is about one call, or, when Tool is "", about a server, provider or everything.
type Question struct {
	Agent    string // the runtime; "" for any
	Provider string
	Server   string
	Tool     string
	Class    connector.Class
	Granted  *connector.PolicyRow // a temporary grant that covers exactly this call
}

// Book holds the decisions.
type Book struct {
	Policies map[string]connector.PolicyRow // by Key
	Switches []connector.Switch
}

// Answer is the effective decision.
type Answer struct {
	Mode          string // connector.Enabled, Disabled, Ask
	InheritedFrom string // as MCPEffectivePolicy has it
	Target        connector.Target
	Decision      connector.Decision
	SwitchedOff   bool // by a switch: no approval helps
	Trace         []string
}

// Key is the key of a target's policy.
func Key(t connector.Target) string {
	switch t.TargetKind {
	case "provider":
		return "provider/" + t.Provider
	case "server":
		return "server/" + t.ServerID
	case "tool":
		return "tool/" + t.ServerID + "/" + t.ToolName
	case "temporary_grant":
		return "temporary_grant/" + t.DispatchID
	}
	return "global"
}

// SwitchKey is the key of a switch.
func SwitchKey(s connector.Switch) string {
	return fmt.Sprintf("%s/%s/%s/%s", s.Scope, s.Name, s.ServerID, s.ToolName)
}

// Decide answers q.
func Decide(b Book, q Question, now clock.Time) Answer {
	a := Answer{}
	found := false
	for _, l := range levels(q) {
		row, ok := b.Policies[Key(l.target)]
		if l.target.TargetKind == "temporary_grant" {
			if ok = q.Granted != nil; ok {
				row = *q.Granted
			}
		}
		name := l.name
		switch {
		case !ok:
			a.note("%s: nothing decided", name)
			continue
		case row.Decision.ExpiresAt != nil && !now.Before(row.Decision.ExpiresAt.Time):
			a.note("%s: %s, expired", name, row.Decision.Mode)
			continue
		case found:
			a.note("%s: %s, not reached", name, row.Decision.Mode)
			continue
		case l.broad && row.Decision.Mode == connector.Enabled:
			a.note("%s: on, what the tool does decides", name)
			continue
		}
		found = true
		a.Mode, a.Target, a.Decision, a.InheritedFrom = row.Decision.Mode, row.Target, row.Decision, l.inherited(q)
		a.note("%s: %s", name, row.Decision.Mode)
	}
	if !found {
		a.byDefault(q, now)
	}
	a.switches(b.Switches, q)
	return a
}

// DecidedBy is the level that decided: that of the target, "default" where nobody decided, "switch" where it is turned
// off as a whole.
func (a Answer) DecidedBy() string {
	switch {
	case a.SwitchedOff:
		return "switch"
	case a.Decision.UpdatedBy == "system" && a.Decision.ReasonCode == "default":
		return "default"
	}
	return a.Target.TargetKind
}

type level struct {
	name   string
	target connector.Target
	broad  bool
}

func levels(q Question) []level {
	out := []level{}
	if q.Tool != "" {
		out = append(out, level{name: "temporary grant", target: connector.Target{TargetKind: "temporary_grant"}},
			level{name: "tool", target: connector.Target{TargetKind: "tool", ServerID: q.Server, ToolName: q.Tool}})
	}
	if q.Server != "" {
		out = append(out, level{name: "server", target: connector.Target{TargetKind: "server", ServerID: q.Server}})
	}
	if q.Provider != "" {
		out = append(out, level{name: "provider", target: connector.Target{TargetKind: "provider", Provider: q.Provider}, broad: true})
	}
	return append(out, level{name: "global", target: connector.Target{TargetKind: "global"}, broad: true})
}

// inherited is the level that the target's mode comes from; "none" when it is its own.
func (l level) inherited(q Question) string {
	switch l.target.TargetKind {
	case "provider", "global":
		return l.target.TargetKind
	case "server":
		if q.Tool != "" {
			return "server"
		}
	}
	return "none"
}

// byDefault applies the default after connecting (R9 0.6C).
func (a *Answer) byDefault(q Question, now clock.Time) {
	a.Mode, a.InheritedFrom = connector.Ask, "none"
	if q.Class == connector.Read || q.Tool == "" {
		a.Mode = connector.Enabled
	}
	a.Target = levels(q)[len(levels(q))-1].target
	if q.Tool != "" {
		a.note("default: a tool that does this (%s) is %s", q.Class, a.Mode)
	} else {
		a.note("default: reading is allowed, everything else is asked for")
	}
	a.Decision = connector.Decision{Mode: a.Mode, ReasonCode: "default", UpdatedBy: "system", UpdatedAt: now, SchemaVersion: 1}
}

// switches blocks what is turned off as a whole.
func (a *Answer) switches(all []connector.Switch, q Question) {
	for _, s := range all {
		if !s.Off || !applies(s, q) {
			continue
		}
		a.Mode, a.SwitchedOff = connector.Disabled, true
		a.Decision.Mode, a.Decision.ReasonCode = connector.Disabled, "switched_off"
		a.note("switch: %s is off", about(s))
	}
}

func applies(s connector.Switch, q Question) bool {
	switch s.Scope {
	case "global":
		return true
	case "provider":
		return s.Name == q.Provider
	case "runtime":
		return s.Name == q.Agent && q.Agent != "" && (s.ServerID == "" || s.ServerID == q.Server) &&
			(s.ToolName == "" || s.ToolName == q.Tool)
	}
	return false
}

func about(s connector.Switch) string {
	text := s.Scope
	for _, more := range []string{s.Name, s.ServerID, s.ToolName} {
		if more != "" {
			text += " " + more
		}
	}
	return text
}

func (a *Answer) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if r := []rune(text); len(r) > 160 {
		text = string(r[:159]) + "…"
	}
	a.Trace = append(a.Trace, text)
}
