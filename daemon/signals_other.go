//go:build !linux

package daemon

import (
	"context"

	"showhow/daemon/learn"
)

// platformSignals tells nothing here: lock and suspend are read on Linux only so far.
func platformSignals(context.Context) <-chan learn.Signal { return nil }
