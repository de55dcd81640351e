package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"showhow/browser"
	"showhow/daemon/rehearse"
	"showhow/internal/fault"
)

// stage is what rehearsals are performed on: this machine's Chromium and sandbox. Everything that a run makes is below one
// folder per run, so that whatever a crash leaves is known and removed at the next start. A Chromium ends with its debugging
// pipe, and so with the daemon.
type stage struct {
	dir     string // one folder per run below
	browser browser.Options
	managed *browser.Manager // for runs in the managed profile
	profile string           // of the managed browser
}

func (d *Daemon) newStage() *stage {
	o := d.browserOptions()
	return &stage{dir: filepath.Join(d.o.Roots.State, "rehearsals"), browser: o, managed: d.browsers, profile: d.o.Roots.BrowserProfile()}
}

// sweep removes what runs of an earlier process have left. Call it before anything runs.
func (s *stage) sweep() error {
	browser.Sweep()
	err := os.RemoveAll(s.dir)
	if err != nil {
		err = errors.Join(err, browser.RemoveProfile(s.dir))
	}
	return err
}

// Ready implements rehearse.Stage.
func (s *stage) Ready(_ context.Context, surface string) error {
	switch surface {
	case "browser":
		if s.browser.Path != "" {
			return nil
		}
		_, err := browser.Find()
		return err
	case "shell":
		return sandboxReady()
	}
	return fault.New(fault.UnsupportedInBuild, "nothing here can perform such steps")
}

// CanShow implements rehearse.Shower.
func (s *stage) CanShow() error {
	if runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil
	}
	return fault.New(fault.AdapterUnavailable, "the browser cannot be shown: Showhow runs without a display").
		WithHint("leave out --headed, or restart it from your desktop: `showhow daemon restart`")
}

// Room implements rehearse.Stage.
func (s *stage) Room(_ context.Context, runID string) (rehearse.Room, error) {
	r := &room{stage: s, dir: filepath.Join(s.dir, runID)}
	for _, sub := range []string{r.Dir(), r.Downloads()} {
		if err := os.MkdirAll(sub, 0o700); err != nil {
			return nil, fault.Wrap(err, fault.StoreFull, "the run's folder cannot be made")
		}
	}
	return r, nil
}

// room is one run's: home holds what it works with, profile the browser's own data where that is not kept in memory.
type room struct {
	stage *stage
	dir   string

	mu     sync.Mutex
	open   []interface{ Close() error }
	closed bool
}

func (r *room) Dir() string       { return filepath.Join(r.dir, "home") }
func (r *room) Downloads() string { return filepath.Join(r.Dir(), "Downloads") }
func (r *room) profile() string   { return filepath.Join(r.dir, "profile") }

// keep notes something to be closed with the room; false when the room is closed already.
func (r *room) keep(c interface{ Close() error }) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.open = append(r.open, c)
	}
	return !r.closed
}

// Close ends what is open, removes the folder and looks.
func (r *room) Close() error {
	r.mu.Lock()
	open := r.open
	r.open, r.closed = nil, true
	r.mu.Unlock()
	var errs []error
	for i := len(open) - 1; i >= 0; i-- {
		errs = append(errs, open[i].Close())
	}
	errs = append(errs, browser.RemoveProfile(r.dir))
	if _, err := os.Lstat(r.dir); !errors.Is(err, os.ErrNotExist) {
		errs = append(errs, fault.New(fault.Internal, "the run's folder is still there"))
	}
	if err := errors.Join(errs...); err != nil {
		return fault.Wrap(err, fault.Internal, "something of the run is left on this machine").WithHint("it is removed when the daemon is started again")
	}
	return nil
}
