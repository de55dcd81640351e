package policy

import (
	"slices"
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
		return workflow.Step{Surface: OnBrowser, Verb: verb, Before: before, Target: &capture.Target{Role: "textbox", Name: "Weight"}}
	}
	form := at("Weight", "Note")
	edit := []workflow.Step{step(capture.Type, form), step(capture.Type, form), step(capture.Click, form), step(capture.Click, form)}
	if n := len(InSight(edit)); n != 3 {
		t.Errorf("%d: what comes after a button is on another page", n)
	}
	edit[2].Before = at("Weight", "Note")
	edit[2].Before.Headings = []string{"Please check the form"}
	if n := len(InSight(edit)); n != 3 {
		t.Errorf("%d: a message that the form has to be corrected leaves the form", n)
	}
	edit[2].Target = &capture.Target{Role: "button", Name: "Again",
		Landmark: &capture.Landmark{Role: "heading", Name: "Please check the form"}}
	if n := len(InSight(edit)); n != 2 {
		t.Errorf("%d: what stands in the message was not there before", n)
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

// What a field offers while it is filled in is not there before: it is left out, and what comes after it is looked for.
func TestInSightLeavesOutWhatAFieldOffers(t *testing.T) {
	form := &capture.State{URL: "/people/7", Dialogs: []string{"Change manager"}}
	step := func(id string, verb capture.Verb, role string) workflow.Step {
		return workflow.Step{StepID: id, Surface: OnBrowser, Verb: verb, Before: form, Target: &capture.Target{Role: role, Name: id}}
	}
	edit := []workflow.Step{step("s1", capture.Type, "combobox"), step("s2", capture.Click, "option"), step("s3", capture.Submit, "button")}
	if got := InSight(edit); len(got) != 2 || got[0].StepID != "s1" || got[1].StepID != "s3" {
		t.Errorf("%+v", got)
	}
	edit[0].Optional = true
	if got := InSight(edit); len(got) != 1 || got[0].StepID != "s3" {
		t.Errorf("%+v", got)
	}
}

// A link whose words name a deed leads on if the deed is done later, in the form that it opens; and nothing else does.
func TestALinkToTheFormOfALaterDeedLeadsOn(t *testing.T) {
	list, form := &capture.State{URL: "/rooms", Title: "Rooms"}, &capture.State{URL: "/rooms/book", Title: "Book a room"}
	made := func(change func(link, field, send *workflow.Step)) (d compile.Output) {
		open := workflow.Step{StepID: "s1", Surface: OnBrowser, Verb: capture.Navigate, After: list}
		link := workflow.Step{StepID: "s2", Surface: OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "link", Name: "Book a room"},
			Before: list, After: form}
		field := workflow.Step{StepID: "s3", Surface: OnBrowser, Verb: capture.Type, Target: &capture.Target{Role: "textbox", Name: "Date"},
			Before: form}
		send := workflow.Step{StepID: "s4", Surface: OnBrowser, Verb: capture.Submit, Target: &capture.Target{Role: "button", Name: "Book"},
			Before: form, Effect: true}
		change(&link, &field, &send)
		d.Graph.Steps = []workflow.Step{open, link, field, send}
		d.Interpretation.Checkpoints = []workflow.Checkpoint{{CheckpointID: "cp-01", StepID: "s1"}}
		return d
	}
	for name, c := range map[string]struct {
		change func(link, field, send *workflow.Step)
		want   int
	}{
		"it opens the form":                 {func(_, _, _ *workflow.Step) {}, 2},
		"it is a button":                    {func(link, _, _ *workflow.Step) { link.Target.Role = "button" }, 1},
		"it changed something":              {func(link, _, _ *workflow.Step) { link.Effect = true }, 1},
		"it removes something":              {func(link, _, _ *workflow.Step) { link.Target.Name = "Delete room" }, 1},
		"it stayed on the page":             {func(link, _, _ *workflow.Step) { link.After = list }, 1},
		"nothing is filled in there":        {func(_, field, _ *workflow.Step) { field.Verb = capture.Click }, 1},
		"the form was on another page":      {func(_, field, _ *workflow.Step) { field.Before = list }, 1},
		"nothing changes anything any more": {func(_, _, send *workflow.Step) { send.Effect = false }, 1},
	} {
		d := made(c.change)
		read := ReadingPart(d, func(workflow.Step) bool { return true })
		if len(read) != c.want {
			t.Errorf("%s: %d steps", name, len(read))
		}
		if rest := After(d.Graph, read); len(rest) != 4-c.want {
			t.Errorf("%s: %d steps after it", name, len(rest))
		}
	}
}

