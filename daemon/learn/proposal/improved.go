package proposal

import (
	"context"

	"showhow/daemon/learn/state"
	"showhow/internal/fault"
)

// Improved is the installed skill that a session improves, with as much of its material as is kept. A delta is
// compiled from the demonstrations of both, with the answers and edits made then; the installed skill itself is never
// touched (DOC3 0C.4).
type Improved struct {
	Slug    string
	Goal    string
	Rev     state.Revision // zero when the skill was not learned here
	Members []state.Session
	Answers map[string]string
}

// Improvable reads what is known of an installed skill. It ignores the proposal except, the one being drafted.
func (s *Reader) Improvable(ctx context.Context, id, except string) (Improved, error) {
	var b Improved
	if id == "" {
		return b, nil
	}
	b.Slug = id
	entry, err := s.d.Installer.AvailabilityOf(ctx, id)
	switch {
	case err == nil && entry.SkillSlug != "":
		b.Slug = entry.SkillSlug
	case err != nil && !fault.Is(err, fault.AbilityNotFound):
		return b, err
	}
	return b, s.d.Store.View(ctx, func(tx state.Tx) error { return b.read(tx, except) })
}

// read finds the newest other proposal that was installed under this name.
func (b *Improved) read(tx state.Tx, except string) error {
	ids, err := tx.ProposalIDs()
	if err != nil {
		return err
	}
	var from state.Proposal
	for _, id := range ids {
		p, ok, err := tx.Proposal(id)
		if err != nil {
			return err
		}
		if ok && p.ImportID == "" && p.ProposalID != except && p.AbilityID != "" && p.ProposedSkillSlug == b.Slug &&
			(from.ProposalID == "" || from.UpdatedAt.Before(p.UpdatedAt.Time)) {
			from = p
		}
	}
	if from.ProposalID == "" {
		return nil
	}
	if b.Rev, _, err = tx.Revision(from.ProposalID, from.Revision); err != nil {
		return err
	}
	if b.Answers, err = AnswersByKey(tx, from.ProposalID); err != nil {
		return err
	}
	root, ok, err := tx.Session(from.LearnSessionID)
	if err != nil || !ok {
		return err
	}
	b.Goal = root.Goal
	all, err := tx.TargetSessions(root.TargetID)
	for _, v := range all {
		if v.ProposalID == from.ProposalID && v.RawPurgedAt == nil {
			b.Members = append(b.Members, v)
		}
	}
	return err
}
