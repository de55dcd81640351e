//go:build unix

package api

import (
	"os"
	"syscall"
)

// private reports whether dir is a real folder that only this user may enter.
func private(dir string) bool {
	st, err := os.Lstat(dir)
	if err != nil || !st.IsDir() || st.Mode().Perm()&0o077 != 0 {
		return false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}
