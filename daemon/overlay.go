package daemon

import (
	"context"
	"os"
	"os/exec"
	"sync"

	"showhow/daemon/learn"
	"showhow/internal/desktop"
	"showhow/internal/fault"
)

// screen is the X display of the person who asked for a browser login last, who may begin to watch from the page. In memory only.
type screen struct {
	mu            sync.Mutex
	display, auth string
}

func (s *screen) set(display, auth string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.display, s.auth = display, auth
}

// getenv is the environment with that display in it.
func (s *screen) getenv(name string) string {
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

// showOverlay has the small window above the others come when capture begins, whoever began it: a page in a browser can start
// nothing. Command line, window and tray start it too, each with the display it knows; there is only ever one.
func (d *Daemon) showOverlay(ctx context.Context) error {
	if d.o.Program == "" {
		<-ctx.Done()
		return nil
	}
	changed := d.store.Watch(ctx)
	for on := false; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
		s, ok, err := d.learn.ActiveSession(ctx)
		if err != nil {
			continue // the next change says it again
		}
		was := on
		if on = ok && s.State == learn.Capturing; on && !was {
			d.startOverlay(ctx)
		}
	}
}

// startOverlay runs the command that starts it and returns at once.
func (d *Daemon) startOverlay(ctx context.Context) {
	if desktop.Overlay(d.o.Roots, d.screen.getenv) == "" {
		return
	}
	cmd := exec.CommandContext(ctx, d.o.Program, "overlay", "--background")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "DISPLAY="+d.screen.getenv("DISPLAY"), "XAUTHORITY="+d.screen.getenv("XAUTHORITY"),
		"WAYLAND_DISPLAY="+d.screen.getenv("WAYLAND_DISPLAY"), "XDG_SESSION_TYPE="+d.screen.getenv("XDG_SESSION_TYPE"))
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		d.log.Warn("the overlay could not be started", "code", string(fault.CodeOf(err)))
	}
}
