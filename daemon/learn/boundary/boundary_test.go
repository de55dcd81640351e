package boundary

import (
	"slices"
	"testing"

	"showhow/capture"
	"showhow/daemon/learn/state"
)

// at is an observation that arrived as number seq and happened in the given second.
func at(seq int64, second string) capture.Record {
	var r capture.Record
	r.Seq, r.Action.OccurredAt = seq, "2026-11-21T09:00:"+second+".000Z"
	return r
}

func seqs(records []capture.Record) (out []int64) {
	for _, r := range records {
		out = append(out, r.Seq)
	}
	return out
}

func TestByOccurrence(t *testing.T) {
	list := []capture.Record{at(4, "07"), at(3, "05"), at(1, "07"), at(2, "01")}
	ByOccurrence(list)
	if got := seqs(list); !slices.Equal(got, []int64{2, 3, 1, 4}) {
		t.Errorf("got %v", got)
	}
}

func mark(kind state.BoundaryKind, second string) state.Boundary {
	return At(state.Boundary{Kind: kind}, at(0, second))
}

// A trim counts more than what stopping infers, even when the trim came first; what it names stays inside.
func TestWithin(t *testing.T) {
	all := []capture.Record{at(1, "01"), at(2, "02"), at(3, "03"), at(4, "04"), at(5, "05")}
	for name, c := range map[string]struct {
		bounds []state.Boundary
		want   []int64
	}{
		"no boundary": {nil, []int64{1, 2, 3, 4, 5}},
		"the person's own stop has no place among observations": {[]state.Boundary{{Kind: state.BoundaryStop}}, []int64{1, 2, 3, 4, 5}},
		"inferred": {[]state.Boundary{mark(state.BoundaryStart, "02"), mark(state.BoundaryStop, "04")}, []int64{2, 3, 4}},
		"trimmed before stopping": {[]state.Boundary{mark(state.BoundaryTrimStart, "03"), mark(state.BoundaryStart, "02"),
			mark(state.BoundaryStop, "05")}, []int64{3, 4, 5}},
		"trimmed twice": {[]state.Boundary{mark(state.BoundaryStart, "01"), mark(state.BoundaryStop, "05"), mark(state.BoundaryTrimEnd, "02"),
			mark(state.BoundaryTrimEnd, "04")}, []int64{1, 2, 3, 4}},
	} {
		if got := seqs(Within(all, c.bounds)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if len(all) != 5 {
		t.Error("the trace itself was cut")
	}
}

func TestMarks(t *testing.T) {
	step := mark(state.BoundaryStep, "02")
	step.Label, step.StepKindHint = "open it", "action"
	got := Marks([]state.Boundary{mark(state.BoundaryStart, "01"), step}, state.BoundaryStep)
	if len(got) != 1 || got[0].Label != "open it" || got[0].Kind != "action" || got[0].At.String() == "" {
		t.Errorf("%+v", got)
	}
}
