package using

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/desktop"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

type wireTool = wire.MCPTool

var policyWords = map[string]string{"allow": "enabled", "ask": "ask_first", "off": "disabled", "default": "default"}

func connectorPolicy(e *env) *cobra.Command {
	var agent, provider string
	cmd := e.Call("policy NAME[/TOOL]|all allow|ask|off|default", "Decide what agents may call",
		func(ctx context.Context, c *client.Client, args []string) error {
			mode := policyWords[args[1]]
			if mode == "" {
				return kit.Usage("say allow, ask, off or default")
			}
			server, tool, named := strings.Cut(args[0], "/")
			switch {
			case server == "" || named && (tool == "" || server == "all"):
				return kit.Usage("name a connector, one of its tools as NAME/TOOL, or all")
			case provider != "" && (server != "all" || agent != ""):
				return kit.Usage("for a provider say all, and name no agent")
			case provider != "" && !slices.Contains(wire.MCPProviders, provider):
				return kit.Usage("a provider is one of %s", strings.Join(wire.MCPProviders, ", "))
			case provider != "":
				return e.policyOfAll(ctx, c, client.ConnectorTarget{TargetKind: "provider", Provider: provider}, args[1])
			case agent != "":
				return e.policyOfAgent(ctx, c, agent, server, tool, args[1])
			case server == "all":
				return e.policyOfAll(ctx, c, client.ConnectorTarget{TargetKind: "global"}, args[1])
			}
			t := client.ConnectorTarget{TargetKind: "server", ServerID: server}
			if tool != "" {
				t = client.ConnectorTarget{TargetKind: "tool", ServerID: server, ToolName: tool}
			}
			return e.setPolicy(ctx, c, t, mode)
		})
	cmd.Args = cobra.ExactArgs(2)
	cmd.Long = `The most particular decision counts: an approval, then the tool, the connector, its provider, everything. default takes a
decision away, so that what is less particular counts again; where nobody decided, agents may read, and ask you before anything else.
With all, off is a switch: nothing that is allowed elsewhere goes past it. allow, ask and default take it back. ask then counts where
no tool and no connector has a decision of its own; allow and default leave it to what a tool does. --provider means all connectors
of one provider. For one agent off is a switch, too, and allow or default takes it back.`
	cmd.Flags().StringVar(&agent, "agent", "", "what this `agent` may use: off, or allow to take that back")
	cmd.Flags().StringVar(&provider, "provider", "", "with all: only the connectors of this `provider`, one of "+
		strings.Join(wire.MCPProviders, ", "))
	cmd.ValidArgsFunction = e.Offer(connectorNames)
	return kit.With(cmd, "showhow connector policy notes/delete_note off", "showhow connector policy notes allow",
		"showhow connector policy notes/delete_note default", "showhow connector policy all off",
		"showhow connector policy all ask --provider m365", "showhow connector policy notes off --agent codex")
}

// setPolicy sets the policy of a target, and says what counts now.
func (e *env) setPolicy(ctx context.Context, c *client.Client, t client.ConnectorTarget, mode string) error {
	r, err := c.SetConnectorPolicy(ctx, t, mode)
	if err != nil {
		return err
	}
	if e.JSON {
		return e.Show(nil)
	}
	l, err := c.Connectors(ctx)
	if err != nil {
		return err
	}
	sayLines(e.Say, whatCounts(l, r))
	for _, line := range r.PrecedenceTrace {
		e.Say("  %s", line)
	}
	return nil
}

// policyOfAll decides about all connectors, or all of a provider's. What is off as a whole is so by a switch, which anything
// else takes back: else it would stay off whatever is decided.
func (e *env) policyOfAll(ctx context.Context, c *client.Client, t client.ConnectorTarget, word string) error {
	x := client.ConnectorSwitch{Scope: t.TargetKind, Name: t.Provider, Off: true}
	if word == "off" {
		_, err := c.ToggleConnectors(ctx, x)
		return e.Done(err, "turned off")
	}
	l, err := c.Connectors(ctx)
	if err != nil {
		return err
	}
	if slices.Contains(l.Switches, x) {
		x.Off = false
		r, err := c.ToggleConnectors(ctx, x)
		if err != nil {
			return err
		}
		if word != "ask" && t.TargetKind == "global" && l.GlobalPolicy.Decision.Mode == "enabled" { // nothing else to confirm
			return turned(e, x, r)
		}
	}
	return e.setPolicy(ctx, c, t, policyWords[word])
}

