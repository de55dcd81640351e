//go:build !windows

package remote

import (
	"io/fs"
	"os"
	"syscall"
)

// ownFile reports whether a file is the user's, and nobody else can read it.
func ownFile(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid() && st.Mode().Perm()&0o077 == 0
}
