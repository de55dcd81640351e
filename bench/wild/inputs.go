package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"showhow/bench/wild/cases"
	"showhow/daemon/client"
	"showhow/daemon/wire"
)

// names maps the draft's inputs to those that a person would expect, by the truth's key: the one with the
// demonstrated value, else the one that has its name or offers it, else the only one that is left.
func (d *desk) names(ctx context.Context, c *cases.Case, session string, p client.ProposalDetail, m *measured) (map[string]string, error) {
	out := map[string]string{}
	if p.Interpretation == nil {
		return out, nil
	}
	opened, err := d.C.Values(ctx, session)
	if err != nil {
		return nil, err
	}
	had := map[string][]string{} // by the input's name
	for _, v := range opened.Values {
		for _, q := range p.Graph.Params {
			if q.Role == "input" && (q.ParamID == v.ParamID || q.LinkID != "" && q.LinkID == v.LinkID) {
				had[q.Name] = append(had[q.Name], v.Value)
			}
		}
	}
	left := slices.Clone(p.Interpretation.Inputs)
	truths := c.Truths()
	loads := []*cases.Load{c.Load(0), c.Load(1)}
	take := func(is func(t cases.Truth, in wire.InputSpec) bool) {
		for _, t := range truths {
			if out[t.Key] != "" {
				continue
			}
			if i := slices.IndexFunc(left, func(in wire.InputSpec) bool { return is(t, in) }); i >= 0 {
				out[t.Key] = left[i].Name
				left = slices.Delete(left, i, i+1)
			}
		}
	}
	shown := func(t cases.Truth, values []string) bool {
		return slices.ContainsFunc(loads, func(l *cases.Load) bool {
			return slices.ContainsFunc(values, func(v string) bool {
				return v == l.Values[t.Key] || t.Key == "file" && strings.HasSuffix(v, l.Values[t.Key])
			})
		})
	}
	take(func(t cases.Truth, in wire.InputSpec) bool { return shown(t, had[in.Name]) })
	take(func(t cases.Truth, in wire.InputSpec) bool { return t.Label != "" && in.Label == t.Label })
	take(func(t cases.Truth, in wire.InputSpec) bool {
		return t.Noun != "" && (in.Name == t.Noun || in.Label == t.Noun)
	})
	take(func(t cases.Truth, in wire.InputSpec) bool { return shown(t, in.Options) })
	take(func(t cases.Truth, in wire.InputSpec) bool { return len(out) == len(truths)-1 && len(left) == 1 })
	m.Found = len(out)
	for _, in := range left {
		m.Extra = append(m.Extra, in.Name)
		for key := range loads[0].Asides { // whoever is asked can tell
			if out[key] == "" && slices.ContainsFunc(loads, func(l *cases.Load) bool { return slices.Contains(had[in.Name], l.Asides[key]) }) {
				out[key] = in.Name
				break
			}
		}
	}
	return out, nil
}

// tell prints a run step by step.
func (d *desk) tell(l *cases.Load, p client.ProposalDetail, values map[string]string, steps []client.ValidationStepResult) {
	fmt.Fprintf(os.Stderr, "%s; to be done with %v; given %v\n", l.Case, l.Values, values)
	tellSteps(p, steps)
}

// tellSteps tells a draft and what came of its steps.
func tellSteps(p client.ProposalDetail, steps []client.ValidationStepResult) {
	for _, s := range p.Graph.Steps {
		target := ""
		if s.Target != nil {
			target = fmt.Sprintf("%s %q %+v %v", s.Target.Role, s.Target.Name, s.Target.Landmark, s.Target.Locators)
		}
		fmt.Fprintf(os.Stderr, "  %s %s %s %q value %q when %q grave %v effect %v\n", s.StepID, s.Verb, target, s.Title, s.Value, s.Condition,
			s.Grave, s.Effect)
	}
	for _, q := range p.Questions {
		fmt.Fprintf(os.Stderr, "  ? %s -> %s\n", q.QuestionText, q.Suggested)
	}
	for _, c := range p.Interpretation.Checkpoints {
		fmt.Fprintf(os.Stderr, "  = %s at %s: %s effect %v %+v %+v\n", c.CheckpointID, c.StepID, c.SuccessCondition, c.Effect,
			c.Check, c.MoreChecks)
	}
	if l := p.CheckpointLintReport; l != nil {
		for _, f := range l.Findings {
			fmt.Fprintf(os.Stderr, "  ! %s %s %s: %s\n", f.Severity, f.Rule, f.Subject, f.Message)
		}
	}
	for _, s := range steps {
		fmt.Fprintf(os.Stderr, "    %-7s %s %s %s\n", s.Result, s.Label, s.Code, s.Details)
	}
}