// policyOfAgent sets a switch for one agent.
func (e *env) policyOfAgent(ctx context.Context, c *client.Client, agent, server, tool, word string) error {
	if word == "ask" {
		return kit.Usage("for one agent say off, or allow to take that back")
	}
	x := client.ConnectorSwitch{Scope: "runtime", Name: agent, Off: word == "off"}
	if server != "all" {
		x.ServerID, x.ToolName = server, tool
	}
	r, err := c.ToggleConnectors(ctx, x)
	if err != nil {
		return err
	}
	return turned(e, x, r)
}

// turned says how a switch is now, and what is off all the same.
func turned(e *env, x client.ConnectorSwitch, r wire.MCPToggleResponse) error {
	return e.Show(func() {
		if x.Off {
			e.Say("turned off")
			return
		}
		e.Say("turned on again")
		for _, s := range r.Switches {
			e.Say("Still turned off: %s", switchWords(s))
		}
	})
}

// mayAsk are the words for what a service may ask in return.
var mayAsk = []string{"model", "person", "folders"}

func connectorAsks(e *env) *cobra.Command {
	cmd := e.Call("asks NAME [nobody|model,person,folders]", "Decide what it may ask in return while it works on a call",
		func(ctx context.Context, c *client.Client, args []string) error {
			x, err := oneConnector(ctx, c, args[0])
			if err != nil {
				return err
			}
			if len(args) == 2 {
				may := map[string]bool{}
				for _, w := range strings.Split(args[1], ",") {
					if w = strings.TrimSpace(w); !slices.Contains(mayAsk, w) && args[1] != "nobody" {
						return kit.Usage("say nobody, or some of model, person and folders with commas between them")
					}
					may[w] = true
				}
				r, err := c.PatchConnector(ctx, x.Registry.ServerID, client.ConnectorPatch{AllowSampling: new(may["model"]),
					AllowElicitation: new(may["person"]), AllowRoots: new(may["folders"])})
				if err != nil {
					return err
				}
				x = r.Server
			}
			return e.Show(func() {
				var whom []string
				for i, may := range []bool{x.Registry.AllowSampling, x.Registry.AllowElicitation, x.Registry.AllowRoots} {
					if may {
						whom = append(whom, mayAsk[i])
					}
				}
				e.Say("While it works on a call, %s may ask: %s", x.Registry.ServerID, cmp.Or(strings.Join(whom, ", "), "nobody"))
			})
		})
	cmd.Args = cobra.RangeArgs(1, 2)
	cmd.Long = `A service can ask something in return: the model of the agent that calls it (sampling), the person (elicitation), or
which folders the agent works in (roots). Nobody is asked unless you allow it here; you confirm that. Then the agent's own program asks, and
shows you what: about its own call alone. What gives orders, an address to open, and what an agent's program does not support are refused.`
	cmd.ValidArgsFunction = e.Offer(connectorNames)
	return kit.With(cmd, "showhow connector asks tracker", "showhow connector asks tracker person,folders",
		"showhow connector asks tracker nobody")
}

func connectorPending(e *env) *cobra.Command {
	return kit.With(e.Call("pending", "List the calls that wait for your approval, with exactly what would be sent",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.PendingCalls(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				if len(l.Dispatches) == 0 {
					e.Say("no call waits")
				}
				for _, d := range l.Dispatches {
					e.sayCall(d)
				}
			})
		}), "showhow connector pending")
}

