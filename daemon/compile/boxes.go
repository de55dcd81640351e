package compile

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Several check boxes that a person takes for one question ("Contains": Celery, Eggs, Milk) are one value: the list of those that
// were ticked. What was unticked is a list of its own, because the other boxes stay as they are.

// toUntick ends the label of what is taken out of a group.
const toUntick = " to untick"

func (a *act) manyBoxes() bool { return a.value != nil && workflow.ManyBoxes(a.verb, a.target) }

// box is the label of a box that is one of a group's, as its group lists it; "" for any other act.
func (a *act) box() string {
	t := a.target
	if a.verb != capture.Check && a.verb != capture.Uncheck || t == nil || t.Role != "checkbox" || t.Landmark == nil || t.Landmark.Role != workflow.BoxGroup {
		return ""
	}
	if len(t.Options) < 2 || len(options(t)) != len(t.Options) || plain.Squeeze(t.Landmark.Name) == "" || maskForm.MatchString(t.Landmark.Name) {
		return "" // too many for a choice, or somebody's data
	}
	for _, o := range options(t) {
		if strings.EqualFold(o, plain.Squeeze(t.Name)) || strings.EqualFold(o, plain.Squeeze(t.Label)) {
			return o
		}
	}
	return ""
}

// boxes makes one act of what was ticked in a group between two other acts, and one of what was unticked there.
func (n *normalised) boxes() {
	first := map[string]int{}
	for i := 0; i < len(n.acts); i++ {
		a := n.acts[i]
		if !a.fills() {
			clear(first)
			continue
		}
		label := a.box()
		if label == "" {
			continue
		}
		key := string(a.verb) + "|" + a.tab() + "|" + a.target.Frame + "|" + a.target.Landmark.Name
		j, more := first[key]
		if !more {
			first[key] = i
			group := *a.target
			group.Role, group.Label, group.Name, group.Landmark = workflow.BoxGroup, plain.Squeeze(group.Landmark.Name), plain.Squeeze(group.Landmark.Name), nil
			group.Text, group.InputType, group.Locators, group.Options = "", "", nil, options(a.target)
			a.target, a.value = &group, &capture.Value{Kind: capture.KindChoice, Text: label, Chosen: true}
			continue
		}
		into := n.acts[j]
		into.value = &capture.Value{Kind: capture.KindChoice, Text: inOrder(into.target.Options, append(workflow.SplitChoices(into.value.Text, into.target.Options), label)), Chosen: true}
		into.recs, into.after, into.changed = append(into.recs, a.recs...), a.after, into.changed || a.changed
		n.acts = slices.Delete(n.acts, i, i+1)
		i--
	}
}

// inOrder writes choices as one text, in the order of the page.
func inOrder(options, chosen []string) string {
	var out []string
	for _, o := range options {
		if slices.Contains(chosen, o) {
			out = append(out, o)
		}
	}
	return strings.Join(out, ", ")
}

// saidAgain makes labels that a later message or heading repeats stand for anything there. Elsewhere they are words of the page.
func (s *study) saidAgain(t int, c *column, labels []string) {
	for _, later := range s.cols[slices.Index(s.cols, c):] {
		if later.acts[t] == nil {
			continue
		}
		st := later.acts[t].state()
		for _, told := range slices.Concat(st.Alerts, st.Headings, st.Dialogs) {
			for _, label := range labels {
				if strings.Contains(strings.ToLower(told), strings.ToLower(label)) {
					s.gens[t].add(label, anyRef)
				}
			}
		}
	}
}

// ticksMany is the template of a list of boxes. A demonstration that filled in the same form and left the group alone chose none.
func (s *study) ticksMany(c *column, a *act) string {
	p := &param{Param: workflow.Param{Label: clean(a.name()), Kind: capture.KindChoice, List: true, Required: true, Options: options(a.target)}, source: "chosen"}
	if a.verb == capture.Uncheck {
		p.Label += toUntick
	}
	called := func(a *act) string { return s.open(a.value) }
	p.texts = s.each(c, called)
	s.inRounds(c, p, called)
	tmpl := s.add(p)
	for t := range p.texts {
		s.saidAgain(t, c, workflow.SplitChoices(p.texts[t], p.Options))
	}
	for t := range p.texts {
		if p.texts[t] == "" && s.passes(t, a) {
			p.Required, p.varied, p.settled, p.Role = false, true, true, workflow.RoleInput
		}
	}
	return tmpl
}
