package compile

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// step is a graph's step with what later stages need of its evidence. Texts in front are templates.
type step struct {
	workflow.Step
	act      *act
	trace    int
	col      *column
	value    string   // template of what it enters or picks
	command  string   // template of the line
	program  string   // its first program, in prose
	runs     []string // all its programs that hold no value
	file     string   // template of the file's name
	owner    string   // template of the row whose box it sets
	disputed bool     // demonstrations with the same values disagree about it
	until    string   // what it turns pages for, in prose
	loop     int      // index of its loop, -1 outside
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
func (n *names) prose(tmpl string) string { return plain.Squeeze(n.render(tmpl, "...", 0)) }

func (n *names) render(tmpl, any string, depth int) string {
	if !strings.ContainsRune(tmpl, refOpen) {
		return tmpl
	}
	return refForm.ReplaceAllStringFunc(tmpl, func(m string) string {
		id, part, _ := strings.Cut(refForm.FindStringSubmatch(m)[1], ".")
		p := n.params[id]
		if p == nil || p.Role == workflow.RoleDropped || depth > 4 {
			return any
		}
		if p.Role == workflow.RoleConstant {
			return n.constant(p, part, any, depth)
		}
		return "{" + n.derive(p, part).Name + "}"
	})
}

func (n *names) constant(p *param, part, any string, depth int) string {
	text := n.render(p.Default, any, depth+1)
	if part == "" && strings.Contains(text, "\n") {
		return text // several lines stay several
	}
	if form, ok := workflow.Part(p.Kind, text, part); ok {
		return form
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
	d := &param{Param: workflow.Param{ParamID: id, Name: unique(p.Name+"_"+short, "_", n.taken), Label: p.Label + " " + short, Kind: capture.KindText,
		Role: workflow.RoleInput, Derived: strings.Replace(workflow.PartWords(part), "%s", "{"+p.Name+"}", 1)}, settled: true}
	n.params[id] = d
	n.made = append(n.made, d)
	return d
}

// inputsOf lists the inputs that a template shows, derived ones by what they come from.
func (n *names) inputsOf(tmpl string) []string {
	var out []string
	for _, id := range refsOf(tmpl) {
		if p := n.params[id]; p != nil && p.Role != workflow.RoleConstant && p.Role != workflow.RoleDropped {
			out = append(out, id)
		}
	}
	return out
}

// buildGraph makes the steps from the columns.
func buildGraph(s *study, n *names) ([]*step, error) {
	e := edited{s.in.Edits}
	_, titles := e.pairs(editRenameSteps)
	_, conditions := e.pairs(editConditions)
	stepIDs := s.stepIDs()
	var steps []*step
	for i, c := range s.cols {
		a, t := c.base()
		st := &step{act: a, trace: t, col: c, loop: -1}
		st.StepID = stepIDs[i]
		st.fill(s, n)
		st.called(e.control(st.StepID))
		st.stands(e.place(st.StepID))
		st.Effect, st.Grave = effective(st), isGrave(st)
		st.Title = titleOf(st, n)
		if title := strings.TrimSpace(titles[st.StepID]); title != "" {
			st.Title = title
		}
		st.condition(s, n)
		st.asTold(n)
		if c, ok := conditions[st.StepID]; ok {
			st.Condition, st.When = strings.TrimSpace(c), nil
			st.Optional = st.Condition != ""
		}
		st.Grave = st.Grave || e.has(editConfirm, st.StepID)
		steps = append(steps, st)
	}
	for k, l := range s.loops {
		for _, st := range steps[l.start:l.end] {
			st.loop = k
		}
	}
	steps, err := arrange(slices.DeleteFunc(steps, func(st *step) bool { return st.dropped(s, n, e) }), e)
	untilSeen(steps, n, titles)
	return steps, err
}

// untilSeen says of the steps that turn pages what they go on for.
func untilSeen(steps []*step, n *names, titled map[string]string) {
	plain := make([]workflow.Step, len(steps))
	for i, st := range steps {
		plain[i] = st.Step
	}
	for i, st := range steps {
		aim := AimOf(plain, i)
		if aim == nil || titled[st.StepID] != "" {
			continue
		}
		value := steps[slices.IndexFunc(plain, func(s workflow.Step) bool { return s.StepID == aim.StepID })].value
		seen := n.prose(value)
		if date := dayOf(value, n); date != nil {
			seen = "the month of {" + date.Name + "}"
		}
		if seen == "" {
			continue
		}
		st.Optional, st.disputed, st.When, st.Condition = false, false, nil, ""
		st.until = seen
		st.Title = titleOf(st, n)
	}
}

// called says what the step's control is called now, as a rehearsal found it. What told it by its old words is no way to find it
// any more.
func (st *step) called(role, name string) {
	if st.Target == nil {
		return
	}
	old := *st.Target
	if role != "" {
		st.Target.Role = role
	}
	if name == "" || name == targetName(&old) {
		return
	}
	for _, text := range []*string{&st.Target.Name, &st.Target.Label, &st.Target.Placeholder, &st.Target.Text} {
		if plain.Squeeze(*text) == targetName(&old) {
			*text = name
		}
	}
	st.Target.Name = name
	st.Target.Locators = slices.DeleteFunc(slices.Clone(st.Target.Locators), func(l capture.Locator) bool { return plain.Squeeze(l.Value) == targetName(&old) })
}

// stands says where the step's control is now: "none" is in no named place.
func (st *step) stands(role, name string) {
	switch {
	case st.Target == nil || role == "":
	case role == "none":
		st.Target.Landmark = nil
	default:
		st.Target.Landmark = &capture.Landmark{Role: role, Name: name}
	}
}

// stepIDs names the steps; those of the first demonstration come first, so that a further one renames none.
func (s *study) stepIDs() []string {
	out := make([]string, len(s.cols))
	for first := range s.in.Traces {
		for i, c := range s.cols {
			if _, t := c.base(); t == first {
				out[i] = s.ids.of("s", c.anchors()...)
			}
		}
	}
	return out
}

// fill copies the act's evidence into the step, generalised.
func (st *step) fill(s *study, n *names) {
	a, g := st.act, s.gens[st.trace]
	st.Surface, st.Verb, st.Keys, st.Changed = a.surface, a.verb, a.keys, a.changed
	st.Section = n.prose(g.text(a.section))
	st.EventIDs = a.events()
	st.MIDI, st.Device = gestureOf(st.col), a.device
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
	st.value, st.owner = s.value[st.col]+s.pick[st.col], s.owner[st.col]
	if a.secret() {
		st.value = ""
	}
	if st.Value = n.machine(st.value); a.ticksItem() {
		st.Value = "" // it is the target that says which box; the box's value is ticked
	}
	if ids := refsOf(st.value); len(ids) > 0 && st.value == ref(ids[0]) {
		st.ParamID = ids[0]
	}
	render := func(text string) string { return n.machine(g.text(text)) }
	at := func(address string) string { return n.machine(g.address(address)) }
	st.Target = generalTarget(a.target, render, func(text string) string { return n.machine(g.control(text)) }, dataLike(a))
	st.Drop = generalTarget(a.drop, render, func(text string) string { return n.machine(g.control(text)) }, false)
	if a.page != nil {
		st.Page = &capture.Page{URL: at(a.page.URL), Pattern: pathPatternOf(a.page, at), Title: render(a.page.Title), Tab: a.page.Tab}
	}
	st.Before, st.After = generalState(a.before, render, at), generalState(a.after, render, at)
	if a.command != nil {
		st.command = once(s.lineOf(st.col, a, g), s.listRefs())
		st.Command = n.machine(quoteWhere(st.command, n.fixed))
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

// lineOf is a command line as a template. A file that an earlier step made is known as a whole, however its name is sealed.
func (s *study) lineOf(c *column, a *act, g *generaliser) string {
	line := quoteAgain(s.withBrief(c, masksToRefs(a.command.Line)), g)
	for _, w := range readLine(a.command).words {
		open := s.openRefs(w.text)
		t, ok := s.files[path.Base(open)]
		if !ok || open != path.Base(open) || len(open) < 3 || len(refsOf(t)) == 0 {
			continue
		}
		whole := regexp.MustCompile(`(^|[\s"'=>])` + regexp.QuoteMeta(w.text) + `($|[\s"';|&)])`)
		line = whole.ReplaceAllString(line, "${1}"+t+"${2}")
	}
	if !strings.ContainsRune(line, refOpen) {
		return g.text(line)
	}
	return g.again(line)
}

// fixed is what stands in a line for a value that is always the same, "" for any other.
func (n *names) fixed(whole, id string) string {
	if p := n.params[id]; p != nil && p.Role == workflow.RoleConstant {
		return n.machine(whole)
	}
	return ""
}

// quoteAgain puts quotation marks around sealed words of a line whose text needs them: a word is sealed without its own.
func quoteAgain(line string, g *generaliser) string {
	return quoteWhere(line, func(whole, id string) string { return refForm.ReplaceAllString(g.resolve(whole, id), "") })
}

// quoteWhere puts quotation marks around the references of a line for which a text stands that needs them.
func quoteWhere(line string, text func(whole, id string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range refForm.FindAllStringSubmatchIndex(line, -1) {
		before := line[:m[0]]
		open := strings.Count(before, `"`)%2 == 1 || strings.Count(before, "'")%2 == 1
		mark := marksFor(text(line[m[0]:m[1]], line[m[2]:m[3]]))
		if open || before != "" && !strings.ContainsRune(" =(", rune(before[len(before)-1])) || m[1] < len(line) && !strings.ContainsRune(" ;|&)>", rune(line[m[1]])) {
			mark = "" // part of a word, or within quotation marks already
		}
		b.WriteString(line[at:m[0]] + mark + line[m[0]:m[1]] + mark)
		at = m[1]
	}
	return b.String() + line[at:]
}

// marksFor are the quotation marks that keep a text one word of a shell's line, "" where it is one without.
func marksFor(text string) string {
	switch {
	case !strings.ContainsAny(text, " \t\n'\"$`\\|&;<>()*?[]#!"):
		return ""
	case !strings.ContainsAny(text, "\"$`\\!"):
		return `"`
	case !strings.Contains(text, "'"):
		return "'"
	}
	return ""
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

func generalState(s *capture.State, render, at func(string) string) *capture.State {
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
	c := &capture.State{URL: at(s.URL), Title: render(s.Title), Headings: all(s.Headings), Dialogs: all(s.Dialogs), Alerts: all(s.Alerts),
		Invalid: all(s.Invalid), Focus: render(s.Focus), Cwd: render(s.Cwd)}
	for _, t := range s.Tables {
		c.Tables = append(c.Tables, capture.Table{Name: render(t.Name), Columns: all(t.Columns), Rows: t.Rows, Total: t.Total})
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

// asTold makes a box depend on its input, and several boxes on being named at all.
func (st *step) asTold(n *names) {
	p := n.params[st.ParamID]
	if st.ManyBoxes() && p != nil && p.Role == workflow.RoleInput && !p.Required {
		st.Optional, st.disputed, st.When, st.Condition = true, false, nil, "{"+p.Name+"} names any"
	}
	if !st.act.ticks() || p == nil || p.Role == workflow.RoleConstant || p.Role == workflow.RoleDropped {
		return
	}
	want := map[bool]string{true: yes, false: no}[st.Verb == capture.Check]
	st.Optional = false
	st.When = &workflow.Check{Kind: "input", Name: p.Name, Expect: want}
	if p.Role == workflow.RoleInput {
		st.Optional, st.Condition = true, "{"+p.Name+"} is "+want
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
	return p != nil && p.Role == workflow.RoleDropped && (st.act.supplies() || st.act.ticks())
}

// exportParams lists the parameters as the graph holds them.
func exportParams(s *study, n *names, steps []*step) []workflow.Param {
	used := map[string][]string{}
	for _, st := range steps {
		seen := map[string]bool{}
		var uses func(tmpl string)
		uses = func(tmpl string) {
			for _, id := range refsOf(tmpl) {
				if seen[id] {
					continue
				}
				seen[id] = true
				used[id] = append(used[id], st.StepID)
				if p := n.params[id]; p != nil && p.Role == workflow.RoleConstant {
					uses(p.Default) // what it holds is used where it is
				}
			}
		}
		for _, tmpl := range []string{st.value, st.command, st.file, st.owner} {
			uses(tmpl)
		}
	}
	var out []workflow.Param
	for _, p := range append(slices.Clone(s.params), n.made...) {
		x := p.Param
		x.Default, x.Example = n.prose(p.Default), n.prose(p.Example)
		if p.literal && x.Example == "" && p.Role != workflow.RoleConstant {
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

// overWords says what a loop goes over: "each item with its quantity".
func overWords(ids []string, n *names) string {
	var words []string
	for _, id := range ids {
		words = append(words, strings.ReplaceAll(n.params[id].Name, "_", " "))
	}
	first := words[0]
	for _, lead := range []string{"name of the ", "name of a ", "name of "} {
		first = strings.TrimPrefix(first, lead)
	}
	out := "each " + first
	if len(words) > 1 && len(words) <= 4 {
		out += " with its " + andList(words[1:])
	}
	return out
}

func exportLoops(s *study, n *names, steps []*step) []workflow.Loop {
	out := []workflow.Loop{}
	for k, l := range s.loops {
		loop := workflow.Loop{Rounds: l.count, Steps: []string{}}
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
			loop.Over = overWords(loop.Params, n)
		}
		out = append(out, loop)
	}
	return out
}
