package change

import (
	"maps"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
)

// Record leaves a receipt and the event of the same kind. reason is a code; details are ids, codes and counts.
func (u *Set) Record(kind journal.EventKind, sess *state.Session, reason string, details map[string]any) error {
	r := journal.Receipt{ReceiptID: u.NewID(), Kind: kind, Reason: reason, Summary: summaries[kind],
		CorrelationID: u.Meta.CorrelationID, CreatedAt: u.Now, SchemaVersion: 1}
	e := journal.Event{Kind: kind, Payload: map[string]any{"receipt_id": r.ReceiptID, "source": u.source()}, Timestamp: u.Now, SchemaVersion: 1}
	maps.Copy(e.Payload, details)
	if reason != "" {
		e.Payload["reason"] = reason
	}
	if sess != nil {
		r.LearnSessionID, r.ProposalID, r.AbilityID = sess.LearnSessionID, sess.ProposalID, sess.AbilityID
		e.SessionID = sess.LearnSessionID
		if sess.ProposalID != "" {
			e.Payload["proposal_id"] = sess.ProposalID
		}
	}
	if err := u.AddReceipt(r); err != nil {
		return err
	}
	return u.Emit(e)
}

// source is where the call came from.
func (u *Set) source() string {
	switch {
	case u.Meta.Source != "":
		return u.Meta.Source
	case u.Meta.Principal == state.PrincipalSystem:
		return state.SourceInferred
	}
	return state.SourceAPI
}

// Mark records a boundary and returns it.
func (u *Set) Mark(sess *state.Session, b state.Boundary) (state.Boundary, error) {
	b.BoundaryID, b.LearnSessionID, b.CreatedAt, b.SchemaVersion = u.NewID(), sess.LearnSessionID, u.Now, 1
	if b.Source == "" {
		b.Source = u.source()
	}
	return b, u.PutBoundary(b)
}
