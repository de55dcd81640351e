package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"showhow/daemon/ability"
	"showhow/daemon/capability/health"
	"showhow/daemon/events"
	"showhow/daemon/events/report"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

func eventOptions(d *Daemon) events.Options {
	return events.Options{
		Store: store.RuntimeEvents(d.store), Key: func(ctx context.Context) ([]byte, error) { return d.keys.Key(ctx, events.KeyTarget) },
		DropKey: func(ctx context.Context) error { return d.keys.Destroy(ctx, events.KeyTarget) },
		Redact:  d.redactor.Text, Secret: d.redactor.Secret, Workbench: workbench{d}, Signals: heardFeedback{d},
		Now: d.now, NewID: clock.NewID, Log: d.log,
	}
}

// workbench gives the reports on runtime events the drafts and abilities that feedback is joined with.
type workbench struct{ d *Daemon }

// Drafts returns the proposals that a person has not decided on.
func (w workbench) Drafts(ctx context.Context) ([]report.Draft, error) {
	var out []report.Draft
	seen := 0
	for page := 1; ; page++ {
		l, err := w.d.learn.Proposals(ctx, wire.ProposalFilter{PageQuery: wire.PageQuery{Page: page, PageSize: 100}})
		if err != nil {
			return nil, err
		}
		for _, p := range l.Proposals {
			switch p.ProposalState {
			case "draft", "awaiting_questions", "testing", "ready_for_review":
				if p.ArchivedAt == nil && p.PutAsideUntil == nil {
					out = append(out, p)
				}
			}
		}
		if seen += len(l.Proposals); len(l.Proposals) == 0 || seen >= l.Total {
			return out, nil
		}
	}
}

func (w workbench) Abilities(ctx context.Context) ([]ability.AvailabilityEntry, error) {
	s, err := w.d.abilities.Availability(ctx)
	return s.Abilities, err
}

// heardFeedback counts feedback on installed abilities as one more source of their health, with a receipt and an event
// for each. Feedback on anything else is in the reports only.
type heardFeedback struct{ d *Daemon }

func (h heardFeedback) Take(ctx context.Context, signals []events.Signal) error {
	var counted []events.Signal
	for _, g := range signals {
		if g.AbilityID == "" {
			continue
		}
		is, err := h.count(ctx, g)
		if err != nil {
			return err
		}
		if is {
			counted = append(counted, g)
		}
	}
	if len(counted) == 0 {
		return nil
	}
	return store.RuntimeEvents(h.d.store).Update(ctx, func(tx events.Tx) error {
		for _, g := range counted {
			err := tx.AddReceipt(journal.Receipt{Kind: journal.FeedbackSignal, AbilityID: g.AbilityID, Reason: g.ReportedBy,
				Summary: fmt.Sprintf("A session that used it was reported: %s, score %.2f.", g.Status, g.Score)})
			if err != nil {
				return err
			}
			err = tx.Emit(journal.Event{Kind: journal.FeedbackSignal, Payload: map[string]any{"ability_id": g.AbilityID, "status": g.Status,
				"score": g.Score, "feedback_id": g.FeedbackID, "reported_by": g.ReportedBy}})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// count adds a signal to its ability's health, once: a signal may be delivered again.
func (h heardFeedback) count(ctx context.Context, g events.Signal) (bool, error) {
	o := feedbackOutcome(g, h.d.now())
	_, latest, err := h.d.abilities.Health(ctx, g.AbilityID)
	if err == nil && !slices.ContainsFunc(latest, func(x health.Outcome) bool { return x.OutcomeID == o.OutcomeID }) {
		if h.d.now().Sub(o.At.Time) <= health.Window { // older feedback says nothing about its current health
			_, err = h.d.abilities.Report(ctx, g.AbilityID, "", nil, o)
		}
	}
	if fault.Is(err, fault.AbilityNotFound) { // it was removed meanwhile
		return false, nil
	}
	return err == nil, err
}

// feedbackOutcome is the health outcome of a session's feedback on a skill that it used. It names no step, and leads
// back to the feedback, which leads to its envelope. It is dated by the session, or now when the session claims a date in
// the future. Only a person's own word is more than a claim; what a person imports was written by a runtime.
func feedbackOutcome(g events.Signal, now clock.Time) health.Outcome {
	sum := sha256.Sum256([]byte(g.SessionID + " " + g.AbilityID + " " + g.Status)) // a session gives one verdict on a skill
	o := health.Outcome{OutcomeID: "event:" + hex.EncodeToString(sum[:16]), Source: health.Event, Result: health.Inconclusive,
		At: g.OccurredAt, By: g.ReportedBy, TraceID: g.FeedbackID, Claimed: !g.Direct}
	if o.Claimed && o.By == events.User {
		o.By = "import"
	}
	if o.At.After(now.Time) {
		o.At = now
	}
	switch g.Status {
	case "success":
		o.Result = health.Passed
	case "failure":
		o.Result, o.Code = health.Failed, "session_failed"
	}
	return o
}
