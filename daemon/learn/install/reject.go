package install

import (
	"context"

	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Reject rejects a draft that is ready for review. The person's words stay with the proposal; the receipt holds none.
func (s *Service) Reject(ctx context.Context, m state.Meta, id string, r wire.RejectProposalRequest) (state.ProposalDetail, error) {
	if m.Principal != state.PrincipalUser && m.Principal != state.PrincipalSystem {
		return state.ProposalDetail{}, fault.New(fault.Forbidden, "only a person may reject a draft")
	}
	release, err := s.d.Proposals.LockProposal(ctx, id)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	defer release()
	p, _, sess, err := s.d.Proposals.Drafted(ctx, id)
	if err == nil && sess == nil {
		err = fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	if err == nil {
		err = state.CheckRevision(m, p.Revision)
	}
	if err == nil && p.Validation == state.ValidationRunning {
		err = state.Validating()
	}
	if err == nil {
		err = state.CheckTransition(sess.State, state.Rejected)
	}
	if err != nil {
		return state.ProposalDetail{}, err
	}
	if err := s.cancelExtraExamples(ctx, m, *sess); err != nil {
		return state.ProposalDetail{}, err
	}
	if err := s.d.Changes.Update(ctx, m, func(set *change.Set) error { return reject(set, p, r.Reason) }); err != nil {
		return state.ProposalDetail{}, err
	}
	return s.d.Proposals.Proposal(ctx, id)
}

func reject(set *change.Set, was state.Proposal, reason string) error {
	p, root, err := loadDecided(set, was)
	if err != nil {
		return err
	}
	p.Reason, root.Reason = reason, "user"
	all, err := set.JoinedTo(root)
	if err != nil {
		return err
	}
	if err := set.EnterJoined(root, state.Rejected, "user"); err != nil {
		return err
	}
	if err := set.Record(journal.ProposalRejected, root, "user",
		map[string]any{"proposal_id": p.ProposalID, "revision": p.Revision}); err != nil {
		return err
	}
	return set.FinishAll(all)
}
