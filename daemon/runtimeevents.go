package daemon

import (
	"context"
	"fmt"

	"showhow/daemon/ability"
	"showhow/daemon/events"
	"showhow/daemon/events/report"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/store"
)

func eventOptions(d *Daemon) events.Options {
	return events.Options{
		Store: store.RuntimeEvents(d.store), Key: func(ctx context.Context) ([]byte, error) { return d.keys.Key(ctx, events.KeyTarget) },
		DropKey: func(ctx context.Context) error { return d.keys.Destroy(ctx, events.KeyTarget) },
		Redact:  d.redactor.Text, Secret: d.redactor.Secret, Workbench: workbench{d}, Signals: feedbackJournal{d},
		Now: d.now, NewID: clock.NewID, Log: d.log,
	}
}

// workbench is what reports on runtime events join feedback with.
type workbench struct{ d *Daemon }

// Drafts are the proposals that a person has not decided on.
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

// feedbackJournal notes what feedback says of installed abilities, a receipt and an event each. Feedback on what is not installed is in
// the reports alone.
type feedbackJournal struct{ d *Daemon }

func (j feedbackJournal) Take(ctx context.Context, signals []events.Signal) error {
	return store.RuntimeEvents(j.d.store).Update(ctx, func(tx events.Tx) error {
		for _, g := range signals {
			if g.AbilityID == "" {
				continue
			}
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
