package events

import (
	"context"
	"slices"

	"showhow/daemon/events/contract"
	"showhow/daemon/events/report"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func unknown() error {
	return fault.New(fault.NotFound, "no event of this session is kept").WithHint("`showhow events sessions` lists those that are")
}

// List is a page of the raw-to-projected chain of a session, or of all. It opens each original again and compares it.
func (s *Service) List(ctx context.Context, sessionID string, page, size int) (wire.RuntimeEventList, error) {
	out := wire.RuntimeEventList{Page: page, PageSize: size, SchemaVersion: 1}
	entries, total, err := s.entries(ctx, sessionID, (page-1)*size, size)
	if err == nil && total == 0 && sessionID != "" {
		err = unknown()
	}
	out.Items, out.Total = entries, total
	return out, err
}

func (s *Service) entries(ctx context.Context, sessionID string, offset, limit int) ([]wire.RuntimeEventEntry, int, error) {
	out := []wire.RuntimeEventEntry{}
	var kept []Kept
	var total int
	sealed := map[string][]byte{}
	feedback := map[string]Feedback{} // by event
	s.sealing.RLock()
	defer s.sealing.RUnlock()
	err := s.o.Store.View(ctx, func(tx Tx) (err error) {
		if kept, total, err = tx.Envelopes(sessionID, offset, limit); err != nil {
			return err
		}
		sessions := map[string]bool{}
		for _, k := range kept {
			if _, ok := sealed[k.DeliveryID]; !ok {
				if sealed[k.DeliveryID], err = tx.Original(k.DeliveryID); err != nil {
					return err
				}
			}
			if id := k.Envelope.Event.SessionID; !sessions[id] {
				sessions[id] = true
				fs, err := tx.Feedback(id)
				if err != nil {
					return err
				}
				for _, f := range fs {
					feedback[f.SourceEventID] = f
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	said := map[string]map[string]string{} // delivery -> envelope -> digest
	for _, k := range kept {
		x := wire.RuntimeEventEntry{Envelope: k.Envelope, ReportedBy: k.ReportedBy, ReceivedAt: k.ReceivedAt, DeliveryID: k.DeliveryID,
			Evidence: "purged"}
		if raw := sealed[k.DeliveryID]; raw != nil {
			if said[k.DeliveryID] == nil {
				said[k.DeliveryID] = s.reread(ctx, k.DeliveryID, raw)
			}
			x.Evidence = "differs"
			if said[k.DeliveryID][k.Envelope.EnvelopeID] == k.Digest {
				x.Evidence = "verified"
			}
		}
		if f, ok := feedback[k.Envelope.Event.EventID]; ok {
			x.Feedback = &f
		}
		out = append(out, x)
	}
	return out, total, nil
}

// reread parses an original again. One that does not open or is no longer understood is ignored.
func (s *Service) reread(ctx context.Context, deliveryID string, sealed []byte) map[string]string {
	digests := map[string]string{}
	original, err := s.open(ctx, deliveryID, sealed)
	if err != nil {
		return digests
	}
	d, err := contract.Parse(original, s.cleaner(), s.o.Now())
	if err != nil {
		return digests
	}
	for _, e := range d.Envelopes {
		digests[e.EnvelopeID] = contract.Digest(e)
	}
	return digests
}

// Sessions is a page of the known sessions, newest first.
func (s *Service) Sessions(ctx context.Context, page, size int) (wire.RuntimeSessionList, error) {
	out := wire.RuntimeSessionList{Items: []wire.RuntimeSession{}, Page: page, PageSize: size, SchemaVersion: 1}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		some, total, err := tx.Sessions("", (page-1)*size, size)
		for _, x := range some {
			out.Items = append(out.Items, x.RuntimeSession)
		}
		out.Total = total
		return err
	})
	return out, err
}

// find returns a session by its id; "" is the newest.
func find(tx Tx, id string) (StoredSession, error) {
	if id == "" {
		some, _, err := tx.Sessions("", 0, 1)
		if err != nil || len(some) == 0 {
			return StoredSession{}, firstErr(err, fault.New(fault.NotFound, "no event of a runtime is kept yet").
				WithHint("`showhow events import --file FILE` brings some in"))
		}
		return some[0], nil
	}
	x, ok, err := tx.Session(id)
	if err == nil && !ok {
		err = unknown()
	}
	return x, err
}

func firstErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// known returns a session with all its evidence; "" means the newest one.
func known(tx Tx, id string) (StoredSession, report.Evidence, error) {
	x, err := find(tx, id)
	if err != nil {
		return x, report.Evidence{}, err
	}
	e, err := evidence(tx, x.SessionID)
	return x, e, err
}

// Report is a session's report; "" means the newest session's.
func (s *Service) Report(ctx context.Context, sessionID string) (wire.RuntimeSessionReportAnswer, error) {
	var out wire.RuntimeSessionReportAnswer
	err := s.o.Store.View(ctx, func(tx Tx) error {
		_, e, err := known(tx, sessionID)
		if err != nil {
			return err
		}
		out = s.answer(e)
		return nil
	})
	return out, err
}

func (s *Service) answer(e report.Evidence) wire.RuntimeSessionReportAnswer {
	r := report.Session(e, s.o.Now())
	return wire.RuntimeSessionReportAnswer{Report: r, Markdown: report.SessionMarkdown(r), SchemaVersion: 1}
}

// Handoff is a session's handoff bundle; "" means the newest session's.
func (s *Service) Handoff(ctx context.Context, sessionID string) (wire.RuntimeHandoffBundle, error) {
	var out wire.RuntimeHandoffBundle
	err := s.o.Store.View(ctx, func(tx Tx) error {
		x, e, err := known(tx, sessionID)
		if err != nil {
			return err
		}
		out = report.Bundle(e, x.ReportedBy, x.Artifact, s.o.Now())
		return nil
	})
	return out, err
}

// Governance is the report on all sessions and proposals.
func (s *Service) Governance(ctx context.Context) (wire.GovernanceAnswer, error) {
	var out wire.GovernanceAnswer
	state, err := s.workbench(ctx)
	if err != nil {
		return out, err
	}
	err = s.o.Store.View(ctx, func(tx Tx) error {
		if err := complete(tx, &state, s.o.Now()); err != nil {
			return err
		}
		ev := report.Evolution(state, s.o.Now())
		g := report.Governance(ev)
		out = wire.GovernanceAnswer{Report: g, Review: report.OperatorReview(state, ev), Promotion: report.Promotion(ev),
			Markdown: report.GovernanceMarkdown(g), SchemaVersion: 1}
		return nil
	})
	return out, err
}

func (s *Service) workbench(ctx context.Context) (state report.State, err error) {
	if state.Drafts, err = s.o.Workbench.Drafts(ctx); err != nil {
		return state, err
	}
	state.Abilities, err = s.o.Workbench.Abilities(ctx)
	return state, err
}

// Preview reports on a payload and stores nothing of it except, when asked, the report files.
func (s *Service) Preview(ctx context.Context, from Sender, original []byte, write bool) (wire.RuntimeReportPreview, error) {
	d, err := contract.Parse(original, s.cleaner(), s.o.Now())
	if err != nil {
		return wire.RuntimeReportPreview{}, err
	}
	out := wire.RuntimeReportPreview{Shape: d.Shape, Reports: []wire.RuntimeSessionReportAnswer{}, Written: []string{}, SchemaVersion: 1}
	for _, id := range d.Sessions() {
		e := report.Evidence{SessionID: id}
		for _, env := range d.Envelopes {
			if env.Event.SessionID != id {
				continue
			}
			e.Envelopes = append(e.Envelopes, env)
			if f, ok := contract.Project(env, User, s.o.Now()); ok {
				e.Feedback = append(e.Feedback, f)
			}
		}
		out.Reports = append(out.Reports, s.answer(e))
	}
	if !write {
		return out, nil
	}
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		w := &writer{tx: tx}
		for _, r := range out.Reports {
			if err := w.putBoth(sessionFile(r.Report.SessionID), r.Report, r.Markdown); err != nil {
				return err
			}
			if _, err := w.put(latestSession, r.Report); err != nil {
				return err
			}
		}
		out.Written = append(out.Written, w.written...)
		return noted(tx, from, w.written)
	})
	return out, err
}

func noted(tx Tx, from Sender, written []string) error {
	if len(written) == 0 {
		return nil
	}
	if err := tx.AddReceipt(journal.Receipt{Kind: journal.ReportsWritten, Summary: "Reports on runtime events were written.",
		CorrelationID: from.CorrelationID}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: journal.ReportsWritten, Payload: map[string]any{"files": len(written)}})
}

// Kinds of reports that Write writes.
const (
	KindInspect    = "inspect"
	KindSession    = "session"
	KindHandoff    = "handoff"
	KindGovernance = "governance"
)

// inspected bounds the chain in one file.
const inspected = 5000

// Write writes reports as files and lists them, whether they changed or not.
func (s *Service) Write(ctx context.Context, from Sender, kind, sessionID string) (wire.RuntimeReportsWritten, error) {
	out := wire.RuntimeReportsWritten{SchemaVersion: 1}
	var state report.State
	var entries []wire.RuntimeEventEntry
	var err error
	switch kind {
	case KindGovernance:
		state, err = s.workbench(ctx)
	case KindInspect:
		entries, _, err = s.entries(ctx, sessionID, 0, inspected)
		if err == nil && len(entries) == 0 && sessionID != "" {
			err = unknown()
		}
	}
	if err != nil {
		return out, err
	}
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		w := &writer{tx: tx}
		var err error
		switch kind {
		case KindGovernance:
			_, err = w.governance(state, true, s.o.Now())
			out.Files = []string{latestEvolution, latestGovernance + ".json", latestGovernance + ".md", latestReview, latestPromotion}
		case KindInspect:
			file := latestInspection
			if sessionID != "" {
				file = inspectFile(sessionID)
			}
			_, err = w.put(file, wire.RuntimeInspection{ArtifactKind: "runtime_event_inspection", SchemaVersion: "1.0", GeneratedAt: s.o.Now(),
				SessionID: sessionID, Entries: entries})
			out.Files = []string{file}
		default:
			out.Files, err = s.writeSession(w, kind, sessionID)
		}
		if err != nil {
			return err
		}
		return noted(tx, from, w.written)
	})
	return out, err
}

