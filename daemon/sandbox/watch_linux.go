package sandbox

import (
	"os"
	"strconv"
	"strings"
)

// memory is the box's memory.
func (r *running) memory() int64 {
	r.mu.Lock()
	pid := r.pid
	r.mu.Unlock()
	if pid == 0 {
		return 0
	}
	return memory(pid)
}

// memory is the memory of a process and its descendants. In a box everything is below its first process.
func memory(pid int) int64 {
	var total int64
	for _, n := range below(pid) {
		p := strconv.Itoa(n)
		if raw, err := os.ReadFile("/proc/" + p + "/statm"); err == nil {
			if f := strings.Fields(string(raw)); len(f) > 2 {
				resident, _ := strconv.ParseInt(f[1], 10, 64)
				shared, _ := strconv.ParseInt(f[2], 10, 64)
				total += max(0, resident-shared) * int64(os.Getpagesize())
			}
		}
	}
	return total
}
