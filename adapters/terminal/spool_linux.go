package terminal

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// spoolBase is a folder of ours in memory: usually in the runtime folder, else in /dev/shm; "" if there is none. It
// creates nothing.
func spoolBase(runtimeDir string) string {
	if inMemory(runtimeDir) {
		return filepath.Join(dirIn(runtimeDir), "spool")
	}
	if !inMemory("/dev/shm") || unix.Access("/dev/shm", unix.W_OK|unix.X_OK) != nil {
		return ""
	}
	return fmt.Sprintf("/dev/shm/showhow-%d", os.Geteuid())
}

// inMemory reports whether dir, or the folder in which it will be created, is a tmpfs or ramfs.
func inMemory(dir string) bool {
	for {
		var st unix.Statfs_t
		err := unix.Statfs(dir, &st)
		if err == nil {
			return st.Type == unix.TMPFS_MAGIC || st.Type == unix.RAMFS_MAGIC
		}
		if up := filepath.Dir(dir); err == unix.ENOENT && up != dir {
			dir = up
			continue
		}
		return false
	}
}

// reserve allocates space for a file to grow into.
func reserve(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, size)
	if err == unix.EOPNOTSUPP { // ramfs, which is never full
		return nil
	}
	return err
}

// widen enlarges a pipe to hold a thousand commands, as a reader on a busy machine needs, if the system allows.
func widen(fd int) { _, _ = unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, 256<<10) }
