//go:build !linux && !windows

package browser

import (
	"errors"
	"syscall"
)

// groupLives reports whether a process group has a process.
func groupLives(group int) bool { return !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) }
