package midi

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// watchDir calls changed when an entry of dir appears, disappears or changes its permissions, until ctx ends.
// (fsnotify would also wake us for every write to a device in it, such as by a program that plays sound.)
func watchDir(ctx context.Context, dir string, changed func()) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return
	}
	f := os.NewFile(uintptr(fd), "inotify")
	defer f.Close()
	stop := context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	const mask = unix.IN_CREATE | unix.IN_DELETE | unix.IN_ATTRIB | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_ONLYDIR
	buf := make([]byte, 4096)
	for ctx.Err() == nil {
		if _, err := unix.InotifyAddWatch(fd, dir, mask); err != nil { // the folder comes with the first device
			select {
			case <-ctx.Done():
			case <-time.After(2 * time.Second):
			}
			continue
		}
		if _, err := f.Read(buf); err != nil {
			return
		}
		changed()
	}
}
