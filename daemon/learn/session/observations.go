package session

import (
	"context"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/state"
)

// DeleteObservation removes one observation for good; the store leaves the receipt. A draft that was made of it stays until it is made anew.
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
	return s.d.Changes.Update(ctx, m, func(u *change.Set) error {
		sess, err := u.Load(id)
		if err != nil {
			return err
		}
		if _, on := s.d.Live.Get(id); !on && sess.EventsKept > 0 {
			sess.EventsKept--
		}
		u.Touch(sess)
		return nil
	})
}
