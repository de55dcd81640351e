//go:build !linux && !darwin

package ability

import (
	"io/fs"
	"time"
)

// Nothing but the modification time is at hand.
func changeTime(info fs.FileInfo) time.Time { return info.ModTime() }
