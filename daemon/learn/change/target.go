package change

import (
	"showhow/daemon/learn/state"
)

// BackToDrafting takes the first session and its joined examples back to drafting_proposal, if they are past it.
func (u *Set) BackToDrafting(root *state.Session) error {
	all, err := u.JoinedTo(root)
	if err != nil {
		return err
	}
	for _, sess := range all {
		if sess.State == state.DraftingProposal || sess.State == state.AwaitingQuestions {
			continue
		}
		if err := u.Enter(sess, state.DraftingProposal, ""); err != nil {
			return err
		}
	}
	return nil
}

// JoinedTo are the sessions of a target that share its proposal and move with it; the first one comes last, so that the
// runtime snapshot is its.
func (u *Set) JoinedTo(root *state.Session) ([]*state.Session, error) {
	all, err := u.members(root.TargetID)
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

// members are the sessions of a learning target, the first one first.
func (u *Set) members(targetID string) ([]*state.Session, error) {
	list, err := u.TargetSessions(targetID)
	if err != nil {
		return nil, err
	}
	out := make([]*state.Session, len(list))
	for i, v := range list {
		if out[i], err = u.Load(v.LearnSessionID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// EnterJoined moves the first session and those that share its proposal together.
func (u *Set) EnterJoined(root *state.Session, to state.State, reason string) error {
	all, err := u.JoinedTo(root)
	if err != nil {
		return err
	}
	for _, sess := range all {
		if sess != root && !state.CanGo(sess.State, to) {
			continue
		}
		if err := u.Enter(sess, to, reason); err != nil {
			return err
		}
	}
	return nil
}
