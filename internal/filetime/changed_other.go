//go:build !linux && !darwin

package filetime

import (
	"io/fs"
	"time"
)

// Changed is the modification time: nothing else is available.
func Changed(info fs.FileInfo) time.Time { return info.ModTime() }
