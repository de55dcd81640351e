package flow

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
)

// Build makes the steps from the columns and applies the edits of steps.
func Build(s *values.Study, n *Names) ([]*Step, error) {
	e := decision.Edits(s.In.Edits)
	_, titles := e.Pairs(decision.EditRenameSteps)
	_, conditions := e.Pairs(decision.EditConditions)
	stepIDs := stepIDs(s)
	var steps []*Step
	var filled []string // labels of the fields that were filled in since something was changed
	for i, c := range s.Columns {
		a, t := c.Base()
		st := &Step{Act: a, Trace: t, Col: c, Loop: -1}
		st.StepID = stepIDs[i]
		st.fill(s, n)
		st.applyName(e.Control(st.StepID))
		st.applyPlace(e.Place(st.StepID))
		st.Effect = Effective(st)
		if st.Grave = isGrave(st, filled); st.Effect {
			filled = nil
		} else if st.Act.Fills() {
			filled = append(filled, st.Label())
		}
		st.Title = titleOf(st, n)
		if title := strings.TrimSpace(titles[st.StepID]); title != "" {
			st.Title = title
		}
		st.condition(s, n)
		st.dependOnInput(n)
		if c, ok := conditions[st.StepID]; ok {
			st.Condition, st.When = strings.TrimSpace(c), nil
			st.Optional = st.Condition != ""
		}
		st.Grave = st.Grave || e.Has(decision.EditConfirm, st.StepID) || st.gravelyNamed(e.Control(st.StepID))
		steps = append(steps, st)
	}
	for k, l := range s.Loops {
		for _, st := range steps[l.Start:l.End] {
			st.Loop = k
		}
	}
	steps, err := arrange(slices.DeleteFunc(steps, func(st *Step) bool { return st.dropped(s, n, e) }), e)
	askOn(steps)
	nameTurnTargets(steps, n, titles)
	return steps, err
}

// nameTurnTargets adds to the steps that turn pages what they are turned for. Where nothing tells, and pages were turned a different number
// of times, no number is right.
func nameTurnTargets(steps []*Step, n *Names, titled map[string]string) {
	plain := make([]workflow.Step, len(steps))
	for i, st := range steps {
		plain[i] = st.Step
	}
	for i, st := range steps {
		aim := page.TurnedFor(plain, i)
		if st.AsNeeded = aim == nil && page.Turns(plain[i]) && st.Col.TimesDiffer(); st.AsNeeded {
			st.Times = 0
		}
		if titled[st.StepID] != "" {
			continue
		}
		if aim == nil {
			if st.AsNeeded {
				st.Title = titleOf(st, n)
			}
			continue
		}
		value := steps[slices.IndexFunc(plain, func(s workflow.Step) bool { return s.StepID == aim.StepID })].ValueTemplate
		seen := n.Prose(value)
		if date := dayOf(value, n); date != nil {
			seen = "the month of {" + date.Name + "}"
		}
		if seen == "" {
			continue
		}
		st.Optional, st.Disputed, st.SameValues, st.When, st.Condition = false, false, false, nil, ""
		st.until = seen
		st.Title = titleOf(st, n)
	}
}

// stepIDs returns the ids of the steps. Those of the first demonstration are numbered first, so that a further one
// renames none.
func stepIDs(s *values.Study) []string {
	out := make([]string, len(s.Columns))
	for first := range s.In.Traces {
		for i, c := range s.Columns {
			if _, t := c.Base(); t == first {
				out[i] = s.IDs.Of("s", c.Anchors()...)
			}
		}
	}
	return out
}

