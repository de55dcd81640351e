package running

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/internal/config"
	"showhow/internal/detached"
	"showhow/internal/fault"
	"showhow/internal/logs"
	"showhow/internal/paths"
)

func daemonCommand(e *env) *cobra.Command {
	run := kit.With(&cobra.Command{
		Use:   "daemon",
		Short: "Run the daemon in the foreground; start, stop or restart it in the background",
		Long: `The daemon owns the data directory and answers on a Unix socket. Other commands start it when they need it,
and it exits by itself when nobody needs it (idle_exit_minutes in config.toml).`,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.runDaemon(cmd.Context()) },
	}, "showhow daemon start", "showhow daemon          # in the foreground, until Ctrl-C")
	run.AddCommand(
		kit.With(&cobra.Command{Use: "start", Short: "Start the daemon in the background and say how to begin",
			RunE: func(cmd *cobra.Command, _ []string) error { return e.startDaemon(cmd.Context()) }}, "showhow daemon start"),
		kit.With(&cobra.Command{Use: "stop", Short: "Stop the daemon; a capture is paused and kept",
			RunE: func(cmd *cobra.Command, _ []string) error {
				err := e.stopDaemon(cmd.Context(), false)
				if fault.Is(err, fault.DaemonUnreachable) {
					return fault.New(fault.DaemonUnreachable, "no daemon runs")
				}
				return e.Done(err, "the daemon has stopped")
			}}, "showhow daemon stop"),
		kit.With(&cobra.Command{Use: "restart", Short: "Stop the daemon and start it again",
			RunE: func(cmd *cobra.Command, _ []string) error {
				if err := e.stopDaemon(cmd.Context(), true); err != nil && !fault.Is(err, fault.DaemonUnreachable) {
					return err
				}
				return e.startDaemon(cmd.Context())
			}}, "showhow daemon restart"),
	)
	return run
}

// Environment variables of the daemon that `showhow demo` starts.
const (
	envThrowAway   = "SHOWHOW_DEMO_BROWSER"
	envDownloadDir = "SHOWHOW_DEMO_DOWNLOADS"
)

func (e *env) runDaemon(ctx context.Context) error {
	cfg, err := config.Load(e.Roots)
	if err != nil {
		return err
	}
	o := kit.DaemonOptions{Roots: e.Roots, Config: cfg, DemoGrant: e.Getenv(kit.EnvDemoGrant),
		ThrowAway: e.Getenv(envThrowAway) != "", DownloadDir: e.Getenv(envDownloadDir)}
	os.Unsetenv(kit.EnvDemoGrant) // not for the daemon's children
	logger, closer, err := openLog(e.Roots)
	if err != nil {
		return err
	}
	defer closer.Close()
	o.Logger = logger
	return e.Programs.Daemon(ctx, o, func() {
		e.Say("the daemon answers on %s", e.Roots.Tilde(e.Roots.Socket()))
		if e.Getenv(detached.Env) != "" {
			detached.LeaveStreams()
		}
	})
}

// openLog creates the log only in a data directory that exists or can be created; the store explains a failure.
func openLog(r paths.Roots) (*slog.Logger, io.Closer, error) {
	l, c, err := logs.Open(r.LogDir(), slog.LevelInfo)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.StoreReadOnly, "the data directory cannot be written").
			WithHint("check the permissions of " + r.Tilde(r.Data) + ", or set SHOWHOW_DATA")
	}
	return l, c, nil
}

// startDaemon starts it in the background unless it runs, and says how to begin.
func (e *env) startDaemon(ctx context.Context) error {
	_, st, err := e.ConnectStatus(ctx)
	if err != nil {
		return err
	}
	return e.Show(func() {
		e.Say(`Showhow %s runs (process %d). Nothing is watched until you say so. To begin:

  showhow browser localhost:8080
      opens a browser of Showhow's own, for tasks on the web
  showhow learn start "Change an order" --site localhost:8080 --shell new
      gives you a shell that is watched; show the task there and in that browser, then leave the shell with: exit
  showhow learn propose
      drafts the skill; answer, validate and install it as the command then says
  showhow doctor
      says what works here, and what would fix the rest`, st.Version.Version, st.PID)
		if dir := offPath(); dir != "" {
			e.Say("\nshowhow is not on your PATH yet:  export PATH=%s:$PATH", dir)
		}
		for _, w := range st.Warnings {
			e.Say("\n! %s", w)
		}
	})
}

// offPath is the folder of this program if it is not on PATH, else "".
func offPath() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	mine, err := os.Stat(self)
	if err != nil {
		return ""
	}
	if found, err := exec.LookPath("showhow"); err == nil {
		if other, err := os.Stat(found); err == nil && os.SameFile(mine, other) {
			return ""
		}
	}
	return filepath.Dir(self)
}

func (e *env) stopDaemon(ctx context.Context, restart bool) error {
	c, err := e.Dial(ctx)
	if err != nil {
		return err
	}
	st, err := c.Status(ctx)
	if err != nil {
		return err
	}
	if err := c.StopDaemon(ctx, restart); err != nil {
		return err
	}
	return e.WaitGone(ctx, st.PID)
}
