package write

import (
	"fmt"
	"slices"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/prove"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// judge decides whether the demonstration is good enough before anybody reads the skill: it generalises, needs another
// example, or cannot become a skill, with the step and the reason.
func judge(d *Understanding) workflow.Verdict {
	if len(d.Steps) == 0 {
		return workflow.Verdict{Result: workflow.Cannot, Reason: "The demonstration has no action that a skill could be made from."}
	}
	if len(d.cps) == 0 {
		last := d.Steps[len(d.Steps)-1]
		return workflow.Verdict{Result: workflow.Cannot, StepID: last.StepID,
			Reason: "No change of state was observed, so nothing can tell success from failure. Show the work up to its visible result, or say " +
				"what the page shows then."}
	}
	if v := unfinished(d); v.Result != "" {
		return v
	}
	if verb := undone(d); verb != "" {
		last := d.Steps[len(d.Steps)-1]
		return workflow.Verdict{Result: workflow.NeedsExample, StepID: last.StepID,
			Reason: page.Cut(fmt.Sprintf("The goal says %q, and nothing that was shown does more than open and look. Show it once more, up to "+
				"the deed itself.", verb), 240)}
	}
	for _, st := range d.Steps {
		if st.Optional && st.Condition == "" {
			return workflow.Verdict{Result: workflow.NeedsExample, StepID: st.StepID,
				Reason: page.Cut(fmt.Sprintf("Only some demonstrations did this, for no visible reason: %s.", plain.LowerFirst(st.Title)), 240)}
		}
		if nameless(st.Act.Act) {
			return workflow.Verdict{Result: workflow.Cannot, StepID: st.StepID,
				Reason: "The control in this step has no name, text or role, so it cannot be found again. Show the work with " +
					"controls that have a name, or by the keyboard."}
		}
		if st.Act.Surface == workflow.OnBrowser && st.Act.IsPick() && d.Names.Prose(st.ValueTemplate) == "..." {
			return workflow.Verdict{Result: workflow.NeedsExample, StepID: st.StepID,
				Reason: "It is not clear how the entry that was opened is chosen. Show it once more with another one."}
		}
	}
	if n := d.openValues(); n > decision.MaxQuestions && len(d.In.Traces) == 1 {
		return workflow.Verdict{Result: workflow.NeedsExample,
			Reason: fmt.Sprintf("%d values were entered, and one example cannot show which of them vary. Record a second one with different "+
				"values.", n)}
	}
	return workflow.Verdict{Result: workflow.Generalises, Reason: generalReason(d)}
}

// nameless reports whether nothing identifies the target of an act on a page.
func nameless(a *trace.Act) bool {
	if a.Surface != workflow.OnBrowser || !page.IsClick(a.Verb) && a.Verb != capture.RightClick && a.Verb != capture.Drag {
		return false
	}
	t := a.Target
	return t == nil || page.TargetName(t) == "" && (t.Role == "" || t.Role == "generic" || t.Role == "presentation") && t.Landmark == nil &&
		len(t.Locators) == 0
}

// undone returns the verb of a goal that changes something, if every step only opens and looks; else "".
func undone(d *Understanding) string {
	if !everyStep(d.Steps, onlyLooks) {
		return ""
	}
	for _, c := range d.Goal.Clauses {
		switch c.Family() {
		case "delete", "send", "change":
			return c.Verb
		}
	}
	return ""
}

// onlyLooks reports whether a step was seen to lead to another page, or to open something, and to do nothing else.
func onlyLooks(st *flow.Step) bool {
	a := st.Act
	switch {
	case a.Surface != workflow.OnBrowser || flow.Effective(st) || a.Fills() || a.Dialog != nil || a.File != nil:
		return false
	case a.Verb == capture.Navigate || a.Verb == capture.NewTab || a.Verb == capture.SwitchTab:
		return true
	}
	news := trace.ChangeKinds(a.Act)
	opening := []string{"url", "dialog", "heading"}
	return len(news) > 0 && !slices.ContainsFunc(news, func(kind string) bool { return !slices.Contains(opening, kind) })
}

// unfinished returns a verdict if a form was sent, or filled in at the very end, without a visible effect.
func unfinished(d *Understanding) workflow.Verdict {
	st := Unseen(d)
	if st == nil {
		return workflow.Verdict{}
	}
	reason := "so it cannot be told whether it worked"
	if st.Act.Fills() {
		reason = "which only filled in the form"
	}
	return workflow.Verdict{Result: workflow.NeedsExample, StepID: st.StepID,
		Reason: fmt.Sprintf("No state change was observed after step %s, %s. Say what the page shows then, or show it once more.", st.StepID[1:],
			reason)}
}

// Unseen returns the step for which nothing shows whether it worked, or nil.
func Unseen(d *Understanding) *flow.Step {
	for i, seg := range d.segs {
		out := seg.Outcome
		if out == nil && i == len(d.segs)-1 && slices.ContainsFunc(seg.Steps, func(s *flow.Step) bool { return s.Act.Fills() }) &&
			!checked(d, seg.Steps...) {
			return seg.Steps[len(seg.Steps)-1]
		}
		if out != nil && flow.Effective(out) && out.Act.Surface == workflow.OnBrowser && out.Act.File == nil && !proven(d, seg) {
			return out
		}
	}
	if n := len(d.Steps) - 1; n >= 0 && unwatched(d, d.Steps[n]) {
		return d.Steps[n]
	}
	return nil
}

// unwatched reports whether a step comes from an imported recording that says nothing about its effect.
func unwatched(d *Understanding, st *flow.Step) bool {
	a := st.Act
	return a.Surface == workflow.OnBrowser && !a.Watched() && !a.Moved && a.File == nil && !checked(d, st)
}

// checked reports whether one of the steps has a checkpoint.
func checked(d *Understanding, steps ...*flow.Step) bool {
	return slices.ContainsFunc(d.cps, func(c *prove.Candidate) bool {
		return slices.ContainsFunc(steps, func(s *flow.Step) bool { return s.StepID == c.StepID })
	})
}

func proven(d *Understanding, seg *flow.Segment) bool {
	return slices.ContainsFunc(d.cps, func(c *prove.Candidate) bool { return c.Seg == seg }) || checked(d, seg.Outcome) || !lastEffect(d, seg)
}

func lastEffect(d *Understanding, seg *flow.Segment) bool {
	i := slices.Index(d.segs, seg)
	return !slices.ContainsFunc(d.segs[i+1:], func(s *flow.Segment) bool { return s.Outcome != nil && flow.Effective(s.Outcome) })
}

func everyStep(steps []*flow.Step, f func(*flow.Step) bool) bool {
	return !slices.ContainsFunc(steps, func(st *flow.Step) bool { return !f(st) })
}

func (d *Understanding) openValues() int {
	n := 0
	for _, p := range d.Study.Params {
		if p.Role == workflow.RoleUndecided && p.Derived == "" {
			n++
		}
	}
	return n
}

func generalReason(d *Understanding) string {
	if everyStep(d.Steps, func(st *flow.Step) bool { return st.Act.MIDI != nil }) {
		return "The playing had no effect that a program can observe, so only a person can judge it."
	}
	if n := d.openValues(); n == 1 {
		return "One value is still to be decided: input or constant."
	} else if n > 1 {
		return fmt.Sprintf("%d values are still to be decided: input or constant.", n)
	}
	return ""
}
