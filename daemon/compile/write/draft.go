package write

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/prove"
	"showhow/daemon/compile/trace"
	"showhow/daemon/compile/values"
	"showhow/daemon/danger"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Understanding holds everything that is known when the texts are written.
type Understanding struct {
	In      draft.Input
	Study   *values.Study
	Names   *flow.Names
	Steps   []*flow.Step
	segs    []*flow.Segment
	cps     []*prove.Candidate
	Places  Places
	Goal    intent.Goal
	Title   string
	Slug    string
	Phrases Phrases
	Interp  workflow.Interpretation
	params  []workflow.Param
	loops   []workflow.Loop
	recover []string
	LeftOut []string
	remarks []string // what the person noted while demonstrating
	Verdict workflow.Verdict
}

// Understand collects everything that the texts of the bundle are written from.
func Understand(in draft.Input, traces []trace.Trace, study *values.Study, names *flow.Names, steps []*flow.Step, segs []*flow.Segment,
	cps []*prove.Candidate, leftOut []string) *Understanding {
	d := &Understanding{In: in, Study: study, Names: names, Steps: steps, segs: segs, cps: cps, LeftOut: leftOut}
	d.Places = findPlaces(d.Steps, traces, d.Names)
	d.Names.Folder = d.Places.folder
	d.Goal = intent.Read(draft.GoalOf(in), d.WithoutValues)
	for t, tr := range traces {
		for _, note := range tr.Notes {
			d.remarks = append(d.remarks, d.Names.Prose(study.Gens[t].Text(note)))
		}
	}
	d.Title = titleFor(d)
	d.markGrave()
	d.Slug = slug(in, d.Title)
	d.Phrases = MakePhrases(in, d.Goal, d.Title, d.Places.app(), d.families())
	d.notes(traces)
	d.loops = flow.ExportLoops(study, d.Names, d.Steps)
	d.params = flow.ExportParams(study, d.Names, d.Steps)
	d.Interp = interpret(d)
	d.Verdict = judge(d)
	return d
}

// markGrave marks the last effect as grave if the goal sends or deletes, whatever the button is called. Submitting a form
// does not count as sending: every form is submitted.
func (d *Understanding) markGrave() {
	for _, c := range d.Goal.Clauses {
		family := c.Family()
		if family == "send" && !danger.Goal(c.Verb, c.Object) || family != "send" && family != "delete" {
			continue
		}
		for _, st := range slices.Backward(d.Steps) {
			if st.Effect && st.Surface == workflow.OnBrowser && st.Verb != capture.Download {
				st.Grave = true
				return
			}
		}
	}
}

// ExportGraph returns the graph of the understood work.
func ExportGraph(d *Understanding) workflow.Graph {
	g := workflow.Graph{Steps: []workflow.Step{}, Params: d.params, Loops: d.loops}
	if g.Params == nil {
		g.Params = []workflow.Param{}
	}
	for _, st := range d.Steps {
		one := st.Step
		one.ByPerson = one.ConditionInWords() || st.Disputed && !one.ManyBoxes()
		g.Steps = append(g.Steps, one)
	}
	return g
}

// Forbidden returns the values that must not appear in a checkpoint: distinctive ones that nobody chose to keep.
func (d *Understanding) Forbidden() []string {
	chosen := map[string]bool{}
	for _, p := range d.Study.Params {
		if p.Role == workflow.RoleConstant || p.Example != "" || p.Literal || p.Source == "chosen" {
			for _, t := range append(slices.Clone(p.Texts), p.Rounds...) {
				chosen[t] = true
			}
		}
	}
	var out []string
	for link, v := range d.In.Values {
		if d.Study.PageWords[link] {
			continue
		}
		if v = plain.Squeeze(v); !chosen[v] && (plain.Digits(v) > 0 && len(v) >= 4 || len(v) >= 8) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// slug returns the skill's folder name: the edited one or one made from the title, valid and not yet taken.
func slug(in draft.Input, title string) string {
	if skill.ValidName(in.ImprovesSlug) {
		return in.ImprovesSlug
	}
	base := page.SlugOf(title)
	if s := decision.Edits(in.Edits).Text(decision.EditSlug); s != "" {
		if base = strings.ToLower(s); !skill.ValidName(base) {
			base = page.SlugOf(s)
		}
	}
	taken := map[string]bool{}
	for _, t := range in.TakenSlugs {
		taken[strings.ToLower(t)] = true
	}
	if len(base) > 58 {
		base = strings.TrimRight(base[:58], "-")
	}
	return page.Unique(base, "-", taken)
}
