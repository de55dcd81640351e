//go:build !linux && !windows

package browser

import (
	"errors"
	"syscall"
)

// groupLives reports whether there is a process of a group.
func groupLives(group int) bool { return !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) }
