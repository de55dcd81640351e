package kit

import (
	"context"
	"io"
	"os"
	"os/exec"
	"time"

	"showhow/daemon/client"
	"showhow/internal/detached"
	"showhow/internal/fault"
)

// spawn starts a daemon. If another one owns the data directory, that one was started at the same time and answers
// soon, or is about to end; otherwise it listens where this program does not look.
func (e *Env) spawn(ctx context.Context) error {
	for deadline := time.Now().Add(3 * time.Second); ; {
		err := e.spawnOnce(ctx)
		if !fault.Is(err, fault.DataDirLocked) {
			return err
		}
		if _, err := e.Dial(ctx); err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fault.New(fault.DaemonUnreachable, "a daemon runs, but it does not listen in "+e.Roots.Tilde(e.Roots.Runtime)).
				WithHint("XDG_RUNTIME_DIR differs from the one it was started with; set it alike, usually to /run/user/$(id -u)")
		}
		if err := Pause(ctx); err != nil {
			return err
		}
	}
}

// spawnOnce starts `showhow daemon` detached: its own session, none of our descriptors, errors on a pipe until it
// answers.
func (e *Env) spawnOnce(ctx context.Context) error {
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
		err := ParseFault(text)
		if err == nil {
			err = fault.New(fault.DaemonUnreachable, "the daemon ended before it answered").WithHint("see `showhow logs`")
		}
		died <- err
	}()
	deadline := time.NewTimer(15 * time.Second)
	defer deadline.Stop()
	for {
		if _, err := e.Dial(ctx); err == nil {
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

// WaitGone waits until the daemon's process has ended: it stops answering before it releases the data directory.
func (e *Env) WaitGone(ctx context.Context, pid int) error {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if !detached.Alive(pid) {
			return nil
		}
		if err := Pause(ctx); err != nil {
			return err
		}
	}
	return fault.New(fault.Internal, "the daemon did not stop within 20 s").WithHint("see `showhow logs`")
}

// Pause waits between two polls.
func Pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(50 * time.Millisecond):
		return nil
	}
}

// ConnectStatus connects and returns the current status.
func (e *Env) ConnectStatus(ctx context.Context) (c *client.Client, st client.DaemonStatus, err error) {
	if c, err = e.Connect(ctx); err == nil {
		st, err = c.Status(ctx)
	}
	return c, st, err
}
