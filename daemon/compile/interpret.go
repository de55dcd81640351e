package compile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// draft is everything that is understood when the text is written.
type draft struct {
	in      Input
	study   *study
	names   *names
	steps   []*step
	segs    []*segment
	cps     []*candidate
	places  places
	goal    goalText
	title   string
	slug    string
	phrases phrases
	interp  workflow.Interpretation
	params  []workflow.Param
	loops   []workflow.Loop
	recover []string
	leftOut []string
	remarks []string // what the person noted on the way
	verdict workflow.Verdict
}

// titleFor is the edited title, the answered one, the goal, or what the steps amount to.
func titleFor(d *draft) string {
	if t := (edited{d.in.Edits}).text(editTitle); t != "" {
		return cut(t, 160)
	}
	if t, _ := d.in.answer("", fieldName); t != "" {
		return cut(t, 160)
	}
	if d.goal.text != "" {
		return cut(plain.UpperFirst(d.goal.text), 90)
	}
	for _, c := range slices.Backward(d.cps) {
		if c.effect {
			return cut(plain.UpperFirst(wish(c.seg.outcome, d.names)), 90)
		}
	}
	if len(d.steps) > 0 {
		return cut(d.steps[len(d.steps)-1].Title, 90)
	}
	return "Nothing was demonstrated"
}

// interpret gives the demonstration its meaning (DOC3 0C.9).
func interpret(d *draft) workflow.Interpretation {
	e := edited{d.in.Edits}
	it := workflow.Interpretation{
		InterpretationID: d.in.NewID(), Title: d.title, ProjectScope: "unclear", CreatedAt: d.in.Now, SchemaVersion: 1,
		PreferredControlSurfaces: d.places.surfaceOrder(), Checkpoints: []workflow.Checkpoint{}, Inputs: inputSpecs(d),
	}
	if len(d.in.Traces) > 0 {
		it.LearnSessionID = d.in.Traces[0].SessionID
	}
	for _, c := range d.cps {
		it.Checkpoints = append(it.Checkpoints, c.Checkpoint)
	}
	it.GoalSummary = goalSummary(d, e)
	it.UseConditions = d.useConditions(e)
	it.NonUseConditions = d.nonUseConditions(e)
	it.SuccessConditions = d.successConditions(e)
	if s := e.text(editScope); s != "" {
		it.ProjectScope = s
	} else if s, _ := d.in.answer("", fieldProject); s == "global" || s == "project_scoped" {
		it.ProjectScope = s
	}
	return it
}

func goalSummary(d *draft, e edited) string {
	if s := e.text(editGoal); s != "" {
		return cut(s, 600)
	}
	if s, _ := d.in.answer("", fieldGoal); s != "" {
		return cut(s, 600)
	}
	s := d.title
	if where := d.places.where(); where != "" && !d.namesPlace(s) {
		s += ", " + where
	}
	return cut(s+".", 600)
}

// namesPlace reports whether a text says already where the work happens: "an order at the order desk".
func (d *draft) namesPlace(s string) bool {
	said := " " + strings.Join(plain.Words(s), " ") + " "
	for _, name := range d.places.siteNames() {
		if strings.Contains(said, " "+strings.Join(plain.Words(name), " ")+" ") {
			return true
		}
	}
	return false
}

func (d *draft) useConditions(e edited) []string {
	if list, ok := e.list(editUse); ok {
		return bounded(list)
	}
	out := []string{}
	if d.goal.text != "" || d.title != "" {
		out = append(out, "Someone asks to "+theirs(plainPhrase(cmp.Or(d.goal.text, d.title)))+".")
	}
	if !d.goal.english && d.goal.text != "" {
		out[0] = fmt.Sprintf(`Someone asks for this: "%s".`, d.goal.text)
	}
	if loops := d.loops; len(loops) > 0 {
		out = append(out, fmt.Sprintf("It may be one or several: the work is repeated for %s.", loops[0].Over))
	}
	return bounded(out)
}

var myForm = regexp.MustCompile(`(?i)\b(my|me|i|our|us|we)\b`)

