package desktop

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"showhow/internal/fault"
	"showhow/internal/ownsocket"
)

// starter starts the daemon by the command-line program beside this one.
type starter struct {
	socket string

	mu   sync.Mutex
	last time.Time
}

// ensure starts a daemon unless one answers.
func (s *starter) ensure(ctx context.Context) error {
	if c, err := ownsocket.Dial(ctx, s.socket); err == nil {
		return c.Close()
	}
	return s.revive(ctx)
}

// command is the command-line program beside this one.
func command() (string, error) {
	self, err := os.Executable()
	name := "showhow"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(filepath.Dir(self), name), err
}

// reviveEvery limits restarts of a daemon that crashes at each start.
const reviveEvery = 5 * time.Second

// revive starts a daemon. Callers that come while it starts wait for it; a failure is remembered for a moment.
func (s *starter) revive(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, err := ownsocket.Dial(ctx, s.socket); err == nil {
		return c.Close()
	}
	no := fault.New(fault.DaemonUnreachable, "the Showhow daemon does not start").WithHint("`showhow daemon` says why")
	if time.Since(s.last) < reviveEvery {
		return no
	}
	s.last = time.Now()
	command, err := command()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if err := exec.CommandContext(ctx, command, "daemon", "start", "--json").Run(); err != nil {
		no.Err = err
		return no
	}
	return nil
}
