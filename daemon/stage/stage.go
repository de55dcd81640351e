// Package stage is the machine on which rehearsals are performed: this machine's Chromium through browser/player, and
// the sandbox. It implements port.Stage and knows nothing of what a rehearsal judges.
//
// Guaranteed: everything that a run makes lies below one folder of its own, which Close removes and Sweep removes
// after a crash; a run's browser reaches only the run's hosts, whatever a page does (gate.go).
//
// Only package daemon imports it. To test against it: theatre in stage_test.go performs recorded workflows on the
// corpus.
package stage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"showhow/browser"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// Options is what a stage stands on.
type Options struct {
	Dir     string // one folder per run below
	Browser browser.Options
	Managed *browser.Manager // for runs in the managed profile
	Profile string           // of the managed browser
}

// New makes a stage.
func New(o Options) *Stage {
	b := o.Browser
	b.Port, b.StartURL, b.DownloadDir, b.Profile, b.CacheDir = false, "", "", "", ""
	return &Stage{dir: o.Dir, browser: b, managed: o.Managed, profile: o.Profile, shared: &shared{options: b}}
}

// Stage implements port.Stage. Everything that a run makes is below one folder per run, so that the remains of a crash
// are known and removed at the next start. A Chromium ends with its debugging pipe, and so with the daemon. The one that hidden runs share
// keeps nothing of them but in memory.
type Stage struct {
	dir     string // one folder per run below
	browser browser.Options
	managed *browser.Manager // for runs in the managed profile
	profile string           // of the managed browser
	shared  *shared          // for runs that nobody watches
}

// Close ends the browser that runs share. Call it after the last run has ended.
func (s *Stage) Close() error { return s.shared.Close() }

// Sweep removes what runs of an earlier process have left. Call it before anything runs.
func (s *Stage) Sweep() error {
	browser.Sweep()
	err := os.RemoveAll(s.dir)
	if err != nil {
		err = errors.Join(err, browser.RemoveProfile(s.dir))
	}
	return err
}

// Ready implements port.Stage.
func (s *Stage) Ready(_ context.Context, surface string) error {
	switch surface {
	case "browser":
		if s.browser.Path != "" {
			return nil
		}
		_, err := browser.Find()
		return err
	case "shell":
		return sandbox.Probe()
	}
	return fault.New(fault.UnsupportedInBuild, "nothing here can perform such steps")
}

// CanShow implements port.Shower.
func (s *Stage) CanShow() error {
	if runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil
	}
	return fault.New(fault.AdapterUnavailable, "the browser cannot be shown: Showhow runs without a display").
		WithHint("leave out --headed, or restart it from your desktop: `showhow daemon restart`")
}

// Room implements port.Stage.
func (s *Stage) Room(_ context.Context, runID string) (port.Room, error) {
	r := &room{stage: s, dir: filepath.Join(s.dir, runID)}
	for _, sub := range []string{r.Dir(), r.Downloads()} {
		if err := os.MkdirAll(sub, 0o700); err != nil {
			return nil, fault.Wrap(err, fault.StoreFull, "the run's folder cannot be created")
		}
	}
	return r, nil
}

// room is one run's: home holds its work, profile the browser's own data unless that is kept in memory.
type room struct {
	stage *Stage
	dir   string

	mu     sync.Mutex
	open   []interface{ Close() error }
	closed bool
}

func (r *room) Dir() string       { return filepath.Join(r.dir, "home") }
func (r *room) Downloads() string { return filepath.Join(r.Dir(), "Downloads") }
func (r *room) profile() string   { return filepath.Join(r.dir, "profile") }

// keep registers something to be closed with the room; false when the room is closed already.
func (r *room) keep(c interface{ Close() error }) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.open = append(r.open, c)
	}
	return !r.closed
}

// Close closes what is open, removes the folder and checks that nothing is left.
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
		return fault.Wrap(err, fault.Internal, "something of the run is left on this machine").WithHint(
			"it is removed when the daemon is started again")
	}
	return nil
}
