package learn

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// byOccurrence orders records by when they happened; arrival breaks ties (decisions A12).
func byOccurrence(records []capture.Record) {
	slices.SortStableFunc(records, func(a, b capture.Record) int {
		if c := strings.Compare(occurred(a), occurred(b)); c != 0 {
			return c
		}
		return cmp.Compare(a.Seq, b.Seq)
	})
}

// occurred is when a record happened, as text that sorts.
func occurred(r capture.Record) string {
	if r.Action.OccurredAt != "" {
		return r.Action.OccurredAt
	}
	return r.Event.CreatedAt.String()
}

// meaningful reports whether an observation can begin or end a demonstration (decisions A11).
func meaningful(r capture.Record) bool {
	return r.Event.CausedStateChange || r.Action.Verb != capture.SwitchTab && r.Action.Verb != capture.CloseTab
}

// infer marks the first and the last meaningful observation as start and stop of the demonstration, and the person's own stop.
func (u *unit) infer(sess *Session, records []capture.Record) error {
	stop, err := u.mark(sess, Boundary{Kind: BoundaryStop})
	if err != nil {
		return err
	}
	sess.StopBoundaryRef = stop.BoundaryID
	first := slices.IndexFunc(records, func(r capture.Record) bool { return meaningful(r) && r.Action.Verb != capture.FileChange })
	if first < 0 {
		return nil
	}
	last := first
	for i, r := range records {
		if meaningful(r) {
			last = i
		}
	}
	start, err := u.mark(sess, at(Boundary{Kind: BoundaryStart, Source: SourceInferred}, records[first]))
	if err != nil {
		return err
	}
	end, err := u.mark(sess, at(Boundary{Kind: BoundaryStop, Source: SourceInferred}, records[last]))
	sess.StartBoundaryRef, sess.StopBoundaryRef = start.BoundaryID, end.BoundaryID
	return err
}

// at places a boundary on an observation.
func at(b Boundary, r capture.Record) Boundary {
	b.SourceEventID, b.EventAt = r.Event.EventID, occurred(r)
	return b
}

// MarkGoal records what the person is after, while demonstrating.
func (s *Service) MarkGoal(ctx context.Context, m Meta, id string, r MarkGoalRequest) (Session, error) {
	if strings.TrimSpace(r.GoalDescription) == "" {
		return Session{}, invalid("goal_description", "says what is to be achieved")
	}
	return s.markAt(ctx, m, id, r.AtEventID, Boundary{Kind: BoundaryGoal, Label: r.GoalDescription})
}

// MarkStep names what the person is doing, while demonstrating.
func (s *Service) MarkStep(ctx context.Context, m Meta, id string, r MarkStepRequest) (Session, error) {
	if strings.TrimSpace(r.StepLabel) == "" {
		return Session{}, invalid("step_label", "names the step")
	}
	setDefault(&r.StepKindHint, "action")
	return s.markAt(ctx, m, id, r.AtEventID, Boundary{Kind: BoundaryStep, Label: r.StepLabel, StepKindHint: r.StepKindHint})
}

func (s *Service) markAt(ctx context.Context, m Meta, id, eventID string, b Boundary) (Session, error) {
	if err := userOnly(m); err != nil {
		return Session{}, err
	}
	if eventID != "" {
		r, err := s.event(ctx, id, eventID, "at_event_id")
		if err != nil {
			return Session{}, err
		}
		b = at(b, r)
	}
	return s.change(ctx, m, id, func(u *unit, sess *Session) error {
		if sess.State != Capturing && sess.State != Paused {
			return notWhile(sess.State, "nothing can be marked")
		}
		b, err := u.mark(sess, b)
		if err != nil {
			return err
		}
		if sess.Goal == "" && b.Kind == BoundaryGoal {
			sess.Goal = b.Label
		}
		return u.tell(journal.BoundaryMarked, sess, "", map[string]any{"boundary_id": b.BoundaryID, "kind": string(b.Kind)})
	})
}

