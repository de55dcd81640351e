//go:build desktop

package desktop

import (
	"os"

	"showhow/internal/desktop"
	"showhow/internal/detached"
	"showhow/internal/paths"
)

// overlay starts the always-on-top window, if the desktop supports it and the person wants it. It outlives this
// program, and there is only one.
func overlay(r paths.Roots) {
	command, err := command()
	if err != nil || desktop.Overlay(r, os.Getenv) == "" {
		return
	}
	if wait, err := detached.Start(command, nil, "overlay"); err == nil {
		go wait() // it is ours until we end
	}
}
