// Package boundary finds where a demonstration begins and ends: it orders observations by when they happened, infers
// start and stop where a person marked none, and cuts a trace to the part between (decisions A11, A12).
//
// Guarantees: a person's trim overrides what was inferred. A boundary deletes nothing.
//
// The packages of learning may import it. Its functions are pure except Infer, which marks in a change.Set.
package boundary

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
)

// ByOccurrence sorts records by when they happened, then by arrival (decisions A12).
func ByOccurrence(records []capture.Record) {
	slices.SortStableFunc(records, func(a, b capture.Record) int {
		if c := strings.Compare(occurred(a), occurred(b)); c != 0 {
			return c
		}
		return cmp.Compare(a.Seq, b.Seq)
	})
}

// occurred is when a record happened, as sortable text.
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

// Infer marks the first and last meaningful observation as start and stop of the demonstration, after the person's own
// stop.
func Infer(set *change.Set, sess *state.Session, records []capture.Record) error {
	stop, err := set.Mark(sess, state.Boundary{Kind: state.BoundaryStop})
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
	start, err := set.Mark(sess, At(state.Boundary{Kind: state.BoundaryStart, Source: state.SourceInferred}, records[first]))
	if err != nil {
		return err
	}
	end, err := set.Mark(sess, At(state.Boundary{Kind: state.BoundaryStop, Source: state.SourceInferred}, records[last]))
	sess.StartBoundaryRef, sess.StopBoundaryRef = start.BoundaryID, end.BoundaryID
	return err
}

// At places a boundary on an observation.
func At(b state.Boundary, r capture.Record) state.Boundary {
	b.SourceEventID, b.EventAt = r.Event.EventID, occurred(r)
	return b
}

// Span returns where the demonstration starts and ends; "" means open. A trim overrides what was inferred.
func Span(bounds []state.Boundary) (start, end string) {
	for _, b := range bounds {
		if b.EventAt == "" {
			continue
		}
		switch b.Kind {
		case state.BoundaryStart, state.BoundaryTrimStart:
			start = b.EventAt
		case state.BoundaryStop, state.BoundaryTrimEnd:
			end = b.EventAt
		}
	}
	// A trim made while capturing precedes what stopping infers, but overrides it.
	for _, b := range bounds {
		switch {
		case b.Kind == state.BoundaryTrimStart:
			start = b.EventAt
		case b.Kind == state.BoundaryTrimEnd:
			end = b.EventAt
		}
	}
	return start, end
}

// Within keeps the records of the demonstration, in order of occurrence.
func Within(records []capture.Record, bounds []state.Boundary) []capture.Record {
	start, end := Span(bounds)
	return slices.DeleteFunc(slices.Clone(records), func(r capture.Record) bool {
		t := occurred(r)
		return t < start || end != "" && t > end
	})
}

// Marks converts the boundaries of one kind for the compiler.
func Marks(bounds []state.Boundary, kind state.BoundaryKind) []compile.Mark {
	var out []compile.Mark
	for _, b := range bounds {
		if b.Kind == kind {
			out = append(out, compile.Mark{Label: b.Label, Kind: b.StepKindHint, EventID: b.SourceEventID, At: markTime(b)})
		}
	}
	return out
}

func markTime(b state.Boundary) clock.Time {
	if t, err := clock.Parse(b.EventAt); err == nil {
		return t
	}
	return b.CreatedAt
}
