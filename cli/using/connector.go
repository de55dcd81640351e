package using

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
)

func connectorCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "connector", Short: "Services that agents reach through one guarded door",
		Long: `A connector is a service that speaks MCP: at an address, or a program on this computer, which runs in a sandbox. You connect it
once; agents reach it with ` + "`showhow mcp`" + `. Reading is allowed; what changes something, or what nobody can tell, waits for your
word.`}, "showhow connector add https://tools.example.com/mcp", "showhow connector list", "showhow connector pending")
	cmd.AddCommand(connectorAdd(e), connectorPresets(e), connectorImport(e), connectorLogin(e), connectorList(e), connectorShow(e),
		connectorTest(e), connectorTools(e), connectorPolicy(e), connectorAsks(e), connectorSkills(e), connectorPending(e),
		connectorDecide(e, true), connectorDecide(e, false),
		connectorApprovals(e), connectorRemove(e), connectorReceipts(e))
	return cmd
}

func connectorNames(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.Connectors(ctx)
	for _, x := range l.Servers {
		out = append(out, cobra.CompletionWithDesc(x.Registry.ServerID, x.Registry.DisplayName))
	}
	return out, err
}

func (e *env) onConnector(use, short string, f func(ctx context.Context, c *client.Client, x client.Connector) error) *cobra.Command {
	cmd := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		x, err := oneConnector(ctx, c, args[0])
		if err != nil {
			return err
		}
		return f(ctx, c, x)
	})
	cmd.ValidArgsFunction = e.Offer(connectorNames)
	return cmd
}

func oneConnector(ctx context.Context, c *client.Client, id string) (client.Connector, error) {
	l, err := c.Connectors(ctx)
	if err != nil {
		return client.Connector{}, err
	}
	if i := slices.IndexFunc(l.Servers, func(x client.Connector) bool { return x.Registry.ServerID == id }); i >= 0 {
		return l.Servers[i], nil
	}
	return client.Connector{}, fault.New(fault.NotFound, "there is no connector of this name").WithHint("`showhow connector list` names them")
}

func connectorList(e *env) *cobra.Command {
	return kit.With(e.Call("list", "List connectors, how they fare and what they wait for",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.Connectors(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("no service is connected; connect one with: showhow connector add ADDRESS",
					kit.Columns("NAME", "STATE", "TOOLS", "WHERE"), func(row func(...any)) {
						for _, x := range l.Servers {
							row(x.Registry.ServerID, stateOf(x), len(x.Tools), where(x))
						}
					})
				for _, s := range l.Switches {
					e.Say("Turned off: %s", switchWords(s))
				}
			})
		}), "showhow connector list")
}

func where(x client.Connector) string {
	if b := x.Registry.LocalBridge; b != nil {
		if p := b.Package; p != nil {
			return strings.Join(append([]string{p.Name + "@" + p.Version}, given(b)...), " ")
		}
		return strings.Join(b.Command, " ")
	}
	return x.Registry.EndpointURL
}

// given are the arguments that a package's program was registered with.
func given(b *client.LocalBridge) []string {
	if w, err := mcpconfig.PackageOf(b.Package.Command); err == nil {
		return w.Args
	}
	return b.Command[min(2, len(b.Command)):] // registered before the command was kept: an interpreter and a script come first
}

// asRegistered is where a connector leads, as the person named it.
func asRegistered(x client.Connector) string {
	if b := x.Registry.LocalBridge; b != nil && b.Package != nil && len(b.Package.Command) > 0 {
		return strings.Join(b.Package.Command, " ")
	}
	return where(x)
}

func connectorShow(e *env) *cobra.Command {
	return kit.With(e.onConnector("show NAME", "Show a connector: what it is lent, how it fares, its tools",
		func(ctx context.Context, c *client.Client, x client.Connector) error {
			var l wire.MCPOfferedSkillList
			if !e.JSON && slices.Contains(x.BadgeStates, "connected") {
				l, _ = c.OfferedSkills(ctx, x.Registry.ServerID) // it may not answer: what is known is shown all the same
			}
			return e.Show(func() {
				e.sayConnector(x)
				if len(l.Skills) > 0 {
					e.Say("")
					sayOffered(e, l)
				}
			})
		}), "showhow connector show notes")
}

func (e *env) sayConnector(x client.Connector) {
	r := x.Registry
	e.Say("%s (%s)  %s", r.DisplayName, r.ServerID, stateOf(x))
	e.Say("  %s", where(x))
	if b := r.LocalBridge; b != nil {
		if b.Package != nil {
			e.Say("  %s, installed once; only these files run (%s)", packageKinds[b.Package.Kind], b.Package.Integrity)
		}
		for _, l := range []struct {
			what string
			all  []string
		}{{"may change", b.Folders}, {"may read", b.ReadFolders}, {"may reach", b.Hosts}} {
			for _, s := range l.all {
				e.Say("  %s %s", l.what, e.Roots.Tilde(s))
			}
		}
	}
	h := x.Health
	switch {
	case h.ThrottleState.State != "none":
		e.Say("  it asked to be left alone for a while")
	case h.HealthReasonCode != "":
		e.Say("  it does not work (%s); to see why:  showhow connector test %s", h.HealthReasonCode, r.ServerID)
	}
	if slices.Contains(x.BadgeStates, "auth_required") {
		e.Say("  it wants you to sign in:  showhow connector login %s", r.ServerID)
	}
	e.sayTools(x)
	if len(x.Findings) > 0 {
		e.SayFindings(x.Findings, nil)
	}
}

