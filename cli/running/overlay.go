package running

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"showhow/app/overlay"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/config"
	"showhow/internal/desktop"
	"showhow/internal/fault"
	"showhow/internal/single"
)

func overlayCommand(e *env) *cobra.Command {
	var background bool
	cmd := kit.With(&cobra.Command{
		Use:   "overlay",
		Short: "Show a small window above the others while something is watched",
		Long: `What is watched, since when, how much was kept, with a button to pause and one to stop. It takes no focus, stands at the
bottom right or where you left it, comes when capture begins and goes when it ends; when you stop on it, Showhow opens. While
it can be seen, watching goes on though nothing else shows it. X11 only: Wayland lets no program stay above others; use the
tray there.

It comes by itself when capture begins, unless show = false stands under [overlay] in config.toml.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if background {
				return e.Background("overlay")
			}
			return e.overlay(cmd.Context())
		},
	}, "showhow overlay --background")
	cmd.Flags().BoolVarP(&background, "background", "b", false, "return at once; it stays until capture ends")
	return cmd
}

func (e *env) overlay(ctx context.Context) error {
	cfg, err := config.Load(e.Roots)
	if err != nil {
		return err
	}
	display, why := desktop.OnTop(e.Getenv)
	if display == "" {
		return fault.New(fault.AdapterUnavailable, "no window can stay above others here: "+why).
			WithHint("`showhow tray` shows in the panel what is watched")
	}
	lock, first, err := single.Take(e.Roots.OverlayLock())
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the runtime folder cannot be written").WithHint("check XDG_RUNTIME_DIR")
	}
	if !first {
		e.Note("it is there already")
		return nil
	}
	defer lock.Release()
	return overlay.Run(ctx, overlay.Options{Display: display, Client: client.Unix(e.Roots.Socket(), client.WithSource("user_click")),
		Dir: e.Roots.State, Open: e.openWindow,
		PauseKey: cfg.Overlay.PauseKey, Logger: slog.New(slog.NewTextHandler(e.ErrOut, nil))})
}
