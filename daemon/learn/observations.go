package learn

import (
	"context"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/compile/tell"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// Observations is a page of what was kept, in order of arrival; for the person only.
func (s *Service) Observations(ctx context.Context, id string, q PageQuery) (ObservationList, error) {
	q = q.OrDefault()
	if _, err := s.peek(ctx, id); err != nil {
		return ObservationList{}, err
	}
	records, total, err := s.d.Observations.Page(ctx, id, q)
	if records == nil {
		records = []capture.Record{}
	}
	return ObservationList{Observations: twin.To[[]wire.Observation](records), Total: total, Page: q.Page, PageSize: q.PageSize, SchemaVersion: 1}, err
}

func noObservation() error { return fault.New(fault.NotFound, "there is no such observation") }

// Observation is one kept observation with its details.
func (s *Service) Observation(ctx context.Context, id, eventID string) (capture.Record, error) {
	if _, err := s.peek(ctx, id); err != nil {
		return capture.Record{}, err
	}
	r, ok, err := s.d.Observations.Get(ctx, id, eventID)
	if err == nil && !ok {
		err = noObservation()
	}
	return r, err
}

// DeleteObservation removes one observation for good; the store leaves the receipt. A draft that was made of it stays until it is made anew.
func (s *Service) DeleteObservation(ctx context.Context, m Meta, id, eventID string) error {
	if err := userOnly(m); err != nil {
		return err
	}
	if _, err := s.peek(ctx, id); err != nil {
		return err
	}
	gone, err := s.d.Observations.Delete(ctx, id, eventID)
	if err != nil {
		return err
	}
	if !gone {
		return noObservation()
	}
	return s.update(ctx, m, func(u *unit) error {
		sess, err := u.load(id)
		if err != nil {
			return err
		}
		if _, on := s.live.get(id); !on && sess.EventsKept > 0 {
			sess.EventsKept--
		}
		u.touch(sess)
		return nil
	})
}

// Values opens what the person supplied while demonstrating, for the review on screen; never for an agent, never stored.
func (s *Service) Values(ctx context.Context, m Meta, id string) (ValueList, error) {
	if m.Principal != PrincipalUser {
		return ValueList{}, fault.New(fault.Forbidden, "only a person may see what was typed")
	}
	sess, err := s.peek(ctx, id)
	if err != nil {
		return ValueList{}, err
	}
	opened, err := s.d.Observations.Open(ctx, sess.TargetID)
	if err != nil {
		return ValueList{}, err
	}
	out := ValueList{Values: []ValueView{}, SchemaVersion: 1}
	seenLink := map[string]bool{}
	add := func(v ValueView) {
		text, ok := opened[v.LinkID]
		if ok && !seenLink[v.LinkID] {
			seenLink[v.LinkID], v.Value = true, text
			out.Values = append(out.Values, v)
		}
	}
	if sess.ProposalID != "" {
		d, err := s.Proposal(ctx, sess.ProposalID)
		if err != nil {
			return ValueList{}, err
		}
		if d.Graph != nil {
			for _, p := range d.Graph.Params {
				add(ValueView{LinkID: p.LinkID, Kind: p.Kind, Label: p.Label, ParamID: p.ParamID, Role: p.Role})
			}
		}
	}
	records, err := s.traceOf(ctx, sess)
	for _, r := range records {
		for _, v := range valuesOf(r) {
			add(v)
		}
	}
	return out, err
}

// valuesOf are the sealed values of one observation, with the label of where they went.
func valuesOf(r capture.Record) []ValueView {
	var out []ValueView
	if v := r.Action.Value; v != nil && v.LinkID != "" {
		label := ""
		if t := r.Action.Target; t != nil {
			label = t.Label
			if label == "" {
				label = t.Name
			}
		}
		out = append(out, ValueView{LinkID: v.LinkID, Kind: wire.ValueKind(v.Kind), Label: label})
	}
	if c := r.Action.Command; c != nil {
		for _, v := range c.Sealed {
			if v.LinkID != "" {
				out = append(out, ValueView{LinkID: v.LinkID, Kind: wire.ValueKind(v.Kind), Label: c.Program})
			}
		}
	}
	return out
}

// Told tells what was kept after an observation (0: all of it) in parts, as a person would. It costs what it reads: whoever
// follows a long demonstration asks from a little before what is new, and for all of it once it is over.
func (s *Service) Told(ctx context.Context, id string, after int64) (ToldList, error) {
	sess, err := s.peek(ctx, id)
	if err != nil {
		return ToldList{}, err
	}
	records, err := s.d.Observations.After(ctx, id, after)
	if err != nil {
		return ToldList{}, err
	}
	bounds, err := s.Boundaries(ctx, id)
	if err != nil {
		return ToldList{}, err
	}
	parts := tell.Parts(compile.Trace{SessionID: sess.LearnSessionID, Records: records, Steps: marks(bounds.Boundaries, BoundaryStep)})
	return ToldList{Parts: twin.To[[]wire.Told](parts), After: after, SchemaVersion: 1}, nil
}
