package running

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"showhow/app/tray"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/desktop"
	"showhow/internal/fault"
	"showhow/internal/single"
)

func trayCommand(e *env) *cobra.Command {
	var background bool
	var login string
	cmd := kit.With(&cobra.Command{
		Use:   "tray",
		Short: "Show in the desktop's panel what is watched; pause, stop and answer from there",
		Long: `An icon in the panel: a full disc while something is watched, two bars when it is paused, a ring with a dot when it is ready to,
an empty ring when nothing is, a struck ring when no daemon runs. Its menu pauses, resumes, stops and discards, answers what a run
asks, and opens Showhow. While a panel shows it, watching goes on though every window is closed.

It waits for a daemon and starts none. A second one leaves at once.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch login {
			case "":
			case "on", "off":
				return e.atLogin(login == "on")
			default:
				return kit.Usage("--at-login takes on or off")
			}
			if background {
				return e.Background("tray")
			}
			return e.tray(cmd.Context())
		},
	}, "showhow tray --background", "showhow tray --at-login on")
	cmd.Flags().BoolVarP(&background, "background", "b", false, "return at once; the icon stays until you close it")
	cmd.Flags().StringVar(&login, "at-login", "", "`on`: start the icon at login from now on; off: no longer")
	kit.Complete(cmd, "at-login", "on", "off")
	return cmd
}

func (e *env) tray(ctx context.Context) error {
	lock, first, err := single.Take(e.Roots.TrayLock())
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the runtime folder cannot be written").WithHint("check XDG_RUNTIME_DIR")
	}
	if !first {
		e.Note("the icon is there already")
		return nil
	}
	defer lock.Release()
	if !desktop.Panel(ctx, "") {
		e.Note("no panel of this desktop shows icons right now; the icon appears when one does (`showhow doctor` says more)")
	}
	return tray.Run(ctx, tray.Options{
		Client: client.Unix(e.Roots.Socket(), client.WithSource("user_click")),
		Open:   e.openWindow,
		Began:  func() { e.ShowOverlay() },
		Logger: slog.New(slog.NewTextHandler(e.ErrOut, nil)),
	})
}

// openWindow opens the window, or the pages in the default browser if there is none.
func (e *env) openWindow(ctx context.Context) error {
	if self, err := os.Executable(); err == nil {
		if _, err := os.Stat(filepath.Join(filepath.Dir(self), "showhow-desktop")); err == nil {
			return e.Background("app")
		}
	}
	c, err := e.Connect(ctx)
	if err != nil {
		return err
	}
	s, err := c.OpenSession(ctx, false)
	if err != nil {
		return err
	}
	if !s.Pages {
		return fault.New(fault.NotFound, "this build has no pages").WithHint("`make build` with Node and npm builds them")
	}
	if err := desktop.Browse(ctx, e.Getenv, s.URL); err != nil {
		return fault.From(err).WithHint("`showhow open` prints the address")
	}
	return nil
}
