package running

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"showhow/cli/kit"
	"showhow/internal/single"
)

// other is a program of ours that runs independently: window, tray, overlay.
type other struct{ name, lock string }

func (e *env) others() []other {
	return []other{{"the window", e.Roots.WindowLock()}, {"the icon in the panel", e.Roots.TrayLock()}, {"the overlay", e.Roots.OverlayLock()}}
}

// endOthers ends the running programs of this installation, found by the locks that they hold, and returns those that
// ended and those that did not.
func (e *env) endOthers(ctx context.Context) (ended, remain []string) {
	for _, o := range e.others() {
		pid := single.Holder(o.lock)
		switch {
		case pid == 0:
		case ofThisInstallation(pid) && endProcess(ctx, pid, o.lock):
			ended = append(ended, o.name)
		default:
			remain = append(remain, o.name)
		}
	}
	return ended, remain
}

// ofThisInstallation reports whether a process runs a program from the folder of this one, even one since replaced by
// an update.
func ofThisInstallation(pid int) bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	exe, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "exe"))
	return err == nil && filepath.Dir(strings.TrimSuffix(exe, " (deleted)")) == filepath.Dir(self)
}

// endTime is how long a program may take to end.
const endTime = 5 * time.Second

func endProcess(ctx context.Context, pid int, lock string) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.SIGTERM) != nil {
		return false
	}
	for until := time.Now().Add(endTime); time.Now().Before(until); {
		if single.Holder(lock) != pid {
			return true
		}
		if kit.Pause(ctx) != nil {
			return false
		}
	}
	return false
}