// theirs turns what somebody says of their own into what they are said to ask.
func theirs(s string) string {
	return myForm.ReplaceAllStringFunc(s, func(w string) string {
		switch strings.ToLower(w) {
		case "my", "our":
			return "their"
		case "me", "us":
			return "them"
		}
		return "they"
	})
}

func (d *draft) nonUseConditions(e edited) []string {
	if list, ok := e.list(editNonUse); ok {
		return bounded(list)
	}
	out := []string{}
	if a, ok := d.in.answer("", fieldNonUse); ok && a != "" && !strings.EqualFold(a, "none") {
		for _, line := range strings.FieldsFunc(a, func(r rune) bool { return r == ';' || r == '\n' }) {
			out = append(out, plain.UpperFirst(strings.TrimRight(plain.Squeeze(line), "."))+".")
		}
	}
	noun := ""
	if d.goal.english {
		noun = bare(d.goal.noun())
	}
	if d.sendsForms() {
		out = append(out, "The user only wants to look: this changes data.")
	}
	if indefinite[strings.ToLower(noun)] {
		noun = d.picked()
	}
	if len(d.loops) == 0 && d.picksOne() && noun != "" && singular(lastWord(noun)) == "" && len(strings.Fields(noun)) <= 3 {
		out = append(out, fmt.Sprintf("Many %s are meant at once. This was shown for one; ask first, then take them one by one.", plural(noun)))
	}
	if names := d.places.siteNames(); len(names) > 0 {
		out = append(out, fmt.Sprintf("It is about another site than %s.", orList(names)))
	}
	if n := d.phrases.negatives; len(n) > 0 && d.goal.english {
		out = append(out, fmt.Sprintf("Something else is asked for, such as to %s.", orList(n[:min(2, len(n))])))
	}
	return bounded(out)
}

func (d *draft) sendsForms() bool {
	return slices.ContainsFunc(d.steps, func(st *step) bool { return st.act.command == nil && st.act.file == nil && effective(st) })
}

// picked names the thing that was picked first.
func (d *draft) picked() string {
	for _, p := range d.study.params {
		if p.source == "picked" && p.Role != workflow.RoleConstant {
			return strings.ReplaceAll(p.Name, "_", " ")
		}
	}
	return ""
}

func (d *draft) picksOne() bool {
	return slices.ContainsFunc(d.study.params, func(p *param) bool { return p.source == "picked" && p.Role != workflow.RoleConstant })
}

// successConditions say when the whole has succeeded, by its effects; the last state only where no effect was seen.
func (d *draft) successConditions(e edited) []string {
	if list, ok := e.list(editSuccess); ok {
		return bounded(list)
	}
	out := []string{}
	for _, c := range d.cps {
		if c.effect {
			out = append(out, c.SuccessCondition)
		}
	}
	if n := len(d.cps); n > 0 && len(out) == 0 {
		out = append(out, d.cps[n-1].SuccessCondition)
	}
	out = append(out, d.afterthought()...)
	if a, _ := d.in.answer("", fieldSuccess); a != "" {
		out = append(out, plain.UpperFirst(a))
	}
	return bounded(out)
}

// afterthought says for a form whose effect was not seen, only announced, what its thing must show when it is opened again.
// It is no checkpoint, because nobody saw it: it is what the person entered, to be looked up by whoever does the work.
func (d *draft) afterthought() []string {
	var fills []*step
	var out []string
	thing := ""
	for _, st := range d.steps {
		thing = cmp.Or(thingOf(st), thing)
		if len(out) == maxShown {
			break
		}
		if st.act.supplies() && !st.act.secret() {
			fills = append(fills, st)
		}
		if st.Verb == capture.Submit && searches(st) {
			fills = nil
		}
		if !effective(st) {
			continue
		}
		if len(fills) > 0 && st.act.surface == workflow.OnBrowser && st.act.file == nil && !d.showsValues(st) {
			if told := d.reopened(thing, emptied(fills, st)); told != "" {
				out = append(out, told)
			}
		}
		fills = nil
	}
	return out
}

// showsValues reports whether the step's checkpoint compares a value or counts rows: an effect that was seen.
func (d *draft) showsValues(st *step) bool {
	for _, c := range d.cps {
		if c.StepID != st.StepID {
			continue
		}
		for _, ch := range append([]workflow.Check{*c.Check}, c.MoreChecks...) {
			if ch.Kind == "field_value" || ch.Kind == "detail" || ch.Kind == "row_count" {
				return true
			}
		}
	}
	return false
}

