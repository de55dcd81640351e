package looking

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"showhow/adapters/terminal"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func browserCommand(e *env) *cobra.Command {
	var attach string
	var detach, end bool
	cmd := e.Call("browser [URL]", "Open Showhow's own browser, apart from yours",
		func(ctx context.Context, c *client.Client, args []string) error {
			switch {
			case end && (attach != "" || detach || len(args) > 0):
				return kit.Usage("--close stands alone")
			case end:
				return e.Done(c.CloseBrowser(ctx), "Showhow's browser is closed.")
			}
			if attach != "" || detach {
				return e.attachBrowser(ctx, c, attach, detach, len(args) > 0)
			}
			url := ""
			if len(args) == 1 {
				if url = args[0]; !strings.Contains(url, "://") {
					url = scheme(url) + url
				}
			}
			b, err := c.OpenBrowser(ctx, url)
			if err != nil {
				return err
			}
			return e.Show(func() {
				switch {
				case b.Attached:
					e.Say("The page is open in the browser that you attached (%s).", b.Product)
					return
				case b.Headless:
					e.Say("Showhow's browser (%s) runs without a window, because there is no display or config.toml says so.\nTo show something there, "+
						"drive a browser of your own: end this one with `showhow browser --close`, start yours with\n--remote-debugging-port=9222, then "+
						"`showhow browser --attach 9222`.", b.Product)
					return
				}
				e.Say("Showhow's browser (%s) is open. It has a profile of its own: sign in where you need to, before you start to show.", b.Product)
			})
		})
	cmd.Long = `Its profile is Showhow's own, so it is empty at first: sign in where you need to.
With --attach PORT the browser is one that you started with --remote-debugging-port=PORT instead. Every program on this
computer that can reach such a port can read and drive that browser.`
	cmd.Flags().StringVar(&attach, "attach", "", "use the running browser with this debugging `port` instead")
	cmd.Flags().BoolVar(&detach, "detach", false, "leave an attached browser to itself again")
	cmd.Flags().BoolVar(&end, "close", false, "end Showhow's own browser, window or not")
	return kit.With(cmd, "showhow browser", "showhow browser localhost:8080", "showhow browser --attach 9222", "showhow browser --close")
}

func (e *env) attachBrowser(ctx context.Context, c *client.Client, port string, detach, url bool) error {
	if detach && port != "" || url {
		return kit.Usage("--attach and --detach stand alone: open pages in that browser yourself")
	}
	if detach {
		port = ""
	}
	b, err := c.AttachBrowser(ctx, port)
	if err != nil {
		return err
	}
	return e.Show(func() {
		if detach {
			e.Say("Showhow leaves that browser alone; the next one is its own again.")
			return
		}
		e.Say("%s is the browser that sessions watch now, on the sites they name and nowhere else.\n! %s", b.Product, e.Wrap(2, b.Warning))
	})
}

// scheme is the scheme that a browser would assume for an address without one.
func scheme(address string) string {
	name, _, _ := strings.Cut(address, "/")
	name, _, _ = strings.Cut(name, ":")
	if name == "localhost" || strings.HasPrefix(name, "127.") {
		return "http://"
	}
	return "https://"
}

func targetsCommand(e *env) *cobra.Command {
	return kit.With(e.Call("targets", "List what could be watched right now", func(ctx context.Context, c *client.Client, _ []string) error {
		t, err := c.Targets(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("no shell has the hook and no page is open; see `showhow doctor`", kit.Columns("FLAG", "WHAT"), func(row func(...any)) {
				for _, x := range t.Targets {
					row(fmt.Sprintf("--%s %s", x.Kind, x.Value), x.Title)
				}
			})
		})
	}), "showhow targets")
}

