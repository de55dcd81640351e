package prove

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// leadIn matches the words before the state in "check that the list has the room".
var leadIn = lazyre.New(`(?i)^(?:now )?(?:check|verify|make sure|ensure|see|confirm|be sure)(?: that| whether| if)? `)

// proof holds what checkpoints are made from.
type proof struct {
	in    draft.Input
	study *values.Study
	names *flow.Names
	steps []*flow.Step
	segs  []*flow.Segment
}

// Find returns the checkpoints in order, with the person's edits applied, and assigns to each step the one that proves
// it.
func Find(in draft.Input, s *values.Study, n *flow.Names, steps []*flow.Step, segs []*flow.Segment) []*Candidate {
	d := &proof{in: in, study: s, names: n, steps: steps, segs: segs}
	found := d.verified(choose(mine(s, n, segs), in.ExecutionMode, s.IDs))
	withoutHosts(found, steps)
	cps := editCheckpointList(found, decision.Edits(in.Edits))
	cover(steps, cps)
	return cps
}

// verified adds the checks that the person marked or added, in the order of the steps.
func (d *proof) verified(cps []*Candidate) []*Candidate {
	for t, tr := range d.in.Traces {
		for _, m := range tr.Steps {
			said := plain.Squeeze(leadIn.ReplaceAllString(plain.Squeeze(m.Label), ""))
			st := d.doneBefore(t, m)
			if m.Kind != draft.MarkedCheck || said == "" || st == nil {
				continue
			}
			tmpl := d.study.Gens[t].Text(said)
			cps = d.addToStep(cps, st, "the person's own check holds: "+d.names.Prose(tmpl),
				workflow.Check{Kind: "manual", Expect: page.Cut(d.names.Machine(tmpl), 240)}, d.names.InputsOf(tmpl))
		}
	}
	e := decision.Edits(d.in.Edits)
	for _, st := range d.steps {
		kind, text := e.AddedCheck(st.StepID)
		if a, ok := d.in.Answer(st.StepID, decision.FieldSuccess); ok && text == "" {
			if strings.EqualFold(a, "none") {
				cps = d.unseenEffect(cps, st)
				continue
			}
			kind, text = "text", strings.Trim(a, `"“”`)
		}
		if tmpl := d.withInputs(plain.Squeeze(text)); tmpl != "" {
			said, check := d.addedCheck(st, kind, tmpl)
			cps = d.addToStep(cps, st, said, check, d.names.InputsOf(tmpl))
		}
	}
	for i, c := range cps {
		c.OrderHint = i + 1
	}
	return cps
}

// unseenEffect adds a checkpoint for a step after which its page shows nothing: a person must judge whether it worked, or
// the page must be opened again.
func (d *proof) unseenEffect(cps []*Candidate, st *flow.Step) []*Candidate {
	title := page.Cut(strings.ReplaceAll(st.Title, `"`, "'"), 120)
	said := fmt.Sprintf(`the page says nothing after "%s": a person has seen that it worked`, title)
	check := workflow.Check{Kind: "manual", Expect: page.Cut(plain.UpperFirst(said), 240)}
	if st.Act.Surface == workflow.OnBrowser {
		check.Extra = map[string]string{workflow.Kept: "1"}
	}
	return d.addToStep(cps, st, said, check, d.names.InputsOf(st.ValueTemplate))
}

// PageChecks are the kinds of checks that look at a page.
var PageChecks = plain.Set("text heading alert url")

// addedCheck turns a check that a person added after the demonstration into a sentence and a machine check.
func (d *proof) addedCheck(st *flow.Step, kind, tmpl string) (said string, check workflow.Check) {
	prose := d.names.Prose(tmpl)
	if PageChecks[kind] && st.Act.Surface != workflow.OnBrowser {
		kind = "manual"
	}
	check = workflow.Check{Kind: kind, Expect: page.Cut(d.names.Machine(tmpl), 240)}
	switch kind {
	case "text":
		said = fmt.Sprintf(`the page shows "%s"`, prose)
	case "heading":
		said = fmt.Sprintf(`the heading reads "%s"`, prose)
	case "alert":
		said = fmt.Sprintf(`the message "%s" is shown`, prose)
	case "url":
		said = "the address is " + prose
	case "file":
		where := map[bool]string{true: "downloads", false: "cwd"}[st.Act.Surface == workflow.OnBrowser]
		check.MinBytes, check.Extra = 1, map[string]string{"where": where, "ext": path.Ext(check.Expect)}
		said = fmt.Sprintf("the file %s exists and is not empty", prose)
	default:
		said = "the person's own check holds: " + prose
	}
	return said, check
}

// withInputs turns a person's text into a template: {name} and {p3} are inputs.
func (d *proof) withInputs(text string) string {
	return workflow.InputForm.ReplaceAllStringFunc(text, func(s string) string {
		if p := values.FindParam(d.study.Params, s[1:len(s)-1]); p != nil {
			return page.Ref(p.ParamID)
		}
		return s
	})
}

// doneBefore returns the last step of a demonstration before a mark, or the step that the mark names.
func (d *proof) doneBefore(t int, m draft.Mark) *flow.Step {
	var last *flow.Step
	for _, st := range d.steps {
		a := st.Col.Acts[t]
		if a == nil {
			continue
		}
		if m.EventID != "" && slices.Contains(a.Events(), m.EventID) {
			return st
		}
		if last == nil || !a.At.After(m.At.Time) {
			last = st
		}
	}
	return last
}

func (d *proof) addToStep(cps []*Candidate, st *flow.Step, said string, check workflow.Check, inputs []string) []*Candidate {
	at := 0
	for i, c := range cps {
		if slices.Contains(c.said, said) {
			return cps // another demonstration said the same
		}
		if c.StepID == st.StepID {
			c.SuccessCondition = page.Cut(strings.TrimSuffix(c.SuccessCondition, ".")+", and "+said+".", 240)
			c.MoreChecks, c.said = append(slices.Clone(c.MoreChecks), check), append(slices.Clone(c.said), said)
			return cps
		}
		if slices.IndexFunc(d.steps, func(s *flow.Step) bool { return s.StepID == c.StepID }) < slices.Index(d.steps, st) {
			at = i + 1
		}
	}
	c := &Candidate{Seg: &flow.Segment{Title: st.Section, Steps: []*flow.Step{st}, Outcome: st}, inputs: inputs, said: []string{said}}
	c.Goal, c.SuccessCondition = "What was checked by the person is so", page.Cut(plain.UpperFirst(said)+".", 240)
	if check.Kind != "manual" {
		c.Goal, c.Changes, c.Effect = page.Cut(plain.UpperFirst(said), 240), flow.Effective(st), flow.Effective(st)
	}
	c.Effect = c.Effect || check.Extra[workflow.Kept] != "" // only an effect is checked again later
	c.StepID, c.Evidence, c.Check = st.StepID, st.Act.Events(), &check
	var anchors []string
	for _, a := range st.Col.Anchors() {
		anchors = append(anchors, a+"/"+draft.MarkedCheck)
	}
	c.CheckpointID = d.study.IDs.Of("cp-", anchors...)
	return slices.Insert(cps, at, c)
}
