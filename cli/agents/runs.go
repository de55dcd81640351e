package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/adapters/receipts/report"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// agentHookCommand and agentJournalCommand are groups of `showhow agent`.
func agentHookCommand(e *env) *cobra.Command {
	group := kit.With(&cobra.Command{Use: "hook", Short: "Put Showhow's hook into an agent's settings, and take it out again",
		Long: `The hook lets an agent report its tool calls. It is added beside what stands in the agent's settings; remove takes exactly that
out again. By itself it keeps nothing: a session must name the agent (learn start --observe inside_agent --app AGENT), or
you must let its runs be kept (agent journal on AGENT).`},
		"showhow agent hook install claude-code", "showhow agent hook list")
	install := e.Call("install AGENT", "Add the hook to an agent's settings",
		func(ctx context.Context, c *client.Client, args []string) error {
			a, err := c.InstallHook(ctx, args[0], kit.AgentDirs(e.Env)[args[0]])
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("The hook is in %s.\nTo take effect: %s.", e.Roots.Tilde(a.Hook.Path), a.Hook.Next)
				if !a.Journal {
					e.Say("Nothing is kept yet. Watch it:  showhow learn start GOAL --observe inside_agent --app %s\nor let its runs be kept for a "+
						"day:  showhow agent journal on %s", a.Agent, a.Agent)
				}
			})
		})
	remove := e.Call("remove AGENT", "Take the hook out of an agent's settings",
		func(ctx context.Context, c *client.Client, args []string) error {
			_, err := c.RemoveHook(ctx, args[0])
			return e.Done(err, "removed")
		})
	for _, cmd := range []*cobra.Command{install, remove} {
		cmd.ValidArgs = []string{report.ClaudeCode, report.Codex, report.OpenClaw}
	}
	group.AddCommand(kit.With(install, "showhow agent hook install claude-code"), kit.With(remove, "showhow agent hook remove claude-code"),
		kit.With(e.Call("list", "List agents that report, with hooks and consents",
			func(ctx context.Context, c *client.Client, _ []string) error {
				l, err := c.ObservedAgents(ctx)
				if err != nil {
					return err
				}
				return e.Show(func() { e.sayAgents(l.Agents) })
			}), "showhow agent hook list"))
	return group
}

// sayAgents prints a line for each agent that reports.
func (e *env) sayAgents(as []client.ObservedAgent) {
	e.Table("no agent reports; install a hook with: showhow agent hook install AGENT",
		kit.Columns("AGENT", "HOOK", "RUNS", "LAST HEARD", "MISSED"), func(row func(...any)) {
			for _, a := range as {
				hook, runs := "-", "not kept"
				if a.Hook != nil {
					hook = a.Hook.State
				}
				if a.Journal {
					runs = fmt.Sprintf("%d kept", a.Runs)
				}
				row(a.Agent, hook, runs, kit.Since(a.LastHeardAt), a.Missed)
			}
		})
}

func agentJournalCommand(e *env) *cobra.Command {
	group := kit.With(&cobra.Command{Use: "journal", Short: "Let an agent's last runs be kept for a day, to learn from; off by default",
		Long: `With your consent, per agent, the last 20 runs are kept, redacted, for 24 hours. What you or the agent say to each other, what
tools answer and what is written into files is not kept at all. Withdrawing the consent deletes everything, to the last byte.`},
		"showhow agent journal on claude-code", "showhow agent journal list", "showhow learn start --from RUN")
	on := e.Call("on AGENT", "Keep an agent's last 20 runs, redacted, for 24 hours; you confirm it",
		func(ctx context.Context, c *client.Client, args []string) error {
			a, err := c.SetJournal(ctx, args[0], true)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("The last 20 runs of %s are kept for a day from now on. `showhow status` says so; `showhow agent journal off %s` ends it.",
					a.Agent, a.Agent)
				if a.Hook == nil {
					e.Say("It reports only with a hook:  showhow agent hook install %s", a.Agent)
				}
			})
		})
	off := e.Call("off AGENT", "Keep them no longer, and delete what was kept",
		func(ctx context.Context, c *client.Client, args []string) error {
			_, err := c.SetJournal(ctx, args[0], false)
			return e.Done(err, "off; what was kept of %s is deleted, to the last byte", args[0])
		})
	on.ValidArgsFunction, off.ValidArgsFunction = e.Offer(observedNames), e.Offer(observedNames)
	group.AddCommand(kit.With(on, "showhow agent journal on claude-code"), kit.With(off, "showhow agent journal off claude-code"),
		journalList(e), journalShow(e), journalDelete(e))
	return group
}

