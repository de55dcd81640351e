package desktop

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"time"

	"showhow/internal/detached"
	"showhow/internal/fault"
)

// refusal is how long a program that opens addresses is waited for: one that fails does so at once, one that works may
// be the browser itself and stay.
const refusal = time.Second

// Browse opens an address in the person's default browser. It fails where no browser can be shown: without a display
// the Linux opener would start a text browser on this terminal.
func Browse(ctx context.Context, getenv func(string) string, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	default:
		if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
			return fault.New(fault.UnsupportedInBuild, "there is no display here")
		}
	}
	cmd := exec.Command(name, args...)
	detached.Prepare(cmd)  // Ctrl-C here does not end the browser
	cmd.Env = os.Environ() // without the mark that Prepare sets for a daemon
	if err := cmd.Start(); err != nil {
		return fault.Wrap(err, fault.NotFound, name+" cannot be started").WithHint("install xdg-utils")
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // a browser may outlive this call
	patience := time.NewTimer(refusal)
	defer patience.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return fault.Wrap(err, fault.NotFound, name+" found no browser")
		}
	case <-patience.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}
