package compile

import (
	"fmt"
	"slices"
)

const (
	generalises  = "generalises"
	needsExample = "needs_example"
	cannot       = "cannot"
)

// judge says whether the demonstration is good enough, before anybody reads the skill: generalises, needs another example,
// or cannot become a skill, with the step and the reason.
func judge(d *draft) Verdict {
	if len(d.steps) == 0 {
		return Verdict{Result: cannot, Reason: "Nothing was done that a skill could be made of."}
	}
	if !slices.ContainsFunc(d.segs, func(s *segment) bool { return s.outcome != nil }) || len(d.cps) == 0 {
		last := d.steps[len(d.steps)-1]
		return Verdict{Result: cannot, StepID: last.StepID, Reason: "No change of state was observed, so nothing can tell success from failure. Show the work up to its visible result."}
	}
	if v := d.unfinished(); v.Result != "" {
		return v
	}
	for _, st := range d.steps {
		if st.Optional && st.Condition == "" {
			return Verdict{Result: needsExample, StepID: st.StepID, Reason: cut(fmt.Sprintf("Only some demonstrations did this, and it was not seen why: %s.", lowerFirst(st.Title)), 240)}
		}
		if st.act.surface == onBrowser && dataLike(st.act) && d.names.prose(st.value) == "..." {
			return Verdict{Result: needsExample, StepID: st.StepID, Reason: "It is not clear how the entry that was opened is chosen. Show it once more with another one."}
		}
	}
	if n := d.openValues(); n > maxQuestions && len(d.in.Traces) == 1 {
		return Verdict{Result: needsExample, Reason: fmt.Sprintf("%d values were given and one example cannot tell which of them vary. A second example with other values would.", n)}
	}
	return Verdict{Result: generalises, Reason: d.generalReason()}
}

// unfinished finds a form that was sent, or filled in at the very end, without anything to be seen of it.
func (d *draft) unfinished() Verdict {
	for i, seg := range d.segs {
		out := seg.outcome
		if out == nil && i == len(d.segs)-1 && slices.ContainsFunc(seg.steps, func(s *step) bool { return s.act.fills() }) {
			last := seg.steps[len(seg.steps)-1]
			return Verdict{Result: needsExample, StepID: last.StepID, Reason: fmt.Sprintf("No state change was observed after step %s: the form was filled in but its result was not seen.", last.StepID[1:])}
		}
		if out != nil && effective(out) && out.act.surface == onBrowser && out.act.file == nil && !d.proven(seg) {
			return Verdict{Result: needsExample, StepID: out.StepID, Reason: fmt.Sprintf("No state change was observed after step %s, so it cannot be told whether it worked.", out.StepID[1:])}
		}
	}
	return Verdict{}
}

func (d *draft) proven(seg *segment) bool {
	return slices.ContainsFunc(d.cps, func(c *candidate) bool { return c.seg == seg }) || !d.lastEffect(seg)
}

func (d *draft) lastEffect(seg *segment) bool {
	i := slices.Index(d.segs, seg)
	return !slices.ContainsFunc(d.segs[i+1:], func(s *segment) bool { return s.outcome != nil && effective(s.outcome) })
}

func (d *draft) openValues() int {
	n := 0
	for _, p := range d.study.params {
		if p.Role == roleUndecided && p.Derived == "" {
			n++
		}
	}
	return n
}

func (d *draft) generalReason() string {
	if n := d.openValues(); n == 1 {
		return "One value is still to be decided: input or constant."
	} else if n > 1 {
		return fmt.Sprintf("%d values are still to be decided: input or constant.", n)
	}
	return ""
}
