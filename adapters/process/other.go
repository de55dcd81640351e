//go:build !linux

package process

import (
	"context"
	"errors"
)

var errNoEvents = errors.New("process: no process events on this operating system")

func openEvents(context.Context, *tracker) (source, error) { return nil, errNoEvents }

func (a *Adapter) windowsMissing() (code, reason string) {
	return "no_windows", "which window is in front can be seen on X11 only"
}

func (a *Adapter) windows(context.Context, *tracker) error { return nil }
