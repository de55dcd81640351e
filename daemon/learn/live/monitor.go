package live

import (
	"showhow/daemon/learn/state"
)

// View is a session in its current state.
func (s *Monitor) View(sess state.Session) state.Session { return s.Computed(s.Corrected(sess)) }

// Corrected fixes a stored state that lags behind: capture is off, but the store could not record it, for example
// because the disk is full.
func (s *Monitor) Corrected(sess state.Session) state.Session {
	if run, on := s.live.Get(sess.LearnSessionID); on && run.Off != "" && sess.State == state.Capturing {
		sess.State, sess.PauseReason = state.Paused, run.Off
	}
	return sess
}

// Computed fills in the fields that are not stored: live counts, allowed actions, the UI's state, outcome and notices.
func (s *Monitor) Computed(sess state.Session) state.Session {
	sess.TargetAppWhitelist = sess.Scope.Apps
	s.live.overlay(&sess, s.d.Capturer)
	state.FillLists(&sess)
	sess.EventsWithheld = 0
	for _, w := range sess.Withheld {
		sess.EventsWithheld += w.Count
	}
	sess.UIState = state.UIState(sess)
	sess.Outcome = state.Outcome(sess)
	sess.AllowedActions = state.AllowedActions(sess)
	sess.Notices = state.Notices(sess)
	return sess
}
