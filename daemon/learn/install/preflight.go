package install

import (
	"context"

	"showhow/daemon/ability"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
)

// These checks refuse, before a person is asked for a confirmation code, what would be refused anyway. They change
// nothing; the operation itself checks again.

// CheckInstall returns the error that Install would return now.
func (s *Service) CheckInstall(ctx context.Context, m state.Meta, id string, r wire.ProposalInstallRequest) error {
	return s.checkDecision(ctx, m, id, decision{revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial,
		approve: r.InstallLane == ability.LaneApproved})
}

// CheckApprove returns the error that Approve would return now.
func (s *Service) CheckApprove(ctx context.Context, m state.Meta, id string, r wire.ApproveProposalRequest) error {
	return s.checkDecision(ctx, m, id, decision{revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial, approve: true})
}

func (s *Service) checkDecision(ctx context.Context, m state.Meta, id string, d decision) error {
	p, rev, sess, err := s.d.Proposals.Drafted(ctx, id)
	if err != nil {
		return err
	}
	return s.gate(ctx, m, p, rev, sess, &d)
}
