package change

import (
	"showhow/daemon/learn/state"
)

// BackToDrafting takes the first session and its joined examples back to drafting_proposal if they are past it.
func (set *Set) BackToDrafting(root *state.Session) error {
	all, err := set.JoinedTo(root)
	if err != nil {
		return err
	}
	for _, sess := range all {
		if sess.State == state.DraftingProposal || sess.State == state.AwaitingQuestions {
			continue
		}
		if err := set.Enter(sess, state.DraftingProposal, ""); err != nil {
			return err
		}
	}
	return nil
}

// JoinedTo lists the sessions of a target that share its proposal and move with it. The first session comes last, so that the
// runtime snapshot describes it.
func (set *Set) JoinedTo(root *state.Session) ([]*state.Session, error) {
	all, err := set.members(root.TargetID)
	if err != nil {
		return nil, err
	}
	var out []*state.Session
	for _, sess := range all {
		if sess != root && sess.ProposalID == root.ProposalID && sess.State != state.Cancelled {
			out = append(out, sess)
		}
	}
	return append(out, root), nil
}

// members lists the sessions of a learning target, the first one first.
func (set *Set) members(targetID string) ([]*state.Session, error) {
	list, err := set.TargetSessions(targetID)
	if err != nil {
		return nil, err
	}
	out := make([]*state.Session, len(list))
	for i, v := range list {
		if out[i], err = set.Load(v.LearnSessionID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// EnterJoined moves the first session together with those that share its proposal.
func (set *Set) EnterJoined(root *state.Session, to state.State, reason string) error {
	all, err := set.JoinedTo(root)
	if err != nil {
		return err
	}
	for _, sess := range all {
		if sess != root && !state.CanGo(sess.State, to) {
			continue
		}
		if err := set.Enter(sess, to, reason); err != nil {
			return err
		}
	}
	return nil
}
