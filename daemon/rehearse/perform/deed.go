package perform

import (
	"slices"
	"strconv"

	"showhow/daemon/rehearse/record"
	"showhow/daemon/workflow"
)

// done notes what became of a step that did not fail. Where only words say when it is needed, neither doing it nor leaving it out can
// be called right here.
func (p *job) done(s workflow.Step, done bool, round int) {
	if done && s.Effect {
		p.deeds++
	}
	if !s.ToldInWords() {
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
	p.Add(id, "whether this is needed: "+s.Title, record.StepSkipped, record.CodeConditionUnread,
		p.clean("only you can tell ("+s.Condition+"); "+what))
}

// deedless says that nothing was done, where the workflow changes something and no step that does was needed in this run. A workflow
// that changes nothing is judged by what it reads and makes.
func (p *job) deedless(steps []workflow.Step) {
	if p.stopped != "" || p.deeds > 0 || !slices.ContainsFunc(steps, func(s workflow.Step) bool { return s.Effect }) {
		return
	}
	p.Add("deed", "what the work is for was done", record.StepSkipped, record.CodeNothingDone, "no step that changes something was needed in this run")
}
