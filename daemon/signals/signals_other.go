//go:build !linux

package signals

import (
	"context"

	"showhow/daemon/learn/port"
)

// Watch sends nothing: lock and suspend are read only on Linux so far.
func Watch(context.Context) <-chan port.Signal { return nil }

// State holds reasons of the machine against doing something unasked.
type State struct{ Locked, Metered, Battery bool }

// Machine gives no reasons: lock, network and power are read only on Linux so far.
func Machine(context.Context) State { return State{} }