func (e *env) sayCall(d client.PendingCall) {
	if d.Status != "pending" {
		e.Say("%s  %s of %s: %s", d.DispatchID, d.ToolName, d.ServerID, d.Status)
		return
	}
	e.Say("%s  %s wants to call %s of %s, until %s", d.DispatchID, d.Agent, d.ToolName, d.ServerID, d.ExpiresAt.Local().Format("15:04"))
	for _, s := range d.Asked() {
		e.Say("  %s", plain.SpelledLine(s))
	}
	if d.ProjectID != "" {
		e.Say("  for the project %s, as the agent itself says", d.ProjectID)
	}
	for _, k := range slices.Sorted(maps.Keys(d.Arguments)) {
		b, _ := json.Marshal(d.Arguments[k])
		e.Say("  %s: %s", plain.SpelledLine(k), plain.SpelledLine(string(b)))
	}
	for _, x := range d.About {
		e.Say("  %s", plain.SpelledLine(x))
	}
	for _, x := range d.Changed {
		e.Say("  since the last time: %s", x)
	}
}

func connectorDecide(e *env, approve bool) *cobra.Command {
	var turn, session, project, anything bool
	var reason string
	use, short := "deny ID", "Refuse a call"
	if approve {
		use, short = "approve ID", "Let a call go: exactly this one; you confirm it"
	}
	cmd := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		q := client.CallDecision{Decision: "deny", Reason: reason}
		if approve {
			q = client.CallDecision{Decision: "approve_once", Reason: reason, AnyArguments: anything}
			switch {
			case turn && session, turn && project, session && project:
				return kit.Usage("until the end of the turn, or of the session, or for the project")
			case project && anything:
				return kit.Usage("any arguments can be allowed for the turn or the session, not for the project")
			case project:
				q.Decision = "approve_for_project"
			case turn:
				q.Decision = "approve_until_end_of_turn"
			case session:
				q.Decision = "approve_for_session"
			}
		}
		r, err := c.DecideCall(ctx, args[0], q)
		text := "refused"
		if approve {
			text = "allowed; it goes when the agent calls again, within ten minutes"
			if r.Resumed {
				text = "allowed; it goes on"
			}
		}
		return e.Done(err, "%s", text)
	})
	cmd.Flags().StringVar(&reason, "reason", "", "why")
	if approve {
		cmd.Flags().BoolVar(&turn, "turn", false, "and the same again, until the agent's turn ends")
		cmd.Flags().BoolVar(&session, "session", false, "and the same again, until the agent's session ends")
		cmd.Flags().BoolVar(&project, "project", false, "and the same again, whenever this agent says that it works for this project")
		cmd.Flags().BoolVar(&anything, "any-arguments", false, "with --turn or --session: this tool with any arguments")
	}
	cmd.ValidArgsFunction = e.Offer(func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		l, err := c.PendingCalls(ctx)
		for _, d := range l.Dispatches {
			if d.Status == "pending" {
				out = append(out, cobra.CompletionWithDesc(d.DispatchID, d.ToolName))
			}
		}
		return out, err
	})
	if approve {
		return kit.With(cmd, "showhow connector approve ID", "showhow connector approve ID --session")
	}
	return kit.With(cmd, "showhow connector deny ID")
}

func connectorApprovals(e *env) *cobra.Command {
	var end string
	cmd := e.Call("approvals", "List your approvals that cover more than one call, and end one",
		func(ctx context.Context, c *client.Client, _ []string) error {
			if end != "" {
				_, err := c.EndCallGrant(ctx, end)
				return e.Done(err, "ended; the next call is asked for again")
			}
			l, err := c.CallGrants(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("no approval covers more than one call", kit.Columns("ID", "AGENT", "CONNECTOR", "TOOL", "COVERS"), func(row func(...any)) {
					for _, g := range l.Grants {
						row(g.DispatchID, g.Agent, g.ServerID, g.ToolName, g.Words)
					}
				})
			})
		})
	cmd.Flags().StringVar(&end, "end", "", "end the approval with this `id`")
	return kit.With(cmd, "showhow connector approvals", "showhow connector approvals --end ID")
}

