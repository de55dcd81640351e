package learn

import (
	"context"
	"slices"

	"showhow/capture"
	"showhow/internal/fault"
)

// Canonical files (DOC3 0C.7, 0C.8, decisions E6). None of them carries what was observed.
const (
	runtimeFile = "system/learning/runtime/current.json"
	scopeFile   = "system/learning/runtime/observation_scope_current.json"
)

func sessionFile(id string) string        { return "system/learning/sessions/" + id + ".json" }
func proposalFile(id string) string       { return "system/learning/proposals/" + id + ".json" }
func interpretationFile(id string) string { return "system/learning/interpretations/" + id + ".json" }
func archivedSessionFile(id string) string {
	return "system/learning/archived/sessions/" + id + ".json"
}
func archivedProposalFile(id string) string {
	return "system/learning/archived/proposals/" + id + ".json"
}

// archivedRunsFile holds the validation runs of an archived proposal, each with its steps after it.
func archivedRunsFile(id string) string {
	return "system/learning/archived/proposals/" + id + ".runs.jsonl"
}

// lastSession is the session that runtime/current is about: the one that changed last (decisions A11), but while something is
// being learned, no import takes its place.
func lastSession(tx Tx) (Session, bool, error) {
	last, ok, err := tx.LastSession()
	if err != nil || !mirrorsImport(last) {
		return last, ok, err
	}
	open, err := tx.OpenSessions()
	for i, v := range learning(open) {
		if i == 0 || v.UpdatedAt.After(last.UpdatedAt.Time) {
			last = v
		}
	}
	return last, ok, err
}

// mirrorRuntime writes both runtime files for the session that changed last.
func (u *unit) mirrorRuntime(sess Session) error {
	if mirrorsImport(sess) {
		if last, _, err := lastSession(u.Tx); err != nil || last.LearnSessionID != sess.LearnSessionID {
			return err
		}
	}
	snap, err := u.s.snapshot(u.Tx, sess)
	if err != nil {
		return err
	}
	snap.SnapshotAsOf = u.now
	if err := u.PutFile(runtimeFile, snap); err != nil {
		return err
	}
	return u.PutFile(scopeFile, u.s.scopeOf(sess))
}

// snapshot is LearningRuntimeSnapshot of a session, except whether its ability is usable.
func (s *Service) snapshot(tx Tx, sess Session) (RuntimeSnapshot, error) {
	snap := RuntimeSnapshot{LearnSessionID: sess.LearnSessionID, EntryMode: sess.EntryMode, ObservationMode: sess.ObservationMode,
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
	if sess.State == InstalledPrivate || sess.State == Approved {
		usable := sess.Ended // the saga that made it so is over
		snap.AbilityUsableNow = &usable
	}
	latest, _, err := tx.Receipts(ReceiptFilter{SessionID: sess.LearnSessionID, PageQuery: PageQuery{PageSize: 5}})
	for _, r := range latest {
		snap.LatestReceiptIDs = append(snap.LatestReceiptIDs, r.ReceiptID)
	}
	return snap, err
}

// Runtime answers what is being learned and whether the learned ability is usable: the last session, or not found.
func (s *Service) Runtime(ctx context.Context) (RuntimeSnapshot, error) {
	var snap RuntimeSnapshot
	err := s.d.Store.View(ctx, func(tx Tx) error {
		sess, ok, err := lastSession(tx)
		if err != nil {
			return err
		}
		if !ok {
			return fault.New(fault.LearnSessionNotFound, "nothing has been learned yet").WithHint("start with `showhow learn start GOAL`")
		}
		snap, err = s.snapshot(tx, s.truly(sess))
		return err
	})
	if err != nil {
		return RuntimeSnapshot{}, err
	}
	s.askUsable(ctx, &snap)
	return snap, nil
}

// askUsable puts in what is true of the ability now, which may have changed since the session ended.
func (s *Service) askUsable(ctx context.Context, snap *RuntimeSnapshot) {
	if snap.AbilityID == "" || s.d.Installer == nil {
		return
	}
	entry, err := s.d.Installer.AvailabilityOf(ctx, snap.AbilityID)
	no := false
	switch {
	case err == nil:
		snap.AbilityUsableNow, snap.ReasonUnusable, snap.InstallLane = &entry.UsableNow, clip(entry.ReasonUnusable, 240), entry.InstallLane
	case fault.Is(err, fault.AbilityNotFound):
		snap.AbilityUsableNow, snap.ReasonUnusable = &no, "removed"
	}
}

// RefreshRuntime rewrites runtime/current.json, for example after an ability became unusable or was removed.
func (s *Service) RefreshRuntime(ctx context.Context) error {
	snap, err := s.Runtime(ctx)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return s.d.Store.Update(ctx, func(tx Tx) error {
			if err := tx.RemoveFile(runtimeFile); err != nil {
				return err
			}
			return tx.RemoveFile(scopeFile)
		})
	}
	if err != nil {
		return err
	}
	return s.d.Store.Update(ctx, func(tx Tx) error {
		sess, ok, err := lastSession(tx)
		if err != nil || !ok || sess.LearnSessionID != snap.LearnSessionID || sess.State != snap.State {
			return err // something changed meanwhile, and wrote the file itself
		}
		if err := tx.PutFile(runtimeFile, snap); err != nil {
			return err
		}
		return tx.PutFile(scopeFile, s.scopeOf(sess))
	})
}

// ObservationScope says what is observed, what was kept and what was withheld (DOC3 0C.8, decisions A5).
func (s *Service) ObservationScope(ctx context.Context, id string) (ObservationScopeRuntime, error) {
	sess, err := s.Session(ctx, id)
	if err != nil {
		return ObservationScopeRuntime{}, err
	}
	return s.scopeOf(sess), nil
}

func (s *Service) scopeOf(sess Session) ObservationScopeRuntime {
	sess = s.view(sess)
	out := ObservationScopeRuntime{LearnSessionID: sess.LearnSessionID, AdaptersActive: []string{}, DataClassesObserved: []string{},
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
	if sess.State == Capturing {
		out.AdaptersActive = sess.AdaptersArmed
		out.Indicators = s.lease.indicators(s.d.Now())
	}
	if sess.State == Capturing || sess.State == Paused {
		out.DataClassesObserved = s.dataClasses(sess)
	}
	for _, c := range s.dataClasses(sess) {
		out.RedactionModes[c] = redactionMode(sess, c)
	}
	return out
}

// redactionMode is the wire's word for what is kept of a class of data (decisions B12).
func redactionMode(sess Session, class string) string {
	if sess.ValuePolicy == capture.Literal && class == "typed_values" {
		return "none"
	}
	return "mask_text"
}

func captureState(st State) string {
	switch st {
	case Idle, Armed:
		return "idle"
	case Capturing:
		return "capturing"
	case Paused:
		return "paused"
	}
	return "stopped"
}

// dataClasses are the kinds of data that the session's adapters and evidence observe, sorted.
func (s *Service) dataClasses(sess Session) []string {
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

// lanePending is a proposal's lane before its installation.
const lanePending = "pending"

// clip cuts s to n characters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
