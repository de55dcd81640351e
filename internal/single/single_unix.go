//go:build unix

package single

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// Take takes the lock at path; first is false when another process holds it.
func Take(path string) (l *Lock, first bool, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, false, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err != nil {
		_ = f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = nil
		}
		return nil, false, err
	}
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	return &Lock{f}, true, nil
}

// Holder is the process that holds the lock at path, 0 when none does.
func Holder(path string) int {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil {
		return 0 // and it is let go of at once
	}
	b := make([]byte, 20)
	n, _ := f.Read(b)
	pid, err := strconv.Atoi(string(b[:n]))
	if err != nil {
		return 0
	}
	return pid
}
