package state

import (
	"cmp"
	"slices"

	"showhow/internal/fault"
)

// AlreadyActive is the fault for a session that needs the slot which sess holds.
func AlreadyActive(sess Session) error {
	hint := "finish it (`showhow learn status` says what comes next), give it up with `showhow learn cancel`, " +
		"or add to it with `--example-of " + sess.LearnSessionID + "`"
	if slices.Contains(actionsOf[sess.State], CanPutAside) {
		hint = "put its draft aside for later (`showhow learn put-aside`), decide on it, or add to it with `--example-of " +
			sess.LearnSessionID + "`"
	}
	if sess.StoppedAt != nil && sess.EventsKept == 0 {
		hint = "nothing was kept in it: `showhow learn cancel`, then start again"
	}
	return fault.New(fault.LearnSessionAlreadyActive, "the learn session before this one is not finished").
		WithDetail("active_session_id", sess.LearnSessionID).WithDetail("state", string(sess.State)).
		WithHint(hint)
}

// SlotFree returns an error if something else is being learned.
func SlotFree(tx Tx, slot string) error {
	open, err := tx.LearningSessions()
	if err != nil {
		return err
	}
	for _, o := range open {
		if SlotOf(o) != slot {
			return AlreadyActive(o)
		}
	}
	return nil
}

// SlotOf is the slot that a session shares with the sessions that may be open beside it: a draft and the parts split
// from it.
func SlotOf(s Session) string { return cmp.Or(s.SlotID, s.TargetID) }
