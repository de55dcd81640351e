package caller

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// open finds the device with the number among the terminals in /dev.
func (t Terminal) open() (*os.File, error) {
	paths, _ := filepath.Glob("/dev/tty*")
	for _, path := range paths {
		var st unix.Stat_t
		if unix.Lstat(path, &st) != nil || uint64(uint32(st.Rdev)) != t.dev {
			continue
		}
		fd, err := unix.Open(path, unix.O_WRONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, errNoTerminal
		}
		if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR || uint64(uint32(st.Rdev)) != t.dev || int(st.Uid) != t.uid {
			unix.Close(fd)
			return nil, errNoTerminal
		}
		return os.NewFile(uintptr(fd), path), nil
	}
	return nil, errNoTerminal
}
