package store

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

var errLocked = windows.ERROR_LOCK_VIOLATION

// The lock is far beyond the file's content, because others cannot read a locked range.
func lockFile(f *os.File) error {
	ol := &windows.Overlapped{OffsetHigh: 1}
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, ol)
}

// unlockFile does nothing: the lock ends with the handle, which no other program has.
func unlockFile(*os.File) {}

// The ACL of a profile directory keeps other users out.
func ownedByUs(fs.FileInfo) bool { return true }

func freeBytes(path string) int64 {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return -1
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(p, &free, nil, nil); err != nil {
		return -1
	}
	return int64(free)
}

func isNoSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// Windows has no directory sync.
func syncDir(*os.File) error { return nil }
