package drafting

import (
	"cmp"
	"context"
	"slices"

	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/state"
)

// target is a learning target as a compilation sees it: read at one moment, checked again when the result is stored.
type target struct {
	root        state.Session
	members     []state.Session // those whose demonstrations go in, the first one first
	newExamples int             // members that are not in the draft yet
	prop        state.Proposal  // zero when there is none
	rev         state.Revision  // the current one, zero when there is none
	answers     map[string]string
	slugs       []string
}

func (t target) drafted() bool { return t.rev.Number > 0 }

// targetFor reads what a compilation for session id needs.
func (s *Service) targetFor(ctx context.Context, id string) (t target, err error) {
	err = s.d.Store.View(ctx, func(tx state.Tx) error {
		sess, ok, err := tx.Session(id)
		if err != nil || !ok {
			return cmp.Or(err, state.SessionNotFound())
		}
		all, err := tx.TargetSessions(sess.TargetID)
		if err != nil {
			return err
		}
		t.root, _ = state.FirstOf(all)
		for _, v := range all {
			if slices.Contains(demonstratedStates, v.State) {
				t.members = append(t.members, v)
			}
		}
		return t.readDraft(tx)
	})
	if err != nil {
		return t, err
	}
	for _, v := range t.members {
		if v.ProposalID == "" {
			t.newExamples++
		}
	}
	taken, err := s.d.Installer.TakenSlugs(ctx)
	t.slugs = append(t.slugs, taken...)
	return t, err
}

// withoutNewExamples leaves out examples that are not in the draft yet; GenerateProposal adds them.
func (t target) withoutNewExamples() target {
	t.members = slices.DeleteFunc(slices.Clone(t.members), func(v state.Session) bool { return v.ProposalID != t.prop.ProposalID })
	t.newExamples = 0
	return t
}

// demonstratedStates are the states of a session whose demonstration is over and not yet decided on.
var demonstratedStates = []state.State{state.Stopped, state.Reviewing, state.AwaitingQuestions, state.DraftingProposal,
	state.TestingProposal, state.ReadyForReview, state.Quarantined}

func (t *target) readDraft(tx state.Tx) (err error) {
	if t.slugs, err = tx.Slugs(t.root.ProposalID); err != nil || t.root.ProposalID == "" {
		return err
	}
	if t.prop, _, err = tx.Proposal(t.root.ProposalID); err != nil {
		return err
	}
	if t.rev, _, err = tx.Revision(t.prop.ProposalID, t.prop.Revision); err != nil {
		return err
	}
	t.answers, err = proposal.AnswersByKey(tx, t.prop.ProposalID)
	return err
}
