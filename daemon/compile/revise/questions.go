package revise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/values"
	"showhow/daemon/compile/write"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Ask lists the open questions, those first whose answer changes the skill most: values, then when a step is needed,
// then when not to use the skill, how people would ask for it, and its name (decisions C9).
func Ask(d *write.Understanding) []decision.Question {
	var qs []decision.Question
	others := otherQuestions(d)
	branches := branchQuestions(d)
	unseen := successQuestion(d)
	room := decision.MaxQuestions - min(len(branches), 2) - min(len(others), 2) - len(unseen)
	qs = append(qs, unseen...)
	qs = append(qs, valueQuestions(d, max(1, room))...)
	qs = append(qs, branches...)
	qs = append(qs, others...)
	if len(qs) > decision.MaxQuestions {
		qs = qs[:decision.MaxQuestions]
	}
	for i := range qs {
		qs[i].QuestionID, qs[i].CreatedAt, qs[i].SchemaVersion = d.In.NewID(), d.In.Now, 1
		qs[i].Prompt, qs[i].Asked = page.Cut(qs[i].Prompt, 400), page.Cut(qs[i].Asked, 400)
	}
	if qs == nil {
		qs = []decision.Question{}
	}
	return qs
}

// successQuestion asks how to recognise the success of a step after which no change was seen.
func successQuestion(d *write.Understanding) []decision.Question {
	st := write.Unseen(d)
	if st == nil {
		return nil
	}
	suggested := ""
	if st.Act.Surface == workflow.OnBrowser {
		suggested = "none" // the effect may show when the page is opened again
	}
	return []decision.Question{{Field: decision.FieldSuccess, SubjectRef: st.StepID, Required: true, Suggested: suggested,
		Prompt: fmt.Sprintf("No change was seen after the step “%s”. What does the page say when it has worked? Answer with its "+
			"words, using {input} for entered values, or none if it says nothing.", page.Cut(st.Title, 120))}}
}

// valueQuestions asks whether each undecided value is an input: a question for each doubtful one, one question for all
// others.
func valueQuestions(d *write.Understanding, room int) []decision.Question {
	var open []*values.Param
	used := map[string]bool{}
	for _, st := range d.Steps {
		for _, id := range page.RefsOf(st.ValueTemplate + st.CommandTemplate + st.FileTemplate + st.Owner + d.Study.Bindings[st.Col.ID].Drop) {
			used[id] = true
		}
	}
	for _, p := range d.Study.Params {
		if (p.Role == workflow.RoleUndecided || p.Ask) && p.Derived == "" && used[p.ParamID] {
			open = append(open, p)
		}
	}
	order := slices.Clone(open)
	slices.SortStableFunc(open, func(a, b *values.Param) int { return doubt(d, b) - doubt(d, a) })
	single, group := open, []*values.Param(nil)
	if len(open) > room {
		single, group = open[:room-1], open[room-1:]
		slices.SortFunc(group, func(a, b *values.Param) int { return slices.Index(order, a) - slices.Index(order, b) })
	}
	var qs []decision.Question
	for _, p := range single {
		qs = append(qs, valueQuestion(d, p))
	}
	if len(group) > 0 {
		qs = append(qs, groupQuestion(group))
	}
	return qs
}

// doubt ranks values, the most doubtful highest: a choice or typed words may well be constant, a picked row hardly.
func doubt(d *write.Understanding, p *values.Param) int {
	switch {
	case p.Steady:
		return 5
	case p.Source == "chosen" || p.Source == "ticked":
		return 4
	case p.Kind == capture.KindText && p.Source == "typed":
		return 3
	case p.Source == "argument":
		return 2
	case p.Source == "picked" || p.Kind == capture.KindID:
		return 0
	}
	return 1
}

