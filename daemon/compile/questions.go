package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

const maxQuestions = 5

// ask lists the open questions, those first whose answer changes the skill most: values, then when a step is needed, then
// when not to use the skill, how people would ask for it, and its name (decisions C9).
func ask(d *draft) []Question {
	var qs []Question
	others := d.otherQuestions()
	branches := d.branchQuestions()
	unseen := d.successQuestion()
	room := maxQuestions - min(len(branches), 2) - min(len(others), 2) - len(unseen)
	qs = append(qs, unseen...)
	qs = append(qs, d.valueQuestions(max(1, room))...)
	qs = append(qs, branches...)
	qs = append(qs, others...)
	if len(qs) > maxQuestions {
		qs = qs[:maxQuestions]
	}
	for i := range qs {
		qs[i].QuestionID, qs[i].CreatedAt, qs[i].SchemaVersion = d.in.NewID(), d.in.Now, 1
		qs[i].Prompt = cut(qs[i].Prompt, 400)
	}
	if qs == nil {
		qs = []Question{}
	}
	return qs
}

// successQuestion asks what tells that a step worked after which nothing was seen to change.
func (d *draft) successQuestion() []Question {
	st := d.unseen()
	if st == nil {
		return nil
	}
	return []Question{{Field: fieldSuccess, SubjectRef: st.StepID, Required: true,
		Prompt: fmt.Sprintf("Nothing was seen to change after the step “%s”. What does the page say when it has worked? Answer with its words; {input} stands for what was entered.", cut(st.Title, 120))}}
}

// valueQuestions asks for every undecided value whether it is an input: the doubtful ones each, the others together.
func (d *draft) valueQuestions(room int) []Question {
	var open []*param
	used := map[string]bool{}
	for _, st := range d.steps {
		for _, id := range refsOf(st.value + st.command + st.file + st.owner) {
			used[id] = true
		}
	}
	for _, p := range d.study.params {
		if (p.Role == workflow.RoleUndecided || p.ask) && p.Derived == "" && used[p.ParamID] {
			open = append(open, p)
		}
	}
	order := slices.Clone(open)
	slices.SortStableFunc(open, func(a, b *param) int { return d.doubt(b) - d.doubt(a) })
	single, group := open, []*param(nil)
	if len(open) > room {
		single, group = open[:room-1], open[room-1:]
		slices.SortFunc(group, func(a, b *param) int { return slices.Index(order, a) - slices.Index(order, b) })
	}
	var qs []Question
	for _, p := range single {
		qs = append(qs, d.valueQuestion(p))
	}
	if len(group) > 0 {
		qs = append(qs, groupQuestion(group))
	}
	return qs
}

// doubt ranks values: what was chosen from a list or typed as words may well be constant, a picked row hardly.
func (d *draft) doubt(p *param) int {
	switch {
	case p.steady:
		return 5
	case p.source == "chosen" || p.source == "ticked":
		return 4
	case p.Kind == capture.KindText && p.source == "typed":
		return 3
	case p.source == "argument":
		return 2
	case p.source == "picked" || p.Kind == capture.KindID:
		return 0
	}
	return 1
}

func (d *draft) valueQuestion(p *param) Question {
	q := Question{Field: fieldInput, SubjectRef: p.ParamID, Required: true, Choices: []string{workflow.RoleInput, workflow.RoleConstant, workflow.RoleExample, "drop"}, Suggested: d.suggest(p),
		Subjects: []string{plain.UpperFirst(p.called())}, Options: p.Options}
	what := d.described(p)
	switch {
	case p.source == "ticked" && p.template == yes:
		q.Prompt = fmt.Sprintf("%s was ticked. Always (constant), or only when the request says so (input)?", plain.UpperFirst(what))
	case p.source == "ticked":
		q.Prompt = fmt.Sprintf("%s was unticked. Always (constant), or only when the request says so (input)?", plain.UpperFirst(what))
	case p.steady:
		q.Field = fieldConst
		q.Prompt = fmt.Sprintf("%s was the same every time. Is it always this one (constant), or should it be asked for (input)?", plain.UpperFirst(what))
	case p.source == "picked":
		q.Prompt = fmt.Sprintf("Is it another %s each time (input), or always the one you picked (constant)?", strings.ReplaceAll(p.Name, "_", " "))
	case p.source == "chosen" && p.List:
		q.Prompt = fmt.Sprintf("Are the boxes of %s others each time (input), or always the same (constant)?", what)
	case p.source == "chosen":
		q.Prompt = fmt.Sprintf("Is %s another choice each time (input), or always the one you made (constant)?", what)
	case p.List:
		q.Prompt = fmt.Sprintf("Are %s others each time (input), or always the ones you used (constant)?", what)
	case p.Kind == capture.KindFile:
		q.Prompt = fmt.Sprintf("Is %s another file each time (input), or always the one you used (constant)?", what)
	default:
		q.Prompt = fmt.Sprintf("Is %s different each time (input), or always what you entered (constant)?", what)
	}
	return q
}

// called is what a question calls an input: what the person named it, else what its field is labelled.
func (p *param) called() string {
	if p.renamed {
		return strings.ReplaceAll(p.Name, "_", " ")
	}
	return p.Label
}

