package health

import "slices"

// Glimpse is a control that a look looked for without doing what leads to it, and whether it was there.
type Glimpse struct {
	Step  string
	There bool
}

// OutOfSight is the code of a doubt: a look no longer sees what earlier looks glimpsed. The page may be in another state by now,
// so that is no failure: agents are told that the ability may fail, and it is neither degraded nor quarantined by it.
const OutOfSight = "out_of_sight"

// Doubt reports whether nothing failed yet: something was not seen any more.
func (f Failing) Doubt() bool { return f.Code == OutOfSight }

// glimpse takes over what a look could see without doing what leads to it. Only what looks have seen so can be missed.
func (s *State) glimpse(o Outcome) {
	if !o.Source.Seen() {
		return
	}
	for _, g := range o.Glimpsed {
		at := slices.IndexFunc(s.Failing, func(f Failing) bool { return f.Step == g.Step && f.Doubt() })
		known := slices.Contains(s.Glimpsed, g.Step)
		switch {
		case g.There && at >= 0:
			s.forget(func(f Failing) bool { return f.Step == g.Step && f.Doubt() })
		case g.There && !known:
			s.Glimpsed = append(slices.Clone(s.Glimpsed[max(0, len(s.Glimpsed)-stepsKept+1):]), g.Step)
		case !g.There && known:
			s.FailedAt = o.At.Ptr()
			if at < 0 {
				s.Failing = append(s.Failing[max(0, len(s.Failing)-stepsKept+1):], Failing{Step: g.Step, Code: OutOfSight, Seen: true})
				at = len(s.Failing) - 1
				s.reached(g.Step, false).InRow = 0 // reports from before the doubt say nothing of it
			}
			s.Failing[at].At = remember(s.Failing[at].At, o.At)
		}
	}
}
