package policy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/connector"
	"showhow/daemon/connector/policy"
	"showhow/internal/clock"
)

var now = clock.At(time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC))

func row(mode string, t connector.Target) connector.PolicyRow {
	return connector.PolicyRow{Target: t, Decision: connector.Decision{Mode: mode, UpdatedBy: "user", UpdatedAt: now, SchemaVersion: 1}}
}

func book(rows ...connector.PolicyRow) policy.Book {
	b := policy.Book{Policies: map[string]connector.PolicyRow{}}
	for _, r := range rows {
		b.Policies[policy.Key(r.Target)] = r
	}
	return b
}

var (
	global   = connector.Target{TargetKind: "global"}
	provider = connector.Target{TargetKind: "provider", Provider: "custom_remote"}
	server   = connector.Target{TargetKind: "server", ServerID: "notes"}
	tool     = connector.Target{TargetKind: "tool", ServerID: "notes", ToolName: "write"}
)

func TestPrecedence(t *testing.T) {
	off := row(connector.Disabled, global)
	granted := row(connector.Enabled, connector.Target{TargetKind: "temporary_grant", DispatchID: "d"})
	past := row(connector.Enabled, tool)
	past.Decision.ExpiresAt = now.Plus(-time.Minute).Ptr()
	for _, tt := range []struct {
		name      string
		book      policy.Book
		class     connector.Class
		granted   *connector.PolicyRow
		mode      string
		inherited string
		last      string // in the trace
	}{
		{"reading by default", book(), connector.Read, nil, connector.Enabled, "none", "default: a tool that does this (read) is enabled"},
		{"writing by default", book(), connector.Write, nil, connector.Ask, "none", "(write) is ask_first"},
		{"nobody knows", book(), connector.Other, nil, connector.Ask, "none", "(other) is ask_first"},
		{"global on leaves the default", book(row(connector.Enabled, global)), connector.Write, nil, connector.Ask, "none", "is ask_first"},
		{"global asks for everything", book(row(connector.Ask, global)), connector.Read, nil, connector.Ask, "global", "global: ask_first"},
		{"provider before global", book(off, row(connector.Ask, provider)), connector.Read, nil, connector.Ask, "provider", "not reached"},
		{"server before provider", book(row(connector.Disabled, provider), row(connector.Enabled, server)), connector.Delete, nil,
			connector.Enabled, "server", "nothing decided"},
		{"tool before server", book(row(connector.Enabled, server), row(connector.Disabled, tool)), connector.Read, nil, connector.Disabled,
			"none", "nothing decided"},
		{"grant before tool", book(row(connector.Ask, tool)), connector.Write, &granted, connector.Enabled, "none", "nothing decided"},
		{"an expired decision", book(past), connector.Write, nil, connector.Ask, "none", "is ask_first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := policy.Decide(tt.book, policy.Question{Agent: "codex", Provider: "custom_remote", Server: "notes", Tool: "write",
				Class: tt.class, Granted: tt.granted}, now)
			if a.Mode != tt.mode || a.InheritedFrom != tt.inherited || !strings.HasSuffix(a.Trace[len(a.Trace)-1], tt.last) {
				t.Errorf("%s from %s, %q", a.Mode, a.InheritedFrom, a.Trace)
			}
			for i, l := range []string{"temporary grant", "tool", "server", "provider", "global"} {
				if !strings.HasPrefix(a.Trace[i], l) {
					t.Errorf("the trace has %q in the place of %s", a.Trace[i], l)
				}
			}
		})
	}
}

func TestDecidedBy(t *testing.T) {
	named := row(connector.Ask, server)
	named.Decision.ReasonCode = "default" // a person's word for it, not ours
	off := book(row(connector.Enabled, tool))
	off.Switches = []connector.Switch{{Scope: "global", Off: true}}
	for _, tt := range []struct {
		want string
		book policy.Book
	}{
		{"default", book()}, {"default", book(row(connector.Enabled, provider))}, {"global", book(row(connector.Ask, global))},
		{"provider", book(row(connector.Ask, provider))}, {"server", book(named)},
		{"tool", book(row(connector.Enabled, tool), row(connector.Ask, server))}, {"switch", off},
	} {
		a := policy.Decide(tt.book, policy.Question{Provider: "custom_remote", Server: "notes", Tool: "write", Class: connector.Write}, now)
		if got := a.DecidedBy(); got != tt.want {
			t.Errorf("%s, want %s: %q", got, tt.want, a.Trace)
		}
	}
}

// What is switched off stays off, whatever was allowed in particular.
func TestSwitches(t *testing.T) {
	granted := row(connector.Enabled, connector.Target{TargetKind: "temporary_grant", DispatchID: "d"})
	allowed := book(row(connector.Enabled, tool))
	ask := func(s connector.Switch, agent string) policy.Answer {
		b := allowed
		b.Switches = []connector.Switch{s}
		return policy.Decide(b, policy.Question{Agent: agent, Provider: "custom_remote", Server: "notes", Tool: "write", Class: connector.Read,
			Granted: &granted}, now)
	}
	for _, tt := range []struct {
		s     connector.Switch
		agent string
		off   bool
	}{
		{connector.Switch{Scope: "global", Off: true}, "codex", true},
		{connector.Switch{Scope: "global"}, "codex", false},
		{connector.Switch{Scope: "provider", Name: "custom_remote", Off: true}, "codex", true},
		{connector.Switch{Scope: "provider", Name: "m365", Off: true}, "codex", false},
		{connector.Switch{Scope: "runtime", Name: "codex", Off: true}, "codex", true},
		{connector.Switch{Scope: "runtime", Name: "codex", Off: true}, "claude-code", false},
		{connector.Switch{Scope: "runtime", Name: "codex", ServerID: "notes", Off: true}, "codex", true},
		{connector.Switch{Scope: "runtime", Name: "codex", ServerID: "mail", Off: true}, "codex", false},
		{connector.Switch{Scope: "runtime", Name: "codex", ServerID: "notes", ToolName: "write", Off: true}, "codex", true},
		{connector.Switch{Scope: "runtime", Name: "codex", ServerID: "notes", ToolName: "read", Off: true}, "codex", false},
	} {
		a := ask(tt.s, tt.agent)
		said := slices.ContainsFunc(a.Trace, func(l string) bool { return strings.HasPrefix(l, "switch:") })
		if a.SwitchedOff != tt.off || (a.Mode == connector.Disabled) != tt.off || said != tt.off {
			t.Errorf("%+v for %s: %s %v", tt.s, tt.agent, a.Mode, a.Trace)
		}
	}
}
