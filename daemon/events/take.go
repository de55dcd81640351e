package events

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/events/contract"
	"showhow/daemon/events/report"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Sender is who sends a message.
type Sender struct {
	Agents        []string // the names of the agent that calls, the nearest first; nil for a person
	CorrelationID string
}

// speaks returns the reporter under which the sender may send events of a source: an agent as itself, or as an
// installation of itself (openclaw as openclaw-local).
func (s Sender) speaks(source string) (reporter string, err error) {
	if s.Agents == nil {
		return User, nil
	}
	for _, a := range s.Agents {
		if source == "" || source == a || strings.HasPrefix(source, a+"-") {
			return a, nil
		}
	}
	return "", fault.New(fault.Forbidden, "an agent sends its own events only").
		WithHint("name yourself in source, or leave it out; a person can import what another runtime wrote")
}

// Take stores events that a runtime sends: an envelope, a list or a batch.
func (s *Service) Take(ctx context.Context, from Sender, original []byte) (wire.RuntimeEventsTaken, error) {
	d, err := contract.Parse(original, s.cleaner(), s.o.Now())
	if err != nil {
		return wire.RuntimeEventsTaken{}, err
	}
	if d.Shape == contract.OperatorSession || d.Shape == contract.HandoffBundle {
		return wire.RuntimeEventsTaken{}, fault.New(fault.InvalidRequest, "this is an operator's artifact, not an event").
			WithHint("a person imports it: `showhow events import`")
	}
	return s.keep(ctx, from, original, d, nil)
}

// Import stores what a person hands in, in any shape. An operator's artifact is written as reports, too.
func (s *Service) Import(ctx context.Context, from Sender, original []byte) (wire.RuntimeEventsTaken, error) {
	d, err := contract.Parse(original, s.cleaner(), s.o.Now())
	if err != nil {
		return wire.RuntimeEventsTaken{}, err
	}
	if d.Shape != contract.OperatorSession && d.Shape != contract.HandoffBundle {
		return s.keep(ctx, from, original, d, nil)
	}
	state, err := s.workbench(ctx)
	if err != nil {
		return wire.RuntimeEventsTaken{}, err
	}
	return s.keep(ctx, from, original, d, &state)
}

// keep stores a delivery in one transaction; with a state it also writes the reports of an operator's artifact.
func (s *Service) keep(ctx context.Context, from Sender, original []byte, d contract.Delivery,
	state *report.State) (wire.RuntimeEventsTaken, error) {
	s.sealing.RLock()
	defer s.sealing.RUnlock()
	id := s.o.NewID()
	sealed, err := s.seal(ctx, id, original)
	if err != nil {
		return wire.RuntimeEventsTaken{}, err
	}
	var out wire.RuntimeEventsTaken
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		k := keeper{s: s, tx: tx, from: from, d: d, now: s.o.Now(), out: wire.RuntimeEventsTaken{Shape: d.Shape, Received: len(d.Envelopes),
			SessionIDs: d.Sessions(), Events: []wire.RuntimeEventTaken{}, Written: []string{}, SchemaVersion: 1}, sums: map[string]report.Sum{}}
		if err := k.keep(Original{DeliveryID: id, ReceivedAt: k.now, Sealed: sealed}); err != nil {
			return err
		}
		if state != nil {
			if err := k.operatorReports(*state); err != nil {
				return err
			}
		}
		out = k.out
		return nil
	})
	if err != nil {
		return wire.RuntimeEventsTaken{}, err
	}
	if by, err := from.speaks(firstSource(d)); err == nil && out.Kept > 0 {
		s.kept.add(by, out.Kept, len(sealed))
	}
	s.tellSoon(ctx)
	return out, nil
}

func firstSource(d contract.Delivery) string {
	if len(d.Envelopes) == 0 {
		return ""
	}
	return d.Envelopes[0].Source
}

// keeper stores one delivery within a transaction.
type keeper struct {
	s    *Service
	tx   Tx
	from Sender
	d    contract.Delivery
	now  clock.Time
	out  wire.RuntimeEventsTaken
	room bool                  // for what this agent sends; looked at once
	sums map[string]report.Sum // of the sessions that the delivery touches
}

