package learn

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/control"
	"showhow/daemon/learn/drafting"
	"showhow/daemon/learn/housekeeping"
	"showhow/daemon/learn/importmirror"
	"showhow/daemon/learn/install"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/session"
	"showhow/daemon/learn/state"
	"showhow/daemon/learn/validation"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// The names under which Service embeds the packages of learning.
type (
	monitor   = live.Monitor
	sessions  = query.Reader
	maker     = session.Service
	captures  = control.Service
	proposals = proposal.Reader
	drafts    = drafting.Service
	trials    = validation.Service
	decisions = install.Service
	house     = housekeeping.Service
	mirror    = importmirror.Mirror
)

// Service is the whole of learning. Its methods are those of the embedded services and are safe for concurrent use:
// commands on one learning target run one after the other, and each checks the state inside its transaction.
type Service struct {
	*monitor
	*sessions
	*maker
	*captures
	*proposals
	*drafts
	*trials
	*decisions
	*house
	*mirror

	d       Deps
	log     *slog.Logger
	changes *change.Store
	live    *live.Set
	lease   *live.Lease

	background       context.Context // ends with Close
	end              context.CancelFunc
	watchers         sync.WaitGroup
	lastHousekeeping clock.Time // only Run and Tick touch it
	lastCounts       clock.Time
}

// New makes a service; call Recover once, then Run.
func New(d Deps) *Service {
	if d.Grace == 0 {
		d.Grace = live.LeaseTime
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
	s := &Service{d: d, log: d.Logger, live: &live.Set{}, lease: &live.Lease{}}
	s.background, s.end = context.WithCancel(context.Background())
	s.monitor = live.New(live.Deps{Live: s.live, Lease: s.lease, Capturer: d.Capturer, DataClasses: d.DataClasses, Now: d.Now})
	s.changes = change.New(change.Deps{Store: d.Store, Monitor: s.monitor, Now: d.Now, NewID: d.NewID})
	s.sessions = query.New(query.Deps{
		Store: d.Store, Observations: d.Observations, Installer: d.Installer, Changes: s.changes, Monitor: s.monitor,
	})
	s.captures = control.New(control.Deps{
		Store: d.Store, Capturer: d.Capturer, Observations: d.Observations, Validator: d.Validator, Changes: s.changes,
		Monitor: s.monitor, Live: s.live, Lease: s.lease, Query: s.sessions, Now: d.Now, Grace: d.Grace, Log: d.Logger,
	})
	s.proposals = proposal.New(proposal.Deps{
		Store: d.Store, Observations: d.Observations, Validator: d.Validator, Installer: d.Installer, Changes: s.changes,
		Monitor: s.monitor, Query: s.sessions,
	})
	s.maker = session.New(session.Deps{
		Store: d.Store, Capturer: d.Capturer, Observations: d.Observations, Runs: d.Runs, Recordings: d.Recordings, Redact: d.Redact,
		Installer: d.Installer, Changes: s.changes, Monitor: s.monitor, Live: s.live, Proposals: s.proposals, NewID: d.NewID,
	})
	s.drafts = drafting.New(drafting.Deps{
		Store: d.Store, Observations: d.Observations, Compile: d.Compile, Installer: d.Installer, Writer: d.Writer,
		MemoryRoot: d.MemoryRoot, Drafted: func(id string) { s.decisions.AutoValidate(id) }, Changes: s.changes, Control: s.captures,
		Query: s.sessions, Proposals: s.proposals, NewID: d.NewID, Log: d.Logger,
	})
	s.trials = validation.New(validation.Deps{
		Store: d.Store, Validator: d.Validator, Changes: s.changes, Proposals: s.proposals, Drafts: s.drafts, NewID: d.NewID,
		Log: d.Logger,
	})
	s.decisions = install.New(install.Deps{
		Store: d.Store, Validator: d.Validator, Installer: d.Installer, Changes: s.changes, Control: s.captures, Query: s.sessions,
		Proposals: s.proposals, Validation: s.trials, Background: s.run, NewID: d.NewID, Log: d.Logger,
	})
	s.house = housekeeping.New(housekeeping.Deps{
		Store: d.Store, Purger: d.Purger, Changes: s.changes, Monitor: s.monitor, Control: s.captures, Query: s.sessions,
		Drafts: s.drafts, Install: s.decisions, NewID: d.NewID,
	})
	s.mirror = importmirror.New(importmirror.Deps{Store: d.Store, Changes: s.changes})
	return s
}

const (
	busyTick = time.Second      // while something captures: the lease is that fresh
	idleTick = 30 * time.Second // otherwise
)

// Run enforces the lease and time limits, does the housekeeping, and pauses when the platform signals, until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	s.Tick(ctx)
	signals := s.d.Signals
	for {
		wait := idleTick
		if s.live.Any() {
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
		case sig, open := <-signals:
			if !open {
				signals = nil // the platform's watcher has ended without a signal
				break
			}
			s.PauseAll(ctx, state.PauseReason(sig))
		case <-s.Began():
		case <-timer.C:
			s.Tick(ctx)
		}
		timer.Stop()
	}
}

// Close stops a running capture, leaving its session paused, and waits for the goroutines of the service. Whoever made
// the validation runner closes it.
func (s *Service) Close(ctx context.Context) error {
	s.PauseAll(ctx, state.PausedRestart)
	for _, id := range s.live.IDs() {
		if err := s.d.Capturer.Stop(ctx, id); err != nil {
			s.log.Error("capture did not stop cleanly", "session", id, "code", fault.CodeOf(err))
		}
		s.live.Remove(id)
	}
	s.end()
	s.watchers.Wait()
	return nil
}

// run runs fn in a goroutine that Close waits for.
func (s *Service) run(fn func(ctx context.Context)) {
	s.watchers.Add(1)
	go func() {
		defer s.watchers.Done()
		fn(s.background)
	}()
}
