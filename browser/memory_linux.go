package browser

import (
	"os"

	"golang.org/x/sys/unix"
)

// leastMemory is the free space a memory-backed folder needs before a browser uses it: many times
// what a short-lived one keeps.
const leastMemory = 512 << 20

// memoryRoots are the system's memory-backed folders, best first.
func memoryRoots() (out []string) {
	for _, dir := range []string{os.Getenv("XDG_RUNTIME_DIR"), "/dev/shm"} {
		var st unix.Statfs_t
		if dir != "" && unix.Statfs(dir, &st) == nil && st.Type == unix.TMPFS_MAGIC && unix.Access(dir, unix.W_OK) == nil {
			out = append(out, dir)
		}
	}
	return out
}

func roomy(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && st.Bavail*uint64(st.Bsize) >= leastMemory
}
