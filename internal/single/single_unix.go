//go:build unix

package single

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Take takes the lock at path; first is false if another process holds it. A concurrent check does not count as
// holding it.
func Take(path string) (l *Lock, first bool, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, false, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	for {
		if err = lock(f, unix.LOCK_EX); err == nil {
			break
		}
		if held(err) && free(f) {
			continue // somebody looked
		}
		_ = f.Close()
		if held(err) {
			err = nil
		}
		return nil, false, err
	}
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	return &Lock{f}, true, nil
}

// Holder is the process that holds the lock at path, 0 if none does.
func Holder(path string) int {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	// A process that has just taken it has not written its number yet.
	for end := time.Now().Add(time.Second); !free(f); time.Sleep(time.Millisecond) {
		b := make([]byte, 20)
		n, _ := f.ReadAt(b, 0)
		if pid, err := strconv.Atoi(string(b[:n])); err == nil {
			return pid
		}
		if time.Now().After(end) {
			return 0
		}
	}
	return 0
}

// free reports whether nobody holds the lock. The check takes a shared lock and releases it at once.
func free(f *os.File) bool {
	if lock(f, unix.LOCK_SH) != nil {
		return false
	}
	unlock(f)
	return true
}

func held(err error) bool { return errors.Is(err, unix.EWOULDBLOCK) }

func lock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// unlock releases the lock even while a program that is being started still has a copy of the descriptor, as it does
// until its exec.
func unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) }
