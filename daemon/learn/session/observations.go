package session

import (
	"context"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/state"
)

// DeleteObservation erases one observation; the store writes the receipt. A draft made of it stays until it is
// compiled again.
func (s *Service) DeleteObservation(ctx context.Context, m state.Meta, id, eventID string) error {
	if err := state.UserOnly(m); err != nil {
		return err
	}
	if _, err := s.d.Changes.Peek(ctx, id); err != nil {
		return err
	}
	gone, err := s.d.Observations.Delete(ctx, id, eventID)
	if err != nil {
		return err
	}
	if !gone {
		return query.NoObservation()
	}
	return s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		sess, err := set.Load(id)
		if err != nil {
			return err
		}
		if _, on := s.d.Live.Get(id); !on && sess.EventsKept > 0 {
			sess.EventsKept--
		}
		set.Touch(sess)
		return nil
	})
}
