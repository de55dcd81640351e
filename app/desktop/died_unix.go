//go:build unix

package desktop

import (
	"errors"
	"syscall"
)

// died: a socket stands there and nobody listens.
func died(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