func (e *env) sayTools(x client.Connector) {
	none := "it offers no tools"
	if x.Registry.ToolSchemaHash == "" {
		none = "its tools are not known yet"
	}
	e.Table(none, kit.Columns("TOOL", "DOES", "AGENTS", "DECIDED BY", "STATE", "LAST CALL"), func(row func(...any)) {
		for _, t := range x.Tools {
			row(t.Name, t.ActionClass, modeWords[t.Mode], decidedWords[t.DecidedBy], t.State, lastCall(x.Health.ToolHealth, t.Name))
		}
	})
	for _, t := range x.Tools {
		for _, d := range t.Difference {
			e.Say("  %s: %s", t.Name, d)
		}
	}
	if slices.ContainsFunc(x.Tools, func(t wireTool) bool { return t.State == "changed" || t.State == "new" || t.State == "gone" }) {
		e.Say("Agents do not see what changed. To take it as it is now:  showhow connector tools %s --accept", x.Registry.ServerID)
	}
}

var packageKinds = map[string]string{"": "an npm package", mcpconfig.NPM: "an npm package", mcpconfig.PyPI: "a Python package"}

func connectorTools(e *env) *cobra.Command {
	var accept bool
	cmd := e.onConnector("tools NAME", "List its tools: what each does, whether agents may, and what changed",
		func(ctx context.Context, c *client.Client, x client.Connector) error {
			if accept {
				r, err := c.PatchConnector(ctx, x.Registry.ServerID, client.ConnectorPatch{AcceptTools: true}, client.IfMatch(x.Revision))
				if err != nil {
					return err
				}
				x = r.Server
			}
			return e.Show(func() { e.sayTools(x) })
		})
	cmd.Flags().BoolVar(&accept, "accept", false, "take the tools as they are now; you confirm it")
	return kit.With(cmd, "showhow connector tools notes")
}

func connectorTest(e *env) *cobra.Command {
	var tool, args string
	cmd := e.onConnector("test NAME", "Look whether it can be reached, takes your sign-in and lists its tools",
		func(ctx context.Context, c *client.Client, x client.Connector) error {
			preview, err := testArguments(tool, args)
			if err != nil {
				return err
			}
			r, err := c.TestConnector(ctx, client.ConnectorTest{ServerID: x.Registry.ServerID, ToolName: tool, PayloadPreview: preview})
			if err != nil {
				return err
			}
			works := r.ToolDiscoveryOK && (r.Status == "passed" || r.Status == "degraded")
			err = e.Show(func() {
				if works {
					e.Say("%s: %s", r.Status, r.Summary)
				}
				sayLines(e.Say, troubleLines(r.Trouble))
			})
			if err != nil || works {
				return err
			}
			signedIn := yes(r.AuthOK)
			if !r.TransportOK {
				signedIn = "not known"
			}
			return fault.New(fault.MCPSmokeTestFailed, kit.PlainText(strings.TrimSuffix(r.Summary, "."))).
				WithDetail("failure_reason_code", r.FailureReasonCode).
				WithHint("reachable: " + yes(r.TransportOK) + ", signed in: " + signedIn + ", lists tools: " + yes(r.ToolDiscoveryOK))
		})
	cmd.Flags().StringVar(&tool, "tool", "", "also call this `tool`, which must be one that reads")
	cmd.Flags().StringVar(&args, "args", "", "with --tool: its arguments, a `JSON` object; none by default")
	return kit.With(cmd, "showhow connector test notes", "showhow connector test notes --tool list_notes",
		`showhow connector test notes --tool read_note --args '{"id": "today"}'`)
}

// testArguments are the arguments of a test's call.
func testArguments(tool, text string) (map[string]any, error) {
	if text == "" {
		return nil, nil
	}
	if tool == "" {
		return nil, kit.Usage("--args are the arguments of a tool").WithHint("name it with --tool")
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil || out == nil {
		return nil, kit.Usage("--args must be a JSON object").WithHint(`such as '{"id": "today"}'`)
	}
	return out, nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func connectorRemove(e *env) *cobra.Command {
	var now bool
	cmd := e.onConnector("remove NAME", "Disconnect it, and forget what was decided about it",
		func(ctx context.Context, c *client.Client, x client.Connector) error {
			if now {
				off := client.ConnectorPatch{Enabled: new(false)}
				if _, err := c.PatchConnector(ctx, x.Registry.ServerID, off); err != nil {
					return err
				}
			}
			r, err := c.RemoveConnector(ctx, x.Registry.ServerID)
			if err == nil && r.AuthProfileAction != "none" {
				e.Note("your sign-in stays (%s); to give it up first: showhow connector login NAME --revoke", r.AuthProfileAction)
			}
			return e.Done(err, "removed")
		})
	cmd.Flags().BoolVar(&now, "now", false, "also while an agent's call is under way, which is cut off")
	return kit.With(cmd, "showhow connector remove notes", "showhow connector remove notes --now")
}