func journalList(e *env) *cobra.Command {
	var p kit.Pages
	var agent string
	cmd := kit.With(p.Flags(e.Call("list", "List kept runs, newest first", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.Runs(ctx, agent, p.Query())
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table(p.None(l.Total, "no run is kept"), kit.Columns("RUN", "AGENT", "BEGAN", "GONE BY", "KEPT", "FIRST"), func(row func(...any)) {
				for _, r := range l.Runs {
					row(r.RunID, r.Agent, kit.Since(&r.StartedAt), kit.Since(&r.ExpiresAt), r.Observations, shorten(r.First, 60))
				}
			})
			p.More(e.Env, len(l.Runs), l.Total)
		})
	})), "showhow agent journal list", "showhow agent journal list --agent codex")
	cmd.Flags().StringVar(&agent, "agent", "", "only of this `agent`")
	e.CompleteWith(cmd, "agent", observedNames)
	return cmd
}

func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}

func journalShow(e *env) *cobra.Command {
	var p kit.Pages
	cmd := e.Call("show RUN", "List what was kept of a run, as it was kept", func(ctx context.Context, c *client.Client, args []string) error {
		d, err := c.Run(ctx, args[0], p.Query())
		if err != nil {
			return err
		}
		return e.Show(func() {
			for _, r := range d.Observations {
				e.SayRecord(r)
			}
			if len(d.Observations) == 0 {
				e.Say("%s", p.None(d.Total, "nothing was kept of it"))
			}
			p.More(e.Env, len(d.Observations), d.Total)
		})
	})
	cmd.ValidArgsFunction = e.Offer(kit.RunIDs)
	return kit.With(p.Flags(cmd), "showhow agent journal show RUN")
}

func journalDelete(e *env) *cobra.Command {
	var all bool
	var agent string
	cmd := kit.With(e.Call("delete [RUN]...", "Delete kept runs, to the last byte",
		func(ctx context.Context, c *client.Client, args []string) error {
			if (len(args) > 0) == (all || agent != "") {
				return kit.Usage("name runs, or use --all or --agent NAME").WithHint("`showhow agent journal list` shows the runs")
			}
			if len(args) == 0 {
				r, err := c.DeleteRuns(ctx, agent)
				return e.Done(err, "%s deleted, to the last byte", kit.Plural(r.Deleted, "run", "runs"))
			}
			for _, id := range args {
				if _, err := c.DeleteRun(ctx, id); err != nil {
					return err
				}
			}
			return e.Done(nil, "%s deleted, to the last byte", kit.Plural(len(args), "run", "runs"))
		}), "showhow agent journal delete RUN", "showhow agent journal delete --all")
	cmd.Flags().BoolVar(&all, "all", false, "every kept run of every agent")
	cmd.Flags().StringVar(&agent, "agent", "", "every kept run of this `agent`")
	cmd.ValidArgsFunction = e.Offer(kit.RunIDs)
	e.CompleteWith(cmd, "agent", observedNames)
	return cmd
}

func observedNames(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.ObservedAgents(ctx)
	for _, a := range l.Agents {
		out = append(out, a.Agent)
	}
	for _, k := range []string{report.ClaudeCode, report.Codex, report.OpenClaw} {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out, err
}

func agentCommand(e *env) *cobra.Command {
	agent := kit.With(&cobra.Command{Use: "agent", Short: "Agents: tokens of their own, hooks in their settings, runs that are kept",
		Long: "An agent's token looks abilities up, reports checkpoints and sends receipts. It cannot approve, install or watch."},
		"showhow agent add my-agent", "showhow agent list")
	revoke := e.Call("revoke NAME", "Refuse its token from now on", func(ctx context.Context, c *client.Client, args []string) error {
		_, err := c.RevokeAgent(ctx, args[0])
		if fault.Is(err, fault.NotFound) {
			err = fault.From(err).WithHint("`showhow agent list` names them")
		}
		return e.Done(err, "revoked")
	})
	revoke.ValidArgsFunction = e.Offer(kit.AgentNames)
	agent.AddCommand(
		kit.With(e.Call("add NAME", "Mint a token; it is shown once, and you confirm it",
			func(ctx context.Context, c *client.Client, args []string) error {
				as, err := c.Agents(ctx)
				if err != nil {
					return err
				}
				if slices.ContainsFunc(as.Agents, func(a client.Agent) bool { return a.Name == args[0] && a.RevokedAt == nil }) {
					return fault.New(fault.NameTaken, "an agent of this name has a token").WithHint("revoke it first, or choose another name")
				}
				a, err := c.AddAgent(ctx, args[0])
				return e.Done(err, "%s\n\nGive it to the agent as SHOWHOW_TOKEN. It is not shown again.", a.Token)
			}), "showhow agent add my-agent"),
		kit.With(e.Call("list", "List agents", func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.Agents(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("no agent has a token", kit.Columns("AGENT", "SINCE", "STATE"), func(row func(...any)) {
					for _, a := range l.Agents {
						state := "in force"
						if a.RevokedAt != nil {
							state = "revoked " + a.RevokedAt.Local().Format("2006-01-02")
						}
						row(a.Name, a.CreatedAt.Local().Format("2006-01-02"), state)
					}
				})
			})
		}), "showhow agent list"),
		kit.With(revoke, "showhow agent revoke my-agent"),
		agentHookCommand(e), agentJournalCommand(e),
	)
	agent.AddCommand(agentConnect(e)...)
	return agent
}