// described names a value without showing it.
func (d *draft) described(p *param) string {
	if p.source == "argument" {
		if st := d.wholeIn(p.ParamID); st != nil {
			program := cmp.Or(p.program, st.program)
			shown := readLine(st.act.command).shown(program)
			switch {
			case p.List && controlWordsOfShell[shown]:
				return "the files that the command works on"
			case p.List:
				return "the files that `" + shown + "` works on"
			case p.Kind == capture.KindFile:
				return "the file that `" + shown + "` works on"
			}
			return fmt.Sprintf("the value %q in the command `%s`", strings.TrimPrefix(strings.ToLower(p.called()), program+" "), shown)
		}
		return "the " + strings.ToLower(p.called()) + " of the command"
	}
	return `"` + plain.UpperFirst(p.called()) + `"`
}

// suggest is the likely answer: what the goal names in so many words, or was the same each time, is constant.
func (d *draft) suggest(p *param) string {
	if p.steady || p.ask || p.source == "argument" && p.Label == "program" {
		return workflow.RoleConstant
	}
	if p.source == "chosen" {
		goal := " " + strings.Join(plain.Words(d.in.Goal), " ") + " "
		for _, text := range p.texts {
			if w := strings.Join(plain.Words(text), " "); w != "" && strings.Contains(goal, " "+w+" ") {
				return workflow.RoleConstant
			}
		}
	}
	return workflow.RoleInput
}

func groupQuestion(ps []*param) Question {
	var ids, labels []string
	for _, p := range ps {
		ids = append(ids, p.ParamID)
		labels = append(labels, strings.ReplaceAll(p.Name, "_", " "))
	}
	return Question{Field: fieldInput, SubjectRef: groupRef(ids), Subjects: labels, Required: true, Choices: []string{workflow.RoleInput, workflow.RoleConstant}, Suggested: workflow.RoleInput,
		Prompt: fmt.Sprintf("Are these different each time (input): %s? If one of them always stays as it was, answer for example \"%s: constant\".", andList(labels), labels[0])}
}

// groupRef joins ids; a list too long for the wire names only its first ones, the others keep their suggestion.
func groupRef(ids []string) string {
	for len(strings.Join(ids, ",")) > 160 {
		ids = ids[:len(ids)-1]
	}
	return strings.Join(ids, ",")
}

// branchQuestions asks when a step is needed that only some demonstrations took and whose reason was not seen.
func (d *draft) branchQuestions() []Question {
	var qs []Question
	for _, st := range d.steps {
		if st.Optional && st.Condition == "" {
			q := Question{Field: fieldBranch, SubjectRef: st.StepID, Subjects: []string{plain.LowerFirst(st.Title)}, Required: st.disputed, Choices: []string{"always", "never"},
				Prompt: fmt.Sprintf("Only some of your demonstrations did this: %s. When is it needed? Say when, or always, or never.", plain.LowerFirst(st.Title))}
			switch {
			case st.disputed && st.loop >= 0:
				q.Prompt = fmt.Sprintf("Not every round did this, and it was not seen why: %s. When is it needed? Say when, or always, or never.", plain.LowerFirst(st.Title))
				q.Required = false
			case st.disputed:
				q.Prompt = fmt.Sprintf("Your demonstrations disagree: with the same values, only some of them did this: %s. When is it needed? Say when, or always, or never.", plain.LowerFirst(st.Title))
			}
			qs = append(qs, q)
		} else if _, answered := d.in.answer(st.StepID, fieldBranch); !answered && st.failed() {
			qs = append(qs, Question{Field: fieldBranch, SubjectRef: st.StepID, Subjects: []string{plain.LowerFirst(st.Title)}, Choices: []string{"always", "never"}, Suggested: "never",
				Prompt: fmt.Sprintf("`%s` ended with an error (exit code %d). Does it belong to the work (always), or was it a slip (never)?", cmp.Or(st.program, "The command"), st.act.command.Exit)})
		}
	}
	if len(qs) > 2 {
		qs = qs[:2]
	}
	return qs
}

// failed reports whether the step is a command that ended with an error rather than with an answer.
func (st *step) failed() bool {
	c := st.act.command
	return c != nil && !c.Running && c.Exit != 0 && !answersByFailing(c)
}

func (d *draft) otherQuestions() []Question {
	var qs []Question
	open := func(field string) bool { _, answered := d.in.answer("", field); return !answered }
	e := edited{d.in.Edits}
	has := func(key string) bool { _, ok := e.m[key]; return ok }
	if open(fieldNonUse) && !has(editNonUse) {
		qs = append(qs, Question{Field: fieldNonUse, Prompt: "When should this not be used? Name the cases that only look like it, or answer none.", Suggested: "none"})
	}
	if open(fieldUse) && !has(editTriggers) {
		suggested := ""
		if len(d.phrases.triggers) > 0 {
			suggested = strings.Join(d.phrases.triggers[:min(2, len(d.phrases.triggers))], "; ")
		}
		qs = append(qs, Question{Field: fieldUse, Prompt: "How would you ask for this, in your own words? Separate several ways with a semicolon.", Suggested: suggested})
	}
	if d.goal.text == "" && open(fieldName) && !has(editTitle) {
		qs = append([]Question{{Field: fieldName, Prompt: "What should this skill be called?", Required: true, Suggested: d.title}}, qs...)
	}
	return qs
}
