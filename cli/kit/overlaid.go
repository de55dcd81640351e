package kit

import (
	"os"

	"showhow/internal/desktop"
	"showhow/internal/detached"
	"showhow/internal/fault"
)

// ShowOverlay starts the overlay if the person wants it and this desktop supports it; it reports whether it did.
func (e *Env) ShowOverlay() bool {
	return desktop.Overlay(e.Roots, e.Getenv) != "" && e.Background("overlay") == nil
}

// Background starts this program again with other arguments, in a session of its own, so that it outlives this terminal.
func (e *Env) Background(args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	wait, err := detached.Start(self, nil, args...)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "it could not be started")
	}
	go wait() // the tray lives long; for a command it ends with the command
	return nil
}
