package control

import (
	"context"
	"slices"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/internal/fault"
)

// Cancel ends a session that has not been decided on (decisions 5.6). Cancelling the first session of a target cancels its examples
// too.
func (s *Service) Cancel(ctx context.Context, m state.Meta, id, reason string) (state.Session, error) {
	if err := state.UserOnly(m); err != nil {
		return state.Session{}, err
	}
	release, err := s.d.Changes.LockSession(ctx, id)
	if err != nil {
		return state.Session{}, err
	}
	defer release()
	sess, err := s.d.Changes.Peek(ctx, id)
	if err == nil {
		err = state.CheckNotTimedOut(sess)
	}
	if err == nil {
		err = state.CheckTransition(sess.State, state.Cancelled)
	}
	if err == nil {
		err = state.CheckRevision(m, sess.Revision)
	}
	if err != nil {
		return state.Session{}, err
	}
	return s.CancelTarget(ctx, m, sess, cancelCode(m, reason))
}

// cancelCode keeps a person's words out of receipts: they carry codes only (decisions A10).
func cancelCode(m state.Meta, reason string) string {
	if m.Principal == state.PrincipalSystem && reason != "" {
		return reason
	}
	return "user"
}

// CancelTarget is Cancel without its checks, under the target's lock.
func (s *Service) CancelTarget(ctx context.Context, m state.Meta, sess state.Session, code string) (state.Session, error) {
	ctx = context.WithoutCancel(ctx)
	all, err := s.membersOf(ctx, sess)
	if err != nil {
		return state.Session{}, err
	}
	finals := map[string]state.Session{}
	for _, member := range all {
		if finals[member.LearnSessionID], err = s.halt(ctx, member); err != nil {
			return state.Session{}, err
		}
		if err := s.CancelRunOf(ctx, member); err != nil {
			return state.Session{}, err
		}
	}
	var out state.Session
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		for _, member := range all {
			if err := cancel(set, finals[member.LearnSessionID], code); err != nil {
				return err
			}
		}
		first, err := set.Load(sess.LearnSessionID)
		out = *first
		set.Touch(first)
		return err
	})
	return s.d.Monitor.View(out), err
}

// cancel moves one session to cancelled if the table allows it. final carries its capture's counts.
func cancel(set *change.Set, final state.Session, code string) error {
	sess, err := set.Load(final.LearnSessionID)
	if err != nil || !state.CanGo(sess.State, state.Cancelled) {
		return err
	}
	sess.EventsKept, sess.Withheld, sess.Reason = final.EventsKept, final.Withheld, code
	if sess.StartedAt != nil && sess.StoppedAt == nil {
		sess.StoppedAt = set.Now.Ptr()
	}
	if _, err := set.Mark(sess, state.Boundary{Kind: state.BoundaryCancel}); err != nil {
		return err
	}
	if err := set.Enter(sess, state.Cancelled, code); err != nil {
		return err
	}
	return set.Finish(sess)
}

// membersOf lists the sessions that end with sess: every open session of its target when it is the first one,
// otherwise only itself.
func (s *Service) membersOf(ctx context.Context, sess state.Session) ([]state.Session, error) {
	if sess.ExampleOf != "" {
		return []state.Session{sess}, nil
	}
	var out []state.Session
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		all, err := tx.TargetSessions(sess.TargetID)
		out = slices.DeleteFunc(all, func(o state.Session) bool { return o.Ended && o.LearnSessionID != sess.LearnSessionID })
		return err
	})
	return out, err
}

// CancelRunOf cancels a running validation of a session's draft and waits until everything that the run created is
// removed.
func (s *Service) CancelRunOf(ctx context.Context, sess state.Session) error {
	if sess.ValidationRunID == "" {
		return nil
	}
	if _, err := s.d.Validator.Cancel(ctx, sess.ValidationRunID); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	_, err := s.d.Validator.Wait(ctx, sess.ValidationRunID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
