package terminal

import (
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// process is what identifies a shell: a pid is reused, its start time is not.
type process struct {
	pid   int
	name  string
	tty   string // controlling terminal, "" for none
	start uint64 // microseconds since 1970
	image uint64 // not known here
}

// look reads a process of this user.
func look(pid int) (process, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid || int(k.Eproc.Ucred.Uid) != os.Geteuid() {
		return process{}, false
	}
	started := k.Proc.P_starttime
	return process{pid: pid, name: unix.ByteSliceToString(k.Proc.P_comm[:]), tty: ttyName(k.Eproc.Tdev),
		start: uint64(started.Sec)*1e6 + uint64(started.Usec)}, true
}

// ttyName finds the terminal device with this number.
func ttyName(dev int32) string {
	entries, err := os.ReadDir("/dev")
	if err != nil || dev == -1 {
		return ""
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "ttys") {
			continue
		}
		fi, err := e.Info()
		if err != nil {
			continue
		}
		if st, ok := fi.Sys().(*syscall.Stat_t); ok && st.Rdev == dev {
			return e.Name()
		}
	}
	return ""
}

// cwdOf is not supported here: a shell's first report has its working directory.
func cwdOf(int) string { return "" }
