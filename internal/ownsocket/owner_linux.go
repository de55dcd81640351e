package ownsocket

import "golang.org/x/sys/unix"

// ownerOf is the user who listens at the other end of a Unix socket.
func ownerOf(fd int) (int, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
