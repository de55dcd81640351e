//go:build !linux

package signals

import (
	"context"

	"showhow/daemon/learn/port"
)

// Watch sends nothing here: lock and suspend are read on Linux only so far.
func Watch(context.Context) <-chan port.Signal { return nil }

// State is what of the machine stands against doing something unasked.
type State struct{ Locked, Metered, Battery bool }

// Machine says nothing here: lock, network and power are read on Linux only so far.
func Machine(context.Context) State { return State{} }