func (k *keeper) keep(o Original) error {
	for _, id := range k.out.SessionIDs {
		if err := k.sumUp(id); err != nil {
			return err
		}
	}
	for _, e := range k.d.Envelopes {
		if err := k.envelope(e, o); err != nil {
			return err
		}
	}
	if err := k.direct(); err != nil {
		return err
	}
	for _, id := range k.out.SessionIDs {
		if err := k.session(id); err != nil {
			return err
		}
	}
	if k.out.Kept == 0 {
		return nil
	}
	k.out.DeliveryID = o.DeliveryID
	by, err := k.reporter(k.d.Envelopes[0].Source)
	if err != nil {
		return err
	}
	summary := fmt.Sprintf("Events of an agent's runtime were kept: %d, of which %d are feedback.", k.out.Kept, k.out.Projected)
	if err := k.tx.AddReceipt(journal.Receipt{Kind: journal.RuntimeReceived, Reason: by, Summary: summary,
		CorrelationID: k.from.CorrelationID}); err != nil {
		return err
	}
	return k.tx.Emit(journal.Event{Kind: journal.RuntimeReceived, Payload: map[string]any{"delivery_id": o.DeliveryID, "reported_by": by,
		"kept": k.out.Kept, "projected": k.out.Projected}})
}

// reporter is the author of an event: a bundle names its reporters, because only a person imports one.
func (k *keeper) reporter(source string) (string, error) {
	if k.d.Bundle != nil {
		return k.d.Bundle.ReportedBy, nil
	}
	return k.from.speaks(source)
}

func (k *keeper) envelope(e contract.Envelope, o Original) error {
	by, err := k.reporter(e.Source)
	if err != nil {
		return err
	}
	ev := e.Event
	taken := wire.RuntimeEventTaken{EnvelopeID: e.EnvelopeID, EventID: ev.EventID, EventKind: ev.EventKind, SessionID: ev.SessionID}
	kept := Kept{Envelope: e, ReportedBy: by, ReceivedAt: k.now, DeliveryID: o.DeliveryID, Digest: contract.Digest(e)}
	old, known, err := k.tx.Known(e.EnvelopeID, ev.EventID)
	if err != nil {
		return err
	}
	if known {
		if old.Digest != kept.Digest || k.from.Agents != nil && old.ReportedBy != by {
			return fault.New(fault.EventConflict, "an event with this id was kept before and says something else").
				WithHint("give every event an id of its own, or leave ids out")
		}
		taken.Duplicate = true
		k.out.Duplicates++
		k.out.Events = append(k.out.Events, taken)
		return nil
	}
	if err := k.admit(by, ev.SessionID); err != nil {
		return err
	}
	if k.out.Kept == 0 {
		if err := k.tx.PutOriginal(o); err != nil {
			return err
		}
	}
	k.out.Kept++
	if err := k.routed(kept); err != nil {
		return err
	}
	if err := k.tx.AddEnvelope(kept); err != nil {
		return err
	}
	k.sums[ev.SessionID] = k.sums[ev.SessionID].Envelope(e)
	if err := k.line(EnvelopesPath, ledgerLine{e, by, k.now, o.DeliveryID}); err != nil {
		return err
	}
	if f, ok := k.project(e, by); ok {
		taken.FeedbackID = f.FeedbackID
		if err := k.feedback(f); err != nil {
			return err
		}
	}
	k.out.Events = append(k.out.Events, taken)
	return nil
}

// ledgerLine is an envelope in its ledger.
type ledgerLine struct {
	contract.Envelope
	ReportedBy string     `json:"reported_by"`
	ReceivedAt clock.Time `json:"received_at"`
	DeliveryID string     `json:"delivery_id"`
}

// admit lets an agent add only to its own sessions, within bounds.
func (k *keeper) admit(by, sessionID string) error {
	if k.from.Agents == nil {
		return nil
	}
	old, ok, err := k.tx.Session(sessionID)
	if err != nil {
		return err
	}
	if ok && old.ReportedBy != by && !k.own(old) {
		return fault.New(fault.Forbidden, "this session is another agent's").WithHint("give your sessions ids that nobody else has")
	}
	if k.room {
		return nil
	}
	n, bytes, err := k.s.kept.read(k.tx, by)
	if err != nil {
		return err
	}
	if n >= MaxPerReporter {
		return fault.Newf(fault.TooManyRequests, "an agent may keep %d events at most", MaxPerReporter).
			WithHint("a person can delete sessions: `showhow events delete`")
	}
	k.room = true
	if bytes >= MaxOriginals {
		return fault.Newf(fault.TooManyRequests, "originals of runtime events may take %d bytes at most", MaxOriginals).
			WithHint("a person can purge them: `showhow purge`")
	}
	return nil
}

