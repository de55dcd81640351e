//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// detach lets the daemon outlive this terminal: a session of its own.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Env = append(os.Environ(), envDetached+"=1")
}

// leaveStreams points the standard streams at nothing: whoever started this daemon may close its end of the pipe.
func leaveStreams() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	for fd := range 3 {
		dup(int(null.Fd()), fd)
	}
}