func connectorReceipts(e *env) *cobra.Command {
	var name string
	cmd := e.Call("receipts", "List what agents called and what was decided, newest first",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.ConnectorReceipts(ctx, name, "", 50)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("nothing happened yet", kit.Columns("WHEN", "CONNECTOR", "WHAT", "WHO", "RESULT"), func(row func(...any)) {
					for _, r := range l.Receipts {
						what, who, result := r.ReceiptKind, "-", r.Status
						if k := r.Call; k != nil {
							what, who, result = k.ToolName, k.Agent+" ("+k.IdentityAssertedKind+")", k.Result
						}
						row(kit.Since(&r.CreatedAt), r.ServerID, what, who, result)
					}
				})
			})
		})
	cmd.Flags().StringVar(&name, "connector", "", "only of this `connector`")
	return kit.With(cmd, "showhow connector receipts")
}

func connectorLogin(e *env) *cobra.Command {
	var revoke, print, noBrowser bool
	var issuer string
	cmd := e.onConnector("login NAME", "Sign in: your browser opens, and the tokens go to the keychain",
		func(ctx context.Context, c *client.Client, x client.Connector) error {
			id := x.Registry.ServerID
			if revoke {
				r, err := c.RevokeConnectorAuth(ctx, id, true)
				return e.Done(err, "%s", r.Status)
			}
			if e.JSON && !print {
				return kit.Usage("--json does not wait for a sign-in").WithHint("add --print: it prints the address and ends")
			}
			s, err := c.StartConnectorAuth(ctx, client.ConnectorAuthStart{ServerID: id, ConfirmIssuer: issuer})
			if fault.Is(err, fault.MCPAuthChallengeRequired) {
				if at, ok := fault.From(err).Details["issuer"].(string); ok {
					err = fault.From(err).WithHint("if you trust it:  showhow connector login " + id + " --at " + at)
				}
			}
			if err != nil {
				return err
			}
			if e.JSON {
				return e.Print(s)
			}
			e.Say("Sign in here:\n  %s", s.AuthURL)
			if print {
				return nil
			}
			if !noBrowser {
				browse(ctx, e, s.AuthURL)
			}
			return e.signedIn(ctx, c, id, s.ExpiresAt.Time)
		})
	cmd.Flags().BoolVar(&revoke, "revoke", false, "give the tokens up instead, here and at the service")
	cmd.Flags().StringVar(&issuer, "at", "", "the authorization `server` that you were told of and trust")
	cmd.Flags().BoolVar(&print, "print", false, "print the address, open no browser, and do not wait")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address, open no browser, and wait until you have signed in")
	return kit.With(cmd, "showhow connector login tracker", "showhow connector login tracker --no-browser")
}

// browse opens the sign-in in the person's browser, or says why that is for the person to do.
func browse(ctx context.Context, e *env, address string) {
	err := desktop.Browse(ctx, e.Getenv, address)
	if err == nil {
		e.Note("Your browser opens it. Waiting until you have signed in ...")
		return
	}
	f := e.AsFault(err)
	if f.Hint != "" {
		f.Message += " (" + f.Hint + ")"
	}
	e.Note("No browser was opened: %s. Open the address in a browser on this computer.%s\nWaiting until you have signed in ...",
		f.Message, elsewhere(address))
}

// elsewhere says how a browser on another computer can return here: a sign-in ends at a port of this one.
func elsewhere(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	back, err := url.Parse(u.Query().Get("redirect_uri"))
	if err != nil || back.Port() == "" {
		return ""
	}
	return fmt.Sprintf("\nIf your browser is on another computer, run this there first:  ssh -L %[1]s:%[2]s:%[1]s THIS-COMPUTER",
		back.Port(), back.Hostname())
}

// signedIn waits until the person has signed in.
func (e *env) signedIn(ctx context.Context, c *client.Client, id string, until time.Time) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		a, err := c.ConnectorAuth(ctx, id)
		switch {
		case err != nil:
			return err
		case a.AuthState == "healthy":
			return e.Done(nil, "signed in")
		case time.Now().After(until):
			return fault.New(fault.MCPOAuthCallbackExpired, "nobody signed in").WithHint("showhow connector login " + id)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
