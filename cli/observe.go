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

func browserCommand(e *env) *cobra.Command {
	var attach string
	var detach, end bool
	cmd := e.call("browser [URL]", "Open Showhow's own browser, apart from yours", func(ctx context.Context, c *client.Client, args []string) error {
		switch {
		case end && (attach != "" || detach || len(args) > 0):
			return usage("--close stands alone")
		case end:
			return e.done(c.CloseBrowser(ctx), "Showhow's browser is closed.")
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
		return e.show(func() {
			switch {
			case b.Attached:
				e.say("The page is open in the browser that you attached (%s).", b.Product)
				return
			case b.Headless:
				e.say("Showhow's browser (%s) runs without a window, because there is no display or config.toml says so.\nTo show something there, drive a browser of your own: end this one with `showhow browser --close`, start yours with\n--remote-debugging-port=9222, then `showhow browser --attach 9222`.", b.Product)
				return
			}
			e.say("Showhow's browser (%s) is open. It has a profile of its own: sign in where you need to, before you start to show.", b.Product)
		})
	})
	cmd.Long = `Its profile is Showhow's own, so it is empty at first: sign in where you need to.
With --attach PORT the browser is one that you started with --remote-debugging-port=PORT instead. Every program on this
computer that can reach such a port can read and drive that browser.`
	cmd.Flags().StringVar(&attach, "attach", "", "use the running browser with this debugging `port` instead")
	cmd.Flags().BoolVar(&detach, "detach", false, "leave an attached browser to itself again")
	cmd.Flags().BoolVar(&end, "close", false, "end Showhow's own browser, window or not")
	return with(cmd, "showhow browser", "showhow browser localhost:8080", "showhow browser --attach 9222", "showhow browser --close")
}

func (e *env) attachBrowser(ctx context.Context, c *client.Client, port string, detach, url bool) error {
	if detach && port != "" || url {
		return usage("--attach and --detach stand alone: open pages in that browser yourself")
	}
	if detach {
		port = ""
	}
	b, err := c.AttachBrowser(ctx, port)
	if err != nil {
		return err
	}
	return e.show(func() {
		if detach {
			e.say("Showhow leaves that browser alone; the next one is its own again.")
			return
		}
		e.say("%s is the browser that sessions watch now, on the sites they name and nowhere else.\n! %s", b.Product, e.wrap(2, b.Warning))
	})
}

// scheme is what a browser would put before an address without one.
func scheme(address string) string {
	name, _, _ := strings.Cut(address, "/")
	name, _, _ = strings.Cut(name, ":")
	if name == "localhost" || strings.HasPrefix(name, "127.") {
		return "http://"
	}
	return "https://"
}

func targetsCommand(e *env) *cobra.Command {
	return with(e.call("targets", "List what could be watched right now", func(ctx context.Context, c *client.Client, _ []string) error {
		t, err := c.Targets(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table("no shell has the hook and no page is open; see `showhow doctor`", columns("FLAG", "WHAT"), func(row func(...any)) {
				for _, x := range t.Targets {
					row(fmt.Sprintf("--%s %s", x.Kind, x.Value), x.Title)
				}
			})
		})
	}), "showhow targets")
}

