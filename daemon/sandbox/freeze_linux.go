package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// halt stops everything in the box, and reports whether it is stopped.
func (r *running) halt() bool {
	told := map[int]bool{}
	for range 100 {
		if still(r.pid, told) {
			return true
		}
	}
	return false
}

// goOn continues everything in the box.
func (r *running) goOn() {
	for _, pid := range below(r.pid) {
		_ = unix.Kill(pid, unix.SIGCONT)
	}
}

// still stops whatever runs in the box, and reports whether nothing did. A process that waits in the kernel and was
// signalled counts as stopped: it stops before it does anything else. It may wait for a child between vfork and exec.
func still(first int, told map[int]bool) bool {
	moved := false
	for _, pid := range below(first) {
		switch s := stateOf(pid); {
		case strings.IndexByte("TtZX", s) >= 0, s == 'D' && told[pid]:
		default:
			moved = true
			told[pid] = unix.Kill(pid, unix.SIGSTOP) == nil
		}
	}
	if moved {
		time.Sleep(time.Millisecond)
	}
	return !moved
}

func stateOf(pid int) byte {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 'X'
	}
	_, rest, ok := strings.Cut(string(raw[strings.LastIndexByte(string(raw), ')'):]), " ")
	if !ok || rest == "" {
		return 'X'
	}
	return rest[0]
}

// below lists a process and all its descendants, parents first. In a box everything is below its first process, which
// nothing outside can become: the numbers are looked up while that one is held.
func below(pid int) []int {
	out := []int{pid}
	for i := 0; i < len(out) && len(out) < 4096; i++ {
		tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(out[i]) + "/task/*/children")
		for _, t := range tasks {
			raw, _ := os.ReadFile(t)
			for c := range strings.FieldsSeq(string(raw)) {
				if n, err := strconv.Atoi(c); err == nil {
					out = append(out, n)
				}
			}
		}
	}
	return out
}
