package caller

import "golang.org/x/sys/unix"

// read: macOS has no pidfd, so a process that ends between connecting and being examined could be mistaken for a later one
// with its number; its start time is compared with the time of the connection instead.
func (p *Peer) read(fd int) error {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return err
	}
	p.UID = int(cred.Uid)
	if pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID); err == nil {
		p.PID = pid
	}
	return nil
}
