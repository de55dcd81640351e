package detached

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Prepare makes a program outlive this console.
func Prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
	cmd.Env = append(os.Environ(), Env+"=1")
}

// LeaveStreams does nothing: programs started this way have no inherited streams here.
func LeaveStreams() {}

// Alive reports whether a process runs.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
