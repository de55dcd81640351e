package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/adapters/receipts/report"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// agentHookCommand and agentJournalCommand are groups of `showhow agent`.
func agentHookCommand(e *env) *cobra.Command {
	group := with(&cobra.Command{Use: "hook", Short: "Put Showhow's hook into an agent's settings, and take it out again",
		Long: `The hook lets an agent report its tool calls. It is added beside what stands in the agent's settings; remove takes exactly that
out again. By itself it keeps nothing: a session must name the agent (learn start --observe inside_agent --app AGENT), or
you must let its runs be kept (agent journal on AGENT).`},
		"showhow agent hook install claude-code", "showhow agent hook list")
	install := e.call("install AGENT", "Add the hook to an agent's settings", func(ctx context.Context, c *client.Client, args []string) error {
		a, err := c.InstallHook(ctx, args[0], e.agentDirs()[args[0]])
		if err != nil {
			return err
		}
		return e.show(func() {
			e.say("The hook is in %s.\nTo take effect: %s.", e.roots.Tilde(a.Hook.Path), a.Hook.Next)
			if !a.Journal {
				e.say("Nothing is kept yet. Watch it:  showhow learn start GOAL --observe inside_agent --app %s\nor let its runs be kept for a day:  showhow agent journal on %s", a.Agent, a.Agent)
			}
		})
	})
	remove := e.call("remove AGENT", "Take the hook out of an agent's settings", func(ctx context.Context, c *client.Client, args []string) error {
		_, err := c.RemoveHook(ctx, args[0])
		return e.done(err, "removed")
	})
	for _, cmd := range []*cobra.Command{install, remove} {
		cmd.ValidArgs = []string{report.ClaudeCode, report.Codex, report.OpenClaw}
	}
	group.AddCommand(with(install, "showhow agent hook install claude-code"), with(remove, "showhow agent hook remove claude-code"),
		with(e.call("list", "List agents that report, with hooks and consents", func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.ObservedAgents(ctx)
			if err != nil {
				return err
			}
			return e.show(func() { e.sayAgents(l.Agents) })
		}), "showhow agent hook list"))
	return group
}

// sayAgents prints a line per agent that reports.
func (e *env) sayAgents(as []client.ObservedAgent) {
	e.table("no agent reports; install a hook with: showhow agent hook install AGENT", columns("AGENT", "HOOK", "RUNS", "LAST HEARD", "MISSED"), func(row func(...any)) {
		for _, a := range as {
			hook, runs := "-", "not kept"
			if a.Hook != nil {
				hook = a.Hook.State
			}
			if a.Journal {
				runs = fmt.Sprintf("%d kept", a.Runs)
			}
			row(a.Agent, hook, runs, since(a.LastHeardAt), a.Missed)
		}
	})
}

func agentJournalCommand(e *env) *cobra.Command {
	group := with(&cobra.Command{Use: "journal", Short: "Let an agent's last runs be kept for a day, to learn from; off by default",
		Long: `With your consent, per agent, the last 20 runs are kept, redacted, for 24 hours. What you or the agent say to each other, what
tools answer and what is written into files is not kept at all. Withdrawing the consent deletes everything, to the last byte.`},
		"showhow agent journal on claude-code", "showhow agent journal list", "showhow learn start --from RUN")
	on := e.call("on AGENT", "Keep an agent's last 20 runs, redacted, for 24 hours; you confirm it", func(ctx context.Context, c *client.Client, args []string) error {
		a, err := c.SetJournal(ctx, args[0], true)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.say("The last 20 runs of %s are kept for a day from now on. `showhow status` says so; `showhow agent journal off %s` ends it.", a.Agent, a.Agent)
			if a.Hook == nil {
				e.say("It reports only with a hook:  showhow agent hook install %s", a.Agent)
			}
		})
	})
	off := e.call("off AGENT", "Keep them no longer, and delete what was kept", func(ctx context.Context, c *client.Client, args []string) error {
		_, err := c.SetJournal(ctx, args[0], false)
		return e.done(err, "off; what was kept of %s is deleted, to the last byte", args[0])
	})
	on.ValidArgsFunction, off.ValidArgsFunction = e.offer(observedNames), e.offer(observedNames)
	group.AddCommand(with(on, "showhow agent journal on claude-code"), with(off, "showhow agent journal off claude-code"),
		journalList(e), journalShow(e), journalDelete(e))
	return group
}