// Commands between two steps on one page are left out of the reading part; not where the page was another one afterwards.
func TestCommandsBetweenDoNotEndTheReadingPart(t *testing.T) {
	list, other := &capture.State{URL: "/documents"}, &capture.State{URL: "/started"}
	var d compile.Output
	d.Graph.Steps = []workflow.Step{{StepID: "s1", Surface: OnBrowser, Verb: capture.Navigate, After: list},
		{StepID: "s2", Surface: OnShell, Verb: capture.Run, Command: "sort a > b", Effect: true},
		{StepID: "s3", Surface: OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: "link", Name: "Details"}, Before: list}}
	d.Interpretation.Checkpoints = []workflow.Checkpoint{{CheckpointID: "cp-01", StepID: "s1"}}
	all := func(workflow.Step) bool { return true }
	if read := ReadingPart(d, all); len(read) != 2 || read[1].StepID != "s3" || len(After(d.Graph, read)) != 0 {
		t.Errorf("%+v", read)
	}
	d.Graph.Steps[2].Before = other
	if read := ReadingPart(d, all); len(read) != 1 || len(After(d.Graph, read)) != 2 {
		t.Errorf("%+v", read)
	}
	d.Graph.Steps = d.Graph.Steps[:2]
	if read := ReadingPart(d, all); len(read) != 1 || len(After(d.Graph, read)) != 1 {
		t.Errorf("%+v", read)
	}
}

// What comes after a form is sent has a page that can be opened without sending it, unless opening it is what changes something.
func TestBeyond(t *testing.T) {
	at := func(url string) *capture.State { return &capture.State{URL: url} }
	step := func(id, role string, from, to *capture.State) workflow.Step {
		return workflow.Step{StepID: id, Surface: OnBrowser, Verb: capture.Click, Target: &capture.Target{Role: role, Name: id},
			Before: from, After: to}
	}
	form, parcel, list := at("/parcels/new"), at("/parcels/18"), at("/parcels")
	send := step("send", "button", form, parcel)
	send.Effect = true
	steps := []workflow.Step{step("fill", "textbox", form, form), send, step("label", "button", parcel, parcel),
		step("back", "link", parcel, list), step("export", "link", list, list)}
	names := func(change func([]workflow.Step)) string {
		all := slices.Clone(steps)
		if change != nil {
			change(all)
		}
		out := ""
		for _, page := range Beyond(workflow.Graph{Steps: all}, all[:2]) {
			for _, s := range page {
				out += s.StepID + " "
			}
			out += "| "
		}
		return out
	}
	for _, c := range []struct {
		name   string
		change func([]workflow.Step)
		want   string
	}{
		{"a form that was sent", nil, "label back | export | "},
		{"a link that sends", func(all []workflow.Step) { all[1].Target = &capture.Target{Role: "link", Name: "send"} }, "export | "},
		{"a link whose words destroy", func(all []workflow.Step) {
			all[1].Target, all[1].Effect = &capture.Target{Role: "link", Name: "Delete everything"}, false
		}, "export | "},
		{"a form sent in the address", func(all []workflow.Step) {
			all[1].After, all[2].Before, all[3].Before = at("/parcels?new=1"), at("/parcels?new=1"), at("/parcels?new=1")
		}, "export | "},
		{"in a dialog", func(all []workflow.Step) {
			all[4].Before = &capture.State{URL: "/parcels", Dialogs: []string{"Export"}}
		},
			"label back | "},
		{"not always done", func(all []workflow.Step) { all[2].Optional = true }, "back | export | "},
		{"a command", func(all []workflow.Step) { all[4].Surface = OnShell }, "label back | "},
	} {
		if got := names(c.change); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
