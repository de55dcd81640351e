//go:build unix

package report

import "syscall"

// apart: a session of its own, so that the daemon outlives the agent.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
