package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/config"
	"showhow/internal/detached"
	"showhow/internal/fault"
	"showhow/internal/logs"
	"showhow/internal/paths"
)

// DaemonOptions is what `showhow daemon` was asked for.
type DaemonOptions struct {
	Roots       paths.Roots
	Config      config.Config
	Logger      *slog.Logger
	DemoGrant   string
	ThrowAway   bool
	DownloadDir string
}

func daemonCommand(e *env) *cobra.Command {
	run := with(&cobra.Command{
		Use:   "daemon",
		Short: "Run the daemon in the foreground; start, stop or restart it in the background",
		Long: `The daemon owns the data directory and answers on a Unix socket. Other commands start it when they need it,
and it exits by itself when nobody needs it (idle_exit_minutes in config.toml).`,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.runDaemon(cmd.Context()) },
	}, "showhow daemon start", "showhow daemon          # in the foreground, until Ctrl-C")
	run.AddCommand(
		with(&cobra.Command{Use: "start", Short: "Start the daemon in the background and say how to begin",
			RunE: func(cmd *cobra.Command, _ []string) error { return e.startDaemon(cmd.Context()) }}, "showhow daemon start"),
		with(&cobra.Command{Use: "stop", Short: "Stop the daemon; a capture is paused and kept",
			RunE: func(cmd *cobra.Command, _ []string) error {
				err := e.stopDaemon(cmd.Context(), false)
				if fault.Is(err, fault.DaemonUnreachable) {
					return fault.New(fault.DaemonUnreachable, "no daemon runs")
				}
				return e.done(err, "the daemon has stopped")
			}}, "showhow daemon stop"),
		with(&cobra.Command{Use: "restart", Short: "Stop the daemon and start it again",
			RunE: func(cmd *cobra.Command, _ []string) error {
				if err := e.stopDaemon(cmd.Context(), true); err != nil && !fault.Is(err, fault.DaemonUnreachable) {
					return err
				}
				return e.startDaemon(cmd.Context())
			}}, "showhow daemon restart"),
	)
	return run
}

// Environment of a daemon that `showhow demo` starts for itself.
const (
	envDemoGrant   = "SHOWHOW_DEMO_GRANT"
	envThrowAway   = "SHOWHOW_DEMO_BROWSER"
	envDownloadDir = "SHOWHOW_DEMO_DOWNLOADS"
)

func (e *env) runDaemon(ctx context.Context) error {
	cfg, err := config.Load(e.roots)
	if err != nil {
		return err
	}
	o := DaemonOptions{Roots: e.roots, Config: cfg, DemoGrant: e.getenv(envDemoGrant),
		ThrowAway: e.getenv(envThrowAway) != "", DownloadDir: e.getenv(envDownloadDir)}
	os.Unsetenv(envDemoGrant) // not for the daemon's children
	logger, closer, err := openLog(e.roots)
	if err != nil {
		return err
	}
	defer closer.Close()
	o.Logger = logger
	return e.programs.Daemon(ctx, o, func() {
		e.say("the daemon answers on %s", e.roots.Tilde(e.roots.Socket()))
		if e.getenv(detached.Env) != "" {
			detached.LeaveStreams()
		}
	})
}

// openLog makes the log only in a data directory that exists or can be made; its failure is the store's to explain.
func openLog(r paths.Roots) (*slog.Logger, io.Closer, error) {
	l, c, err := logs.Open(r.LogDir(), slog.LevelInfo)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.StoreReadOnly, "the data directory cannot be written").
			WithHint("check the permissions of " + r.Tilde(r.Data) + ", or set SHOWHOW_DATA")
	}
	return l, c, nil
}

// connectTold connects, and asks how things are.
func (e *env) connectTold(ctx context.Context) (c *client.Client, st client.DaemonStatus, err error) {
	if c, err = e.connect(ctx); err == nil {
		st, err = c.Status(ctx)
	}
	return c, st, err
}

// startDaemon starts it in the background unless it runs, and says how to begin.
func (e *env) startDaemon(ctx context.Context) error {
	_, st, err := e.connectTold(ctx)
	if err != nil {
		return err
	}
	return e.show(func() {
		e.say(`Showhow %s runs (process %d). Nothing is watched until you say so. To begin:

  showhow browser localhost:8080
      opens a browser of Showhow's own, for tasks on the web
  showhow learn start "Change an order" --site localhost:8080 --shell new
      gives you a shell that is watched; show the task there and in that browser, then leave the shell with: exit
  showhow learn propose
      drafts the skill; answer, validate and install it as the command then says
  showhow doctor
      says what works here, and what would fix the rest`, st.Version.Version, st.PID)
		if dir := offPath(); dir != "" {
			e.say("\nshowhow is not on your PATH yet:  export PATH=%s:$PATH", dir)
		}
		for _, w := range st.Warnings {
			e.say("\n! %s", w)
		}
	})
}

// offPath is the folder of this program when typing showhow would not start it, else "".
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
	c, err := e.dial(ctx)
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
	return e.waitGone(ctx, st.PID)
}

// spawn starts a daemon. When another owns the data directory, that one was started at the same moment and answers soon, or is
// about to end; else it listens where this program does not look.
func (e *env) spawn(ctx context.Context) error {
	for deadline := time.Now().Add(3 * time.Second); ; {
		err := e.spawnOnce(ctx)
		if !fault.Is(err, fault.DataDirLocked) {
			return err
		}
		if _, err := e.dial(ctx); err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fault.New(fault.DaemonUnreachable, "a daemon runs, but it does not listen in "+e.roots.Tilde(e.roots.Runtime)).
				WithHint("XDG_RUNTIME_DIR differs from the one it was started with; set it alike, usually to /run/user/$(id -u)")
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// spawnOnce starts `showhow daemon` detached: its own session, no descriptors of ours, errors on a pipe until it answers.
func (e *env) spawnOnce(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "daemon", "--json")
	cmd.Dir = "/"
	detached.Prepare(cmd)
	errs, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fault.Wrap(err, fault.DaemonUnreachable, "the daemon could not be started")
	}
	died := make(chan error, 1)
	go func() {
		text, _ := io.ReadAll(io.LimitReader(errs, 64<<10))
		cmd.Wait()
		err := lastWords(text)
		if err == nil {
			err = fault.New(fault.DaemonUnreachable, "the daemon ended before it answered").WithHint("see `showhow logs`")
		}
		died <- err
	}()
	deadline := time.NewTimer(15 * time.Second)
	defer deadline.Stop()
	for {
		if _, err := e.dial(ctx); err == nil {
			return nil
		}
		select {
		case err := <-died:
			return err
		case <-deadline.C:
			return fault.New(fault.DaemonUnreachable, "the daemon did not answer within 15 s").WithHint("see `showhow logs`")
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// waitGone waits until the daemon's process has ended: it answers no more before it has let go of the data directory.
func (e *env) waitGone(ctx context.Context, pid int) error {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if !detached.Alive(pid) {
			return nil
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
	return fault.New(fault.Internal, "the daemon did not stop within 20 s").WithHint("see `showhow logs`")
}

// pause waits a moment between two looks at something that will come true.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(50 * time.Millisecond):
		return nil
	}
}
