package install

import (
	"context"

	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// gate checks everything that an installation requires (decisions C1, C13, DOC3 0C.16B).
func (s *Service) gate(ctx context.Context, m state.Meta, p state.Proposal, rev state.Revision, sess *state.Session, d *decision) error {
	if sess == nil {
		return fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	if err := state.CheckRevision(m, p.Revision); err != nil {
		return err
	}
	if err := checkState(*sess, d.approve); err != nil {
		return err
	}
	if d.revision != p.Revision {
		return fault.New(fault.RevisionConflict, "the draft was revised since you looked").WithDetail("current_revision",
			p.Revision).WithHint("review the current revision")
	}
	if d.hash != p.ContentHash {
		return fault.New(fault.ContentHashMismatch, "the draft is not the one that was seen").WithHint("review the draft again")
	}
	if err := proposal.LintGate(rev); err != nil {
		return err
	}
	if p.OpenQuestions > 0 {
		return state.QuestionsOpen(p)
	}
	if err := s.checkValidated(ctx, p, d); err != nil {
		return err
	}
	return s.checkSlugFree(ctx, p)
}

// checkState checks the session's state. Before the review, the error is that nothing was validated yet.
func checkState(sess state.Session, approve bool) error {
	switch sess.State {
	case state.ReadyForReview:
		return nil
	case state.InstalledPrivate:
		if approve {
			return nil
		}
	case state.TestingProposal:
		return state.Validating()
	case state.DraftingProposal, state.AwaitingQuestions:
		return notValidated("")
	}
	to := state.InstallingPrivate
	if approve {
		to = state.Approved
	}
	return fault.Newf(fault.InvalidLearnStateTransition, "a session that is %s cannot become %s", state.Words(sess.State), state.Words(to)).
		WithDetail("from", string(sess.State)).WithDetail("to", string(to))
}

func notValidated(overall rehearse.Overall) *fault.Error {
	return fault.New(fault.NotValidated, "no validation of this revision has passed").WithDetail("overall_result", string(overall)).
		WithHint("validate the draft: `showhow proposal validate`")
}

// checkValidated requires that a run on this very revision passed, or was partial and the person accepts that.
func (s *Service) checkValidated(ctx context.Context, p state.Proposal, d *decision) error {
	st, err := s.d.Validator.Standing(ctx, p.ProposalID, p.Revision, p.ContentHash)
	if err != nil {
		return err
	}
	switch {
	case st.Running:
		return state.Validating()
	case st.Overall == rehearse.Passed:
		d.confirmPartial = false // nothing to confirm
		return nil
	case st.Overall == rehearse.Partial && d.confirmPartial:
		return nil
	}
	h, err := s.d.Proposals.Hindrance(ctx, st)
	if err != nil {
		return err
	}
	if h != nil {
		return proposal.HindranceFault(h)
	}
	return notValidated(st.Overall)
}

// checkSlugFree refuses a name that was taken since the draft was compiled, before anything changes.
func (s *Service) checkSlugFree(ctx context.Context, p state.Proposal) error {
	if p.AbilityID != "" || p.ImprovesSkill != "" {
		return nil
	}
	taken, err := s.d.Installer.TakenSlugs(ctx)
	if err != nil {
		return err
	}
	for _, t := range taken {
		if t == p.ProposedSkillSlug {
			return fault.New(fault.SlugTaken, "a skill of this name exists").WithDetail("suggested_slug", plain.Clip(p.ProposedSkillSlug, 60)+"-2").
				WithHint("revise the draft with another name")
		}
	}
	return nil
}
