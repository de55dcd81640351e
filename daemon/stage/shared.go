package stage

import (
	"context"
	"slices"
	"sync"
	"time"

	"showhow/browser"
	"showhow/browser/player"
)

// shared is a Chromium without a window in which hidden runs are performed one after the other, each in a browser context of its own: what
// its pages store stays in memory and goes with the context. Starting a Chromium takes longer than most runs.
type shared struct {
	options browser.Options

	turn    sync.Mutex // held by who has the browser, for as long; it guards what follows
	browser *browser.Browser
	shut    *gate // of whatever in the browser belongs to no run: it admits nothing
	runs    int   // of this browser
	rest    *time.Timer
	closed  bool
}

const (
	// restTime is how long the browser waits for the next run before it is ended.
	restTime = 15 * time.Second
	// mostRuns is how many runs a browser performs before another one takes its place.
	mostRuns = 50
)

// loan is the shared browser in the hands of one run.
type loan struct {
	of      *shared
	context *player.Context
}

// lend returns nil when another run has the browser, or when it cannot be had: the run then starts one of its own.
func (s *shared) lend(ctx context.Context, proxy string) *loan {
	if !s.turn.TryLock() {
		return nil
	}
	l := &loan{of: s}
	err := s.run(ctx)
	if err == nil {
		l.context, err = player.NewContext(ctx, s.browser, proxy)
	}
	if err != nil {
		_ = s.end()
		s.turn.Unlock()
		return nil
	}
	return l
}

// run starts the browser unless it runs.
func (s *shared) run(ctx context.Context) error {
	switch {
	case s.closed:
		return context.Canceled
	case s.browser != nil && s.runs < mostRuns && !s.browser.Gone():
		return nil
	}
	_ = s.end() // what it leaves is removed when the next one starts
	g, err := openGate(nil)
	if err != nil {
		return err
	}
	o := s.options
	o.Headless = new(true)
	o.ExtraArgs = slices.Concat(o.ExtraArgs, player.Flags([]string{}), player.ProxyFlags(g.address))
	b, err := browser.Launch(ctx, o)
	if err != nil {
		g.Close()
		return err
	}
	s.browser, s.shut, s.runs = b, g, 0
	return nil
}

// end ends the browser with everything in it.
func (s *shared) end() error {
	if s.browser == nil {
		return nil
	}
	err := s.browser.Kill()
	s.shut.Close()
	s.browser, s.shut = nil, nil
	return err
}

// dispose ends the run's pages. Where that fails, the whole browser ends.
func (l *loan) dispose() error {
	if l.context.Dispose() == nil {
		return nil
	}
	return l.of.end()
}

// back returns the browser. Nothing of the run may use it any more.
func (l *loan) back() {
	s := l.of
	s.runs++
	if s.rest == nil {
		s.rest = time.AfterFunc(restTime, s.rested)
	} else {
		s.rest.Reset(restTime)
	}
	s.turn.Unlock()
}

// rested ends a browser that nobody has borrowed for a while.
func (s *shared) rested() {
	if s.turn.TryLock() {
		_ = s.end()
		s.turn.Unlock()
	}
}

// Close waits for the run that has the browser, and ends it.
func (s *shared) Close() error {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.closed = true
	if s.rest != nil {
		s.rest.Stop()
	}
	return s.end()
}
