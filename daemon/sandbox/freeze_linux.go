package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Freeze stops everything in the box where it stands, and its clock with it, until Thaw. It reports whether all of it stands
// still; a program that forks while it is looked for is looked for again.
func (b *Box) Freeze() bool {
	r := b.runs()
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pid == 0 || r.why != "" {
		return false
	}
	if !r.frozen {
		r.frozen, r.since = true, time.Now()
	}
	told := map[int]bool{}
	for range 100 {
		if still(r.pid, told) {
			return true
		}
	}
	return false
}

// Thaw lets it go on.
func (b *Box) Thaw() {
	r := b.runs()
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.frozen {
		return
	}
	r.frozen, r.idle = false, r.idle+time.Since(r.since)
	for _, pid := range below(r.pid) {
		_ = unix.Kill(pid, unix.SIGCONT)
	}
}

func (b *Box) runs() *running {
	b.now.Lock()
	defer b.now.Unlock()
	return b.current
}

// stood is how long it has been frozen so far.
func (r *running) stood() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frozen {
		return r.idle + time.Since(r.since)
	}
	return r.idle
}

// still stops whatever in the box moves, and reports whether nothing did. One that waits in the kernel and was told stands
// still as well: it stops before it does anything else. It may wait for a child that stands between vfork and exec.
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

// below are a process and all its descendants, parents first. In a box everything is below its first process, which nothing
// outside can become: the numbers are looked up while that one is held.
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