// own reports whether a session that a person imported belongs to the agent, by its source.
func (k *keeper) own(x StoredSession) bool {
	if x.ReportedBy != User || x.Source == "" {
		return false
	}
	_, err := k.from.speaks(x.Source)
	return err == nil
}

// project makes the feedback of an envelope; a bundle brings its own, which was compared with the envelopes.
func (k *keeper) project(e contract.Envelope, by string) (Feedback, bool) {
	f, ok := contract.Project(e, by, k.now)
	if !ok || k.d.Bundle == nil {
		return f, ok
	}
	if i := slices.IndexFunc(k.d.Bundle.Feedback, func(x Feedback) bool { return x.FeedbackID == f.FeedbackID }); i >= 0 {
		return k.d.Bundle.Feedback[i], true
	}
	return f, true
}

func (k *keeper) feedback(f Feedback) error {
	added, err := k.tx.AddFeedback(f)
	if err != nil || !added {
		return err
	}
	k.out.Projected++
	k.sums[f.SessionID] = k.sums[f.SessionID].Feedback(f)
	return k.line(FeedbackPath, f)
}

// direct adopts a person's own feedback from a bundle.
func (k *keeper) direct() error {
	if k.d.Bundle == nil {
		return nil
	}
	for _, f := range k.d.Bundle.Feedback {
		if f.Origin != contract.Direct {
			continue
		}
		added, err := k.tx.AddFeedback(f)
		if err == nil && added {
			k.sums[f.SessionID] = k.sums[f.SessionID].Feedback(f)
			err = k.line(EventsPath, directLine{Record: "direct_feedback", Feedback: f})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// directLine is a person's feedback in the ledger of direct feedback.
type directLine struct {
	Record string `json:"record"`
	Feedback
}

// routedLine is a session's first appearance, in the same ledger.
type routedLine struct {
	Record           string     `json:"record"`
	SessionID        string     `json:"session_id"`
	Task             string     `json:"task"`
	Source           string     `json:"source"`
	SelectedSkillIDs []string   `json:"selected_skill_ids"`
	ReportedBy       string     `json:"reported_by"`
	OccurredAt       clock.Time `json:"occurred_at"`
}

// routed makes the record of a new session.
func (k *keeper) routed(first Kept) error {
	ev := first.Envelope.Event
	_, ok, err := k.tx.Session(ev.SessionID)
	if err != nil || ok {
		return err
	}
	err = k.tx.PutSession(StoredSession{RuntimeSession: wire.RuntimeSession{SessionID: ev.SessionID, Task: ev.Task, Stage: "reported",
		ReportedBy: first.ReportedBy, Source: first.Envelope.Source, FirstSeenAt: k.now, LastSeenAt: k.now, SchemaVersion: 1}})
	if err != nil {
		return err
	}
	return k.line(EventsPath, routedLine{"session_routed", ev.SessionID, ev.Task, first.Envelope.Source, ev.SelectedSkillIDs,
		first.ReportedBy, ev.OccurredAt})
}

// sumUp reads the sum of a session as it was before the delivery.
func (k *keeper) sumUp(id string) error {
	old, ok, err := k.tx.Session(id)
	if err != nil || !ok {
		return err
	}
	k.sums[id], err = sumOf(k.tx, old)
	return err
}

// sumOf is a session's sum; one that an earlier release wrote is read whole, once.
func sumOf(tx Tx, x StoredSession) (report.Sum, error) {
	if x.Sum != nil {
		return *x.Sum, nil
	}
	e, err := evidence(tx, x.SessionID)
	return report.SumOf(e), err
}

// session updates a session's record.
func (k *keeper) session(id string) error {
	if k.out.Kept == 0 && k.d.Artifact == nil {
		return nil
	}
	next, ok, err := k.tx.Session(id)
	if err != nil || !ok {
		return err
	}
	next.sum(k.sums[id])
	if k.d.Artifact != nil {
		next.Artifact = k.d.Artifact
	}
	if k.out.Kept > 0 {
		next.LastSeenAt = k.now
	}
	return k.tx.PutSession(next)
}

// sum takes over what a session has come to.
func (x *StoredSession) sum(s report.Sum) {
	x.Sum, x.Task, x.Stage, x.Envelopes = &s, s.Task, s.Stage(), s.Envelopes
	if s.Best != nil {
		score := s.Best.Score
		x.Status, x.Score = s.Best.Status, &score
	}
}

func (k *keeper) line(path string, v any) error { return appendLine(k.tx, path, v) }
