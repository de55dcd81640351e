//go:build unix

package driver

import (
	"os"
	"os/exec"
	"syscall"
)

// ownTerminal makes tty a program's controlling terminal and its three streams.
func ownTerminal(cmd *exec.Cmd, tty *os.File) {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
}
