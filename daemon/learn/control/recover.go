package control

import (
	"context"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
)

// RecoverSession pauses a session that a crash left capturing.
func (s *Service) RecoverSession(ctx context.Context, sess state.Session) error {
	if sess.State == state.Capturing {
		return s.recoverCapture(ctx, sess)
	}
	return nil
}

// recoverCapture pauses a session that was capturing and recounts what was kept. Withheld counts since the last
// StoreCounts are lost.
func (s *Service) recoverCapture(ctx context.Context, sess state.Session) error {
	_, kept, err := s.d.Observations.Page(ctx, sess.LearnSessionID, wire.PageQuery{PageSize: 1})
	if err != nil {
		return err
	}
	err = s.d.Changes.ChangeQuietly(ctx, sess.LearnSessionID, func(set *change.Set, cur *state.Session) error {
		cur.EventsKept = int64(kept)
		return nil
	})
	if err != nil {
		return err
	}
	_, err = s.pauseState(ctx, state.SystemMeta(), sess.LearnSessionID, state.PausedRestart)
	return err
}
