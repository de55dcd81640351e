package files

import (
	"os"
	"syscall"
)

// look returns the facts of a path itself, never of what a link points to.
func look(path string) (facts, bool) { return lookPortably(path) }

func idOf(fi os.FileInfo) identity {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}
	}
	return identity{dev: uint64(st.Dev), ino: st.Ino, born: st.Birthtimespec.Nano()}
}
