package learn

import (
	"context"
	"maps"

	"showhow/daemon/compile"
	"showhow/internal/fault"
)

// improved is the installed skill that a session wants to be better: what it was made of, as far as that is kept. A delta is
// compiled from the demonstrations of both, with the answers and edits that were made then; the installed skill itself is
// never touched (DOC3 0C.4).
type improved struct {
	slug    string
	goal    string
	rev     Revision // zero when the skill was not learned here
	members []Session
	answers map[string]string
}

// improves finds it. A skill that nobody knows is refused before anything is compiled for it.
func (s *Service) improves(ctx context.Context, t target) (improved, error) {
	return s.improvable(ctx, t.root.TargetSkillID, t.root.ProposalID)
}

// improvable is what is known of an installed skill, from another draft than the one at hand.
func (s *Service) improvable(ctx context.Context, id, except string) (improved, error) {
	var b improved
	if id == "" {
		return b, nil
	}
	b.slug = id
	entry, err := s.d.Installer.AvailabilityOf(ctx, id)
	switch {
	case err == nil && entry.SkillSlug != "":
		b.slug = entry.SkillSlug
	case err != nil && !fault.Is(err, fault.AbilityNotFound):
		return b, err
	}
	return b, s.d.Store.View(ctx, func(tx Tx) error { return b.read(tx, except) })
}

// read finds the newest draft that was installed under this name, other than the one at hand.
func (b *improved) read(tx Tx, except string) error {
	ids, err := tx.ProposalIDs()
	if err != nil {
		return err
	}
	var from Proposal
	for _, id := range ids {
		p, ok, err := tx.Proposal(id)
		if err != nil {
			return err
		}
		if ok && p.ImportID == "" && p.ProposalID != except && p.AbilityID != "" && p.ProposedSkillSlug == b.slug && (from.ProposalID == "" || from.UpdatedAt.Before(p.UpdatedAt.Time)) {
			from = p
		}
	}
	if from.ProposalID == "" {
		return nil
	}
	if b.rev, _, err = tx.Revision(from.ProposalID, from.Revision); err != nil {
		return err
	}
	if b.answers, err = answersOf(tx, from.ProposalID); err != nil {
		return err
	}
	root, ok, err := tx.Session(from.LearnSessionID)
	if err != nil || !ok {
		return err
	}
	b.goal = root.Goal
	all, err := tx.TargetSessions(root.TargetID)
	for _, v := range all {
		if v.ProposalID == from.ProposalID && v.RawPurgedAt == nil {
			b.members = append(b.members, v)
		}
	}
	return err
}

// joinTo puts what the installed skill was made of before the new demonstrations. Without its demonstrations the new ones
// stand alone, and Difference says what the installed skill has that they have not.
func (b improved) joinTo(ctx context.Context, s *Service, in *compile.Input) error {
	in.ImprovesSlug = b.slug
	var before []compile.Trace
	for _, m := range b.members {
		tr, err := s.demonstration(ctx, m)
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
	values, err := s.d.Observations.Open(ctx, b.members[0].TargetID)
	if err != nil {
		return err
	}
	maps.Copy(values, in.Values)
	in.Values, in.Traces = values, append(before, in.Traces...)
	answers := maps.Clone(b.answers)
	maps.Copy(answers, in.Answers)
	in.Answers = answers
	if len(in.Anchors) == 0 {
		in.Anchors = b.rev.Output.Anchors
	}
	return nil
}
