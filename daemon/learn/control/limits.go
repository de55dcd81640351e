package control

import (
	"context"
	"time"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Time limits of a capture (DOC3 0C.16D, decisions A2, A9, A10), in wall time.
const (
	armedLimit   = time.Hour        // then cancelled: session_timeout
	captureLimit = 4 * time.Hour    // then paused: capture_timeout
	idleLimit    = 15 * time.Minute // without anything kept; then paused: idle

	codeSessionTimeout = "session_timeout"
)

// EnforceLimits cancels sessions that were armed too long and pauses those that captured too long or are idle.
func (s *Service) EnforceLimits(ctx context.Context, now clock.Time) error {
	var open []state.Session
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		open, err = tx.OpenSessions()
		return err
	})
	if err != nil {
		return err
	}
	for _, sess := range open {
		switch {
		case sess.State == state.Armed && now.Sub(sess.CreatedAt.Time) >= armedLimit:
			err = s.timeOut(ctx, sess)
		case sess.State == state.Capturing:
			if why := s.overdue(sess, now); why != "" {
				_, err = s.pause(ctx, state.SystemMeta(), sess.LearnSessionID, why)
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

// overdue returns why a capturing session must be paused now, or "".
func (s *Service) overdue(sess state.Session, now clock.Time) state.PauseReason {
	run, on := s.d.Live.Get(sess.LearnSessionID)
	if run.Off != "" {
		return "" // it is paused, as soon as the store accepts it
	}
	if sess.CapturingSince != nil && now.Sub(sess.CapturingSince.Time) >= captureLimit {
		return state.PausedTimeout
	}
	if !on {
		if sess.ObservationMode == state.ObserveNone {
			return ""
		}
		return s.notObserved(sess, now)
	}
	last := clock.At(run.Since)
	if kept := s.d.Capturer.Counts(sess.LearnSessionID).LastKept; kept.After(last.Time) {
		last = clock.At(kept)
	}
	if now.Sub(last.Time) >= idleLimit {
		return state.PausedIdle
	}
	return ""
}

// notObserved returns the pause reason of a session that is capturing although no capture runs. A capture that is
// still starting gets a grace period.
func (s *Service) notObserved(sess state.Session, now clock.Time) state.PauseReason {
	if sess.CapturingSince != nil && now.Sub(sess.CapturingSince.Time) < live.LeaseTime {
		return ""
	}
	return state.PausedAdapter
}

// timeOut cancels a session that was armed and never started.
func (s *Service) timeOut(ctx context.Context, sess state.Session) error {
	defer s.d.Changes.Lock(sess.TargetID)()
	return s.d.Changes.Update(ctx, state.SystemMeta(), func(set *change.Set) error {
		cur, err := set.Load(sess.LearnSessionID)
		if err != nil || cur.State != state.Armed {
			return err
		}
		cur.TimedOut = true
		return cancel(set, *cur, codeSessionTimeout)
	})
}

// StoreCounts stores the counters of running captures, so that a crash loses little.
func (s *Service) StoreCounts(ctx context.Context) {
	for _, id := range s.d.Live.IDs() {
		err := s.d.Store.Update(ctx, func(tx state.Tx) error {
			sess, ok, err := tx.Session(id)
			if err != nil || !ok || sess.State != state.Capturing {
				return err
			}
			return tx.PutSession(s.d.Monitor.Computed(sess))
		})
		if err != nil {
			s.d.Log.Error("counters could not be stored", "session", id, "code", fault.CodeOf(err))
		}
	}
}
