package change

import (
	"cmp"
	"context"

	"showhow/daemon/learn/state"
	"showhow/internal/clock"
)

// Peek reads a session without changing it.
func (s *Store) Peek(ctx context.Context, id string) (state.Session, error) {
	var out state.Session
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		v, ok, err := tx.Session(id)
		if err == nil && !ok {
			err = state.SessionNotFound()
		}
		out = v
		return err
	})
	return out, err
}

// LockSession takes the lock of a session's learning target.
func (s *Store) LockSession(ctx context.Context, id string) (release func(), err error) {
	sess, err := s.Peek(ctx, id)
	if err = cmp.Or(err, state.CheckNotImport(sess)); err != nil {
		return nil, err
	}
	return s.Lock(sess.TargetID), nil
}

// ChangeQuietly changes a session without counting as activity and without moving the runtime snapshot.
func (s *Store) ChangeQuietly(ctx context.Context, id string, fn func(*Set, *state.Session) error) error {
	return s.d.Store.Update(ctx, func(tx state.Tx) error {
		set := s.Begin(tx, state.SystemMeta())
		sess, err := set.Load(id)
		if err != nil {
			return err
		}
		if err := fn(set, sess); err != nil {
			return err
		}
		return set.StoreSession(sess)
	})
}

// Now is wall time without a monotonic part, so time spent suspended counts.
func (s *Store) Now() clock.Time { return clock.At(s.d.Now()) }

// Lock serialises the commands of one learning target, or the creation of one. It returns the release.
func (s *Store) Lock(key string) func() { return s.locks.lock(key) }

// Begin makes the change set of a transaction; its owner calls Save.
func (s *Store) Begin(tx state.Tx, m state.Meta) *Set {
	return &Set{Tx: tx, s: s, Meta: m, Now: s.Now(), held: map[string]*state.Session{}, props: map[string]*state.Proposal{}}
}

// Update runs fn in a transaction and saves what it touched.
func (s *Store) Update(ctx context.Context, m state.Meta, fn func(*Set) error) error {
	return s.d.Store.Update(ctx, func(tx state.Tx) error {
		set := s.Begin(tx, m)
		if err := fn(set); err != nil {
			return err
		}
		return set.Save()
	})
}

// Change is Update for a command on one session: the session must exist, not be timed out, and be at the caller's
// revision.
func (s *Store) Change(ctx context.Context, m state.Meta, id string, fn func(*Set, *state.Session) error) (state.Session, error) {
	var out state.Session
	err := s.Update(ctx, m, func(set *Set) error {
		sess, err := set.command(id)
		if err != nil {
			return err
		}
		if err := fn(set, sess); err != nil {
			return err
		}
		set.Touch(sess)
		out = *sess
		return nil
	})
	if err != nil {
		return state.Session{}, err
	}
	return s.Reread(ctx, id, out)
}

// Reread reads a session after its transaction, with the fields computed for the caller.
func (s *Store) Reread(ctx context.Context, id string, last state.Session) (state.Session, error) {
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		v, ok, err := tx.Session(id)
		if ok {
			last = v
		}
		return err
	})
	return s.d.Monitor.View(last), err
}
