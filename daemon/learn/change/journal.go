package change

import (
	"maps"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
)

// Record writes a receipt and the event of the same kind. reason is a code; details are ids, codes and counts.
func (set *Set) Record(kind journal.EventKind, sess *state.Session, reason string, details map[string]any) error {
	r := journal.Receipt{ReceiptID: set.NewID(), Kind: kind, Reason: reason, Summary: summaryOf(kind, reason),
		CorrelationID: set.Meta.CorrelationID, CreatedAt: set.Now, SchemaVersion: 1}
	e := journal.Event{Kind: kind, Payload: map[string]any{"receipt_id": r.ReceiptID, "source": set.source()}, Timestamp: set.Now,
		SchemaVersion: 1}
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
	if err := set.AddReceipt(r); err != nil {
		return err
	}
	return set.Emit(e)
}

// source is the origin of the call.
func (set *Set) source() string {
	switch {
	case set.Meta.Source != "":
		return set.Meta.Source
	case set.Meta.Principal == state.PrincipalSystem:
		return state.SourceInferred
	}
	return state.SourceAPI
}

// Mark records a boundary and returns it.
func (set *Set) Mark(sess *state.Session, b state.Boundary) (state.Boundary, error) {
	b.BoundaryID, b.LearnSessionID, b.CreatedAt, b.SchemaVersion = set.NewID(), sess.LearnSessionID, set.Now, 1
	if b.Source == "" {
		b.Source = set.source()
	}
	return b, set.PutBoundary(b)
}
