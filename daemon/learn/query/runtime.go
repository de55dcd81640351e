package query

import (
	"context"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Runtime says what is being learned and whether the learned ability is usable: the snapshot of the last session, or
// not found.
func (s *Reader) Runtime(ctx context.Context) (wire.LearningRuntimeSnapshot, error) {
	var snap wire.LearningRuntimeSnapshot
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		sess, ok, err := state.LastSession(tx)
		if err != nil {
			return err
		}
		if !ok {
			return fault.New(fault.LearnSessionNotFound, "nothing has been learned yet").WithHint("start with `showhow learn start GOAL`")
		}
		snap, err = s.d.Monitor.Snapshot(tx, s.d.Monitor.Corrected(sess))
		return err
	})
	if err != nil {
		return wire.LearningRuntimeSnapshot{}, err
	}
	s.addAvailability(ctx, &snap)
	return snap, nil
}

// addAvailability adds whether the ability is usable now, which may have changed since the session ended.
func (s *Reader) addAvailability(ctx context.Context, snap *wire.LearningRuntimeSnapshot) {
	if snap.AbilityID == "" || s.d.Installer == nil {
		return
	}
	entry, err := s.d.Installer.AvailabilityOf(ctx, snap.AbilityID)
	no := false
	switch {
	case err == nil:
		snap.AbilityUsableNow, snap.ReasonUnusable, snap.InstallLane = &entry.UsableNow, plain.Clip(entry.ReasonUnusable, 240), entry.InstallLane
	case fault.Is(err, fault.AbilityNotFound):
		snap.AbilityUsableNow, snap.ReasonUnusable = &no, "removed"
	}
}

// RefreshRuntime rewrites runtime/current.json, for example after an ability became unusable or was removed.
func (s *Reader) RefreshRuntime(ctx context.Context) error {
	snap, err := s.Runtime(ctx)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return s.d.Store.Update(ctx, func(tx state.Tx) error {
			if err := tx.RemoveFile(state.RuntimeFile); err != nil {
				return err
			}
			return tx.RemoveFile(state.ScopeFile)
		})
	}
	if err != nil {
		return err
	}
	return s.d.Store.Update(ctx, func(tx state.Tx) error {
		sess, ok, err := state.LastSession(tx)
		if err != nil || !ok || sess.LearnSessionID != snap.LearnSessionID || sess.State != snap.State {
			return err // something changed meanwhile, and wrote the file itself
		}
		if err := tx.PutFile(state.RuntimeFile, snap); err != nil {
			return err
		}
		return tx.PutFile(state.ScopeFile, s.d.Monitor.ScopeOf(sess))
	})
}

// ObservationScope says what is observed, kept and withheld (DOC3 0C.8, decisions A5).
func (s *Reader) ObservationScope(ctx context.Context, id string) (wire.ObservationScopeRuntime, error) {
	sess, err := s.Session(ctx, id)
	if err != nil {
		return wire.ObservationScopeRuntime{}, err
	}
	return s.d.Monitor.ScopeOf(sess), nil
}
