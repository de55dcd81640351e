package drafting

import (
	"context"
	"strings"

	"showhow/daemon/compile"
	decisions "showhow/daemon/compile/decision"
	"showhow/daemon/compile/revise"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Revise compiles another revision with a person's edits. Earlier revisions are kept; earlier validations are void.
func (s *Service) Revise(ctx context.Context, m state.Meta, id string, r wire.ProposalReviseRequest) (state.ProposalDetail, error) {
	if err := state.UserOnly(m); err != nil {
		return state.ProposalDetail{}, err
	}
	if strings.TrimSpace(r.RevisionInstructions) == "" && len(r.EditedFields) == 0 {
		return state.ProposalDetail{}, state.Invalid("revision_instructions", "says what to change, or edited_fields does")
	}
	return s.revise(ctx, m, id, r, r.RevisionInstructions)
}

// ReviseBy makes a revision with edits that somebody else than its reviewer found; why is kept with it, and not read as
// an instruction.
func (s *Service) ReviseBy(ctx context.Context, m state.Meta, id string, edits map[string]any, why string) (state.ProposalDetail, error) {
	if err := state.UserOnly(m); err != nil {
		return state.ProposalDetail{}, err
	}
	return s.revise(ctx, m, id, wire.ProposalReviseRequest{EditedFields: edits}, why)
}

func (s *Service) revise(ctx context.Context, m state.Meta, id string, r wire.ProposalReviseRequest,
	why string) (state.ProposalDetail, error) {
	release, err := s.d.Proposals.LockProposal(ctx, id)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	defer release()
	_, _, root, err := s.d.Proposals.Drafted(ctx, id)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	if root == nil {
		return state.ProposalDetail{}, fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	t, err := s.targetFor(ctx, root.LearnSessionID)
	if err == nil {
		err = s.mayRevise(ctx, m, t)
	}
	if err != nil {
		return state.ProposalDetail{}, err
	}
	if t.prop.Validation == state.ValidationRunning { // the run is void: its result would be of another revision
		if err := s.d.Control.CancelRunOf(context.WithoutCancel(ctx), t.root); err != nil {
			return state.ProposalDetail{}, err
		}
		if t, err = s.targetFor(ctx, root.LearnSessionID); err != nil {
			return state.ProposalDetail{}, err
		}
	}
	edits, err := asEdits(r, t.rev.Output)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	if after, ok := splitAfter(edits); ok {
		if len(edits) > 1 {
			return state.ProposalDetail{}, state.Invalid(editSplit, "stands alone: what else is to change, change in the parts")
		}
		if err := s.split(ctx, m, t.withoutNewExamples(), after, nil); err != nil {
			return state.ProposalDetail{}, err
		}
		return s.d.Proposals.Proposal(ctx, id)
	}
	d, err := s.compile(ctx, t.withoutNewExamples(), causeRevised, edits, why)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	if err := s.d.Changes.Update(ctx, m, func(set *change.Set) error { return storeRevision(set, d) }); err != nil {
		return state.ProposalDetail{}, err
	}
	return s.d.Proposals.Proposal(ctx, id)
}

// Split makes drafts of the parts of a task, two or more, cut after the named steps.
func (s *Service) Split(ctx context.Context, m state.Meta, id string, r wire.SplitRequest) (state.ProposalDetail, error) {
	if err := state.UserOnly(m); err != nil {
		return state.ProposalDetail{}, err
	}
	release, err := s.d.Proposals.LockProposal(ctx, id)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	defer release()
	p, _, root, err := s.d.Proposals.Drafted(ctx, id)
	if err == nil && root == nil {
		err = fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	if err == nil {
		err = state.CheckRevision(m, p.Revision)
	}
	if err != nil {
		return state.ProposalDetail{}, err
	}
	t, err := s.targetFor(ctx, root.LearnSessionID)
	if err == nil {
		err = s.split(ctx, m, t.withoutNewExamples(), r.After, r.Goals)
	}
	if err != nil {
		return state.ProposalDetail{}, err
	}
	return s.d.Proposals.Proposal(ctx, id)
}

// splitAfter returns the steps after which the edits split the task.
func splitAfter(edits map[string]any) (after []string, yes bool) {
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

// asEdits combines the edited fields with what the instructions say, read as docs/review.md lists. Instructions that are not
// understood are refused, unless fields were edited as well: then they are kept with the revision as a remark.
func asEdits(r wire.ProposalReviseRequest, o compile.Output) (map[string]any, error) {
	if strings.TrimSpace(r.RevisionInstructions) == "" {
		return r.EditedFields, nil
	}
	said, err := revise.Instruct(r.RevisionInstructions, o)
	switch {
	case err == nil:
		edits := decisions.MergeEdits(said.Edits, r.EditedFields)
		for k, v := range r.EditedFields {
			if v == nil {
				edits[k] = nil // undoes an edit of an earlier revision
			}
		}
		return edits, nil
	case len(r.EditedFields) > 0:
		return r.EditedFields, nil
	}
	return nil, err
}

func (s *Service) mayRevise(ctx context.Context, m state.Meta, t target) error {
	if err := state.CheckRevision(m, t.prop.Revision); err != nil {
		return err
	}
	switch t.root.State {
	case state.DraftingProposal, state.TestingProposal, state.ReadyForReview:
		return nil
	case state.Quarantined: // it ended: it needs the slot again
		return s.d.Store.View(ctx, func(tx state.Tx) error { return state.SlotFree(tx, state.SlotOf(t.root)) })
	}
	return state.CheckTransition(t.root.State, state.DraftingProposal)
}

// storeRevision stores a revision and takes the sessions back to drafting.
func storeRevision(set *change.Set, d draft) error {
	root, joined, err := loadMembers(set, d)
	if err != nil {
		return err
	}
	p, err := set.LoadProposal(root.ProposalID)
	if err != nil {
		return err
	}
	if root.Ended {
		if err := state.SlotFree(set.Tx, state.SlotOf(*root)); err != nil {
			return err
		}
	}
	for _, sess := range joined {
		sess.Ended, sess.EndedAt, sess.Reason, sess.SagaID = false, nil, "", ""
	}
	if err := set.BackToDrafting(root); err != nil {
		return err
	}
	if p.InstallLane == string(state.Quarantined) {
		p.InstallLane = state.LanePending
	}
	if _, err := syncQuestions(set, root, p, d.out.Questions); err != nil {
		return err
	}
	return storeDraft(set, root, p, d)
}
