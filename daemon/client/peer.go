package client

import (
	"context"
	"errors"
	"net"

	"showhow/internal/fault"
	"showhow/internal/ownsocket"
)

// dialOwn connects to the socket if this user's daemon listens there.
func dialOwn(ctx context.Context, socket string) (net.Conn, error) {
	c, err := ownsocket.Dial(ctx, socket)
	return c, foreign(err)
}

// foreign is the error when another user's process answers.
func foreign(err error) error {
	if !errors.Is(err, ownsocket.ErrForeign) {
		return err
	}
	return fault.Wrap(err, fault.DataDirForeign, "another user answers on the daemon's socket; nothing was sent").
		WithHint("run Showhow as the user whose daemon it is, or set XDG_RUNTIME_DIR to a folder of your own")
}
