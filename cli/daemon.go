package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/logs"
	"showhow/internal/paths"
	"showhow/internal/version"
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

// ErrRestart is what a daemon returns when it ended to be started again.
var ErrRestart = errors.New("restart")

func daemonCommands(e *env) []*cobra.Command {
	run := &cobra.Command{
		Use:   "daemon",
		Short: "Run the daemon in the foreground; start, stop or restart it in the background",
		Long: `The daemon owns the data directory and answers on a Unix socket. Other commands start it when they need it,
and it exits by itself when nobody needs it (idle_exit_minutes in config.toml).`,
		Example: "  showhow daemon start\n  showhow daemon stop",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.runDaemon(cmd.Context()) },
	}
	run.AddCommand(
		&cobra.Command{Use: "start", Short: "Start the daemon in the background and say how to begin", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return e.startDaemon(cmd.Context()) }},
		&cobra.Command{Use: "stop", Short: "Stop the daemon; a capture is paused and kept", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return e.stopDaemon(cmd.Context(), false) }},
		&cobra.Command{Use: "restart", Short: "Stop the daemon and start it again", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				if err := e.stopDaemon(cmd.Context(), true); err != nil && !fault.Is(err, fault.DaemonUnreachable) {
					return err
				}
				return e.startDaemon(cmd.Context())
			}},
	)
	versionCmd := &cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := version.Get()
			if e.json {
				return e.print(v)
			}
			e.say("showhow %s %s (%s)", v.Version, v.Commit, v.Go)
			return nil
		}}
	logsCmd := &cobra.Command{Use: "logs", Short: "Print the daemon's log", Args: cobra.NoArgs,
		Long: "The log holds messages, ids, codes and counts; never what you did or typed.",
		RunE: func(*cobra.Command, []string) error {
			f, err := os.Open(logs.File(e.roots.LogDir()))
			if errors.Is(err, os.ErrNotExist) {
				return fault.New(fault.NotFound, "there is no log yet")
			}
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(e.out, f)
			return err
		}}
	return []*cobra.Command{run, versionCmd, logsCmd}
}

// Environment of a daemon that `showhow demo` starts for itself.
const (
	envDemoGrant   = "SHOWHOW_DEMO_GRANT"
	envThrowAway   = "SHOWHOW_DEMO_BROWSER"
	envDownloadDir = "SHOWHOW_DEMO_DOWNLOADS"
	envDetached    = "SHOWHOW_DETACHED" // set by spawn
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
		if e.getenv(envDetached) != "" {
			leaveStreams()
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

// startDaemon starts it in the background unless it runs, and says how to begin.
func (e *env) startDaemon(ctx context.Context) error {
	c, err := e.connect(ctx)
	if err != nil {
		return err
	}
	st, err := c.Status(ctx)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(st)
	}
	e.say(`Showhow %s runs (process %d). Nothing is watched until you say so.

  eval "$(showhow shell-init bash)"      once per shell, or in ~/.bashrc (zsh: shell-init zsh)
  showhow browser                        open Showhow's own browser
  showhow learn start "GOAL" --site HOST --shell current
  showhow learn stop; showhow learn propose
  showhow doctor                         what works here, and what would fix the rest`, st.Version.Version, st.PID)
	return nil
}

func (e *env) stopDaemon(ctx context.Context, restart bool) error {
	c, err := e.dial(ctx)
	if err != nil {
		return err
	}
	if err := c.StopDaemon(ctx, restart); err != nil {
		return err
	}
	return e.waitGone(ctx)
}

// spawn starts `showhow daemon` detached: its own session, no descriptors of ours, errors on a pipe until it answers.
func (e *env) spawn(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "daemon", "--json")
	cmd.Dir = "/"
	detach(cmd)
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
		died <- envelopeFault(text)
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

// waitGone waits until the socket no longer answers.
func (e *env) waitGone(ctx context.Context) error {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := e.dial(ctx); fault.Is(err, fault.DaemonUnreachable) {
			return nil
		}
	}
	return fault.New(fault.Internal, "the daemon did not stop within 20 s").WithHint("see `showhow logs`")
}

// say prints a line for people; with --json it prints nothing.
func (e *env) say(format string, args ...any) {
	if !e.json {
		fmt.Fprintf(e.out, format+"\n", args...)
	}
}
