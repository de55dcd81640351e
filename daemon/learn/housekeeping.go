package learn

import (
	"context"
	"time"

	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Time limits (DOC3 0C.16D, decisions A2, A9, A10), in wall time.
const (
	armedLimit      = time.Hour           // then cancelled: session_timeout
	captureLimit    = 4 * time.Hour       // then paused: capture_timeout
	idleLimit       = 15 * time.Minute    // without anything kept; then paused: idle
	purgeAfter      = 7 * 24 * time.Hour  // raw data, after the end
	archiveSession  = 30 * 24 * time.Hour // after the end
	archiveProposal = 14 * 24 * time.Hour // after it was cancelled or rejected
	untouchedWarn   = 23 * 24 * time.Hour // an unfinished session that nobody touches is announced ...
	untouchedPurge  = 30 * 24 * time.Hour // ... and loses its raw data
	warnedFor       = 7 * 24 * time.Hour  // but not before the warning stood this long
	housekeepEvery  = 24 * time.Hour
	countsEvery     = 15 * time.Second // how stale the stored counters of a running capture may be

	codeSessionTimeout = "session_timeout"
)

// Tick does what is due. Run calls it; tests call it with a clock of their own.
func (s *Service) Tick(ctx context.Context) {
	now := s.now()
	s.recordPauses(ctx)
	if s.live.any() && !s.lease.held(s.d.Now()) {
		s.pauseAll(ctx, PausedNoIndicator)
	}
	// What was cut off, by a purge or by the daemon's end, is done by the next tick.
	if err := s.enforceLimits(ctx, now); err != nil && !fault.Is(err, fault.Cancelled) {
		s.log.Error("time limits could not be enforced", "code", fault.CodeOf(err))
	}
	if now.Sub(s.lastCounts.Time) >= countsEvery {
		s.lastCounts = now
		s.storeCounts(ctx)
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

// enforceLimits ends what was armed too long and pauses what captured too long or idles.
func (s *Service) enforceLimits(ctx context.Context, now clock.Time) error {
	var open []Session
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
		open, err = tx.OpenSessions()
		return err
	})
	if err != nil {
		return err
	}
	for _, sess := range open {
		switch {
		case sess.State == Armed && now.Sub(sess.CreatedAt.Time) >= armedLimit:
			err = s.timeOut(ctx, sess)
		case sess.State == Capturing:
			if why := s.overdue(sess, now); why != "" {
				_, err = s.pause(ctx, systemMeta(), sess.LearnSessionID, why)
				if fault.Is(err, fault.InvalidLearnStateTransition) { // it has left capturing meanwhile
					err = nil
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// overdue says why a capturing session must be paused now, "" when it need not.
func (s *Service) overdue(sess Session, now clock.Time) PauseReason {
	run, on := s.live.get(sess.LearnSessionID)
	if run.off != "" {
		return "" // it is paused, as soon as the store takes it
	}
	if sess.CapturingSince != nil && now.Sub(sess.CapturingSince.Time) >= captureLimit {
		return PausedTimeout
	}
	if !on {
		if sess.ObservationMode == ObserveNone {
			return ""
		}
		return s.notObserved(sess, now)
	}
	last := clock.At(run.since)
	if kept := s.d.Capturer.Counts(sess.LearnSessionID).LastKept; kept.After(last.Time) {
		last = clock.At(kept)
	}
	if now.Sub(last.Time) >= idleLimit {
		return PausedIdle
	}
	return ""
}

// notObserved: the state says capturing, but nothing captures. A capture that is being started gets a moment.
func (s *Service) notObserved(sess Session, now clock.Time) PauseReason {
	if sess.CapturingSince != nil && now.Sub(sess.CapturingSince.Time) < leaseTime {
		return ""
	}
	return PausedAdapter
}

// timeOut cancels a session that was armed and never started.
func (s *Service) timeOut(ctx context.Context, sess Session) error {
	defer s.locks.lock(sess.TargetID)()
	return s.update(ctx, systemMeta(), func(u *unit) error {
		cur, err := u.load(sess.LearnSessionID)
		if err != nil || cur.State != Armed {
			return err
		}
		cur.TimedOut = true
		return u.cancel(*cur, codeSessionTimeout)
	})
}

// storeCounts keeps the counters of running captures from being lost to a crash.
func (s *Service) storeCounts(ctx context.Context) {
	for _, id := range s.live.ids() {
		err := s.d.Store.Update(ctx, func(tx Tx) error {
			sess, ok, err := tx.Session(id)
			if err != nil || !ok || sess.State != Capturing {
				return err
			}
			return tx.PutSession(s.computed(sess))
		})
		if err != nil {
			s.log.Error("counters could not be stored", "session", id, "code", fault.CodeOf(err))
		}
	}
}

// Housekeep purges, warns and archives what is due. It never touches data that an unfinished session still needs, except
// that of sessions nobody touched for a month, after a warning.
func (s *Service) Housekeep(ctx context.Context) error {
	now := s.now()
	if err := s.finishDeletions(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context, clock.Time) error{s.purgeDue, s.archiveSessions, s.archiveProposals} {
		if err := step(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// purgeDue purges raw data that has outlived its purpose and warns about what will.
func (s *Service) purgeDue(ctx context.Context, now clock.Time) error {
	raw, needed, err := s.rawSessions(ctx)
	if err != nil {
		return err
	}
	var due []Session
	for _, sess := range raw {
		switch {
		case sess.Retain, needed[sess.TargetID]:
		case sess.Ended && now.Sub(sess.EndedAt.Time) >= purgeAfter, untouched(sess, now):
			due = append(due, sess)
		case !sess.Ended && sess.PurgeWarnedAt == nil && now.Sub(sess.UpdatedAt.Time) >= untouchedWarn:
			err = s.warn(ctx, sess.LearnSessionID)
		}
		if err != nil {
			return err
		}
	}
	return s.purgeRaw(ctx, due)
}

func untouched(sess Session, now clock.Time) bool {
	return !sess.Ended && sess.PurgeWarnedAt != nil && now.Sub(sess.UpdatedAt.Time) >= untouchedPurge &&
		now.Sub(sess.PurgeWarnedAt.Time) >= warnedFor
}

// warn announces that an untouched session will lose its raw data. It is no touch.
func (s *Service) warn(ctx context.Context, id string) error {
	return s.quietly(ctx, id, func(u *unit, sess *Session) error {
		sess.PurgeWarnedAt = u.now.Ptr()
		return nil
	})
}

// quietly changes a session without that counting as somebody's touch, and without moving the runtime snapshot.
func (s *Service) quietly(ctx context.Context, id string, fn func(*unit, *Session) error) error {
	return s.d.Store.Update(ctx, func(tx Tx) error {
		u := s.unit(tx, systemMeta())
		sess, err := u.load(id)
		if err != nil {
			return err
		}
		if err := fn(u, sess); err != nil {
			return err
		}
		return u.store(sess)
	})
}

// purgeRaw removes the raw data of sessions in one purge, whose receipts the store leaves; with the last session of a target
// its key goes.
func (s *Service) purgeRaw(ctx context.Context, due []Session) error {
	if len(due) == 0 {
		return nil
	}
	targets, err := s.keyless(ctx, due)
	if err != nil {
		return err
	}
	if err := s.d.Purger.Purge(ctx, idsOf(due), targets); err != nil {
		return err
	}
	for _, sess := range due {
		err := s.quietly(ctx, sess.LearnSessionID, func(u *unit, cur *Session) error {
			cur.RawPurgedAt = u.now.Ptr()
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func idsOf(list []Session) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.LearnSessionID
	}
	return out
}

// keyless are the learning targets of which no raw data is left once that of gone is purged: their keys are destroyed.
func (s *Service) keyless(ctx context.Context, gone []Session) ([]string, error) {
	purged := map[string]bool{}
	targets := map[string]bool{}
	for _, g := range gone {
		purged[g.LearnSessionID], targets[g.TargetID] = true, true
	}
	out := []string{}
	err := s.d.Store.View(ctx, func(tx Tx) error {
		for t := range targets {
			all, err := tx.TargetSessions(t)
			if err != nil {
				return err
			}
			left := false
			for _, v := range all {
				left = left || v.RawPurgedAt == nil && !purged[v.LearnSessionID]
			}
			if !left {
				out = append(out, t)
			}
		}
		return nil
	})
	return out, err
}

func (s *Service) archiveSessions(ctx context.Context, now clock.Time) error {
	return s.d.Store.Update(ctx, func(tx Tx) error {
		due, err := tx.UnarchivedSessions(now.Plus(-archiveSession))
		if err != nil {
			return err
		}
		for _, sess := range due {
			sess.ArchivedAt = now.Ptr()
			if err := tx.PutSession(sess); err != nil {
				return err
			}
			if err := tx.PutFile(archivedSessionFile(sess.LearnSessionID), s.view(sess)); err != nil {
				return err
			}
			if err := tx.RemoveFile(sessionFile(sess.LearnSessionID)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) archiveProposals(ctx context.Context, now clock.Time) error {
	var gone []string
	err := s.d.Store.Update(ctx, func(tx Tx) error {
		for _, state := range []State{Cancelled, Rejected} {
			due, err := tx.UnarchivedProposals(string(state), now.Plus(-archiveProposal))
			if err != nil {
				return err
			}
			for _, p := range due {
				p.ArchivedAt = now.Ptr()
				if err := archive(tx, p); err != nil {
					return err
				}
				gone = append(gone, p.ProposalID)
			}
		}
		return nil
	})
	for _, id := range gone {
		s.archiveDrafts(id)
	}
	return err
}

func archive(tx Tx, p Proposal) error {
	if err := tx.PutProposal(p); err != nil {
		return err
	}
	if err := tx.PutFile(archivedProposalFile(p.ProposalID), wholeOf(p)); err != nil {
		return err
	}
	if err := tx.RemoveFile(proposalFile(p.ProposalID)); err != nil {
		return err
	}
	return tx.ArchiveRuns(p.ProposalID, archivedRunsFile(p.ProposalID))
}
