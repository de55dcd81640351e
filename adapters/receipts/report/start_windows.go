package report

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// apart detaches from the console, so that the daemon outlives the agent.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
