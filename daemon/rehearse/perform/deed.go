package perform

import (
	"slices"
	"strconv"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// done records the outcome of a step that did not fail. Where no machine can judge when the step is needed, neither
// doing nor omitting it can be called right.
func (p *job) done(s workflow.Step, done bool, round int) {
	if done && s.Effect {
		p.deeds++
	}
	if !s.NeedsPerson() {
		return
	}
	id := "condition." + s.StepID
	if round > 1 {
		id += "." + strconv.Itoa(round)
	}
	what := "it was left out, because what it uses is not there"
	if done {
		what = "it was done, because what it uses is there"
	}
	why := "your demonstrations disagree about it, and you have not said when it is needed"
	if s.Condition != "" {
		why = "only you can tell (" + s.Condition + ")"
	}
	p.Add(id, "whether this is needed: "+s.Title, record.StepSkipped, record.CodeConditionUnread, p.clean(why+"; "+what))
}

// deedless records that nothing was done, if the workflow changes something and no changing step was needed in this
// run, or if it only opens pages and its goal is more than that, or if the goal says that something is done and no step was seen to do
// anything. A workflow whose goal is to look at something is judged by what it reads and makes. shown says that a second look confirmed an
// effect.
func (p *job) deedless(steps []workflow.Step, shown bool) {
	if p.stopped != "" || p.deeds > 0 {
		return
	}
	why := ""
	switch {
	case !slices.ContainsFunc(steps, func(s workflow.Step) bool { return s.Verb != capture.Navigate && s.Verb != capture.NewTab }):
		if looking.In(p.Req.Goal) {
			return
		}
		why = "nothing but opening pages was seen, and the goal says more than that"
	case slices.ContainsFunc(steps, func(s workflow.Step) bool { return s.Effect }):
		why = "no step that changes something was needed in this run"
	case !shown && p.owesDeed(steps):
		why = "nothing was seen that does what the goal says"
	default:
		return
	}
	p.Add("deed", "what the work is for was done", record.StepSkipped, record.CodeNothingDone, why)
}

// owesDeed reports whether the goal says that something is done, and nothing showed so far that a step does. A goal whose verb nobody knows
// may say so.
func (p *job) owesDeed(steps []workflow.Step) bool {
	if p.deeds > 0 || p.kept || p.Req.Goal == "" || slices.ContainsFunc(steps, makes) {
		return false
	}
	return promised(p.Req.Goal) || promise(p.Req.Goal) != "read" && !looking.In(p.Req.Goal)
}

// promise is the family of a goal's first verb that has one: "delete", "send", "change", "read" or "create"; "" without.
func promise(goal string) string {
	for _, w := range lang.Gloss(goal) {
		switch family := intent.FamilyOf.Get(w); family {
		case "delete", "send", "change", "read", "create":
			return family
		}
	}
	return ""
}

// promised reports whether a goal's first verb says that something is removed, sent or changed.
func promised(goal string) bool {
	return slices.Contains([]string{"delete", "send", "change"}, promise(goal))
}

// creates reports whether a goal's first verb says that something new comes.
func creates(goal string) bool { return promise(goal) == "create" }

// makes reports whether what a step does is seen elsewhere than on a page.
func makes(s workflow.Step) bool { return s.Surface != policy.OnBrowser || s.File != nil }

// looking are the verbs of goals that are reached by opening a page.
var looking = lang.Of("deed.open", "deed.preview", "deed.search", "deed.go", "deed.filter")

// alreadySo judges a checkpoint that held before its step. For a step that changes something it proves nothing. A view
// that was open before may be the right one: a later checkpoint may prove it, and otherwise unproven says so at the
// end.
func (p *job) alreadySo(id string, cp workflow.Checkpoint, s workflow.Step) {
	details := "it was so before the step: " + p.clean(cp.SuccessCondition)
	if !policy.Reads(s) && !p.counted {
		p.Add(id, cp.Goal, record.StepSkipped, record.CodeAlreadySo, details)
		return
	}
	p.Pass(id, cp.Goal, details)
	if !p.counted {
		p.uncounted = append(p.uncounted, uncounted{cp, record.CodeAlreadySo, "it was so before the step"})
	}
}

// uncounted is a checkpoint that holds and proves nothing, and why.
type uncounted struct {
	workflow.Checkpoint
	code, why string
}

// tooEarly records a checkpoint that held before the page had asked its site: a page may claim so whatever its site
// answers. A second look or a later checkpoint may prove it.
func (p *job) tooEarly(cp workflow.Checkpoint) {
	if !p.counted {
		p.uncounted = append(p.uncounted, uncounted{cp, record.CodeUnverified, "the page showed it before it had asked its site"})
	}
}

// unproven reports why the last checkpoints prove nothing, so that nothing shows that their steps were done.
func (p *job) unproven() {
	if p.stopped != "" {
		return
	}
	for i, u := range p.uncounted {
		p.Add("already."+u.CheckpointID+"."+strconv.Itoa(i+1), "it came of the work: "+u.Goal, record.StepSkipped, u.code,
			u.why+", and nothing later shows that the work was done")
	}
}
