package learn

import (
	"context"

	"showhow/daemon/ability"
	"showhow/daemon/rehearse"
)

// What must be confirmed by a person is refused before anybody is asked for a code, when it would be refused anyway. Whether it
// may be done is judged again when it is.

// CouldValidate is the refusal that Validate would answer now; it starts nothing.
func (s *Service) CouldValidate(ctx context.Context, m Meta, id string, r rehearse.ValidateRequest) error {
	if err := userOnly(m); err != nil {
		return err
	}
	p, rev, sess, err := s.drafted(ctx, id)
	if err != nil {
		return err
	}
	return mayValidate(m, p, rev, sess, r)
}

// CouldInstall is the refusal that Install would answer now.
func (s *Service) CouldInstall(ctx context.Context, m Meta, id string, r InstallRequest) error {
	return s.could(ctx, m, id, decision{revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial, approve: r.InstallLane == ability.LaneApproved})
}

// CouldApprove is the refusal that Approve would answer now.
func (s *Service) CouldApprove(ctx context.Context, m Meta, id string, r ApproveRequest) error {
	return s.could(ctx, m, id, decision{revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial, approve: true})
}

func (s *Service) could(ctx context.Context, m Meta, id string, d decision) error {
	p, rev, sess, err := s.drafted(ctx, id)
	if err != nil {
		return err
	}
	return s.gate(ctx, m, p, rev, sess, &d)
}
