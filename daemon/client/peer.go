package client

import (
	"context"
	"net"
	"os"
	"time"

	"showhow/internal/fault"
)

// dialOwn connects to the socket and makes sure that this user's daemon listens there, before a word is said: where the
// runtime folder lies in /tmp, another user may have made it, and a socket in it, first.
func dialOwn(ctx context.Context, socket string) (net.Conn, error) {
	d := &net.Dialer{Timeout: 5 * time.Second}
	c, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	if err := owned(c, os.Geteuid()); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// owned refuses a connection whose other end is not user's.
func owned(c net.Conn, user int) error {
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err != nil {
		return err
	}
	owner, asked := -1, error(nil)
	if err := raw.Control(func(fd uintptr) { owner, asked = ownerOf(int(fd)) }); err != nil {
		return err
	}
	if asked != nil || owner != user {
		return fault.Wrap(asked, fault.DataDirForeign, "another user answers on the daemon's socket; nothing was sent").
			WithHint("run Showhow as the user whose daemon it is, or set XDG_RUNTIME_DIR to a folder of your own")
	}
	return nil
}
