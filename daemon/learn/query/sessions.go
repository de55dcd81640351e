package query

import (
	"cmp"
	"context"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
)

// Boundaries lists every boundary of a session, in order.
func (s *Reader) Boundaries(ctx context.Context, id string) (wire.BoundaryList, error) {
	out := wire.BoundaryList{Boundaries: []state.Boundary{}, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		if _, ok, err := tx.Session(id); err != nil || !ok {
			return cmp.Or(err, state.SessionNotFound())
		}
		var err error
		out.Boundaries, err = tx.Boundaries(id)
		return err
	})
	return out, err
}

// Session returns one session in its current state.
func (s *Reader) Session(ctx context.Context, id string) (state.Session, error) {
	sess, err := s.d.Changes.Peek(ctx, id)
	if err != nil {
		return state.Session{}, err
	}
	return s.d.Monitor.View(sess), nil
}

// ActiveSession returns the open session that was touched last; the deprecated routes redirect to it.
func (s *Reader) ActiveSession(ctx context.Context) (state.Session, bool, error) {
	var out state.Session
	var ok bool
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		open, err := tx.LearningSessions()
		for _, v := range open {
			if !ok || v.UpdatedAt.After(out.UpdatedAt.Time) {
				out, ok = v, true
			}
		}
		return err
	})
	return s.d.Monitor.View(out), ok, err
}

// Sessions returns a page of sessions, newest first; archived ones appear only in the history.
func (s *Reader) Sessions(ctx context.Context, f wire.SessionFilter) (wire.LearnSessionsListResponse, error) {
	f.PageQuery = f.OrDefault()
	out := wire.LearnSessionsListResponse{Sessions: []state.Session{}, Page: f.Page, PageSize: f.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		list, total, err := tx.Sessions(f)
		for _, v := range list {
			out.Sessions = append(out.Sessions, s.d.Monitor.View(v))
		}
		out.Total = total
		return err
	})
	return out, err
}

// Receipts returns a page of receipts of every kind, newest first.
func (s *Reader) Receipts(ctx context.Context, f wire.ReceiptFilter) (wire.LearnReceiptsResponse, error) {
	f.PageQuery = f.OrDefault()
	out := wire.LearnReceiptsResponse{Page: f.Page, PageSize: f.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		out.Receipts, out.Total, err = tx.Receipts(f)
		return err
	})
	return out, err
}
