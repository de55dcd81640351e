package query

import (
	"context"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/compile/tell"
	"showhow/daemon/learn/boundary"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// Observations returns a page of what was kept, in order of arrival; for the person only.
func (s *Reader) Observations(ctx context.Context, id string, q wire.PageQuery) (wire.ObservationList, error) {
	q = q.OrDefault()
	if _, err := s.d.Changes.Peek(ctx, id); err != nil {
		return wire.ObservationList{}, err
	}
	records, total, err := s.d.Observations.Page(ctx, id, q)
	if records == nil {
		records = []capture.Record{}
	}
	return wire.ObservationList{Observations: twin.To[[]wire.Observation](records), Total: total, Page: q.Page, PageSize: q.PageSize,
		SchemaVersion: 1}, err
}

// NoObservation is the fault for an observation that is not, or no longer, kept.
func NoObservation() error { return fault.New(fault.NotFound, "there is no such observation") }

// Observation returns one kept observation with its details.
func (s *Reader) Observation(ctx context.Context, id, eventID string) (capture.Record, error) {
	if _, err := s.d.Changes.Peek(ctx, id); err != nil {
		return capture.Record{}, err
	}
	r, ok, err := s.d.Observations.Get(ctx, id, eventID)
	if err == nil && !ok {
		err = NoObservation()
	}
	return r, err
}

// Told describes what was kept after observation number after (0: all of it) in parts, in a person's words. Its cost
// grows with the number of observations read: a client that follows a long demonstration asks from shortly before the
// new ones, and for everything once it is over.
func (s *Reader) Told(ctx context.Context, id string, after int64) (wire.ToldList, error) {
	sess, err := s.d.Changes.Peek(ctx, id)
	if err != nil {
		return wire.ToldList{}, err
	}
	records, err := s.d.Observations.After(ctx, id, after)
	if err != nil {
		return wire.ToldList{}, err
	}
	bounds, err := s.Boundaries(ctx, id)
	if err != nil {
		return wire.ToldList{}, err
	}
	parts := tell.Parts(compile.Trace{SessionID: sess.LearnSessionID, Records: records,
		Steps: boundary.Marks(bounds.Boundaries, state.BoundaryStep)})
	return wire.ToldList{Parts: twin.To[[]wire.Told](parts), After: after, SchemaVersion: 1}, nil
}
