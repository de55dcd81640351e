package events

import (
	"context"

	"showhow/daemon/events/report"
	"showhow/internal/fault"
)

// toldAtOnce bounds the signals of one call.
const toldAtOnce = 200

// tellSoon delivers new signals. Those that fail are delivered with the next feedback, or after the next start.
func (s *Service) tellSoon(ctx context.Context) {
	if err := s.tell(context.WithoutCancel(ctx)); err != nil {
		s.o.Log.Warn("feedback could not be handed on yet", "code", string(fault.CodeOf(err)))
	}
}

func (s *Service) tell(ctx context.Context) error {
	s.telling.Lock()
	defer s.telling.Unlock()
	for {
		var some []Feedback
		err := s.o.Store.View(ctx, func(tx Tx) (err error) {
			some, err = tx.Untold(toldAtOnce)
			return err
		})
		if err != nil || len(some) == 0 {
			return err
		}
		abilities, err := s.o.Workbench.Abilities(ctx)
		if err != nil {
			return err
		}
		var signals []Signal
		ids := make([]string, len(some))
		for i, f := range some {
			ids[i] = f.FeedbackID
			for _, skill := range f.SelectedSkillIDs {
				g := Signal{FeedbackID: f.FeedbackID, SessionID: f.SessionID, SkillID: skill, Status: f.Status, Score: f.Score,
					OccurredAt: f.OccurredAt, ReportedBy: f.ReportedBy, Direct: f.Origin == "direct"}
				if a, ok := report.Resolve(skill, abilities); ok {
					g.AbilityID = a.AbilityID
				}
				signals = append(signals, g)
			}
		}
		if len(signals) > 0 {
			if err := s.o.Signals.Take(ctx, signals); err != nil {
				return err
			}
		}
		if err := s.o.Store.Update(ctx, func(tx Tx) error { return tx.Told(ids) }); err != nil {
			return err
		}
	}
}
