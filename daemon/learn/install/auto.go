package install

import (
	"context"

	"showhow/daemon/ability"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/internal/fault"
)

// autoInstall installs privately what the person wanted installed without a review.
func (s *Service) autoInstall(ctx context.Context, proposalID string, run rehearse.ValidationRun) error {
	_, err := s.decide(ctx, state.SystemMeta(), proposalID, decision{lane: ability.LanePrivate, revision: run.Revision, hash: run.ContentHash, auto: true})
	return err
}

// AutoValidate starts the validation of a draft that is to be installed without a review, and installs it when everything
// passed (decisions A6). Whatever does not allow it leaves the draft to the review.
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

// autoEligible: the person set the policy and allowed it, for what the person did.
func autoEligible(sess state.Session) bool {
	return sess.BuildPolicy == state.PrivateAutoInstall && sess.AllowPrivateInstall &&
		(sess.EntryMode == state.DemonstratingSkill || sess.EntryMode == state.ImprovingExistingSkill)
}
