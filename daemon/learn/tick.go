package learn

import (
	"context"
	"time"

	"showhow/daemon/learn/state"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

const (
	housekeepEvery = 24 * time.Hour
	countsEvery    = 15 * time.Second // how stale the stored counters of a running capture may be
)

// Tick does what is due. Run calls it; tests call it with their own clock.
func (s *Service) Tick(ctx context.Context) {
	now := s.changes.Now()
	s.RecordPauses(ctx)
	if s.live.Any() && !s.lease.Held(s.d.Now()) {
		s.PauseAll(ctx, state.PausedNoIndicator)
	}
	if s.lease.CouldBeHeld(s.d.Now()) {
		s.ResumeUnseen(ctx)
	}
	// The next tick finishes what a purge or shutdown interrupted.
	if err := s.EnforceLimits(ctx, now); err != nil && !fault.Is(err, fault.Cancelled) {
		s.log.Error("time limits could not be enforced", "code", fault.CodeOf(err))
	}
	if now.Sub(s.lastCounts.Time) >= countsEvery {
		s.lastCounts = now
		s.StoreCounts(ctx)
	}
	if now.Sub(s.lastHousekeeping.Time) >= housekeepEvery {
		s.lastHousekeeping = now
		if err := s.Housekeep(ctx); fault.Is(err, fault.Cancelled) {
			s.lastHousekeeping = clock.Time{}
		} else if err != nil {
			s.log.Error("housekeeping did not finish", "code", fault.CodeOf(err))
		}
	}
}