func valueQuestion(d *write.Understanding, p *values.Param) decision.Question {
	q := decision.Question{Field: decision.FieldInput, SubjectRef: p.ParamID, Required: true, Choices: []string{workflow.RoleInput,
		workflow.RoleConstant, workflow.RoleExample, "drop"}, Suggested: suggest(d, p),
		Subjects: []string{plain.UpperFirst(called(p))}, Options: p.Options}
	what := described(d, p)
	switch {
	case p.Source == "ticked" && p.Template == page.Yes:
		ask(&q, "%s was ticked. Always{constant}, or only when the request says so{input}?", plain.UpperFirst(what))
	case p.Source == "ticked":
		ask(&q, "%s was unticked. Always{constant}, or only when the request says so{input}?", plain.UpperFirst(what))
	case p.Steady:
		q.Field = decision.FieldConst
		ask(&q, "%s was the same every time. Is it always this one{constant}, or should it be asked for{input}?",
			plain.UpperFirst(what))
	case p.Source == "picked":
		ask(&q, "Is it another %s each time{input}, or always the one you picked{constant}?",
			strings.ReplaceAll(p.Name, "_", " "))
	case p.Source == "chosen" && p.List:
		ask(&q, "Are the boxes of %s others each time{input}, or always the same{constant}?", what)
	case p.Source == "chosen":
		ask(&q, "Is %s another choice each time{input}, or always the one you made{constant}?", what)
	case p.List:
		ask(&q, "Are %s others each time{input}, or always the ones you used{constant}?", what)
	case p.Kind == capture.KindFile:
		ask(&q, "Is %s another file each time{input}, or always the one you used{constant}?", what)
	default:
		ask(&q, "Is %s different each time{input}, or always what you entered{constant}?", what)
	}
	return q
}

// written inserts the names of the answers, for a question that is answered in writing.
var written = strings.NewReplacer("{input}", " (input)", "{constant}", " (constant)", "{always}", " (always)", "{never}", " (never)")

// chosen removes them, for a question whose answers are buttons.
var chosen = strings.NewReplacer("{input}", "", "{constant}", "", "{always}", "", "{never}", "")

// ask words the question both ways; format marks the answers as {input}, {constant}, {always} and {never}.
func ask(q *decision.Question, format string, args ...any) {
	q.Prompt, q.Asked = fmt.Sprintf(written.Replace(format), args...), fmt.Sprintf(chosen.Replace(format), args...)
}

// called returns a question's name for an input: the person's own name for it, else the label of its field.
func called(p *values.Param) string {
	if p.Renamed {
		return strings.ReplaceAll(p.Name, "_", " ")
	}
	return p.Label
}

// described refers to a value without showing it.
func described(d *write.Understanding, p *values.Param) string {
	if p.Source == "argument" {
		if st := d.WholeIn(p.ParamID); st != nil {
			program := cmp.Or(p.Program, st.Program)
			shown := shell.Read(st.Act.Command).DisplayName(program)
			switch {
			case p.List && shell.ControlWords[shown]:
				return "the files that the command works on"
			case p.List:
				return "the files that `" + shown + "` works on"
			case p.Kind == capture.KindFile:
				return "the file that `" + shown + "` works on"
			}
			return fmt.Sprintf("the value %q in the command `%s`", strings.TrimPrefix(strings.ToLower(called(p)), program+" "), shown)
		}
		return "the " + strings.ToLower(called(p)) + " of the command"
	}
	return `"` + plain.UpperFirst(called(p)) + `"`
}

// suggest returns the likely answer: constant for a value that the goal names literally or that was the same each time.
func suggest(d *write.Understanding, p *values.Param) string {
	if p.Steady && !p.ByChance() || p.Ask || p.Source == "argument" && p.Label == "program" {
		return workflow.RoleConstant
	}
	if p.Source == "chosen" {
		goal := " " + strings.Join(plain.Words(d.In.Goal), " ") + " "
		for _, text := range p.Texts {
			if w := strings.Join(plain.Words(text), " "); w != "" && strings.Contains(goal, " "+w+" ") {
				return workflow.RoleConstant
			}
		}
	}
	return workflow.RoleInput
}

func groupQuestion(ps []*values.Param) decision.Question {
	var ids, labels []string
	for _, p := range ps {
		ids = append(ids, p.ParamID)
		labels = append(labels, strings.ReplaceAll(p.Name, "_", " "))
	}
	q := decision.Question{Field: decision.FieldInput, SubjectRef: groupRef(ids), Subjects: labels, Required: true,
		Choices: []string{workflow.RoleInput, workflow.RoleConstant}, Suggested: workflow.RoleInput}
	ask(&q, "Are these different each time{input}: %s?", intent.AndList(labels))
	q.Prompt += fmt.Sprintf(" If one of them always stays as it was, answer for example \"%s: constant\".", labels[0])
	return q
}

