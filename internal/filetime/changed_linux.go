package filetime

import (
	"io/fs"
	"syscall"
	"time"
)

// Changed is when the file's content or entry last changed.
func Changed(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return info.ModTime()
}
