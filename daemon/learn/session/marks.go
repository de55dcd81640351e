package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/daemon/learn/boundary"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
)

// MarkGoal records the person's goal during a demonstration.
func (s *Service) MarkGoal(ctx context.Context, m state.Meta, id string, r wire.MarkGoalRequest) (state.Session, error) {
	if strings.TrimSpace(r.GoalDescription) == "" {
		return state.Session{}, state.Invalid("goal_description", "says what is to be achieved")
	}
	return s.markAt(ctx, m, id, r.AtEventID, state.Boundary{Kind: state.BoundaryGoal, Label: r.GoalDescription})
}

// MarkStep names the current step during a demonstration.
func (s *Service) MarkStep(ctx context.Context, m state.Meta, id string, r wire.MarkStepRequest) (state.Session, error) {
	if strings.TrimSpace(r.StepLabel) == "" {
		return state.Session{}, state.Invalid("step_label", "names the step")
	}
	r.StepKindHint = cmp.Or(r.StepKindHint, "action")
	return s.markAt(ctx, m, id, r.AtEventID, state.Boundary{Kind: state.BoundaryStep, Label: r.StepLabel, StepKindHint: r.StepKindHint})
}

func (s *Service) markAt(ctx context.Context, m state.Meta, id, eventID string, b state.Boundary) (state.Session, error) {
	if err := state.UserOnly(m); err != nil {
		return state.Session{}, err
	}
	if eventID != "" {
		r, err := s.event(ctx, id, eventID, "at_event_id")
		if err != nil {
			return state.Session{}, err
		}
		b = boundary.At(b, r)
	}
	return s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		if sess.State != state.Capturing && sess.State != state.Paused {
			return state.NotAllowedWhile(sess.State, "nothing can be marked")
		}
		b, err := set.Mark(sess, b)
		if err != nil {
			return err
		}
		if sess.Goal == "" && b.Kind == state.BoundaryGoal {
			sess.Goal = b.Label
		}
		return set.Record(journal.BoundaryMarked, sess, "", map[string]any{"boundary_id": b.BoundaryID, "kind": string(b.Kind)})
	})
}

// event reads the observation that a request names.
func (s *Service) event(ctx context.Context, id, eventID, field string) (capture.Record, error) {
	r, ok, err := s.d.Observations.Get(ctx, id, eventID)
	if err == nil && !ok {
		if _, err = s.d.Changes.Peek(ctx, id); err == nil {
			err = state.Invalid(field, "is no observation of this session")
		}
	}
	return r, err
}

var trimStates = []state.State{state.Capturing, state.Paused, state.Stopped, state.Reviewing, state.AwaitingQuestions}

// Trim moves the beginning or the end of the demonstration to an observation, which stays inside. It deletes nothing.
func (s *Service) Trim(ctx context.Context, m state.Meta, id string, r wire.TrimRequest) (state.Session, error) {
	if err := state.UserOnly(m); err != nil {
		return state.Session{}, err
	}
	rec, err := s.event(ctx, id, r.ToEventID, "to_event_id")
	if err != nil {
		return state.Session{}, err
	}
	return s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		if !slices.Contains(trimStates, sess.State) {
			return state.NotAllowedWhile(sess.State, "the demonstration cannot be trimmed")
		}
		if r.TrimKind == string(state.BoundaryTrimEnd) && sess.State == state.Capturing {
			return state.NotAllowedWhile(sess.State, "the end cannot be trimmed")
		}
		bounds, err := set.Boundaries(id)
		if err != nil {
			return err
		}
		start, end := boundary.Span(bounds)
		b := boundary.At(state.Boundary{Kind: state.BoundaryKind(r.TrimKind)}, rec)
		if b.Kind == state.BoundaryTrimStart && end != "" && b.EventAt > end || b.Kind == state.BoundaryTrimEnd && b.EventAt < start {
			return state.Invalid("to_event_id", "would leave nothing between start and end")
		}
		if b, err = set.Mark(sess, b); err != nil {
			return err
		}
		if b.Kind == state.BoundaryTrimStart {
			sess.StartBoundaryRef = b.BoundaryID
		} else {
			sess.StopBoundaryRef = b.BoundaryID
		}
		return set.Record(journal.BoundaryMarked, sess, "", map[string]any{"boundary_id": b.BoundaryID, "kind": string(b.Kind)})
	})
}
