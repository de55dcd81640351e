// Package ownsocket connects only to the socket of this user's daemon: if the runtime folder is in /tmp, another user
// may have created it, and a socket in it, first. Client and hook both use it.
package ownsocket

import (
	"context"
	"errors"
	"net"
	"os"
	"time"
)

// ErrForeign is returned if another user listens. It is not a fault: the hook's process does not link package fault
// (package report).
var ErrForeign = errors.New("another user answers on the socket")

// Dial connects to the socket and checks that this user's daemon listens there, before sending anything.
func Dial(ctx context.Context, socket string) (net.Conn, error) {
	d := &net.Dialer{Timeout: 5 * time.Second}
	c, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	if err := Owned(c, os.Geteuid()); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Owned refuses a connection whose other end does not belong to user.
func Owned(c net.Conn, user int) error {
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err != nil {
		return err
	}
	owner, asked := -1, error(nil)
	if err := raw.Control(func(fd uintptr) { owner, asked = ownerOf(int(fd)) }); err != nil {
		return err
	}
	if asked != nil || owner != user {
		return ErrForeign
	}
	return nil
}
