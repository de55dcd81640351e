package learn

import (
	"context"
	"strings"

	"showhow/daemon/compile"
	decisions "showhow/daemon/compile/decision"
	"showhow/daemon/compile/revise"
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
	if t.prop.Validation == validationRunning { // the run is void: its result would be of another revision
		if err := s.cancelRunOf(context.WithoutCancel(ctx), t.root); err != nil {
			return ProposalDetail{}, err
		}
		if t, err = s.targetFor(ctx, root.LearnSessionID); err != nil {
			return ProposalDetail{}, err
		}
	}
	edits, err := asEdits(r, t.rev.Output)
	if err != nil {
		return ProposalDetail{}, err
	}
	if after, ok := splits(edits); ok {
		if len(edits) > 1 {
			return ProposalDetail{}, invalid(editSplit, "stands alone: what else is to change, change in the parts")
		}
		if err := s.split(ctx, m, t.withoutFresh(), after, nil); err != nil {
			return ProposalDetail{}, err
		}
		return s.Proposal(ctx, id)
	}
	d, err := s.compile(ctx, t.withoutFresh(), causeRevised, edits, r.RevisionInstructions)
	if err != nil {
		return ProposalDetail{}, err
	}
	if err := s.update(ctx, m, func(u *unit) error { return u.revise(d) }); err != nil {
		return ProposalDetail{}, err
	}
	return s.Proposal(ctx, id)
}

// Split makes drafts of the parts of a work: two or more, after the named steps.
func (s *Service) Split(ctx context.Context, m Meta, id string, r SplitRequest) (ProposalDetail, error) {
	if err := userOnly(m); err != nil {
		return ProposalDetail{}, err
	}
	release, err := s.lockProposal(ctx, id)
	if err != nil {
		return ProposalDetail{}, err
	}
	defer release()
	p, _, root, err := s.drafted(ctx, id)
	if err == nil && root == nil {
		err = fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	if err == nil {
		err = seen(m, p.Revision)
	}
	if err != nil {
		return ProposalDetail{}, err
	}
	t, err := s.targetFor(ctx, root.LearnSessionID)
	if err == nil {
		err = s.split(ctx, m, t.withoutFresh(), r.After, r.Goals)
	}
	if err != nil {
		return ProposalDetail{}, err
	}
	return s.Proposal(ctx, id)
}

// splits are the steps after which edits split the work.
func splits(edits map[string]any) (after []string, yes bool) {
	switch l := edits[editSplit].(type) {
	case []string:
		after = l
	case []any:
		for _, x := range l {
			if s, ok := x.(string); ok {
				after = append(after, s)
			}
		}
	}
	return after, len(after) > 0
}

// asEdits are the fields that were edited with what the instructions say, read as docs/review.md lists. What is not understood
// is refused; beside edited fields it may also be a remark, which is kept with the revision.
func asEdits(r ReviseRequest, o compile.Output) (map[string]any, error) {
	if strings.TrimSpace(r.RevisionInstructions) == "" {
		return r.EditedFields, nil
	}
	said, err := revise.Instruct(r.RevisionInstructions, o)
	switch {
	case err == nil:
		edits := decisions.MergeEdits(said.Edits, r.EditedFields)
		for k, v := range r.EditedFields {
			if v == nil {
				edits[k] = nil // takes back what an earlier revision edited
			}
		}
		return edits, nil
	case len(r.EditedFields) > 0:
		return r.EditedFields, nil
	}
	return nil, err
}

func (s *Service) mayRevise(ctx context.Context, m Meta, t target) error {
	if err := seen(m, t.prop.Revision); err != nil {
		return err
	}
	switch t.root.State {
	case DraftingProposal, TestingProposal, ReadyForReview:
		return nil
	case Quarantined: // it ended: it needs the slot again
		return s.d.Store.View(ctx, func(tx Tx) error { return slotFree(tx, slotOf(t.root)) })
	}
	return checkHop(t.root.State, DraftingProposal)
}

// slotFree refuses when something else is being learned.
func slotFree(tx Tx, slot string) error {
	open, err := tx.OpenSessions()
	if err != nil {
		return err
	}
	for _, o := range learning(open) {
		if slotOf(o) != slot {
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
		if err := slotFree(u.Tx, slotOf(*root)); err != nil {
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
