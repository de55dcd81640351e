//go:build unix

package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// openQuietly opens a file for reading; it neither follows a link nor blocks on a pipe.
func openQuietly(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
}
