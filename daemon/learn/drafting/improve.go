package drafting

import (
	"context"
	"maps"
	"slices"

	"showhow/daemon/compile"
	"showhow/daemon/learn/proposal"
)

// improves finds the installed skill that the target improves. An unknown skill is refused before anything is
// compiled.
func (s *Service) improves(ctx context.Context, t target) (proposal.Improved, error) {
	return s.d.Proposals.Improvable(ctx, t.root.TargetSkillID, t.root.ProposalID)
}

// joinTo puts the demonstrations of the improved skill before the new ones. If they are no longer kept, the new ones
// stand alone, and revise.Difference says what the installed skill has that the draft does not.
func (s *Service) joinTo(ctx context.Context, t target, b proposal.Improved, in *compile.Input) error {
	in.ImprovesSlug = b.Slug
	var before []compile.Trace
	for _, m := range b.Members {
		tr, err := s.d.Query.Demonstration(ctx, m)
		if err != nil {
			return err
		}
		if len(tr.Records) > 0 {
			before = append(before, tr)
		}
	}
	if len(before) == 0 {
		return nil
	}
	values, err := s.d.Observations.Open(ctx, b.Members[0].TargetID)
	if err != nil {
		return err
	}
	maps.Copy(values, in.Values)
	if in.Values = values; t.repeats(b) {
		in.Traces = nil
	}
	in.Traces = append(before, in.Traces...)
	answers := maps.Clone(b.Answers)
	maps.Copy(answers, in.Answers)
	in.Answers = answers
	if len(in.Anchors) == 0 {
		in.Anchors = b.Rev.Output.Anchors
	}
	return nil
}

// repeats reports whether every demonstration of the target is a copy of one that the skill was learned from: a
// demonstration counts once.
func (t target) repeats(b proposal.Improved) bool {
	own := map[string]bool{}
	for _, m := range b.Members {
		for _, id := range m.ActiveTraceIDs {
			own[id] = true
		}
	}
	return len(t.root.SourceTraceIDs) > 0 && !slices.ContainsFunc(t.root.SourceTraceIDs, func(id string) bool { return !own[id] })
}