func (s *Service) writeSession(w *writer, kind, sessionID string) ([]string, error) {
	x, err := find(w.tx, sessionID)
	if err != nil {
		return nil, err
	}
	if kind == KindSession {
		_, err = w.sessionReports(x, s.o.Now())
		return []string{sessionFile(x.SessionID) + ".json", sessionFile(x.SessionID) + ".md", latestSession}, err
	}
	_, err = w.handoffReports(x, s.o.Now())
	return []string{handoffFile(x.SessionID), bundleFile(x.SessionID), latestBundle}, err
}

// Delete removes everything of a session, to the last byte.
func (s *Service) Delete(ctx context.Context, sessionID string) (wire.RuntimeSessionDeleted, error) {
	out := wire.RuntimeSessionDeleted{SchemaVersion: 1}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		x, err := find(tx, sessionID)
		out.Envelopes = x.Envelopes
		if fault.Is(err, fault.NotFound) { // a report may exist on something that was never stored
			if _, ok, ferr := tx.File(sessionFile(sessionID) + ".json"); ok || ferr != nil {
				return ferr
			}
		}
		return err
	})
	if err != nil {
		return out, err
	}
	state, err := s.workbench(ctx)
	if err != nil {
		return out, err
	}
	err = s.o.Store.DeleteSession(ctx, sessionID)
	s.kept.forget()
	if err != nil {
		return out, err
	}
	// Reports on everything were deleted too, because they may have mentioned the session: those that others rely on
	// are written again.
	return out, s.o.Store.Update(ctx, func(tx Tx) error {
		w := &writer{tx: tx}
		_, err := w.governance(state, false, s.o.Now())
		return err
	})
}

