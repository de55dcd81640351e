//go:build unix

package terminal

import (
	"crypto/rand"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"showhow/internal/fault"
)

// SetNonblock makes an inherited descriptor non-blocking for everybody who shares its open file: `shell-init
// --nonblock FD` does it for the shell that started it. It succeeds only if the descriptor is a pipe and the flag is
// actually set.
func SetNonblock(fd int) error {
	bad := func(err error) error {
		return fault.Wrap(err, fault.Usage, "the descriptor cannot be made non-blocking").
			WithHint("this option is for the shell hook only")
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		return bad(err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return bad(err)
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_NONBLOCK == 0 {
		return bad(err)
	}
	return nil
}

func ownedByUs(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// makePipe replaces whatever is at path by a fresh, empty pipe of ours.
func makePipe(path string) (os.FileInfo, error) {
	tmp := path + "." + rand.Text()
	if err := unix.Mkfifo(tmp, 0o600); err != nil {
		return nil, err
	}
	info, err := os.Lstat(tmp)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return info, err
}

// openPipe opens the pipe that makePipe created for reading and writing, so that it never ends, without ever
// blocking.
func openPipe(path string, made os.FileInfo) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	fi, err := f.Stat()
	if err != nil || !os.SameFile(fi, made) {
		_ = f.Close()
		return nil, fs.ErrPermission
	}
	widen(fd)
	return f, nil
}

// readNow is one read(2) on a non-blocking descriptor.
func readNow(fd uintptr, buf []byte) (int, error) { return unix.Read(int(fd), buf) }

// alive reports whether a process of this user exists.
func alive(pid int) bool { return pid > 0 && unix.Kill(pid, 0) == nil }

// resized signals a process that its window size has changed.
func resized(pid int) { _ = unix.Kill(pid, unix.SIGWINCH) }

// usable reports whether the runtime folder is, or could become, a private folder of ours. It changes nothing.
func usable(runtimeDir string) bool {
	for dir := runtimeDir; ; dir = filepath.Dir(dir) {
		fi, err := os.Lstat(dir)
		if os.IsNotExist(err) && dir != filepath.Dir(dir) {
			continue
		}
		return err == nil && fi.IsDir() && (dir != runtimeDir || ownedByUs(fi)) && unix.Access(dir, unix.W_OK|unix.X_OK) == nil
	}
}
