package housekeeping

import (
	"context"
	"slices"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
)

// purgeRaw removes the raw data of sessions in one purge, for which the store writes the receipts. A target's key is
// destroyed with its last session.
func (s *Service) purgeRaw(ctx context.Context, due []state.Session) error {
	if len(due) == 0 {
		return nil
	}
	targets, err := s.emptiedTargets(ctx, due)
	if err != nil {
		return err
	}
	if err := s.d.Purger.Purge(ctx, sessionIDs(due), targets); err != nil {
		return err
	}
	for _, sess := range due {
		err := s.d.Changes.ChangeQuietly(ctx, sess.LearnSessionID, func(set *change.Set, cur *state.Session) error {
			cur.RawPurgedAt = set.Now.Ptr()
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func sessionIDs(list []state.Session) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.LearnSessionID
	}
	return out
}

// emptiedTargets lists the learning targets without raw data once that of gone is purged; their keys are destroyed.
func (s *Service) emptiedTargets(ctx context.Context, gone []state.Session) ([]string, error) {
	purged := map[string]bool{}
	targets := map[string]bool{}
	for _, g := range gone {
		purged[g.LearnSessionID], targets[g.TargetID] = true, true
	}
	out := []string{}
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		for t := range targets {
			all, err := tx.TargetSessions(t)
			if err != nil {
				return err
			}
			left := false
			for _, v := range all {
				left = left || v.RawPurgedAt == nil && v.TakenUpBy == "" && !purged[v.LearnSessionID]
			}
			if !left {
				out = append(out, t)
			}
		}
		return nil
	})
	return out, err
}

// PurgeEnded removes the raw data of every session that has ended, without waiting until it is due. Data that a person
// chose to keep, or that an unfinished draft needs, stays and is counted in kept.
func (s *Service) PurgeEnded(ctx context.Context, m state.Meta) (purged, kept int, err error) {
	if err := state.UserOnly(m); err != nil {
		return 0, 0, err
	}
	raw, needed, err := s.rawSessions(ctx)
	if err != nil {
		return 0, 0, err
	}
	var due []state.Session
	for _, sess := range raw {
		if sess.Ended && !sess.Retain && !needed[sess.TargetID] && !state.IsPutAside(sess) {
			due = append(due, sess)
		}
	}
	return len(due), len(raw) - len(due), s.purgeRaw(context.WithoutCancel(ctx), due)
}

// PurgeAll ends every open session and removes all raw data with its keys, for an uninstallation.
func (s *Service) PurgeAll(ctx context.Context, m state.Meta) error {
	if err := state.UserOnly(m); err != nil {
		return err
	}
	var open []state.Session
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		if open, err = tx.OpenSessions(); err != nil {
			return err
		}
		raw, err := tx.UnpurgedSessions()
		open = append(open, slices.DeleteFunc(raw, func(v state.Session) bool { return !state.IsPutAside(v) })...)
		return err
	})
	if err != nil {
		return err
	}
	for _, sess := range state.WithoutImports(open) { // what shows an import has no raw data
		if _, err := s.d.Changes.Peek(ctx, sess.LearnSessionID); err != nil {
			continue // it went with another of its target
		}
		if err := s.Delete(ctx, m, sess.LearnSessionID); err != nil {
			return err
		}
	}
	raw, _, err := s.rawSessions(ctx)
	if err != nil {
		return err
	}
	return s.purgeRaw(context.WithoutCancel(ctx), raw)
}

// rawSessions lists the sessions that still have raw data, and the learning targets of which a part is still being
// drafted.
func (s *Service) rawSessions(ctx context.Context) (raw []state.Session, needed map[string]bool, err error) {
	err = s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		raw, err = tx.UnpurgedSessions()
		raw = state.WithoutImports(raw)
		return err
	})
	needed = map[string]bool{}
	for _, sess := range raw {
		if sess.SplitFrom != nil && (!sess.Ended || state.IsPutAside(sess)) {
			needed[sess.SplitFrom.LearnSessionID] = true
		}
	}
	return raw, needed, err
}
