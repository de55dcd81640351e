package query

import (
	"context"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/learn/boundary"
	"showhow/daemon/learn/state"
)

// TraceOf reads the kept observations of a session, in order of occurrence.
func (s *Reader) TraceOf(ctx context.Context, sess state.Session) ([]capture.Record, error) {
	var out []capture.Record
	for _, t := range sess.ActiveTraceIDs {
		r, err := s.d.Observations.ByTrace(ctx, t)
		if err != nil {
			return nil, err
		}
		out = append(out, r...)
	}
	boundary.ByOccurrence(out)
	return out, nil
}

// Demonstration is one session's trace between its boundaries.
func (s *Reader) Demonstration(ctx context.Context, sess state.Session) (compile.Trace, error) {
	tr := compile.Trace{SessionID: sess.LearnSessionID}
	if len(sess.ActiveTraceIDs) == 0 {
		return tr, nil
	}
	tr.TraceID = sess.ActiveTraceIDs[0]
	records, err := s.TraceOf(ctx, sess)
	if err != nil {
		return tr, err
	}
	bounds, err := s.Boundaries(ctx, sess.LearnSessionID)
	if err != nil {
		return tr, err
	}
	tr.Records = boundary.Within(records, bounds.Boundaries)
	tr.Goals, tr.Steps = boundary.Marks(bounds.Boundaries, state.BoundaryGoal), boundary.Marks(bounds.Boundaries, state.BoundaryStep)
	return tr, nil
}
