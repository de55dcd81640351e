package live

import (
	"slices"

	"showhow/capture"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
)

// Snapshot is the LearningRuntimeSnapshot of a session; the caller adds whether its ability is usable now.
func (s *Monitor) Snapshot(tx state.Tx, sess state.Session) (wire.LearningRuntimeSnapshot, error) {
	snap := wire.LearningRuntimeSnapshot{LearnSessionID: sess.LearnSessionID, EntryMode: sess.EntryMode, ObservationMode: sess.ObservationMode,
		BuildPolicy: sess.BuildPolicy, State: sess.State, ObservedDataClasses: s.dataClasses(sess),
		InterpretationID: sess.InterpretationID, ProposalID: sess.ProposalID, ValidationRunID: sess.ValidationRunID,
		AbilityID: sess.AbilityID, LatestReceiptIDs: []string{}, PauseReason: sess.PauseReason, Ended: sess.Ended,
		SnapshotAsOf: s.now(), SchemaVersion: 1}
	snap.ActiveBoundaryRef = sess.StartBoundaryRef
	if sess.StopBoundaryRef != "" {
		snap.ActiveBoundaryRef = sess.StopBoundaryRef
	}
	if sess.ProposalID != "" {
		p, ok, err := tx.Proposal(sess.ProposalID)
		if err != nil {
			return snap, err
		}
		if ok {
			snap.InstallLane = p.InstallLane
		}
	}
	if sess.State == state.InstalledPrivate || sess.State == state.Approved {
		usable := sess.Ended // the saga that made it so is over
		snap.AbilityUsableNow = &usable
	}
	latest, _, err := tx.Receipts(wire.ReceiptFilter{SessionID: sess.LearnSessionID, PageQuery: wire.PageQuery{PageSize: 5}})
	for _, r := range latest {
		snap.LatestReceiptIDs = append(snap.LatestReceiptIDs, r.ReceiptID)
	}
	return snap, err
}

// ScopeOf returns what a session observes, keeps and withholds, for observation_scope_current.json.
func (s *Monitor) ScopeOf(sess state.Session) wire.ObservationScopeRuntime {
	sess = s.View(sess)
	out := wire.ObservationScopeRuntime{LearnSessionID: sess.LearnSessionID, AdaptersActive: []string{}, DataClassesObserved: []string{},
		RedactionModes: map[string]string{}, Scope: sess.ObservationMode, TargetAppWhitelist: sess.TargetAppWhitelist,
		Allowed: sess.Scope, CaptureState: captureState(sess.State), PauseReason: sess.PauseReason, EventsKept: sess.EventsKept,
		Withheld: sess.Withheld, Indicators: []string{}, StartedAt: sess.CreatedAt, StoppedAt: sess.StoppedAt, SchemaVersion: 1}
	if sess.StartedAt != nil {
		out.StartedAt = *sess.StartedAt
	}
	for _, w := range sess.Withheld {
		if w.Reason == capture.OffScope || w.Reason == capture.NoScope {
			out.OffTargetEventsDropped += w.Count
		}
	}
	if sess.State == state.Capturing {
		out.AdaptersActive = sess.AdaptersArmed
		out.Indicators = s.lease.indicators(s.d.Now())
	}
	if sess.State == state.Capturing || sess.State == state.Paused {
		out.DataClassesObserved = s.dataClasses(sess)
	}
	for _, c := range s.dataClasses(sess) {
		out.RedactionModes[c] = redactionMode(sess, c)
	}
	return out
}

// redactionMode is the wire's word for what is kept of a class of data (decisions B12).
func redactionMode(sess state.Session, class string) string {
	if sess.ValuePolicy == capture.Literal && class == "typed_values" {
		return "none"
	}
	return "mask_text"
}

func captureState(st state.State) string {
	switch st {
	case state.Idle, state.Armed:
		return "idle"
	case state.Capturing:
		return "capturing"
	case state.Paused:
		return "paused"
	}
	return "stopped"
}

// dataClasses lists the kinds of data that the session's adapters and evidence observe, sorted.
func (s *Monitor) dataClasses(sess state.Session) []string {
	out := []string{}
	if s.d.DataClasses != nil {
		out = append(out, s.d.DataClasses(sess)...)
	} else {
		for _, k := range sess.Adapters {
			out = append(out, string(k))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
