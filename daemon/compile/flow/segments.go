package flow

import (
	"slices"
)

// Segment is a part of the work that ends in a recognisable state: a page is open, a form is saved, a file exists.
type Segment struct {
	Title   string // the person's own name for it, if any
	Steps   []*Step
	Outcome *Step // the step whose effect ends it; nil when nothing was observed
}

// CutSegments cuts the steps where the state of the world changed, and where the person marked a step.
func CutSegments(steps []*Step) []*Segment {
	var out []*Segment
	var cur *Segment
	for _, st := range steps {
		if cur != nil && cur.Outcome == nil && (cur.Title != st.Section || cur.Steps[0].Loop != st.Loop || cur.Steps[0].Surface != st.Surface) {
			cur = nil // an unfinished part does not extend across a mark, into a loop or into another program
		}
		if cur == nil || cur.Outcome != nil {
			cur = &Segment{Title: st.Section}
			out = append(out, cur)
		}
		cur.Steps = append(cur.Steps, st)
		if changes(st) {
			cur.Outcome = st
		}
	}
	if cur != nil && !slices.ContainsFunc(steps, func(st *Step) bool { return st.Act.MIDI == nil }) {
		cur.Outcome = cur.Steps[len(cur.Steps)-1] // only playing: only a person can judge the result
	}
	return out
}
