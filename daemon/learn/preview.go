package learn

import (
	"context"

	"showhow/capture/scope"
)

// Preview shows live what a session with this scope would keep, and stores nothing (decisions A4): no session, no receipt, no
// key, no row. It is for the person only, ends with ctx, and gives way to a session that starts.
func (s *Service) Preview(ctx context.Context, m Meta, r PreviewRequest, show func(PreviewUpdate) error) error {
	if err := userOnly(m); err != nil {
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
	sess := Session{LearnSessionID: s.d.NewID(), ObservationMode: r.ObservationMode, Scope: scope, ValuePolicy: policy, LiteralApps: apps}
	sess.TargetID = sess.LearnSessionID
	if err := s.chooseAdapters(ctx, &sess, r.Adapters); err != nil {
		return err
	}
	return s.d.Capturer.Preview(ctx, sess, show)
}
