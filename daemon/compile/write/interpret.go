package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// titleFor returns the edited title, or else the answered one, the goal, or what the steps amount to.
func titleFor(d *Understanding) string {
	if t := decision.Edits(d.In.Edits).Text(decision.EditTitle); t != "" {
		return page.Cut(t, 160)
	}
	if t, _ := d.In.Answer("", decision.FieldName); t != "" {
		return page.Cut(t, 160)
	}
	if d.Goal.Text != "" {
		return page.Cut(plain.UpperFirst(d.Goal.Text), 90)
	}
	for _, c := range slices.Backward(d.cps) {
		if c.Changes {
			return page.Cut(plain.UpperFirst(flow.RequestFor(c.Seg.Outcome, d.Names)), 90)
		}
	}
	if len(d.Steps) > 0 {
		return page.Cut(d.Steps[len(d.Steps)-1].Title, 90)
	}
	return "Nothing was demonstrated"
}

// interpret makes the interpretation of the demonstration (DOC3 0C.9).
func interpret(d *Understanding) workflow.Interpretation {
	e := decision.Edits(d.In.Edits)
	it := workflow.Interpretation{
		InterpretationID: d.In.NewID(), Title: d.Title, ProjectScope: "unclear", CreatedAt: d.In.Now, SchemaVersion: 1,
		PreferredControlSurfaces: d.Places.surfaceOrder(), Checkpoints: []workflow.Checkpoint{}, Inputs: inputSpecs(d),
	}
	if len(d.In.Traces) > 0 {
		it.LearnSessionID = d.In.Traces[0].SessionID
	}
	for _, c := range d.cps {
		it.Checkpoints = append(it.Checkpoints, c.Checkpoint)
	}
	it.GoalSummary = goalSummary(d, e)
	it.UseConditions = d.useConditions(e)
	it.NonUseConditions = d.nonUseConditions(e)
	it.SuccessConditions = d.successConditions(e)
	if s := e.Text(decision.EditScope); s != "" {
		it.ProjectScope = s
	} else if s, _ := d.In.Answer("", decision.FieldProject); s == "global" || s == "project_scoped" {
		it.ProjectScope = s
	}
	if ids, ok := e.List(decision.EditProjects); ok {
		it.ProjectScope, it.ProjectIDs = "global", nil
		if len(ids) > 0 {
			it.ProjectScope, it.ProjectIDs = "project_scoped", ids
		}
	}
	return it
}

func goalSummary(d *Understanding, e decision.Edits) string {
	if s := e.Text(decision.EditGoal); s != "" {
		return page.Cut(s, 600)
	}
	if s, _ := d.In.Answer("", decision.FieldGoal); s != "" {
		return page.Cut(s, 600)
	}
	s := d.Title
	if where := d.Places.where(); where != "" && !d.namesPlace(s) {
		s += ", " + where
	}
	return page.Cut(s+".", 600)
}

// namesPlace reports whether a text already says where the work happens: "an order at the order desk".
func (d *Understanding) namesPlace(s string) bool {
	said := " " + strings.Join(plain.Words(s), " ") + " "
	for _, name := range d.Places.siteNames() {
		if strings.Contains(said, " "+strings.Join(plain.Words(name), " ")+" ") {
			return true
		}
	}
	return false
}

func (d *Understanding) useConditions(e decision.Edits) []string {
	if list, ok := e.List(decision.EditUse); ok {
		return bounded(list)
	}
	out := []string{}
	if d.Goal.Text != "" || d.Title != "" {
		out = append(out, "Someone asks to "+thirdPerson(intent.PlainPhrase(cmp.Or(d.Goal.Text, d.Title)))+".")
	}
	if !d.Goal.English && d.Goal.Text != "" {
		out[0] = fmt.Sprintf(`Someone asks for this: "%s".`, d.Goal.Text)
	}
	if loops := d.loops; len(loops) > 0 {
		out = append(out, fmt.Sprintf("There may be several: the work is repeated for %s.", loops[0].Over))
	}
	return bounded(out)
}

var myForm = lazyre.New(`(?i)\b(my|me|i|our|us|we)\b`)

// thirdPerson turns the first person into the third: "my order" becomes "their order".
func thirdPerson(s string) string {
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

func (d *Understanding) nonUseConditions(e decision.Edits) []string {
	if list, ok := e.List(decision.EditNonUse); ok {
		return bounded(list)
	}
	out := []string{}
	if a, ok := d.In.Answer("", decision.FieldNonUse); ok && a != "" && !strings.EqualFold(a, "none") {
		for _, line := range strings.FieldsFunc(a, func(r rune) bool { return r == ';' || r == '\n' }) {
			out = append(out, plain.UpperFirst(strings.TrimRight(plain.Squeeze(line), "."))+".")
		}
	}
	noun := ""
	if d.Goal.English {
		noun = intent.Bare(d.Goal.Noun())
	}
	if d.sendsForms() {
		out = append(out, "The user only wants to look: this changes data.")
	}
	if intent.Indefinite.Has(strings.ToLower(noun)) {
		noun = d.picked()
	}
	if len(d.loops) == 0 && d.picksOne() && noun != "" && intent.Singular(intent.LastWord(noun)) == "" && len(strings.Fields(noun)) <= 3 {
		out = append(out, fmt.Sprintf("The request covers many %s. The demonstration handled one; ask first, then do them one at a time.",
			intent.Plural(noun)))
	}
	if names := d.Places.siteNames(); len(names) > 0 {
		out = append(out, fmt.Sprintf("The request is about a site other than %s.", intent.OrList(names)))
	}
	if n := d.Phrases.Negatives; len(n) > 0 && d.Goal.English {
		out = append(out, fmt.Sprintf("Something else is asked for, such as to %s.", intent.OrList(n[:min(2, len(n))])))
	}
	return bounded(out)
}

func (d *Understanding) sendsForms() bool {
	return slices.ContainsFunc(d.Steps, func(st *flow.Step) bool { return st.Act.Command == nil && st.Act.File == nil && flow.Effective(st) })
}

// picked names the object that was picked first.
func (d *Understanding) picked() string {
	for _, p := range d.Study.Params {
		if p.Source == "picked" && p.Role != workflow.RoleConstant {
			return strings.ReplaceAll(p.Name, "_", " ")
		}
	}
	return ""
}

func (d *Understanding) picksOne() bool {
	return slices.ContainsFunc(d.Study.Params, func(p *values.Param) bool { return p.Source == "picked" && p.Role != workflow.RoleConstant })
}

func bounded(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = page.Cut(plain.Squeeze(s), 240); s != "" {
			out = append(out, s)
		}
	}
	return out
}
