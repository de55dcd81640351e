package caller

import (
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// read fills in credentials and, on kernels that have it (6.5), a pidfd: the one handle that never comes to mean
// another process.
func (p *Peer) read(fd int) error {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return err
	}
	p.UID, p.PID, p.accepted = int(cred.Uid), int(cred.Pid), sinceBoot()
	pidfd, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PEERPIDFD)
	switch err {
	case nil:
		var once sync.Once
		p.alive = func() bool { return running(pidfd) }
		p.Close = func() { once.Do(func() { unix.Close(pidfd) }) }
	case unix.ENOPROTOOPT:
		// An older kernel: the start time in /proc is compared with the time of the connection instead.
	default:
		p.alive = func() bool { return false } // the caller has exited already
	}
	return nil
}

// running: a pidfd becomes readable when its process has ended.
func running(pidfd int) bool {
	fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, 0)
		if err == unix.EINTR {
			continue
		}
		return err == nil && n == 0
	}
}

// sinceBoot is the current time on the clock of process start times in /proc, so that changes of the wall clock do not
// matter.
func sinceBoot() time.Time {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts) != nil {
		return time.Time{}
	}
	return time.Unix(ts.Unix())
}