// emptied leaves out the fields that the same page shows empty again once the form was sent: what was entered there is to be
// seen somewhere else, and nobody showed where.
func emptied(fills []*step, sent *step) []*step {
	after := sent.act.state()
	return slices.DeleteFunc(slices.Clone(fills), func(f *step) bool {
		i := slices.IndexFunc(after.Fields, func(x capture.Field) bool {
			return f.act.target != nil && clean(x.Label) == clean(targetName(f.act.target))
		})
		return i >= 0 && (after.Fields[i].Value == nil || after.Fields[i].Value.LinkID == "" && after.Fields[i].Value.Text == "")
	})
}

func (d *draft) reopened(thing string, fills []*step) string {
	var shows []string
	for _, f := range fills {
		if f.ManyBoxes() {
			if f.Verb == capture.Check {
				shows = append(shows, fmt.Sprintf(`%s ticked under "%s"`, d.names.prose(f.value), f.label()))
			}
			continue
		}
		if value := d.names.prose(wholeName(f)); value != "" && value != "..." && !strings.Contains(thing, value) && len(shows) < 4 {
			shows = append(shows, fmt.Sprintf("%s as %s", quoteOr(f.label(), "the field"), value))
		}
	}
	if len(shows) == 0 {
		return ""
	}
	return fmt.Sprintf("When it is opened again, %s shows %s.", cmp.Or(thing, "it"), andList(shows))
}

// wholeName is what a step enters, as a whole where a part of it was typed to find the rest in a list: that is what is kept.
func wholeName(f *step) string {
	if ids := refsOf(f.value); len(ids) == 1 && (f.value == joinRef(ids[0], workflow.PartFirst) || f.value == joinRef(ids[0], workflow.PartLast)) {
		return ref(ids[0])
	}
	return f.value
}

// thingOf is what a step's page is about, by the heading that names it: "order {order}".
func thingOf(st *step) string {
	if st.After == nil {
		return ""
	}
	for _, h := range st.After.Headings {
		if before, _, numbered := strings.Cut(h, "{*}"); numbered { // "Ticket {*}: {topic}" is about the ticket
			if noun := strings.TrimRight(before, " #:"); noun != "" && !strings.Contains(noun, "{") && len(strings.Fields(noun)) <= 2 && plain.Digits(noun) == 0 {
				return "the " + plain.LowerFirst(noun)
			}
			continue
		}
		if !strings.Contains(h, "{") || len(strings.Fields(h)) > 4 {
			continue
		}
		if strings.HasPrefix(h, "{") {
			return "the page of " + h
		}
		return plain.LowerFirst(h)
	}
	return ""
}

