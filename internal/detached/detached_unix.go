//go:build unix

package detached

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Prepare makes a program outlive this terminal: it gets a session of its own.
func Prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Env = append(os.Environ(), Env+"=1")
}

// LeaveStreams redirects the standard streams to the null device: whoever started this program may close its end of
// the pipe.
func LeaveStreams() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	for fd := range 3 {
		dup(int(null.Fd()), fd)
	}
}

// Alive reports whether a process runs. A zombie does not.
func Alive(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // Linux
	if err != nil {
		return true
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(state, []byte("Z"))
}