// event finds an observation of the session that a request names.
func (s *Service) event(ctx context.Context, id, eventID, field string) (capture.Record, error) {
	r, ok, err := s.d.Observations.Get(ctx, id, eventID)
	if err == nil && !ok {
		if _, err = s.peek(ctx, id); err == nil {
			err = invalid(field, "is no observation of this session")
		}
	}
	return r, err
}

var trimStates = []State{Capturing, Paused, Stopped, Reviewing, AwaitingQuestions}

// Trim moves the beginning or the end of the demonstration to an observation, which stays inside. Nothing is deleted.
func (s *Service) Trim(ctx context.Context, m Meta, id string, r TrimRequest) (Session, error) {
	if err := userOnly(m); err != nil {
		return Session{}, err
	}
	rec, err := s.event(ctx, id, r.ToEventID, "to_event_id")
	if err != nil {
		return Session{}, err
	}
	return s.change(ctx, m, id, func(u *unit, sess *Session) error {
		if !slices.Contains(trimStates, sess.State) {
			return notWhile(sess.State, "the demonstration cannot be trimmed")
		}
		if r.TrimKind == string(BoundaryTrimEnd) && sess.State == Capturing {
			return notWhile(sess.State, "the end cannot be trimmed")
		}
		bounds, err := u.Boundaries(id)
		if err != nil {
			return err
		}
		start, end := span(bounds)
		b := at(Boundary{Kind: BoundaryKind(r.TrimKind)}, rec)
		if b.Kind == BoundaryTrimStart && end != "" && b.EventAt > end || b.Kind == BoundaryTrimEnd && b.EventAt < start {
			return invalid("to_event_id", "would leave nothing between start and end")
		}
		if b, err = u.mark(sess, b); err != nil {
			return err
		}
		if b.Kind == BoundaryTrimStart {
			sess.StartBoundaryRef = b.BoundaryID
		} else {
			sess.StopBoundaryRef = b.BoundaryID
		}
		return u.tell(journal.BoundaryMarked, sess, "", map[string]any{"boundary_id": b.BoundaryID, "kind": string(b.Kind)})
	})
}

// span is from when to when the demonstration lasts; "" means open. A trim counts more than what was inferred.
func span(bounds []Boundary) (start, end string) {
	for _, b := range bounds {
		if b.EventAt == "" {
			continue
		}
		switch b.Kind {
		case BoundaryStart, BoundaryTrimStart:
			start = b.EventAt
		case BoundaryStop, BoundaryTrimEnd:
			end = b.EventAt
		}
	}
	// What was trimmed while capturing precedes what stopping infers, but counts more.
	for _, b := range bounds {
		switch {
		case b.Kind == BoundaryTrimStart:
			start = b.EventAt
		case b.Kind == BoundaryTrimEnd:
			end = b.EventAt
		}
	}
	return start, end
}

// within cuts records, in order of occurrence, to the demonstration.
func within(records []capture.Record, bounds []Boundary) []capture.Record {
	start, end := span(bounds)
	return slices.DeleteFunc(slices.Clone(records), func(r capture.Record) bool {
		t := occurred(r)
		return t < start || end != "" && t > end
	})
}

// marks are the boundaries of one kind as the compiler takes them.
func marks(bounds []Boundary, kind BoundaryKind) []compile.Mark {
	var out []compile.Mark
	for _, b := range bounds {
		if b.Kind == kind {
			out = append(out, compile.Mark{Label: b.Label, Kind: b.StepKindHint, EventID: b.SourceEventID, At: markTime(b)})
		}
	}
	return out
}

func markTime(b Boundary) clock.Time {
	if t, err := clock.Parse(b.EventAt); err == nil {
		return t
	}
	return b.CreatedAt
}

// Boundaries lists every boundary of a session, in order.
func (s *Service) Boundaries(ctx context.Context, id string) (BoundaryList, error) {
	out := BoundaryList{Boundaries: []Boundary{}, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx Tx) error {
		if _, ok, err := tx.Session(id); err != nil || !ok {
			return errorsFirst(err, sessionNotFound())
		}
		var err error
		out.Boundaries, err = tx.Boundaries(id)
		return err
	})
	return out, err
}
