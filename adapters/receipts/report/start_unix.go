//go:build unix

package report

import "syscall"

// apart starts a new session, so that the daemon outlives the agent.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
