package using

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"showhow/cli/kit"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// files is a connector with tools, each "NAME MODE LEVEL-THAT-DECIDED STATE".
func files(policy wire.MCPEffectivePolicy, tools ...string) wire.MCPServerListItem {
	x := wire.MCPServerListItem{EffectivePolicy: policy, BadgeStates: []string{"connected"}}
	x.Registry.ServerID, x.Registry.Provider, x.Registry.Enabled = "files", "custom_remote", true
	for _, line := range tools {
		f := strings.Fields(line)
		x.Tools = append(x.Tools, wire.MCPTool{Name: f[0], Mode: f[1], DecidedBy: f[2], State: f[3]})
	}
	return x
}

func decided(kind, mode string) wire.MCPEffectivePolicy {
	p := wire.MCPEffectivePolicy{Target: wire.MCPPolicyTarget{TargetKind: kind}, InheritedFrom: "none"}
	p.Decision.Mode, p.Decision.UpdatedBy = mode, "user"
	switch kind {
	case "tool":
		p.Target.ToolName = "move_file"
		p.Target.ServerID = "files"
	case "server":
		p.Target.ServerID = "files"
	case "provider":
		p.Target.Provider = "custom_remote"
	}
	return p
}

// After a decision the sentence holds: what is decided otherwise, and what is off all the same, is named.
func TestWhatCounts(t *testing.T) {
	off := decided("server", "disabled")
	moves := files(off, "move_file enabled tool usable", "read_file disabled server usable", "list_files disabled tool usable")
	undecided := wire.MCPEffectivePolicy{InheritedFrom: "none"}
	undecided.Decision.Mode, undecided.Decision.UpdatedBy, undecided.Decision.ReasonCode = "enabled", "system", "default"
	byDefault := decided("server", "enabled")
	byDefault.Decision = undecided.Decision
	switched := decided("server", "disabled")
	switched.Decision.ReasonCode = "switched_off"
	quiet := files(undecided)
	quiet.Registry.Enabled = false
	codex := wire.MCPSwitch{Scope: "runtime", Name: "codex", ServerID: "files", Off: true}
	for name, tt := range map[string]struct {
		policy   wire.MCPEffectivePolicy
		server   wire.MCPServerListItem
		switches []wire.MCPSwitch
		want     []string
	}{
		"a tool is allowed": {off, moves, nil,
			[]string{"Agents may not.", "Otherwise decided, which counts more: move_file (may, without asking you)."}},
		"nothing else": {off, files(off, "read_file disabled server usable"), []wire.MCPSwitch{codex}, []string{"Agents may not."}},
		"default":      {byDefault, files(undecided), nil, []string{"Agents may read, and ask you before anything else."}},
		"switched off": {switched, moves, nil, []string{"Agents may not, whatever is decided: it is turned off by a switch."}},
		"one agent less": {decided("server", "enabled"), files(undecided), []wire.MCPSwitch{codex},
			[]string{"Agents may, without asking you.", "Turned off all the same: runtime codex files"}},
		"the connector is off": {decided("server", "enabled"), quiet, nil,
			[]string{"Agents may, without asking you.", "The connector itself is turned off: nothing of it can be called."}},
		"a hidden tool": {decided("tool", "enabled"), files(undecided, "move_file enabled tool changed"), nil,
			[]string{"Agents may, without asking you.", "No agent sees it at the moment: its definition is another than you saw."}},
		"everything": {decided("global", "ask_first"), moves, nil, []string{"Agents ask you.", "Otherwise decided, which counts more: " +
			"files (may not), files/move_file (may, without asking you), files/list_files (may not)."}},
		"a provider": {decided("provider", "enabled"), moves, nil, []string{"Agents may read, and ask you before anything else.",
			"Otherwise decided, which counts more: files (may not), files/move_file (may, without asking you), files/list_files (may not)."}},
	} {
		got := whatCounts(wire.MCPServerListResponse{Servers: []wire.MCPServerListItem{tt.server}, Switches: tt.switches}, tt.policy)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// A connector that agents may call nothing of is listed as such, and one of which they may call a tool all the same, too.
func TestAConnectorThatIsOffIsListedSo(t *testing.T) {
	for want, x := range map[string]wire.MCPServerListItem{
		"connected":                 files(decided("server", "enabled"), "read_file enabled server usable"),
		"connected, off for agents": files(decided("server", "disabled"), "read_file disabled server usable"),
		"connected, off for agents but 1 of its tools": files(decided("server", "disabled"), "move_file enabled tool usable",
			"read_file disabled server usable"),
	} {
		if got := stateOf(x); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	each := files(decided("server", "enabled"), "read_file disabled tool usable")
	if got := stateOf(each); got != "connected, off for agents" {
		t.Errorf("every tool is off: %q", got)
	}
}

// The list of tools says whose decision counts for each, and how its last call ended.
func TestToolsAreListedWithTheirDecisionAndHealth(t *testing.T) {
	x := files(decided("server", "enabled"), "read_file enabled default usable", "move_file disabled tool usable",
		"list_files ask_first server usable", "copy_file disabled switch usable")
	x.Registry.ToolSchemaHash = "h"
	now := clock.Now()
	x.Health.ToolHealth = map[string]wire.MCPToolHealth{"read_file": {OK: true, LastCheckedAt: &now},
		"list_files": {LastError: "tool_error", LastCheckedAt: &now}}
	var b bytes.Buffer
	(&env{&kit.Env{Out: &b}}).sayTools(x)
	for _, want := range []string{`read_file +may +what it does +usable +worked`, `move_file +may not +you, for this tool +usable +-`,
		`list_files +ask you +you, for the connector +usable +failed \(tool_error\)`, `copy_file +may not +a switch +usable +-`} {
		if !regexp.MustCompile(want).MatchString(b.String()) {
			t.Errorf("%s is not in\n%s", want, b.String())
		}
	}
}