// fill copies the act's evidence into the step, generalised.
func (st *Step) fill(s *values.Study, n renderer) {
	a, g := st.Act, s.Gens[st.Trace]
	st.Surface, st.Verb, st.Keys, st.Changed = a.Surface, a.Verb, a.Keys, a.Changed
	st.Section = n.Prose(g.Text(a.Section))
	st.EventIDs = a.Events()
	st.MIDI, st.Device = gestureOf(st.Col), a.Device
	st.NewTab = a.NewTab || a.Verb == capture.NewTab
	if a.Times > 1 {
		st.Times = a.Times
	}
	if a.Dialog != nil {
		st.Dialog = "dismissed"
		if a.Dialog.Accepted {
			st.Dialog = "accepted"
		}
	}
	st.ValueTemplate, st.Owner = s.Bindings[st.Col.ID].Value+s.Bindings[st.Col.ID].Pick, s.Bindings[st.Col.ID].Owner
	if st.Value = n.Machine(st.ValueTemplate); a.TicksItem() {
		st.Value = "" // the target says which box it is; whether it is ticked is the box's value
	}
	if ids := page.RefsOf(st.ValueTemplate); len(ids) > 0 && st.ValueTemplate == page.Ref(ids[0]) {
		st.ParamID = ids[0]
	}
	render := func(text string) string { return n.Machine(g.Text(text)) }
	at := func(address string) string { return n.Machine(g.Address(address)) }
	st.Target = generalTarget(a.Target, render, func(text string) string { return n.Machine(g.Control(text)) }, a.IsPick())
	if st.Head = s.Bindings[st.Col.ID].Head; st.Head != "" {
		st.Target.Placeholder = n.Machine(st.Head)
	}
	if st.Target != nil && st.Col.LeadsTo() == "" && !workflow.InputForm.MatchString(st.Target.Href) {
		st.Target.Href = ""
	}
	st.StartsAnew = startsAnew(s.Columns, st.Col)
	st.which(s, n)
	st.agreed(s, n)
	st.Drop = generalTarget(a.Drop, render, func(text string) string { return n.Machine(g.Control(text)) },
		s.Bindings[st.Col.ID].Drop != "")
	if s.Bindings[st.Col.ID].Drop != "" {
		st.Drop.Landmark, st.Drop.Locators = nil, nil // specific to the demonstrated place
	}
	if a.Page != nil {
		st.Page = &capture.Page{URL: at(a.Page.URL), Pattern: pathPatternOf(a.Page, at), Title: render(a.Page.Title), Tab: a.Page.Tab}
	}
	st.Before, st.After = generalState(a.Before, render, at), generalState(a.After, render, at)
	if a.Command != nil {
		st.CommandTemplate = values.CollapseListRefs(lineOf(s, st.Col, a, g), s.ListRefs())
		st.readsDocument(s, n)
		st.Command = n.Machine(quoteWhere(st.CommandTemplate, n.fixed))
		st.Dir = render(a.Command.CwdFrom)
		st.Program = n.Prose(g.Word(shell.ProgramOf(a.Command)))
		for _, p := range shell.Read(a.Command).Programs {
			if p != "" && !strings.ContainsRune(g.Word(p), page.RefOpen) {
				st.Runs = append(st.Runs, p)
			}
		}
	}
	if a.IsCall() && a.Call.Connector != "" {
		st.call(s, n)
	}
	if a.File != nil {
		st.FileTemplate = g.Text(a.File.Name)
		if t, ok := s.Files[s.OpenText(a.File.Name)]; ok {
			st.FileTemplate = t
		}
		st.File = &capture.File{Name: n.Machine(st.FileTemplate), Ext: page.ExtOf(a.File), Size: a.File.Size}
	}
}

// call fills in the tool call that the step makes through the door.
func (st *Step) call(s *values.Study, n renderer) {
	c := st.Act.Call
	st.Connector, st.Tool, st.Class, st.ArgsCut = c.Connector, c.Tool, c.Class, c.ArgsCut
	for i, template := range s.Bindings[st.Col.ID].Args {
		st.Args = append(st.Args, workflow.Argument{Name: c.Args[i].Name, Form: c.Args[i].Form, Value: n.Machine(template)})
	}
}

// dependOnInput makes the setting of a box depend on its input, and a group of boxes optional when its input is.
func (st *Step) dependOnInput(n *Names) {
	p := n.Params[st.ParamID]
	if st.ManyBoxes() && p != nil && p.Role == workflow.RoleInput && !p.Required {
		st.Optional, st.Disputed, st.When, st.Condition = true, false, nil, "{"+p.Name+"} names any"
	}
	if !st.Act.Ticks() || p == nil || p.Role == workflow.RoleConstant || p.Role == workflow.RoleDropped {
		return
	}
	want := map[bool]string{true: page.Yes, false: page.No}[st.Verb == capture.Check]
	st.Optional = false
	st.When = &workflow.Check{Kind: "input", Name: p.Name, Expect: want}
	if p.Role == workflow.RoleInput {
		st.Optional, st.Condition = true, "{"+p.Name+"} is "+want
	}
}

// dropped reports whether edits or answers drop the step.
func (st *Step) dropped(s *values.Study, n *Names, e decision.Edits) bool {
	if e.Has(decision.EditDropSteps, st.StepID) {
		return true
	}
	if a, ok := s.In.Answer(st.StepID, decision.FieldBranch); ok && strings.EqualFold(a, "never") {
		return true
	}
	p := n.Params[st.ParamID]
	return p != nil && p.Role == workflow.RoleDropped && (st.Act.Supplies() || st.Act.Ticks())
}