func shellInit(e *env) *cobra.Command {
	var nonblock int
	cmd := with(&cobra.Command{Use: "shell-init bash|zsh|fish", Short: "Print the hook that lets a session watch this shell",
		Long: `The hook costs one look at a file per prompt while nothing is watched, starts no process per command and cannot hang the
shell. What the shell keeps out of its history is not reported either: with HISTCONTROL=ignorespace (zsh: HIST_IGNORE_SPACE,
fish: always) that is every command with a space before it. doctor proves that it works here.`,
		ValidArgs: terminal.Shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if nonblock >= 0 {
				return nil
			}
			return arity(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if nonblock >= 0 {
				return terminal.SetNonblock(nonblock)
			}
			hook, err := e.hook(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(e.out, hook)
			return err
		}}, `eval "$(showhow shell-init bash)"      # in ~/.bashrc, for every new shell`, `eval "$(showhow shell-init zsh)"       # in ~/.zshrc`,
		`showhow shell-init fish | source       # in ~/.config/fish/config.fish`)
	cmd.Flags().IntVar(&nonblock, "nonblock", -1, "make an inherited descriptor non-blocking (the hook calls this once)")
	cmd.Flags().MarkHidden("nonblock")
	return cmd
}

// hook is the script for a shell, with the folder made in which the shell registers itself.
func (e *env) hook(shell string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	script, err := terminal.Script(shell, terminal.Options{Exe: self, RuntimeDir: e.roots.Runtime})
	if err != nil {
		return "", err
	}
	return script, terminal.EnsureDir(e.roots.Runtime)
}

func openCommand(e *env) *cobra.Command {
	var launch bool
	cmd := e.call("open", "Print a URL for one login with a browser; --launch opens it", func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := c.OpenSession(ctx, launch)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.say("%s", s.URL)
			if e.interactive() && !launch && s.Pages {
				e.note("Open it in a browser within a minute, and keep this terminal: what only you may do asks for a code that is shown here.")
			}
			if s.Notice != "" {
				e.note("%s", s.Notice)
			}
			if launch && !s.Launched {
				e.note("no browser could be started; open the URL yourself")
			}
			if !s.Pages {
				e.note("this build has no pages, so a browser shows nothing there; `make build` with Node and npm builds them")
			}
		})
	})
	cmd.Long = `The URL is good for one login within a minute. A tab that is logged in stays so for twelve hours, also when the daemon died or was
restarted; what only you may do then needs a new login from a terminal, the tray or the window. ` + "`showhow daemon stop`" + ` ends every
login, and so does half an hour in which nobody uses the local port.`
	cmd.Flags().BoolVar(&launch, "launch", false, "open it in the default browser")
	return with(cmd, "showhow open --launch")
}

func statusCommand(e *env) *cobra.Command {
	return with(e.call("status", "Say what is going on", func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := c.Status(ctx)
		if err != nil || e.json {
			return e.done(err, "")
		}
		e.say("showhow %s, process %d, since %s", s.Version.Version, s.PID, s.StartedAt.Local().Format("2006-01-02 15:04"))
		if s.Previewing {
			e.say("A preview looks on; it keeps nothing.")
		}
		if s.ActiveSession == "" {
			e.say("Nothing is watched.")
		} else if x, err := c.Session(ctx, s.ActiveSession); err == nil {
			e.saySession(x)
		} else {
			e.say("Session %s is %s.", s.ActiveSession, words(s.State))
		}
		for _, a := range s.Agents {
			if a.Journal {
				e.say("Runs of %s are kept for a day: %s, last heard %s.", a.Agent, plural(a.Runs, "run", "runs"), since(a.LastHeardAt))
			} else if a.Hook != nil {
				e.say("%s has Showhow's hook (%s); nothing of it is kept unless a session watches it. Last heard %s.", a.Agent, a.Hook.State, since(a.LastHeardAt))
			}
		}
		for _, w := range s.Warnings {
			e.say("! %s", e.wrap(2, w))
		}
		return nil
	}), "showhow status", "showhow status --json")
}

func doctorCommand(e *env) *cobra.Command {
	cmd := e.call("doctor", "Say what works here, and what would fix the rest", func(ctx context.Context, c *client.Client, _ []string) error {
		d, err := c.Doctor(ctx)
		if err != nil {
			return err
		}
		if err := e.show(func() { e.sayDoctor(d) }); err != nil {
			return err
		}
		if !d.OK {
			return fault.New(fault.Internal, "something that Showhow needs is broken").WithHint("see the fixes above")
		}
		return nil
	})
	cmd.Long = "Exit code 1 when something that Showhow needs is broken. docs/adapters.md says what each adapter sees and never sees."
	return with(cmd, "showhow doctor")
}

// sayDoctor prints a line per check. Adapters that this build does not have are one line: nothing here could fix them.
func (e *env) sayDoctor(d client.Doctor) {
	var absent []string
	for _, x := range d.Checks {
		if name, ok := strings.CutPrefix(x.Name, "adapter "); ok && x.State == "unavailable" && x.Code == "not_in_build" {
			absent = append(absent, name)
			continue
		}
		e.say("%-11s  %-26s  %s", x.State, x.Name, e.wrap(41, x.Detail))
		if x.Fix != "" {
			e.say("%-11s  %-26s  fix: %s", "", "", x.Fix)
		}
	}
	if len(absent) > 0 {
		e.say("%-11s  %-26s  %s", "later", "adapters", e.wrap(41, "not in this version: "+strings.Join(absent, ", ")))
	}
}
