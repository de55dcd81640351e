package learn

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Service is learning, orchestrated. Its methods are safe for concurrent use: commands on one learning target happen one
// after the other, and every one of them judges the state it finds inside its transaction.
type Service struct {
	d     Deps
	log   *slog.Logger
	locks keyedLocks
	lease lease
	live  liveSet
	kick  chan struct{} // wakes Run: a capture began

	bg       context.Context // ends with Close
	end      context.CancelFunc
	watchers sync.WaitGroup

	lastHousekeeping clock.Time // only Run and Tick touch it
	lastCounts       clock.Time
}

// New makes a service; call Recover once, then Run.
func New(d Deps) *Service {
	if d.Grace == 0 {
		d.Grace = leaseTime
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.NewID == nil {
		d.NewID = clock.NewID
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	bg, end := context.WithCancel(context.Background())
	return &Service{d: d, log: d.Logger, bg: bg, end: end, kick: make(chan struct{}, 1)}
}

// now is wall time, without a monotonic part: time spent suspended counts.
func (s *Service) now() clock.Time { return clock.At(s.d.Now()) }

const (
	busyTick = time.Second      // while something captures: the lease is that fresh
	idleTick = 30 * time.Second // otherwise
)

// Run keeps the lease, time limits and housekeeping, and pauses when the platform says so, until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	s.Tick(ctx)
	for {
		wait := idleTick
		if s.live.any() {
			wait = busyTick
		}
		if s.d.Every > 0 {
			wait = s.d.Every
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case sig := <-s.d.Signals:
			s.pauseAll(ctx, PauseReason(sig))
		case <-s.kick:
		case <-timer.C:
			s.Tick(ctx)
		}
		timer.Stop()
	}
}

// Close stops a running capture, leaving its session paused, and waits for what the service started. The runner of
// validations is closed by whoever made it.
func (s *Service) Close(ctx context.Context) error {
	s.pauseAll(ctx, PausedRestart)
	for _, id := range s.live.ids() {
		if err := s.d.Capturer.Stop(ctx, id); err != nil {
			s.log.Error("capture did not stop cleanly", "session", id, "code", fault.CodeOf(err))
		}
		s.live.remove(id)
	}
	s.end()
	s.watchers.Wait()
	return nil
}

// background runs fn until it returns; Close waits for it.
func (s *Service) background(fn func(ctx context.Context)) {
	s.watchers.Add(1)
	go func() {
		defer s.watchers.Done()
		fn(s.bg)
	}()
}

// keyedLocks serialises the commands of one learning target.
type keyedLocks struct {
	mu   sync.Mutex
	held map[string]*keyedLock
}

type keyedLock struct {
	sync.Mutex
	users int
}

// lock takes the lock of key and returns its release.
func (k *keyedLocks) lock(key string) func() {
	k.mu.Lock()
	if k.held == nil {
		k.held = map[string]*keyedLock{}
	}
	l := k.held[key]
	if l == nil {
		l = &keyedLock{}
		k.held[key] = l
	}
	l.users++
	k.mu.Unlock()
	l.Lock()
	return func() {
		l.Unlock()
		k.mu.Lock()
		if l.users--; l.users == 0 {
			delete(k.held, key)
		}
		k.mu.Unlock()
	}
}

// userOnly refuses agents: they never control sessions or decide on drafts (decisions D1).
func userOnly(m Meta) error {
	if m.Principal == PrincipalUser || m.Principal == PrincipalSystem {
		return nil
	}
	return fault.New(fault.Forbidden, "only a person may do this").WithHint("do it in the Showhow window or with its CLI")
}
