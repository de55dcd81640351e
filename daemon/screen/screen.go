// Package screen shows the overlay, the small window that shows what is watched, on the person's display when capture
// begins. It remembers the display of the last request for a browser login, because a daemon that a service manager
// started has none of its own. Nothing is stored. Only package daemon imports it.
package screen

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"sync"

	"showhow/internal/desktop"
	"showhow/internal/fault"
	"showhow/internal/paths"
)

// Options is what a screen needs of its daemon.
type Options struct {
	Roots     paths.Roots
	Program   string                                    // this program's own file; "" shows no overlay
	Changed   func(ctx context.Context) <-chan struct{} // something was committed
	Capturing func(ctx context.Context) (bool, error)
	Log       *slog.Logger
}

// Screen is the X display of the last request for a browser login: that person may start to watch from the page. In
// memory only.
type Screen struct {
	o             Options
	mu            sync.Mutex
	display, auth string
}

// New makes a screen whose display is the environment's until Set names another.
func New(o Options) *Screen { return &Screen{o: o} }

// Set sets the display.
func (s *Screen) Set(display, auth string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.display, s.auth = display, auth
}

// getenv is the environment with that display in it.
func (s *Screen) getenv(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.display != "" {
		switch name {
		case "DISPLAY":
			return s.display
		case "XAUTHORITY":
			return s.auth
		case "WAYLAND_DISPLAY", "XDG_SESSION_TYPE":
			return "" // who named it looked at these
		}
	}
	return os.Getenv(name)
}

// Run starts the overlay when capture begins, whoever began it: a page in a browser can start nothing. Command line,
// window and tray start it too, each on the display it knows; there is only ever one.
func (s *Screen) Run(ctx context.Context) error {
	if s.o.Program == "" {
		<-ctx.Done()
		return nil
	}
	changed := s.o.Changed(ctx)
	for on := false; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
		capturing, err := s.o.Capturing(ctx)
		if err != nil {
			continue // the next change says it again
		}
		was := on
		if on = capturing; on && !was {
			s.startOverlay(ctx)
		}
	}
}

// startOverlay starts the overlay's command and returns at once.
func (s *Screen) startOverlay(ctx context.Context) {
	if desktop.Overlay(s.o.Roots, s.getenv) == "" {
		return
	}
	cmd := exec.CommandContext(ctx, s.o.Program, "overlay", "--background")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "DISPLAY="+s.getenv("DISPLAY"), "XAUTHORITY="+s.getenv("XAUTHORITY"),
		"WAYLAND_DISPLAY="+s.getenv("WAYLAND_DISPLAY"), "XDG_SESSION_TYPE="+s.getenv("XDG_SESSION_TYPE"))
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		s.o.Log.Warn("the overlay could not be started", "code", string(fault.CodeOf(err)))
	}
}
