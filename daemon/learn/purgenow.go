package learn

import (
	"context"
)

// PurgeEnded removes the raw data of every session that has ended, without waiting for its time. What a person chose to keep
// stays, and so does what a draft in the making still needs: kept counts those.
func (s *Service) PurgeEnded(ctx context.Context, m Meta) (purged, kept int, err error) {
	if err := userOnly(m); err != nil {
		return 0, 0, err
	}
	raw, needed, err := s.rawSessions(ctx)
	if err != nil {
		return 0, 0, err
	}
	var due []Session
	for _, sess := range raw {
		if sess.Ended && !sess.Retain && !needed[sess.TargetID] {
			due = append(due, sess)
		}
	}
	return len(due), len(raw) - len(due), s.purgeRaw(context.WithoutCancel(ctx), due)
}

// PurgeAll ends what has not ended and removes all raw data with its keys, for somebody who leaves.
func (s *Service) PurgeAll(ctx context.Context, m Meta) error {
	if err := userOnly(m); err != nil {
		return err
	}
	var open []Session
	err := s.d.Store.View(ctx, func(tx Tx) (err error) { open, err = tx.OpenSessions(); return err })
	if err != nil {
		return err
	}
	for _, sess := range learning(open) { // what shows an import has no raw data
		if _, err := s.peek(ctx, sess.LearnSessionID); err != nil {
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

// rawSessions are the sessions that still have raw data, and the learning targets of which a part is still being drafted.
func (s *Service) rawSessions(ctx context.Context) (raw []Session, needed map[string]bool, err error) {
	err = s.d.Store.View(ctx, func(tx Tx) (err error) {
		raw, err = tx.UnpurgedSessions()
		raw = learning(raw)
		return err
	})
	needed = map[string]bool{}
	for _, sess := range raw {
		if sess.SplitFrom != nil && !sess.Ended {
			needed[sess.SplitFrom.LearnSessionID] = true
		}
	}
	return raw, needed, err
}
