package proposal

import (
	"context"

	"showhow/capture"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Values opens what the person typed or chose while demonstrating, for the review on screen; never for an agent, never
// stored.
func (s *Reader) Values(ctx context.Context, m state.Meta, id string) (wire.ValueList, error) {
	if m.Principal != state.PrincipalUser {
		return wire.ValueList{}, fault.New(fault.Forbidden, "only a person may see what was typed")
	}
	sess, err := s.d.Changes.Peek(ctx, id)
	if err != nil {
		return wire.ValueList{}, err
	}
	opened, err := s.d.Observations.Open(ctx, sess.TargetID)
	if err != nil {
		return wire.ValueList{}, err
	}
	out := wire.ValueList{Values: []wire.ValueView{}, SchemaVersion: 1}
	seenLink := map[string]bool{}
	add := func(v wire.ValueView) {
		text, ok := opened[v.LinkID]
		if ok && !seenLink[v.LinkID] {
			seenLink[v.LinkID], v.Value = true, text
			out.Values = append(out.Values, v)
		}
	}
	if sess.ProposalID != "" {
		d, err := s.Proposal(ctx, sess.ProposalID)
		if err != nil {
			return wire.ValueList{}, err
		}
		if d.Graph != nil {
			for _, p := range d.Graph.Params {
				add(wire.ValueView{LinkID: p.LinkID, Kind: p.Kind, Label: p.Label, ParamID: p.ParamID, Role: p.Role})
			}
		}
	}
	records, err := s.d.Query.TraceOf(ctx, sess)
	for _, r := range records {
		for _, v := range valuesOf(r) {
			add(v)
		}
	}
	return out, err
}

// valuesOf lists the sealed values of one observation, each with the label of its field.
func valuesOf(r capture.Record) []wire.ValueView {
	var out []wire.ValueView
	if v := r.Action.Value; v != nil && v.LinkID != "" {
		label := ""
		if t := r.Action.Target; t != nil {
			label = t.Label
			if label == "" {
				label = t.Name
			}
		}
		out = append(out, wire.ValueView{LinkID: v.LinkID, Kind: wire.ValueKind(v.Kind), Label: label})
	}
	if c := r.Action.Command; c != nil {
		for _, v := range c.Sealed {
			if v.LinkID != "" {
				out = append(out, wire.ValueView{LinkID: v.LinkID, Kind: wire.ValueKind(v.Kind), Label: c.Program})
			}
		}
	}
	return out
}
