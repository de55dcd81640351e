package state

import (
	"showhow/internal/fault"
)

// Validating is the fault for a command that must wait for the end of a validation run.
func Validating() error {
	return fault.New(fault.ValidationInProgress, "a validation run is under way").WithHint("wait for it, or cancel it")
}

// QuestionsOpen is the fault for a command that needs answers first.
func QuestionsOpen(p Proposal) error {
	return fault.New(fault.QuestionsOpen, "required questions have no answer yet").
		WithDetail("open_questions", p.OpenQuestions).WithDetail("proposal_id", p.ProposalID)
}

// ChangedMeanwhile is the fault for a result that was computed from a record that has changed since; current is its revision.
func ChangedMeanwhile(current int) error {
	return fault.New(fault.RevisionConflict, "it was changed meanwhile").WithDetail("current_revision", current).
		WithHint("look again and repeat it")
}

// NotAllowedWhile is the fault for a command that the state does not allow.
func NotAllowedWhile(st State, what string) error {
	return fault.Newf(fault.InvalidLearnStateTransition, "%s while the session is %s", what, st).WithDetail("from", string(st))
}

// UserOnly refuses agents: they never control sessions or decide on drafts (decisions D1).
func UserOnly(m Meta) error {
	if m.Principal == PrincipalUser || m.Principal == PrincipalSystem {
		return nil
	}
	return fault.New(fault.Forbidden, "only a person may do this").WithHint("do it in the Showhow window or with its CLI")
}

// CheckNotTimedOut refuses a session that timed out before it was started.
func CheckNotTimedOut(sess Session) error {
	if sess.TimedOut {
		return fault.New(fault.SessionTimeout, "this session was never started and has timed out").
			WithHint("start a new one: `showhow learn start GOAL`")
	}
	return nil
}

// CheckRevision compares the revision the caller saw with the current one (decisions C13).
func CheckRevision(m Meta, current int) error {
	if m.IfMatch == nil || *m.IfMatch == current {
		return nil
	}
	return fault.New(fault.RevisionConflict, "it was changed since you looked").WithDetail("current_revision", current).
		WithHint("look again and repeat the change if it still makes sense")
}

// SessionNotFound is the fault for a session that is not stored.
func SessionNotFound() error {
	return fault.New(fault.LearnSessionNotFound, "there is no such learn session")
}

// ProposalNotFound is the fault for a proposal that is not stored.
func ProposalNotFound() error { return fault.New(fault.ProposalNotFound, "there is no such proposal") }
