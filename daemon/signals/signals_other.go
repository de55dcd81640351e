//go:build !linux

package signals

import (
	"context"

	"showhow/daemon/learn"
)

// Watch sends nothing here: lock and suspend are read on Linux only so far.
func Watch(context.Context) <-chan learn.Signal { return nil }
