package caller

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// open finds the device: pseudo terminals are /dev/pts/N, virtual consoles /dev/ttyN; serial lines are not supported.
// The 32-bit number in /proc/PID/stat holds the minor's low byte, then the major, then the minor's high bits.
func (t Terminal) open() (*os.File, error) {
	major, minor := uint32(t.dev>>8)&0xfff, uint32(t.dev&0xff)|uint32(t.dev>>12)&0xfff00
	var path string
	switch {
	case major >= 136 && major <= 143:
		path = fmt.Sprintf("/dev/pts/%d", (major-136)<<20|minor)
	case major == 4 && minor < 64:
		path = fmt.Sprintf("/dev/tty%d", minor)
	default:
		return nil, errNoTerminal
	}
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, errNoTerminal
	}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR || st.Rdev != unix.Mkdev(major, minor) || int(st.Uid) != t.uid {
		unix.Close(fd)
		return nil, errNoTerminal
	}
	return os.NewFile(uintptr(fd), path), nil
}
