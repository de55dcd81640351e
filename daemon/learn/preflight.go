package learn

import (
	"context"

	"showhow/daemon/ability"
	"showhow/daemon/rehearse"
)

// These checks refuse what would be refused anyway before a person is asked for a confirmation code. They change nothing; the
// operation itself judges again.

// CheckValidate returns the error that Validate would return now.
func (s *Service) CheckValidate(ctx context.Context, m Meta, id string, r rehearse.ValidateRequest) error {
	if err := userOnly(m); err != nil {
		return err
	}
	p, rev, sess, err := s.drafted(ctx, id)
	if err != nil {
		return err
	}
	return mayValidate(m, p, rev, sess, r)
}

// CheckInstall returns the error that Install would return now.
func (s *Service) CheckInstall(ctx context.Context, m Meta, id string, r InstallRequest) error {
	return s.checkDecision(ctx, m, id, decision{revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial, approve: r.InstallLane == ability.LaneApproved})
}

// CheckApprove returns the error that Approve would return now.
func (s *Service) CheckApprove(ctx context.Context, m Meta, id string, r ApproveRequest) error {
	return s.checkDecision(ctx, m, id, decision{revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial, approve: true})
}

func (s *Service) checkDecision(ctx context.Context, m Meta, id string, d decision) error {
	p, rev, sess, err := s.drafted(ctx, id)
	if err != nil {
		return err
	}
	return s.gate(ctx, m, p, rev, sess, &d)
}
