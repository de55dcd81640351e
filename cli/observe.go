package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"showhow/adapters/terminal"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func observeCommands(e *env) []*cobra.Command {
	status := e.call("status", "Say what is going on", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := c.Status(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.say("showhow %s, process %d, since %s", s.Version.Version, s.PID, s.StartedAt.Local().Format("15:04"))
			if s.ActiveSession != "" {
				e.say("session %s is %s", s.ActiveSession, s.State)
			} else {
				e.say("nothing is watched")
			}
			for _, w := range s.Warnings {
				e.say("! %s", w)
			}
		})
	})
	doctor := e.call("doctor", "Say what works here, and what would fix the rest", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		d, err := c.Doctor(ctx)
		if err != nil {
			return err
		}
		if err := e.show(func() {
			for _, x := range d.Checks {
				e.say("%-11s %-28s %s", x.State, x.Name, x.Detail)
				if x.Fix != "" {
					e.say("%-11s   fix: %s", "", x.Fix)
				}
			}
		}); err != nil {
			return err
		}
		if !d.OK {
			return fault.New(fault.Internal, "something that Showhow needs is broken").WithHint("see the fixes above")
		}
		return nil
	})
	open := e.call("open", "Print a URL for one login with a browser; --launch opens it", cobra.NoArgs, nil)
	launch := open.Flags().Bool("launch", false, "open it in the default browser")
	open.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := e.connect(cmd.Context())
		if err != nil {
			return err
		}
		s, err := c.OpenSession(cmd.Context(), *launch)
		if err != nil {
			return err
		}
		return e.show(func() { e.say("%s", s.URL) })
	}
	browser := e.call("browser [URL]", "Open Showhow's own browser, apart from yours", cobra.MaximumNArgs(1), func(ctx context.Context, c *client.Client, args []string) error {
		url := ""
		if len(args) == 1 {
			url = args[0]
		}
		_, err := c.OpenBrowser(ctx, url)
		return e.done(err, "Showhow's browser is open. It starts empty: sign in where you need to, before you start to show.")
	})
	targets := e.call("targets", "List what could be watched right now", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		t, err := c.Targets(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			for _, x := range t.Targets {
				e.say("--%s %-20s %s", x.Kind, x.Value, x.Title)
			}
		})
	})
	return []*cobra.Command{status, doctor, open, browser, targets, shellInit(e)}
}

func shellInit(e *env) *cobra.Command {
	var nonblock int
	cmd := &cobra.Command{Use: "shell-init bash|zsh", Short: "Print the hook that lets a session watch this shell",
		Long: `The hook costs one look at a file per prompt while nothing is watched, starts no process per command and cannot hang the
shell. A space before a command keeps it private, as it does in the shell's history.`,
		Example: `  eval "$(showhow shell-init bash)"      # or in ~/.bashrc`,
		Args:    cobra.MaximumNArgs(1), ValidArgs: []string{"bash", "zsh"},
		RunE: func(_ *cobra.Command, args []string) error {
			if nonblock >= 0 {
				return terminal.SetNonblock(nonblock)
			}
			if len(args) == 0 {
				return usage("say which shell: showhow shell-init bash or zsh")
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			s, err := terminal.Script(args[0], terminal.Options{Exe: self, RuntimeDir: e.roots.Runtime})
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(e.out, s)
			return err
		}}
	cmd.Flags().IntVar(&nonblock, "nonblock", -1, "make an inherited descriptor non-blocking (the hook calls this once)")
	cmd.Flags().MarkHidden("nonblock")
	return cmd
}

func recordCommands(e *env) []*cobra.Command {
	history := e.call("history", "List everything that was shown", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		h, err := c.History(ctx, client.PageQuery{})
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table(func(row func(...any)) {
				row("SESSION", "WHEN", "STATE", "OUTCOME", "TITLE")
				for _, x := range h.Items {
					row(x.LearnSessionID, x.CreatedAt.Local().Format("2006-01-02 15:04"), x.State, x.Outcome, x.Title)
				}
			})
		})
	})
	receipts := e.call("receipts", "List the durable record of every change", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		r, err := c.Receipts(ctx, client.ReceiptFilter{})
		if err != nil {
			return err
		}
		return e.show(func() {
			for _, x := range r.Receipts {
				e.say("%s  %-34s %s", x.CreatedAt.Local().Format("2006-01-02 15:04:05"), x.Kind, x.Summary)
			}
		})
	})
	settings := e.call("settings", "Show the settings in force; change them in config.toml", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := c.Settings(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.say("file     %s\nmemory   %s\nidle     %d min", e.roots.Tilde(e.roots.Config), e.roots.Tilde(s.Memory), s.IdleExitMinutes)
			for _, t := range s.Targets {
				e.say("target   %s %s", t.Name, e.roots.Tilde(t.Dir))
			}
		})
	})
	return []*cobra.Command{history, receipts, settings, agentCommand(e)}
}

func agentCommand(e *env) *cobra.Command {
	agent := &cobra.Command{Use: "agent", Short: "Give agents tokens of their own, and take them away",
		Long: "An agent's token looks abilities up, reports checkpoints and sends receipts. It cannot approve, install or watch."}
	agent.AddCommand(
		e.call("add NAME", "Mint a token; it is shown once, and you confirm it", cobra.ExactArgs(1), func(ctx context.Context, c *client.Client, args []string) error {
			a, err := c.AddAgent(ctx, args[0])
			if err != nil {
				return err
			}
			return e.show(func() { e.say("%s\n\nGive it to the agent as SHOWHOW_TOKEN. It is not shown again.", a.Token) })
		}),
		e.call("list", "List agents", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.Agents(ctx)
			if err != nil {
				return err
			}
			return e.show(func() {
				for _, a := range l.Agents {
					state := "in force"
					if a.RevokedAt != nil {
						state = "revoked " + a.RevokedAt.Local().Format("2006-01-02")
					}
					e.say("%-20s %s", a.Name, state)
				}
			})
		}),
		e.call("revoke NAME", "Refuse its token from now on", cobra.ExactArgs(1), func(ctx context.Context, c *client.Client, args []string) error {
			_, err := c.RevokeAgent(ctx, strings.TrimSpace(args[0]))
			return e.done(err, "revoked")
		}),
	)
	return agent
}