func journalList(e *env) *cobra.Command {
	var p pages
	var agent string
	cmd := with(p.flags(e.call("list", "List kept runs, newest first", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.Runs(ctx, agent, p.query())
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table(p.none(l.Total, "no run is kept"), columns("RUN", "AGENT", "BEGAN", "GONE BY", "KEPT", "FIRST"), func(row func(...any)) {
				for _, r := range l.Runs {
					row(r.RunID, r.Agent, since(&r.StartedAt), since(&r.ExpiresAt), r.Observations, shorten(r.First, 60))
				}
			})
			p.more(e, len(l.Runs), l.Total)
		})
	})), "showhow agent journal list", "showhow agent journal list --agent codex")
	cmd.Flags().StringVar(&agent, "agent", "", "only of this `agent`")
	e.completeWith(cmd, "agent", observedNames)
	return cmd
}

func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}

func journalShow(e *env) *cobra.Command {
	var p pages
	cmd := e.call("show RUN", "List what was kept of a run, as it was kept", func(ctx context.Context, c *client.Client, args []string) error {
		d, err := c.Run(ctx, args[0], p.query())
		if err != nil {
			return err
		}
		return e.show(func() {
			for _, r := range d.Observations {
				e.sayRecord(r)
			}
			if len(d.Observations) == 0 {
				e.say("%s", p.none(d.Total, "nothing was kept of it"))
			}
			p.more(e, len(d.Observations), d.Total)
		})
	})
	cmd.ValidArgsFunction = e.offer(runIDs)
	return with(p.flags(cmd), "showhow agent journal show RUN")
}

func journalDelete(e *env) *cobra.Command {
	var all bool
	var agent string
	cmd := with(e.call("delete [RUN]...", "Delete kept runs, to the last byte", func(ctx context.Context, c *client.Client, args []string) error {
		if (len(args) > 0) == (all || agent != "") {
			return usage("name runs, or use --all or --agent NAME").WithHint("`showhow agent journal list` shows the runs")
		}
		if len(args) == 0 {
			r, err := c.DeleteRuns(ctx, agent)
			return e.done(err, "%s deleted, to the last byte", plural(r.Deleted, "run", "runs"))
		}
		for _, id := range args {
			if _, err := c.DeleteRun(ctx, id); err != nil {
				return err
			}
		}
		return e.done(nil, "%s deleted, to the last byte", plural(len(args), "run", "runs"))
	}), "showhow agent journal delete RUN", "showhow agent journal delete --all")
	cmd.Flags().BoolVar(&all, "all", false, "every kept run of every agent")
	cmd.Flags().StringVar(&agent, "agent", "", "every kept run of this `agent`")
	cmd.ValidArgsFunction = e.offer(runIDs)
	e.completeWith(cmd, "agent", observedNames)
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

func runIDs(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.Runs(ctx, "", client.PageQuery{PageSize: 50})
	for _, r := range l.Runs {
		out = append(out, cobra.CompletionWithDesc(r.RunID, r.Agent+", "+since(&r.StartedAt)))
	}
	return out, err
}

// fromRuns makes a request one that learns from runs: an agent's work, whoever asks.
func fromRuns(r *client.CreateRequest, f *startFlags, set func(flag string) bool) error {
	if len(f.runs) == 0 {
		return nil
	}
	for _, flag := range []string{"site", "shell", "folder", "device", "app", "foreground"} {
		if set(flag) {
			return fault.Newf(fault.Usage, "--%s does not go with --from: a run is over, there is nothing to watch", flag)
		}
	}
	if !set("observe") {
		r.ObservationMode = "inside_agent"
	}
	if !set("mode") && f.improves == "" {
		r.EntryMode = "coaching_agent"
	}
	return nil
}
