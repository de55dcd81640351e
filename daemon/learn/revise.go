package learn

import (
	"context"
	"strings"

	"showhow/internal/fault"
)

// Revise compiles another revision with a person's edits. Earlier revisions are kept; earlier validations are void.
func (s *Service) Revise(ctx context.Context, m Meta, id string, r ReviseRequest) (ProposalDetail, error) {
	if err := userOnly(m); err != nil {
		return ProposalDetail{}, err
	}
	if strings.TrimSpace(r.RevisionInstructions) == "" && len(r.EditedFields) == 0 {
		return ProposalDetail{}, invalid("revision_instructions", "says what to change, or edited_fields does")
	}
	release, err := s.lockProposal(ctx, id)
	if err != nil {
		return ProposalDetail{}, err
	}
	defer release()
	_, _, root, err := s.drafted(ctx, id)
	if err != nil {
		return ProposalDetail{}, err
	}
	if root == nil {
		return ProposalDetail{}, fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	t, err := s.targetFor(ctx, root.LearnSessionID)
	if err == nil {
		err = s.mayRevise(ctx, m, t)
	}
	if err != nil {
		return ProposalDetail{}, err
	}
	if t.root.State == TestingProposal { // the run is void: its result would be of another revision
		if err := s.cancelRunOf(context.WithoutCancel(ctx), t.root); err != nil {
			return ProposalDetail{}, err
		}
		if t, err = s.targetFor(ctx, root.LearnSessionID); err != nil {
			return ProposalDetail{}, err
		}
	}
	d, err := s.compile(ctx, t.withoutFresh(), causeRevised, r.EditedFields, r.RevisionInstructions)
	if err != nil {
		return ProposalDetail{}, err
	}
	if err := s.update(ctx, m, func(u *unit) error { return u.revise(d) }); err != nil {
		return ProposalDetail{}, err
	}
	return s.Proposal(ctx, id)
}

func (s *Service) mayRevise(ctx context.Context, m Meta, t target) error {
	if err := seen(m, t.prop.Revision); err != nil {
		return err
	}
	switch t.root.State {
	case DraftingProposal, TestingProposal, ReadyForReview:
		return nil
	case Quarantined: // it ended: it needs the slot again
		return s.d.Store.View(ctx, func(tx Tx) error { return slotFree(tx, t.root.TargetID) })
	}
	return checkHop(t.root.State, DraftingProposal)
}

// slotFree refuses when another learning target has not ended.
func slotFree(tx Tx, targetID string) error {
	open, err := tx.OpenSessions()
	if err != nil {
		return err
	}
	for _, o := range open {
		if o.TargetID != targetID {
			return alreadyActive(o)
		}
	}
	return nil
}

// revise stores a revision and takes the sessions back to drafting.
func (u *unit) revise(d draft) error {
	root, joined, err := u.joined(d)
	if err != nil {
		return err
	}
	p, err := u.proposal(root.ProposalID)
	if err != nil {
		return err
	}
	if root.Ended {
		if err := slotFree(u.Tx, root.TargetID); err != nil {
			return err
		}
	}
	for _, sess := range joined {
		sess.Ended, sess.EndedAt, sess.Reason, sess.SagaID = false, nil, "", ""
	}
	if err := u.backToDrafting(root); err != nil {
		return err
	}
	if p.InstallLane == string(Quarantined) {
		p.InstallLane = lanePending
	}
	if _, err := u.syncQuestions(root, p, d.out.Questions); err != nil {
		return err
	}
	return u.storeDraft(root, p, d)
}
