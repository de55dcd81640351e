package policy

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/workflow"
)

// A look reads on after the first checkpoint, and never enters anything there or goes where it lacks a value.
func TestReadingPart(t *testing.T) {
	click := func(id, name string) workflow.Step {
		return workflow.Step{StepID: id, Surface: OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "link", Name: name}}
	}
	fill := workflow.Step{StepID: "s4", Surface: OnBrowser, Verb: capture.Type, Target: &capture.Target{Role: "textbox", Name: "Weight"}}
	send := click("s5", "Send")
	send.Effect = true
	var d compile.Output
	d.Graph.Steps = []workflow.Step{click("s1", "Parcels"), click("s2", "{parcel}"), click("s3", "Edit"), fill, send}
	d.Interpretation.Checkpoints = []workflow.Checkpoint{{CheckpointID: "cp-01", StepID: "s1"}}
	all := func(workflow.Step) bool { return true }
	if n := len(CanaryPrefix(d)); n != 1 {
		t.Fatal(n)
	}
	if n := len(ReadingPart(d, all)); n != 3 {
		t.Errorf("%d steps", n)
	}
	if n := len(ReadingPart(d, func(s workflow.Step) bool { return s.StepID != "s2" })); n != 1 {
		t.Errorf("%d steps without the parcel", n)
	}
	d.Graph.Steps[1].Target.Name = "{order}"
	if n := len(ReadingPart(d, all)); n != 3 {
		t.Errorf("%d steps: an input's name is no word of the control", n)
	}
	d.Graph.Loops = []workflow.Loop{{Steps: []string{"s3"}}}
	if n := len(ReadingPart(d, all)); n != 2 {
		t.Errorf("%d steps, a loop among them", n)
	}
}

// Fields of one page are all looked for; what only came after one was filled is not.
func TestInSight(t *testing.T) {
	at := func(labels ...string) *capture.State {
		s := &capture.State{URL: "/parcels/1/edit", Title: "Parcel"}
		for _, l := range labels {
			s.Fields = append(s.Fields, capture.Field{Label: l})
		}
		return s
	}
	step := func(verb capture.Verb, before *capture.State) workflow.Step {
		return workflow.Step{Surface: OnBrowser, Verb: verb, Before: before}
	}
	form := at("Weight", "Note")
	edit := []workflow.Step{step(capture.Type, form), step(capture.Type, form), step(capture.Click, form), step(capture.Click, form)}
	if n := len(InSight(edit)); n != 3 {
		t.Errorf("%d: what comes after a button is on another page", n)
	}
	edit[1].Before = at("Weight", "Note", "Insured value")
	if n := len(InSight(edit)); n != 1 {
		t.Errorf("%d: a field that came by filling", n)
	}
	edit[1].Before, edit[2].Before = at("Weight", "Note"), nil
	if n := len(InSight(edit)); n != 2 {
		t.Errorf("%d: a page that was not seen", n)
	}
}
