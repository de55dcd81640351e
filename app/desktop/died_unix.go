//go:build unix

package desktop

import (
	"errors"
	"syscall"
)

// died: the socket exists and nobody listens.
func died(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