// groupRef joins ids, up to the limit of the API; values that do not fit keep their suggestion.
func groupRef(ids []string) string {
	for len(strings.Join(ids, ",")) > 160 {
		ids = ids[:len(ids)-1]
	}
	return strings.Join(ids, ",")
}

// branchQuestions asks when a step is needed that only some demonstrations took for an unknown reason.
func branchQuestions(d *write.Understanding) []decision.Question {
	var qs []decision.Question
	for _, st := range d.Steps {
		if st.Optional && st.Condition == "" {
			q := decision.Question{Field: decision.FieldBranch, SubjectRef: st.StepID, Subjects: []string{plain.LowerFirst(st.Title)},
				Required: st.Disputed, Choices: []string{"always", "never"},
				Prompt: fmt.Sprintf("Only some of your demonstrations did this: %s. When is it needed? Say when, or always, or never.",
					plain.LowerFirst(st.Title))}
			switch {
			case st.Disputed && st.Loop >= 0:
				q.Prompt = fmt.Sprintf("Not every round did this, for no visible reason: %s. When is it needed? Say when, or always, or never.",
					plain.LowerFirst(st.Title))
				q.Required = false
			case st.Disputed && !st.SameValues:
				q.Prompt = fmt.Sprintf("Your demonstrations disagree, for no visible reason: only some of them did this: %s. When is it needed? "+
					"Say when, or always, or never.", plain.LowerFirst(st.Title))
			case st.Disputed:
				q.Prompt = fmt.Sprintf("Your demonstrations disagree: with the same values, only some of them did this: %s. When is it needed? Say "+
					"when, or always, or never.", plain.LowerFirst(st.Title))
			}
			qs = append(qs, q)
		} else if _, answered := d.In.Answer(st.StepID, decision.FieldBranch); !answered && failed(st) {
			q := decision.Question{Field: decision.FieldBranch, SubjectRef: st.StepID, Subjects: []string{plain.LowerFirst(st.Title)},
				Choices: []string{"always", "never"}, Suggested: "never"}
			ask(&q, "`%s` ended with an error (exit code %d). Does it belong to the work{always}, or was it a slip{never}?",
				cmp.Or(st.Program, "The command"), st.Act.Command.Exit)
			qs = append(qs, q)
		}
	}
	if len(qs) > 2 {
		qs = qs[:2]
	}
	return qs
}

// failed reports whether the step is a command that ended with an error, not just with exit code 1 as its answer.
func failed(st *flow.Step) bool {
	c := st.Act.Command
	return c != nil && !c.Running && c.Exit != 0 && !shell.AnswersByFailing(c)
}

func otherQuestions(d *write.Understanding) []decision.Question {
	var qs []decision.Question
	open := func(field string) bool { _, answered := d.In.Answer("", field); return !answered }
	e := decision.Edits(d.In.Edits)
	has := func(key string) bool { _, ok := e[key]; return ok }
	if open(decision.FieldNonUse) && !has(decision.EditNonUse) {
		qs = append(qs, decision.Question{Field: decision.FieldNonUse,
			Prompt: "When should this not be used? Name the cases that only look like it, or answer none.", Suggested: "none"})
	}
	if open(decision.FieldUse) && !has(decision.EditTriggers) {
		suggested := ""
		if len(d.Phrases.Triggers) > 0 {
			suggested = strings.Join(d.Phrases.Triggers[:min(2, len(d.Phrases.Triggers))], "; ")
		}
		qs = append(qs, decision.Question{Field: decision.FieldUse,
			Prompt: "How would you ask for this, in your own words? Separate several ways with a semicolon.", Suggested: suggested})
	}
	if d.Goal.Text == "" && open(decision.FieldName) && !has(decision.EditTitle) {
		qs = append([]decision.Question{{Field: decision.FieldName, Prompt: "What should this skill be called?", Required: true,
			Suggested: d.Title}}, qs...)
	}
	return qs
}
