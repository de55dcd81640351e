package compile

import (
	"fmt"
	"slices"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// judge says whether the demonstration is good enough, before anybody reads the skill: generalises, needs another example,
// or cannot become a skill, with the step and the reason.
func judge(d *draft) workflow.Verdict {
	if len(d.steps) == 0 {
		return workflow.Verdict{Result: workflow.Cannot, Reason: "Nothing was done that a skill could be made of."}
	}
	if len(d.cps) == 0 {
		last := d.steps[len(d.steps)-1]
		return workflow.Verdict{Result: workflow.Cannot, StepID: last.StepID, Reason: "No change of state was observed, so nothing can tell success from failure. Show the work up to its visible result, or say what the page shows then."}
	}
	if v := d.unfinished(); v.Result != "" {
		return v
	}
	for _, st := range d.steps {
		if st.Optional && st.Condition == "" {
			return workflow.Verdict{Result: workflow.NeedsExample, StepID: st.StepID, Reason: cut(fmt.Sprintf("Only some demonstrations did this, and it was not seen why: %s.", plain.LowerFirst(st.Title)), 240)}
		}
		if nameless(st.act) {
			return workflow.Verdict{Result: workflow.Cannot, StepID: st.StepID, Reason: "What was used in this step has neither a name nor a text nor a role, so nobody could find it again. Show the work with controls that have a name, or by the keyboard."}
		}
		if st.act.surface == workflow.OnBrowser && dataLike(st.act) && d.names.prose(st.value) == "..." {
			return workflow.Verdict{Result: workflow.NeedsExample, StepID: st.StepID, Reason: "It is not clear how the entry that was opened is chosen. Show it once more with another one."}
		}
	}
	if n := d.openValues(); n > maxQuestions && len(d.in.Traces) == 1 {
		return workflow.Verdict{Result: workflow.NeedsExample, Reason: fmt.Sprintf("%d values were given and one example cannot tell which of them vary. A second example with other values would.", n)}
	}
	return workflow.Verdict{Result: workflow.Generalises, Reason: d.generalReason()}
}

// nameless reports whether nothing tells what an act on a page was done to.
func nameless(a *act) bool {
	if a.surface != workflow.OnBrowser || !starts(a.verb) && a.verb != capture.RightClick && a.verb != capture.Drag {
		return false
	}
	t := a.target
	return t == nil || targetName(t) == "" && (t.Role == "" || t.Role == "generic" || t.Role == "presentation") && t.Landmark == nil && len(t.Locators) == 0
}

// unfinished says that a form was sent, or filled in at the very end, without anything to be seen of it.
func (d *draft) unfinished() workflow.Verdict {
	st := d.unseen()
	if st == nil {
		return workflow.Verdict{}
	}
	reason := "so it cannot be told whether it worked"
	if st.act.fills() {
		reason = "which only filled in the form"
	}
	return workflow.Verdict{Result: workflow.NeedsExample, StepID: st.StepID, Reason: fmt.Sprintf("No state change was observed after step %s, %s. Say what the page shows then, or show it once more.", st.StepID[1:], reason)}
}

// unseen is the step of which nothing tells whether it worked, nil when there is none.
func (d *draft) unseen() *step {
	for i, seg := range d.segs {
		out := seg.outcome
		if out == nil && i == len(d.segs)-1 && slices.ContainsFunc(seg.steps, func(s *step) bool { return s.act.fills() }) && !d.checked(seg.steps...) {
			return seg.steps[len(seg.steps)-1]
		}
		if out != nil && effective(out) && out.act.surface == workflow.OnBrowser && out.act.file == nil && !d.proven(seg) {
			return out
		}
	}
	if n := len(d.steps) - 1; n >= 0 && d.unwatched(d.steps[n]) {
		return d.steps[n]
	}
	return nil
}

// unwatched reports whether a step is one of a recording made elsewhere, which says that it was done and nothing of what came of it.
func (d *draft) unwatched(st *step) bool {
	a := st.act
	return a.surface == workflow.OnBrowser && !a.watched() && !a.moved && a.file == nil && !d.checked(st)
}

// checked reports whether one of the steps has a checkpoint.
func (d *draft) checked(steps ...*step) bool {
	return slices.ContainsFunc(d.cps, func(c *candidate) bool {
		return slices.ContainsFunc(steps, func(s *step) bool { return s.StepID == c.StepID })
	})
}

func (d *draft) proven(seg *segment) bool {
	return slices.ContainsFunc(d.cps, func(c *candidate) bool { return c.seg == seg }) || d.checked(seg.outcome) || !d.lastEffect(seg)
}

func (d *draft) lastEffect(seg *segment) bool {
	i := slices.Index(d.segs, seg)
	return !slices.ContainsFunc(d.segs[i+1:], func(s *segment) bool { return s.outcome != nil && effective(s.outcome) })
}

func all2steps(steps []*step, f func(*step) bool) bool {
	return !slices.ContainsFunc(steps, func(st *step) bool { return !f(st) })
}

func (d *draft) openValues() int {
	n := 0
	for _, p := range d.study.params {
		if p.Role == workflow.RoleUndecided && p.Derived == "" {
			n++
		}
	}
	return n
}

func (d *draft) generalReason() string {
	if all2steps(d.steps, func(st *step) bool { return st.act.midi != nil }) {
		return "Nothing that a program could see came of the playing, so only a person can tell whether it has worked."
	}
	if n := d.openValues(); n == 1 {
		return "One value is still to be decided: input or constant."
	} else if n > 1 {
		return fmt.Sprintf("%d values are still to be decided: input or constant.", n)
	}
	return ""
}
