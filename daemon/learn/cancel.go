package learn

import (
	"context"
	"slices"
)

// Cancel ends a session that has not been decided on (decisions 5.6). The first session of a target takes its examples along.
func (s *Service) Cancel(ctx context.Context, m Meta, id, reason string) (Session, error) {
	if err := userOnly(m); err != nil {
		return Session{}, err
	}
	release, err := s.lockSession(ctx, id)
	if err != nil {
		return Session{}, err
	}
	defer release()
	sess, err := s.peek(ctx, id)
	if err == nil {
		err = actable(sess)
	}
	if err == nil {
		err = checkHop(sess.State, Cancelled)
	}
	if err == nil {
		err = seen(m, sess.Revision)
	}
	if err != nil {
		return Session{}, err
	}
	return s.cancel(ctx, m, sess, cancelCode(m, reason))
}

// cancelCode keeps a person's words out of receipts: they carry codes only (decisions A10).
func cancelCode(m Meta, reason string) string {
	if m.Principal == PrincipalSystem && reason != "" {
		return reason
	}
	return "user"
}

// cancel is Cancel without its checks, under the target's lock.
func (s *Service) cancel(ctx context.Context, m Meta, sess Session, code string) (Session, error) {
	ctx = context.WithoutCancel(ctx)
	all, err := s.targetOf(ctx, sess)
	if err != nil {
		return Session{}, err
	}
	finals := map[string]Session{}
	for _, member := range all {
		if finals[member.LearnSessionID], err = s.halt(ctx, member); err != nil {
			return Session{}, err
		}
		if err := s.cancelRunOf(ctx, member); err != nil {
			return Session{}, err
		}
	}
	var out Session
	err = s.update(ctx, m, func(u *unit) error {
		for _, member := range all {
			if err := u.cancel(finals[member.LearnSessionID], code); err != nil {
				return err
			}
		}
		first, err := u.load(sess.LearnSessionID)
		out = *first
		u.touch(first)
		return err
	})
	return s.view(out), err
}

// cancel moves one session to cancelled, if it can go there.
func (u *unit) cancel(final Session, code string) error {
	sess, err := u.load(final.LearnSessionID)
	if err != nil || !CanGo(sess.State, Cancelled) {
		return err
	}
	sess.EventsKept, sess.Withheld, sess.Reason = final.EventsKept, final.Withheld, code
	if sess.StartedAt != nil && sess.StoppedAt == nil {
		sess.StoppedAt = u.now.Ptr()
	}
	if _, err := u.mark(sess, Boundary{Kind: BoundaryCancel}); err != nil {
		return err
	}
	if err := u.enter(sess, Cancelled, code); err != nil {
		return err
	}
	return u.finish(sess)
}

// targetOf is what goes down with a session: its examples when it is the first of its target, else itself.
func (s *Service) targetOf(ctx context.Context, sess Session) ([]Session, error) {
	if sess.ExampleOf != "" {
		return []Session{sess}, nil
	}
	var out []Session
	err := s.d.Store.View(ctx, func(tx Tx) error {
		all, err := tx.TargetSessions(sess.TargetID)
		out = slices.DeleteFunc(all, func(o Session) bool { return o.Ended && o.LearnSessionID != sess.LearnSessionID })
		return err
	})
	return out, err
}