// PurgeOriginals removes every sealed original with its key, to the last byte; what was derived from them stays. It
// returns their number.
func (s *Service) PurgeOriginals(ctx context.Context) (n int, err error) {
	s.sealing.Lock()
	defer s.sealing.Unlock()
	err = s.o.Store.View(ctx, func(tx Tx) error {
		n, _, err = tx.Originals()
		return err
	})
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, s.o.DropKey(ctx)
	}
	err = s.o.Store.PurgeOriginals(ctx)
	s.kept.forget()
	return n, err
}

// Feedback accepts a person's own feedback on a session.
func (s *Service) Feedback(ctx context.Context, from Sender, r wire.RuntimeFeedbackRequest) (Feedback, error) {
	c := s.cleaner()
	clean := func(all []string) []string {
		out := make([]string, len(all))
		for i, t := range all {
			out[i] = c.Text(t)
		}
		return out
	}
	f := Feedback{FeedbackID: s.o.NewID(), Origin: contract.Direct, SessionID: r.SessionID, Task: c.Text(r.Task), Status: r.Status,
		Score: r.Score, Comment: c.Text(r.Comment), SelectedSkillIDs: clean(r.SelectedSkillIDs), ReportedBy: User,
		MissingCapabilities: clean(r.MissingCapabilities), OccurredAt: s.o.Now(), SchemaVersion: contract.ArtifactSchema}
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		x, err := find(tx, r.SessionID)
		if err != nil {
			return err
		}
		e, err := evidence(tx, r.SessionID)
		if err != nil {
			return err
		}
		before := report.Session(e, f.OccurredAt)
		if f.Task == "" {
			f.Task = before.Task
		}
		if len(r.SelectedSkillIDs) == 0 {
			f.SelectedSkillIDs = before.SelectedSkills
		}
		if _, err := tx.AddFeedback(f); err != nil {
			return err
		}
		x.sum(report.SumOf(e).Feedback(f))
		x.LastSeenAt = f.OccurredAt
		if err := tx.PutSession(x); err != nil {
			return err
		}
		if err := tx.AddReceipt(journal.Receipt{Kind: journal.RuntimeReceived, Reason: User, CorrelationID: from.CorrelationID,
			Summary: "A person said how an agent's session went."}); err != nil {
			return err
		}
		return appendLine(tx, EventsPath, directLine{Record: "direct_feedback", Feedback: f})
	})
	if err != nil {
		return Feedback{}, err
	}
	f.SelectedSkillIDs, f.MissingCapabilities = slices.Clone(f.SelectedSkillIDs), slices.Clone(f.MissingCapabilities)
	s.tellSoon(ctx)
	return f, nil
}
