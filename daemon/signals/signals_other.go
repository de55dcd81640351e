//go:build !linux

package signals

import (
	"context"

	"showhow/daemon/learn/port"
)

// Watch sends nothing here: lock and suspend are read on Linux only so far.
func Watch(context.Context) <-chan port.Signal { return nil }
