package install

import (
	"context"

	"showhow/daemon/ability"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/internal/fault"
)

// autoInstall privately installs a draft that the person wanted installed without a review.
func (s *Service) autoInstall(ctx context.Context, proposalID string, run rehearse.ValidationRun) error {
	_, err := s.decide(ctx, state.SystemMeta(), proposalID,
		decision{lane: ability.LanePrivate, revision: run.Revision, hash: run.ContentHash, auto: true})
	return err
}

// AutoValidate validates a draft that is to be installed without a review, and installs it if everything passed
// (decisions A6). If anything forbids that, the draft is left for review.
func (s *Service) AutoValidate(rootID string) {
	s.d.Background(func(ctx context.Context) {
		sess, err := s.d.Changes.Peek(ctx, rootID)
		if err != nil || !autoEligible(sess) || sess.State != state.DraftingProposal {
			return
		}
		run, err := s.d.Validation.Validate(ctx, state.SystemMeta(), sess.ProposalID, rehearse.ValidateRequest{SchemaVersion: 1})
		if err == nil {
			run, err = s.d.Validator.Wait(ctx, run.ValidationRunID)
		}
		if err == nil && run.OverallResult == rehearse.Passed {
			err = s.autoInstall(ctx, sess.ProposalID, run)
		}
		if err != nil && ctx.Err() == nil {
			s.d.Log.Info("a draft was left to the review", "proposal", sess.ProposalID, "code", fault.CodeOf(err))
		}
	})
}

// autoEligible reports whether the person chose the policy and allowed it, for actions of their own.
func autoEligible(sess state.Session) bool {
	return sess.BuildPolicy == state.PrivateAutoInstall && sess.AllowPrivateInstall &&
		(sess.EntryMode == state.DemonstratingSkill || sess.EntryMode == state.ImprovingExistingSkill)
}
