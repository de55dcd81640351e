package compile

import (
	"path"
	"slices"
	"strings"

	"showhow/capture"
)

// step is a graph's step with what later stages need of its evidence. Texts in front are templates.
type step struct {
	Step
	act     *act
	trace   int
	col     *column
	value   string   // template of what it enters or picks
	command string   // template of the line
	program string   // its first program, in prose
	runs    []string // all its programs that hold no value
	file    string   // template of the file's name
	missing int      // demonstrations that did without it
	loop    int      // index of its loop, -1 outside
}

// names renders templates once every parameter's name and role are settled.
type names struct {
	folder string // where commands ran unless a sentence says otherwise
	params map[string]*param
	taken  map[string]bool
	made   []*param // derived parameters, made when their form is first used
}

func newNames(params []*param) *names {
	n := &names{params: map[string]*param{}, taken: map[string]bool{}}
	for _, p := range params {
		n.params[p.ParamID] = p
		n.taken[p.Name] = true
	}
	return n
}

// machine renders a template for checks and the graph: {name}, {*}.
func (n *names) machine(tmpl string) string { return n.render(tmpl, "{*}", 0) }

// prose renders a template for people: {name}, "...".
func (n *names) prose(tmpl string) string { return squeeze(n.render(tmpl, "...", 0)) }

func (n *names) render(tmpl, any string, depth int) string {
	if !strings.ContainsRune(tmpl, refOpen) {
		return tmpl
	}
	return refForm.ReplaceAllStringFunc(tmpl, func(m string) string {
		id, part, _ := strings.Cut(refForm.FindStringSubmatch(m)[1], ".")
		p := n.params[id]
		if p == nil || p.Role == roleDropped || depth > 4 {
			return any
		}
		if p.Role == roleConstant {
			return n.constant(p, part, any, depth)
		}
		return "{" + n.derive(p, part).Name + "}"
	})
}

func (n *names) constant(p *param, part, any string, depth int) string {
	text := n.render(p.Default, any, depth+1)
	if part == "" {
		return text
	}
	switch part {
	case "lower":
		return strings.ToLower(text)
	case "upper":
		return strings.ToUpper(text)
	}
	for _, v := range variants(p.Kind, text) {
		if v.part == part {
			return v.text
		}
	}
	return any
}

// derive is the parameter for a form of p ("month"), or p itself.
func (n *names) derive(p *param, part string) *param {
	if part == "" || part == "url" {
		return p
	}
	id := p.ParamID + "." + part
	if d := n.params[id]; d != nil {
		return d
	}
	short, _, _ := strings.Cut(part, "_")
	d := &param{Param: Param{ParamID: id, Name: unique(p.Name+"_"+short, "_", n.taken), Label: p.Label + " " + short, Kind: capture.KindText,
		Role: roleInput, Derived: strings.Replace(partWords(part), "%s", "{"+p.Name+"}", 1)}, settled: true}
	n.params[id] = d
	n.made = append(n.made, d)
	return d
}

// inputsOf lists the inputs that a template shows, derived ones by what they come from.
func (n *names) inputsOf(tmpl string) []string {
	var out []string
	for _, id := range refsOf(tmpl) {
		if p := n.params[id]; p != nil && p.Role != roleConstant && p.Role != roleDropped {
			out = append(out, id)
		}
	}
	return out
}