func bounded(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = cut(plain.Squeeze(s), 240); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// inputSpecs are the inputs as a skill documents them: what is asked for, in order of use.
func inputSpecs(d *draft) []workflow.InputSpec {
	out := []workflow.InputSpec{}
	for _, p := range d.params {
		if p.Derived != "" || p.Role == workflow.RoleConstant || p.Role == workflow.RoleDropped {
			continue
		}
		if len(p.UsedIn) == 0 {
			continue
		}
		spec := workflow.InputSpec{List: p.List, Name: p.Name, Label: p.Label, Kind: p.Kind, Description: cmp.Or(p.Description, d.describe(p)), Options: p.Options,
			Required: p.Required && p.Default == "", Default: p.Default, Example: cmp.Or(p.Example, invented(p, d.names.params[p.ParamID]))}
		out = append(out, spec)
	}
	return out
}

// describe says what an input is, from where it goes.
func (d *draft) describe(p workflow.Param) string {
	q := d.names.params[p.ParamID]
	what := d.purpose(p, q)
	if f := form(q); f != "" {
		what += ", written like " + f
	}
	if p.List && q.source != "chosen" {
		what += ", one or several"
	}
	if p.Loop {
		what += ". One or several: the work is repeated for each one"
	}
	return what
}

func (d *draft) purpose(p workflow.Param, q *param) string {
	words := strings.ReplaceAll(p.Name, "_", " ")
	switch q.source {
	case "ticked":
		return fmt.Sprintf(`Whether "%s" is ticked`, p.Label)
	case "picked":
		return "Which " + words
	case "argument", "file":
		for _, st := range d.steps {
			if slices.Contains(p.UsedIn, st.StepID) && st.act.command != nil && (d.wholeIn(p.ParamID) == st || d.wholeIn(p.ParamID) == nil) {
				if p.List {
					if program := readLine(st.act.command).shown(st.program); !controlWordsOfShell[program] {
						return fmt.Sprintf("The files that `%s` works on", program)
					}
					return "The files that the command works on"
				}
				if p.Kind == capture.KindFile {
					return fileFor(st, p)
				}
				which := map[bool]string{true: "The", false: "Which"}[p.Kind == capture.KindNumber]
				return fmt.Sprintf("%s %s to use in the command `%s`", which, plain.LowerFirst(p.Label), readLine(st.act.command).shown(st.program))
			}
		}
	}
	for _, st := range d.steps {
		if st.ParamID == p.ParamID && d.nextSearches(st) {
			return "What to search for"
		}
	}
	if q.source == "chosen" && p.List {
		if group, ok := strings.CutSuffix(p.Label, toUntick); ok {
			return fmt.Sprintf(`What to untick under "%s", one or several`, group)
		}
		return fmt.Sprintf(`What to tick under "%s", one or several`, p.Label)
	}
	if q.source == "chosen" {
		return fmt.Sprintf(`What to choose for "%s"`, p.Label)
	}
	return fmt.Sprintf(`What goes into "%s"`, p.Label)
}

// wholeIn is the first command that takes a value as it is, rather than something worked out from it.
func (d *draft) wholeIn(param string) *step {
	for _, st := range d.steps {
		if st.act.command != nil && strings.Contains(st.command, ref(param)) {
			return st
		}
	}
	return nil
}

// fileFor says what a command does with a file: it writes what output is sent to, and works on the others.
func fileFor(st *step, p workflow.Param) string {
	l := readLine(st.act.command)
	for _, made := range l.makes() {
		if strings.HasSuffix(st.Command, "> {"+p.Name+"}") || p.LinkID != "" && strings.Contains(made, p.LinkID) {
			return fmt.Sprintf("The file to write the output of `%s` to", st.program)
		}
	}
	return fmt.Sprintf("The file that `%s` works on", l.shown(st.program))
}

// form is how an identifier is written, letters as X and digits as 0: X-0000. Nothing else of it is told.
func form(q *param) string {
	if q.Kind != capture.KindID {
		return ""
	}
	out := ""
	for _, text := range append(slices.Clone(q.texts), q.rounds...) {
		shape := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsDigit(r):
				return '0'
			case unicode.IsLetter(r):
				return 'X'
			case r < 0x80 && unicode.IsPunct(r):
				return r
			}
			return -1
		}, text)
		if text == "" {
			continue
		}
		if len(text) > 16 || out != "" && shape != out || strings.EqualFold(shape, text) {
			return ""
		}
		out = shape
	}
	return out
}

func (d *draft) nextSearches(st *step) bool {
	i := slices.Index(d.steps, st)
	return i+1 < len(d.steps) && d.steps[i+1].Verb == capture.Submit && searches(d.steps[i+1])
}

// invented is an example of the value's kind that has nothing to do with the demonstrated one.
func invented(p workflow.Param, q *param) string {
	var tries []string
	switch p.Kind {
	case capture.KindDate:
		if len(q.texts) > 0 {
			_, example := workflow.DateForm(q.texts[0])
			tries = []string{example}
		}
	case capture.KindEmail:
		tries = []string{"name@example.com", "someone@example.org"}
	case capture.KindURL:
		tries = []string{"https://example.com/", "https://example.org/"}
	case capture.KindNumber:
		tries = []string{"3", "25"}
	}
	for _, t := range tries {
		if t != "" && !slices.ContainsFunc(q.texts, func(s string) bool { return strings.EqualFold(s, t) }) {
			return t
		}
	}
	return ""
}
