package proposal

import (
	"context"
	"slices"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Values opens what the person typed, chose or picked from a page while demonstrating, for the review on screen; never for an agent, never
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
	records, err := s.d.Query.TraceOf(ctx, sess)
	if err != nil {
		return wire.ValueList{}, err
	}
	if sess.ProposalID != "" {
		d, err := s.Proposal(ctx, sess.ProposalID)
		if err != nil {
			return wire.ValueList{}, err
		}
		if d.Graph != nil {
			for _, p := range d.Graph.Params {
				v := wire.ValueView{LinkID: p.LinkID, Kind: p.Kind, Label: p.Label, ParamID: p.ParamID, Role: p.Role}
				if _, sealed := opened[p.LinkID]; sealed {
					add(v)
				} else if v.Value = pickedFor(p, d.Graph.Steps, records, opened); v.Value != "" {
					out.Values = append(out.Values, v)
				}
			}
		}
	}
	for _, r := range records {
		for _, v := range valuesOf(r) {
			add(v)
		}
	}
	return out, nil
}

// pickedFor is what was picked from a page for an input: what the control is called that an input's step operated. It is nobody's entry, so
// that no sealed value holds it.
func pickedFor(p wire.WorkflowParam, steps []wire.WorkflowStep, records []capture.Record, opened map[string]string) string {
	if p.Role != "input" {
		return ""
	}
	for _, st := range steps {
		if st.ParamID != p.ParamID || st.Target == nil || st.Target.Name != "{"+p.Name+"}" && st.Target.Text != "{"+p.Name+"}" {
			continue
		}
		for _, r := range records {
			if t := r.Action.Target; t != nil && slices.Contains(st.EventIDs, r.Event.EventID) {
				name := t.Name
				if st.Target.Name != "{"+p.Name+"}" {
					name = t.Text
				}
				return plain.Squeeze(page.MaskForm.ReplaceAllStringFunc(name, func(m string) string {
					return opened[page.MaskForm.FindStringSubmatch(m)[1]]
				}))
			}
		}
	}
	return ""
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