// buildGraph makes the steps from the columns.
func buildGraph(s *study, n *names) []*step {
	e := edited{s.in.Edits}
	_, titles := e.pairs(editRenameSteps)
	_, conditions := e.pairs(editConditions)
	var steps []*step
	for i, c := range s.cols {
		a, t := c.base()
		st := &step{act: a, trace: t, col: c, loop: -1, missing: c.missing()}
		st.StepID = "s" + itoa(i+1)
		st.fill(s, n)
		st.Effect, st.Grave = effective(st), isGrave(st)
		st.Title = titleOf(st, n)
		if title := strings.TrimSpace(titles[st.StepID]); title != "" {
			st.Title = title
		}
		st.condition(s)
		if c := strings.TrimSpace(conditions[st.StepID]); c != "" {
			st.Optional, st.Condition = true, c
		}
		steps = append(steps, st)
	}
	for k, l := range s.loops {
		for _, st := range steps[l.start : l.start+l.period] {
			st.loop = k
		}
	}
	return slices.DeleteFunc(steps, func(st *step) bool { return st.dropped(s, n, e) })
}

// fill copies the act's evidence into the step, generalised.
func (st *step) fill(s *study, n *names) {
	a, g := st.act, s.gens[st.trace]
	st.Surface, st.Verb, st.Keys, st.Changed = a.surface, a.verb, a.keys, a.changed
	st.Section = n.prose(g.text(a.section))
	st.EventIDs = a.events()
	st.NewTab = a.newTab || a.verb == capture.NewTab
	if a.times > 1 {
		st.Times = a.times
	}
	if a.dialog != nil {
		st.Dialog = "dismissed"
		if a.dialog.Accepted {
			st.Dialog = "accepted"
		}
	}
	st.value = s.value[st.col] + s.pick[st.col]
	if a.secret() {
		st.value = ""
	}
	st.Value = n.machine(st.value)
	if ids := refsOf(st.value); len(ids) > 0 && st.value == ref(ids[0]) {
		st.ParamID = ids[0]
	}
	render := func(text string) string { return n.machine(g.text(text)) }
	st.Target = generalTarget(a.target, render, func(text string) string { return n.machine(g.control(text)) }, dataLike(a))
	if a.page != nil {
		st.Page = &capture.Page{URL: render(a.page.URL), Pattern: pathPatternOf(a.page, render), Title: render(a.page.Title), Tab: a.page.Tab}
	}
	st.Before, st.After = generalState(a.before, render), generalState(a.after, render)
	if a.command != nil {
		st.command = g.text(a.command.Line)
		st.Command = n.machine(st.command)
		st.Dir = render(a.command.CwdFrom)
		st.program = n.prose(g.word(programOf(a.command)))
		for _, p := range readLine(a.command).programs {
			if p != "" && !strings.ContainsRune(g.word(p), refOpen) {
				st.runs = append(st.runs, p)
			}
		}
	}
	if a.file != nil {
		st.file = g.text(a.file.Name)
		if t, ok := s.files[s.openText(a.file.Name)]; ok {
			st.file = t
		}
		st.File = &capture.File{Name: n.machine(st.file), Ext: extOf(a.file), Size: a.file.Size}
	}
}

func pathPatternOf(p *capture.Page, render func(string) string) string {
	return render(pathOf(p.URL))
}

func extOf(f *capture.File) string {
	if f.Ext != "" {
		return strings.ToLower(f.Ext)
	}
	return strings.ToLower(path.Ext(f.Name))
}

func generalTarget(t *capture.Target, render, control func(string) string, data bool) *capture.Target {
	if t == nil {
		return nil
	}
	name := control
	if data {
		name = render
	}
	c := &capture.Target{Role: t.Role, Name: name(t.Name), Label: control(t.Label), Placeholder: control(t.Placeholder), Text: name(t.Text),
		InputType: t.InputType, Tag: t.Tag, Options: options(t), Frame: render(t.Frame), Href: render(t.Href), CountedAt: t.CountedAt}
	if t.Landmark != nil {
		c.Landmark = &capture.Landmark{Role: t.Landmark.Role, Name: render(t.Landmark.Name)}
	}
	for _, l := range t.Locators {
		l.Value = name(l.Value)
		c.Locators = append(c.Locators, l)
	}
	return c
}

