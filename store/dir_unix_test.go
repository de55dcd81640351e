//go:build unix

package store

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A program that is being started has copies of all descriptors until its exec. They do not keep the data directory
// locked once its daemon has closed it.
func TestTheLockEndsWithTheStore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	held, err := unix.FcntlInt(s.lock.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	must(t, err)
	defer unix.Close(held)
	if _, err := Open(t.Context(), Options{Dir: dir}); err == nil {
		t.Fatal("two daemons share a data directory")
	}
	must(t, s.Close())
	open(t, dir)
}
