package change

import (
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
)

// EnterCapturing enters the state in which adapters may emit, with its boundary.
func (u *Set) EnterCapturing(sess *state.Session, kind state.BoundaryKind) error {
	b, err := u.Mark(sess, state.Boundary{Kind: kind})
	if err != nil {
		return err
	}
	if kind == state.BoundaryStart {
		sess.StartBoundaryRef = b.BoundaryID
	}
	sess.CapturingSince = u.Now.Ptr()
	return u.Enter(sess, state.Capturing, "")
}

// FinishAll is Finish for several sessions.
func (u *Set) FinishAll(all []*state.Session) error {
	for _, sess := range all {
		if err := u.Finish(sess); err != nil {
			return err
		}
	}
	return nil
}

// Enter is the one way a session changes its state: along the table, with receipt and event (DOC3 0C.1A, decisions A1).
func (u *Set) Enter(sess *state.Session, to state.State, reason string) error {
	from := sess.State
	if err := state.CheckHop(from, to); err != nil {
		return err
	}
	sess.State = to
	if to != state.Paused {
		sess.PauseReason = ""
	}
	if p, err := u.mirrored(sess); err != nil {
		return err
	} else if p != nil {
		p.ProposalState = state.ProposalState(to, p.ProposalState)
	}
	kinds := hopKinds(from, to)
	if sess.EntryMode == state.ImportSkill && to != state.Cancelled { // nothing is observed, so nothing is said of it
		kinds = []journal.EventKind{journal.SessionState}
	}
	for _, kind := range kinds {
		if err := u.Record(kind, sess, reason, map[string]any{"from": string(from), "to": string(to)}); err != nil {
			return err
		}
	}
	u.Touch(sess)
	return nil
}

// mirrored is the proposal whose state follows the session: the one its first session has.
func (u *Set) mirrored(sess *state.Session) (*state.Proposal, error) {
	if sess.ProposalID == "" || sess.ExampleOf != "" {
		return nil, nil
	}
	return u.LoadProposal(sess.ProposalID)
}

// hopKinds names what is told about a hop: the first is the session's, capture's come with it.
func hopKinds(from, to state.State) []journal.EventKind {
	capturing := from == state.Capturing || from == state.Paused
	switch {
	case to == state.Armed:
		return []journal.EventKind{journal.SessionArmed}
	case from == state.Armed && to == state.Capturing:
		return []journal.EventKind{journal.CaptureStarted}
	case to == state.Capturing:
		return []journal.EventKind{journal.SessionResumed, journal.CaptureResumed}
	case to == state.Paused:
		return []journal.EventKind{journal.SessionPaused, journal.CapturePaused}
	case to == state.Stopped:
		return []journal.EventKind{journal.SessionStopped, journal.CaptureStopped}
	case to == state.Cancelled && capturing:
		return []journal.EventKind{journal.SessionCancelled, journal.CaptureStopped}
	case to == state.Cancelled:
		return []journal.EventKind{journal.SessionCancelled}
	default:
		return []journal.EventKind{journal.SessionState}
	}
}

// Finish marks a session as ended: slot, purge clock and archive follow it (decisions A2).
func (u *Set) Finish(sess *state.Session) error {
	if sess.Ended {
		return nil
	}
	sess.Ended, sess.EndedAt = true, u.Now.Ptr()
	u.Touch(sess)
	return u.Record(journal.SessionEnded, sess, "", map[string]any{"state": string(sess.State)})
}
