package change

import (
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
)

// EnterCapturing enters the state in which adapters may emit, and marks the boundary.
func (set *Set) EnterCapturing(sess *state.Session, kind state.BoundaryKind) error {
	b, err := set.Mark(sess, state.Boundary{Kind: kind})
	if err != nil {
		return err
	}
	if kind == state.BoundaryStart {
		sess.StartBoundaryRef = b.BoundaryID
	}
	sess.CapturingSince = set.Now.Ptr()
	return set.Enter(sess, state.Capturing, "")
}

// FinishAll is Finish for several sessions.
func (set *Set) FinishAll(all []*state.Session) error {
	for _, sess := range all {
		if err := set.Finish(sess); err != nil {
			return err
		}
	}
	return nil
}

// Enter is the only way a session changes its state: along the table, with receipt and event (DOC3 0C.1A, decisions
// A1).
func (set *Set) Enter(sess *state.Session, to state.State, reason string) error {
	from := sess.State
	if err := state.CheckTransition(from, to); err != nil {
		return err
	}
	sess.State = to
	if to != state.Paused {
		sess.PauseReason = ""
	}
	if p, err := set.mirrored(sess); err != nil {
		return err
	} else if p != nil && reason != state.ReasonPutAside { // a draft that is put aside stays what it was
		p.ProposalState = state.ProposalState(to, p.ProposalState)
	}
	kinds := hopKinds(from, to)
	if sess.EntryMode == state.ImportSkill && to != state.Cancelled { // nothing is observed, so there is nothing to report
		kinds = []journal.EventKind{journal.SessionState}
	}
	for _, kind := range kinds {
		if err := set.Record(kind, sess, reason, map[string]any{"from": string(from), "to": string(to)}); err != nil {
			return err
		}
	}
	set.Touch(sess)
	return nil
}

// mirrored returns the proposal whose state follows the session: only the first session of a target has one.
func (set *Set) mirrored(sess *state.Session) (*state.Proposal, error) {
	if sess.ProposalID == "" || sess.ExampleOf != "" {
		return nil, nil
	}
	return set.LoadProposal(sess.ProposalID)
}

// hopKinds lists the events of a transition: the session's own first, then those of its capture.
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

// Finish marks a session as ended; freeing its slot, purge and archive follow from that (decisions A2).
func (set *Set) Finish(sess *state.Session) error {
	if sess.Ended {
		return nil
	}
	sess.Ended, sess.EndedAt = true, set.Now.Ptr()
	set.Touch(sess)
	return set.Record(journal.SessionEnded, sess, "", map[string]any{"state": string(sess.State)})
}
