package browser

import (
	"os"

	"golang.org/x/sys/unix"
)

// leastMemory is how much must be free in a folder that is memory before a browser works in it: many times what one of a short life
// keeps.
const leastMemory = 512 << 20

// memoryRoots are the folders of this system that are memory, best first.
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