func generalState(s *capture.State, render func(string) string) *capture.State {
	if s == nil {
		return nil
	}
	all := func(in []string) []string {
		var out []string
		for _, x := range in {
			out = append(out, render(x))
		}
		return out
	}
	c := &capture.State{URL: render(s.URL), Title: render(s.Title), Headings: all(s.Headings), Dialogs: all(s.Dialogs), Alerts: all(s.Alerts),
		Invalid: all(s.Invalid), Focus: render(s.Focus), Cwd: render(s.Cwd)}
	for _, t := range s.Tables {
		c.Tables = append(c.Tables, capture.Table{Name: render(t.Name), Columns: all(t.Columns), Rows: t.Rows})
	}
	for _, f := range s.Fields {
		field := capture.Field{Label: render(f.Label), Role: f.Role}
		if f.Value != nil {
			v := *f.Value
			v.Text = ""
			field.Value = &v
		}
		c.Fields = append(c.Fields, field)
	}
	for _, f := range s.Files {
		c.Files = append(c.Files, capture.File{Name: render(f.Name), Ext: f.Ext, Size: f.Size})
	}
	return c
}

// condition finds out when a step that some demonstrations did without is needed.
func (st *step) condition(s *study) {
	if st.missing == 0 {
		return
	}
	st.Optional = true
	if a, ok := s.in.answer(st.StepID, fieldBranch); ok {
		switch strings.ToLower(a) {
		case "always":
			st.Optional = false
		case "", "never":
		default:
			st.Condition = a
		}
		return
	}
	if len(st.act.stateBefore().Dialogs) > 0 {
		st.Condition = `the dialog "` + squeeze(stripMasks(st.act.stateBefore().Dialogs[0])) + `" is shown`
	}
}

// dropped reports whether edits or answers leave the step out.
func (st *step) dropped(s *study, n *names, e edited) bool {
	if e.has(editDropSteps, st.StepID) {
		return true
	}
	if a, ok := s.in.answer(st.StepID, fieldBranch); ok && strings.EqualFold(a, "never") {
		return true
	}
	p := n.params[st.ParamID]
	return p != nil && p.Role == roleDropped && st.act.supplies()
}

// exportParams lists the parameters as the graph holds them.
func exportParams(s *study, n *names, steps []*step) []Param {
	used := map[string][]string{}
	for _, st := range steps {
		seen := map[string]bool{}
		for _, tmpl := range []string{st.value, st.command, st.file} {
			for _, id := range refsOf(tmpl) {
				if !seen[id] {
					seen[id] = true
					used[id] = append(used[id], st.StepID)
				}
			}
		}
	}
	var out []Param
	for _, p := range append(slices.Clone(s.params), n.made...) {
		x := p.Param
		x.Default, x.Example = n.prose(p.Default), n.prose(p.Example)
		if p.literal && x.Example == "" && p.Role != roleConstant {
			x.Example = n.prose(p.template)
		}
		x.UsedIn = used[p.ParamID]
		if x.UsedIn == nil {
			x.UsedIn = []string{}
		}
		x.Loop = p.inLoop
		out = append(out, x)
	}
	return out
}

func exportLoops(s *study, n *names, steps []*step) []Loop {
	out := []Loop{}
	for k, l := range s.loops {
		loop := Loop{Rounds: len(l.items), Steps: []string{}}
		for _, st := range steps {
			if st.loop == k {
				loop.Steps = append(loop.Steps, st.StepID)
				for _, id := range append(refsOf(st.value), refsOf(st.command)...) {
					if p := n.params[id]; p != nil && p.inLoop && !slices.Contains(loop.Params, id) {
						loop.Params = append(loop.Params, id)
					}
				}
			}
		}
		if len(loop.Steps) == 0 {
			continue
		}
		loop.Over = "each item"
		if len(loop.Params) > 0 {
			loop.Over = "each " + strings.ReplaceAll(n.params[loop.Params[0]].Name, "_", " ")
		}
		out = append(out, loop)
	}
	return out
}
