package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"showhow/internal/fault"
)

const sandboxExec = "/usr/bin/sandbox-exec"

// Probe reports whether boxes can be made here, and if not, what to do about it.
func Probe() error {
	if os.Geteuid() == 0 {
		return fault.New(fault.SandboxUnavailable, "on macOS there is no sandbox for root").WithHint(
			"run Showhow as the user whose work it should learn")
	}
	if _, err := os.Stat(sandboxExec); err != nil {
		return fault.New(fault.SandboxUnavailable, "sandbox-exec is not installed, so commands cannot be rehearsed").WithHint(
			"it is a part of macOS: " + sandboxExec)
	}
	text, err := seatbelt{}.profile()
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the sandbox's profile cannot be created")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, sandboxExec, "-p", text, "/usr/bin/true")
	var complaint bytes.Buffer
	cmd.Env, cmd.Stderr = []string{}, &complaint
	if err := cmd.Run(); err != nil {
		return fault.Wrap(errors.Join(err, errors.New(strings.TrimSpace(complaint.String()))), fault.SandboxUnavailable,
			"this system does not let sandbox-exec make a sandbox, so commands cannot be rehearsed").WithHint(remedy())
	}
	return nil
}

// remedy is the usual fix.
func remedy() string {
	return "a program that runs in a sandbox cannot make another: start Showhow outside; the sandbox on macOS was " + Untried
}
