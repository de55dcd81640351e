package compile

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
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
	interp  Interpretation
	params  []Param
	loops   []Loop
	recover []string
	leftOut []string
	remarks []string // what the person noted on the way
	verdict Verdict
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
		return cut(upperFirst(d.goal.text), 90)
	}
	for _, c := range slices.Backward(d.cps) {
		if c.effect {
			return cut(upperFirst(strings.ReplaceAll(told2(c.seg.outcome, d.names), "`", "")), 90)
		}
	}
	if len(d.steps) > 0 {
		return cut(d.steps[len(d.steps)-1].Title, 90)
	}
	return "Nothing was demonstrated"
}

// told2 is a step in the imperative without its values.
func told2(st *step, n *names) string {
	if st.file != "" && st.Verb == capture.Download {
		return "download the " + orThe(strings.ToUpper(strings.TrimPrefix(extOf(st.act.file), ".")), "the file") + " file"
	}
	return phrase(st, n, false)
}

// interpret gives the demonstration its meaning (DOC3 0C.9).
func interpret(d *draft) Interpretation {
	e := edited{d.in.Edits}
	it := Interpretation{
		InterpretationID: d.in.NewID(), Title: d.title, ProjectScope: "unclear", CreatedAt: d.in.Now, SchemaVersion: 1,
		PreferredControlSurfaces: d.places.surfaceOrder(), Checkpoints: []Checkpoint{}, Inputs: inputSpecs(d),
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
	if where := d.places.where(); where != "" {
		s += ", using " + where
	}
	return cut(s+".", 600)
}

func (d *draft) useConditions(e edited) []string {
	if list, ok := e.list(editUse); ok {
		return bounded(list)
	}
	out := []string{}
	if d.goal.text != "" || d.title != "" {
		out = append(out, "Someone asks to "+plainPhrase(orThe(d.goal.text, d.title))+".")
	}
	if !d.goal.english && d.goal.text != "" {
		out[0] = fmt.Sprintf(`Someone asks for this: "%s".`, d.goal.text)
	}
	if loops := d.loops; len(loops) > 0 {
		out = append(out, fmt.Sprintf("One or several at once: the work is done %s.", strings.Replace(loops[0].Over, "each", "for each", 1)))
	}
	return bounded(out)
}

func (d *draft) nonUseConditions(e edited) []string {
	if list, ok := e.list(editNonUse); ok {
		return bounded(list)
	}
	out := []string{}
	if a, ok := d.in.answer("", fieldNonUse); ok && a != "" && !strings.EqualFold(a, "none") {
		for _, line := range strings.FieldsFunc(a, func(r rune) bool { return r == ';' || r == '\n' }) {
			out = append(out, upperFirst(strings.TrimRight(squeeze(line), "."))+".")
		}
	}
	noun := ""
	if d.goal.english {
		noun = bare(d.goal.noun())
	}
	if d.changesSomething() && !slices.ContainsFunc(d.cps, func(c *candidate) bool { return c.effect && onlyFiles(c) }) || d.sendsForms() {
		out = append(out, "Only a look is wanted and nothing may be changed.")
	}
	if len(d.loops) == 0 && d.picksOne() && noun != "" && len(strings.Fields(noun)) <= 3 {
		out = append(out, fmt.Sprintf("Many %s at once are meant: this was shown for one at a time. Ask first, then go through them one by one.", plural(noun)))
	}
	for _, s := range d.places.sites {
		out = append(out, fmt.Sprintf("It is about another site than %s.", orThe(d.places.names[s], s)))
		break
	}
	if len(out) == 0 && len(d.places.commands) > 0 {
		out = append(out, "The files are somewhere this machine's terminal cannot reach.")
	}
	return bounded(out)
}

func onlyFiles(c *candidate) bool { return c.Check != nil && c.Check.Kind == "file" }

func (d *draft) sendsForms() bool {
	return slices.ContainsFunc(d.steps, func(st *step) bool { return st.act.command == nil && st.act.file == nil && effective(st) })
}

func (d *draft) changesSomething() bool {
	return slices.ContainsFunc(d.steps, effective)
}

func (d *draft) picksOne() bool {
	return slices.ContainsFunc(d.study.params, func(p *param) bool { return p.source == "picked" && p.Role != roleConstant })
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
	if len(d.cps) > 0 {
		if last := d.cps[len(d.cps)-1]; !last.effect {
			out = append(out, last.SuccessCondition)
		}
	}
	if a, _ := d.in.answer("", fieldSuccess); a != "" {
		out = append(out, upperFirst(a))
	}
	return bounded(out)
}

func bounded(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = cut(squeeze(s), 240); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// inputSpecs are the inputs as a skill documents them: what is asked for, in order of use.
func inputSpecs(d *draft) []InputSpec {
	out := []InputSpec{}
	for _, p := range d.params {
		if p.Derived != "" || p.Role == roleConstant || p.Role == roleDropped {
			continue
		}
		if len(p.UsedIn) == 0 {
			continue
		}
		spec := InputSpec{Name: p.Name, Label: p.Label, Kind: p.Kind, Description: orThe(p.Description, d.describe(p)), Options: p.Options,
			Required: p.Required && p.Default == "", Default: p.Default, Example: orThe(p.Example, invented(p, d.names.params[p.ParamID]))}
		out = append(out, spec)
	}
	return out
}

// describe says what an input is, from where it goes.
func (d *draft) describe(p Param) string {
	q := d.names.params[p.ParamID]
	suffix := ""
	if p.Loop {
		suffix = "; one for each round"
	}
	switch q.source {
	case "picked":
		return upperFirst("which " + strings.ReplaceAll(p.Name, "_", " ") + " to work on" + suffix)
	case "chosen":
		return "What to choose for " + p.Label + suffix
	case "argument", "file":
		for _, st := range d.steps {
			if slices.Contains(p.UsedIn, st.StepID) {
				if p.Kind == capture.KindFile {
					return fmt.Sprintf("The file that `%s` works on%s", programOf(st.act.command), suffix)
				}
				return fmt.Sprintf("The %s for `%s`%s", strings.ToLower(p.Label), programOf(st.act.command), suffix)
			}
		}
	}
	for _, st := range d.steps {
		if st.ParamID == p.ParamID && d.nextSearches(st) {
			return "What to search for" + suffix
		}
	}
	return "What to enter as " + p.Label + suffix
}

func (d *draft) nextSearches(st *step) bool {
	i := slices.Index(d.steps, st)
	return i+1 < len(d.steps) && d.steps[i+1].Verb == capture.Submit && searches(d.steps[i+1])
}

// invented is an example of the value's kind that has nothing to do with the demonstrated one.
func invented(p Param, q *param) string {
	var tries []string
	switch p.Kind {
	case capture.KindDate:
		tries = []string{"2027-03-15", "2027-09-30"}
	case capture.KindEmail:
		tries = []string{"name@example.com", "someone@example.org"}
	case capture.KindURL:
		tries = []string{"https://example.com/", "https://example.org/"}
	case capture.KindNumber:
		tries = []string{"3", "25"}
	}
	for _, t := range tries {
		if !slices.ContainsFunc(q.texts, func(s string) bool { return strings.EqualFold(s, t) }) {
			return t
		}
	}
	return ""
}
