package learn

import (
	"context"

	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// Reject rejects a draft that is ready for review. The person's words stay with the proposal; the receipt carries none.
func (s *Service) Reject(ctx context.Context, m Meta, id string, r RejectRequest) (ProposalDetail, error) {
	if m.Principal != PrincipalUser && m.Principal != PrincipalSystem {
		return ProposalDetail{}, fault.New(fault.Forbidden, "only a person may reject a draft")
	}
	release, err := s.lockProposal(ctx, id)
	if err != nil {
		return ProposalDetail{}, err
	}
	defer release()
	p, _, sess, err := s.drafted(ctx, id)
	if err == nil && sess == nil {
		err = fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	if err == nil {
		err = seen(m, p.Revision)
	}
	if err == nil && p.Validation == validationRunning {
		err = validating()
	}
	if err == nil {
		err = checkHop(sess.State, Rejected)
	}
	if err != nil {
		return ProposalDetail{}, err
	}
	if err := s.cancelLoose(ctx, m, *sess); err != nil {
		return ProposalDetail{}, err
	}
	if err := s.update(ctx, m, func(u *unit) error { return u.reject(p, r.Reason) }); err != nil {
		return ProposalDetail{}, err
	}
	return s.Proposal(ctx, id)
}

func (u *unit) reject(was Proposal, reason string) error {
	p, root, err := u.decided(was)
	if err != nil {
		return err
	}
	p.Reason, root.Reason = reason, "user"
	all, err := u.joinedTo(root)
	if err != nil {
		return err
	}
	if err := u.enterJoined(root, Rejected, "user"); err != nil {
		return err
	}
	if err := u.tell(journal.ProposalRejected, root, "user", map[string]any{"proposal_id": p.ProposalID, "revision": p.Revision}); err != nil {
		return err
	}
	return u.finishAll(all)
}
