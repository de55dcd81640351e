package session

import (
	"context"

	"showhow/capture/scope"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
)

// Preview shows live what a session with this scope would keep, and stores nothing (decisions A4): no session, no receipt, no key,
// no row. It is for the person only, ends with ctx, and yields to a session that starts.
func (s *Service) Preview(ctx context.Context, m state.Meta, r wire.PreviewRequest, show func(wire.PreviewUpdate) error) error {
	if err := state.UserOnly(m); err != nil {
		return err
	}
	scope, err := scope.Normalise(r.Scope)
	if err != nil {
		return err
	}
	policy, apps, err := literal(r.ValuePolicy, r.LiteralApps)
	if err != nil {
		return err
	}
	sess := state.Session{LearnSessionID: s.d.NewID(), ObservationMode: r.ObservationMode, Scope: scope, ValuePolicy: policy,
		LiteralApps: apps}
	sess.TargetID = sess.LearnSessionID
	if err := s.chooseAdapters(ctx, &sess, r.Adapters); err != nil {
		return err
	}
	return s.d.Capturer.Preview(ctx, sess, show)
}