func shellInit(e *env) *cobra.Command {
	var nonblock int
	cmd := kit.With(&cobra.Command{Use: "shell-init bash|zsh|fish", Short: "Print the hook that lets a session watch this shell",
		Long: `The hook costs one look at a file per prompt while nothing is watched, starts no process per command and cannot hang the
shell. What the shell keeps out of its history is not reported either: with HISTCONTROL=ignorespace (zsh: HIST_IGNORE_SPACE,
fish: always) that is every command with a space before it. doctor proves that it works here.`,
		ValidArgs: terminal.Shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if nonblock >= 0 {
				return nil
			}
			return kit.Arity(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if nonblock >= 0 {
				return terminal.SetNonblock(nonblock)
			}
			hook, err := e.Hook(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(e.Out, hook)
			return err
		}}, `eval "$(showhow shell-init bash)"      # in ~/.bashrc, for every new shell`, `eval "$(showhow shell-init zsh)"       # in ~/.zshrc`,
		`showhow shell-init fish | source       # in ~/.config/fish/config.fish`)
	cmd.Flags().IntVar(&nonblock, "nonblock", -1, "make an inherited descriptor non-blocking (the hook calls this once)")
	cmd.Flags().MarkHidden("nonblock")
	return cmd
}

func openCommand(e *env) *cobra.Command {
	var launch bool
	cmd := e.Call("open", "Print a URL for one login with a browser; --launch opens it",
		func(ctx context.Context, c *client.Client, _ []string) error {
			s, err := c.OpenSession(ctx, launch)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("%s", s.URL)
				if e.Interactive() && !launch && s.Pages {
					e.Note("Open it in a browser within a minute, and keep this terminal: what only you may do asks for a code that is shown here.")
				}
				if s.Notice != "" {
					e.Note("%s", s.Notice)
				}
				if launch && !s.Launched {
					e.Note("no browser could be started; open the URL yourself")
				}
				if !s.Pages {
					e.Note("this build has no pages, so a browser shows nothing there; `make build` with Node and npm builds them")
				}
			})
		})
	cmd.Long = `The URL is good for one login within a minute. A tab that is logged in stays so for twelve hours, also when the daemon ` +
		`died or was
restarted; what only you may do then needs a new login from a terminal, the tray or the window. ` + "`showhow daemon stop`" + ` ends every
login, and so does half an hour in which nobody uses the local port.`
	cmd.Flags().BoolVar(&launch, "launch", false, "open it in the default browser")
	return kit.With(cmd, "showhow open --launch")
}

func statusCommand(e *env) *cobra.Command {
	return kit.With(e.Call("status", "Say what is going on", func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := c.Status(ctx)
		if err != nil || e.JSON {
			return e.Done(err, "")
		}
		e.Say("showhow %s, process %d, since %s", s.Version.Version, s.PID, s.StartedAt.Local().Format("2006-01-02 15:04"))
		if s.Previewing {
			e.Say("A preview looks on; it keeps nothing.")
		}
		if s.ActiveSession == "" {
			e.Say("Nothing is watched.")
		} else if x, err := c.Session(ctx, s.ActiveSession); err == nil {
			e.SaySession(x)
		} else {
			e.Say("Session %s is %s.", s.ActiveSession, kit.Words(s.State))
		}
		for _, a := range s.Agents {
			if a.Journal {
				e.Say("Runs of %s are kept for a day: %s, last heard %s.", a.Agent, kit.Plural(a.Runs, "run", "runs"), kit.Since(a.LastHeardAt))
			} else if a.Hook != nil {
				e.Say("%s has Showhow's hook (%s); nothing is kept unless a session watches it. Last heard %s.", a.Agent, a.Hook.State,
					kit.Since(a.LastHeardAt))
			}
		}
		if len(s.Mining) > 0 {
			e.Say("Looked through for what is done again and again: %s (showhow mine settings --mode off).", strings.Join(s.Mining, ", "))
		}
		if s.Mined > 0 {
			e.Say("%s again and again: showhow mine", kit.Plural(s.Mined, "thing is done", "things are done"))
		}
		for _, w := range s.Warnings {
			e.Say("! %s", e.Wrap(2, w))
		}
		return nil
	}), "showhow status", "showhow status --json")
}

func doctorCommand(e *env) *cobra.Command {
	cmd := e.Call("doctor", "Say what works here, and what would fix the rest", func(ctx context.Context, c *client.Client, _ []string) error {
		d, err := c.Doctor(ctx)
		if err != nil {
			return err
		}
		if err := e.Show(func() { e.sayDoctor(d) }); err != nil {
			return err
		}
		if !d.OK {
			return fault.New(fault.Internal, "something that Showhow needs is broken").WithHint("see the fixes above")
		}
		return nil
	})
	cmd.Long = "Exit code 1 when something that Showhow needs is broken. docs/adapters.md says what each adapter sees and never sees."
	return kit.With(cmd, "showhow doctor")
}

// sayDoctor prints a line per check. Adapters that this build does not have share one line: nothing here could fix
// them.
func (e *env) sayDoctor(d client.Doctor) {
	var absent []string
	for _, x := range d.Checks {
		if name, ok := strings.CutPrefix(x.Name, "adapter "); ok && x.State == "unavailable" && x.Code == "not_in_build" {
			absent = append(absent, name)
			continue
		}
		e.Say("%-11s  %-26s  %s", x.State, x.Name, e.Wrap(41, x.Detail))
		if x.Fix != "" {
			e.Say("%-11s  %-26s  fix: %s", "", "", x.Fix)
		}
	}
	if len(absent) > 0 {
		e.Say("%-11s  %-26s  %s", "later", "adapters", e.Wrap(41, "not in this version: "+strings.Join(absent, ", ")))
	}
}
