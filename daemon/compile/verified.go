package compile

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// What the person said they were checking while demonstrating (a mark of the kind "verification") is a state worth verifying like
// those that were mined: it is told with the checkpoint of what was done just before, or is one of its own. No program can tell
// it, so its check asks a person. What the person says later that a step must lead to is checked by its kind.

const markedCheck = "verification"

// leadIn is what comes before the state in "check that the list has the room".
var leadIn = regexp.MustCompile(`(?i)^(?:now )?(?:check|verify|make sure|ensure|see|confirm|be sure)(?: that| whether| if)? `)

// verified adds what was marked to the checkpoints, in the order of the steps.
func (d *draft) verified(cps []*candidate) []*candidate {
	for t, tr := range d.in.Traces {
		for _, m := range tr.Steps {
			said := plain.Squeeze(leadIn.ReplaceAllString(plain.Squeeze(m.Label), ""))
			st := d.doneBefore(t, m)
			if m.Kind != markedCheck || said == "" || st == nil {
				continue
			}
			tmpl := d.study.gens[t].text(said)
			cps = d.asksFor(cps, st, "the person's own check holds: "+d.names.prose(tmpl), workflow.Check{Kind: "manual", Expect: cut(d.names.machine(tmpl), 240)}, d.names.inputsOf(tmpl))
		}
	}
	e := edited{d.in.Edits}
	for _, st := range d.steps {
		kind, text := e.addedCheck(st.StepID)
		if a, ok := d.in.answer(st.StepID, fieldSuccess); ok && text == "" && !strings.EqualFold(a, "none") {
			kind, text = "text", strings.Trim(a, `"“”`)
		}
		if tmpl := d.withInputs(plain.Squeeze(text)); tmpl != "" {
			said, check := d.addedCheck(st, kind, tmpl)
			cps = d.asksFor(cps, st, said, check, d.names.inputsOf(tmpl))
		}
	}
	for i, c := range cps {
		c.OrderHint = i + 1
	}
	return cps
}

// addedKinds are the kinds of checks that a person can add to a step.
var addedKinds = []string{"text", "heading", "alert", "url", "file", "manual"}

// onPage are those that look at a page.
var onPage = set("text heading alert url")

// addedCheck is a check that a person added after the demonstration, as a sentence and for a machine.
func (d *draft) addedCheck(st *step, kind, tmpl string) (said string, check workflow.Check) {
	prose := d.names.prose(tmpl)
	if onPage[kind] && st.act.surface != workflow.OnBrowser {
		kind = "manual"
	}
	check = workflow.Check{Kind: kind, Expect: cut(d.names.machine(tmpl), 240)}
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
		where := map[bool]string{true: "downloads", false: "cwd"}[st.act.surface == workflow.OnBrowser]
		check.MinBytes, check.Extra = 1, map[string]string{"where": where, "ext": path.Ext(check.Expect)}
		said = fmt.Sprintf("the file %s exists and is not empty", prose)
	default:
		said = "the person's own check holds: " + prose
	}
	return said, check
}

var inputForm = regexp.MustCompile(`\{([^{}]+)\}`)

// withInputs is a person's text as a template: {name} and {p3} are inputs.
func (d *draft) withInputs(text string) string {
	return inputForm.ReplaceAllStringFunc(text, func(s string) string {
		if p := find(d.study.params, s[1:len(s)-1]); p != nil {
			return ref(p.ParamID)
		}
		return s
	})
}

// doneBefore is the step that a demonstration took last before a mark, or the one that the mark names.
func (d *draft) doneBefore(t int, m Mark) *step {
	var last *step
	for _, st := range d.steps {
		a := st.col.acts[t]
		if a == nil {
			continue
		}
		if m.EventID != "" && slices.Contains(a.events(), m.EventID) {
			return st
		}
		if last == nil || !a.at.After(m.At.Time) {
			last = st
		}
	}
	return last
}

func (d *draft) asksFor(cps []*candidate, st *step, said string, check workflow.Check, inputs []string) []*candidate {
	at := 0
	for i, c := range cps {
		if slices.Contains(c.said, said) {
			return cps // another demonstration said the same
		}
		if c.StepID == st.StepID {
			c.SuccessCondition = cut(strings.TrimSuffix(c.SuccessCondition, ".")+", and "+said+".", 240)
			c.MoreChecks, c.said = append(slices.Clone(c.MoreChecks), check), append(slices.Clone(c.said), said)
			return cps
		}
		if slices.IndexFunc(d.steps, func(s *step) bool { return s.StepID == c.StepID }) < slices.Index(d.steps, st) {
			at = i + 1
		}
	}
	c := &candidate{seg: &segment{title: st.Section, steps: []*step{st}, outcome: st}, inputs: inputs, said: []string{said}}
	c.Goal, c.SuccessCondition = "What was checked by the person is so", cut(plain.UpperFirst(said)+".", 240)
	if check.Kind != "manual" {
		c.Goal, c.effect, c.Effect = cut(plain.UpperFirst(said), 240), effective(st), effective(st)
	}
	c.StepID, c.Evidence, c.Check = st.StepID, st.act.events(), &check
	var anchors []string
	for _, a := range st.col.anchors() {
		anchors = append(anchors, a+"/"+markedCheck)
	}
	c.CheckpointID = d.study.ids.of("cp-", anchors...)
	return slices.Insert(cps, at, c)
}
