package ownsocket

import "golang.org/x/sys/unix"

// ownerOf is the user who listens at the other end of a Unix socket.
func ownerOf(fd int) (int, error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
