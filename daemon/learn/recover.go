package learn

import (
	"context"

	"showhow/daemon/learn/state"
)

// Recover repairs what a crash left behind (decisions A9): it pauses captures, settles runs and installations that
// ended meanwhile, and makes draft files match the store. Call it once, after the recovery of rehearse and ability and
// before serving.
func (s *Service) Recover(ctx context.Context) error {
	var open []state.Session
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		open, err = tx.OpenSessions()
		return err
	})
	if err != nil {
		return err
	}
	for _, sess := range open {
		if err := s.RecoverSession(ctx, sess); err != nil {
			return err
		}
	}
	if err := s.RecoverRuns(ctx); err != nil {
		return err
	}
	if err := s.RecoverSagas(ctx); err != nil {
		return err
	}
	if err := s.FinishDeletions(ctx); err != nil {
		return err
	}
	if err := s.SweepDrafts(ctx); err != nil {
		return err
	}
	return s.RestoreDrafts(ctx)
}
