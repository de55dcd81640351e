package trace

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// ManyBoxes reports whether the act sets boxes of a group: its value is the list of them.
func (a *Act) ManyBoxes() bool { return a.Value != nil && workflow.ManyBoxes(a.Verb, a.Target) }

// box is the label of a box that is one of a group's, as its group lists it; "" for any other act.
func (a *Act) box() string {
	t := a.Target
	if a.Verb != capture.Check && a.Verb != capture.Uncheck || t == nil || t.Role != "checkbox" || t.Landmark == nil ||
		t.Landmark.Role != workflow.BoxGroup {
		return ""
	}
	if len(t.Options) < 2 || len(page.Options(t)) != len(t.Options) || plain.Squeeze(t.Landmark.Name) == "" ||
		page.MaskForm.MatchString(t.Landmark.Name) {
		return "" // too many for a choice, or somebody's data
	}
	for _, o := range page.Options(t) {
		if strings.EqualFold(o, plain.Squeeze(t.Name)) || strings.EqualFold(o, plain.Squeeze(t.Label)) {
			return o
		}
	}
	return ""
}

// boxes makes one act of what was ticked in a group between two other acts, and one of what was unticked there.
func (n *Trace) boxes() {
	first := map[string]int{}
	for i := 0; i < len(n.Acts); i++ {
		a := n.Acts[i]
		if !a.Fills() {
			clear(first)
			continue
		}
		label := a.box()
		if label == "" {
			continue
		}
		key := string(a.Verb) + "|" + a.Tab() + "|" + a.Target.Frame + "|" + a.Target.Landmark.Name
		j, more := first[key]
		if !more {
			first[key] = i
			group := *a.Target
			group.Role, group.Label, group.Name, group.Landmark = workflow.BoxGroup, plain.Squeeze(group.Landmark.Name),
				plain.Squeeze(group.Landmark.Name), nil
			group.Text, group.InputType, group.Locators, group.Options = "", "", nil, page.Options(a.Target)
			a.Target, a.Value = &group, &capture.Value{Kind: capture.KindChoice, Text: label, Chosen: true}
			continue
		}
		into := n.Acts[j]
		into.Value = &capture.Value{Kind: capture.KindChoice, Text: inOrder(into.Target.Options,
			append(workflow.SplitChoices(into.Value.Text, into.Target.Options), label)), Chosen: true}
		into.Recs, into.After, into.Changed = append(into.Recs, a.Recs...), a.After, into.Changed || a.Changed
		n.Acts = slices.Delete(n.Acts, i, i+1)
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

// Radio makes a choice of a ticked radio button, or of a button of which always one is pressed: its group's name is the field, its
// own name what was chosen.
func (a *Act) Radio() {
	t := a.Target
	if a.Verb != capture.Check && a.Verb != capture.Click || t == nil || t.Landmark == nil || len(t.Options) < 2 {
		return
	}
	role := workflow.RadioGroup
	if t.Role == "button" && a.Verb == capture.Check {
		role = workflow.BoxGroup
	} else if t.Role != "radio" {
		return
	}
	group, name := t.Landmark, plain.Squeeze(page.TargetName(t))
	if group.Role != workflow.BoxGroup && group.Role != workflow.RadioGroup || plain.Squeeze(group.Name) == "" ||
		page.MaskForm.MatchString(group.Name+name) {
		return
	}
	field := *t
	field.Label, field.Name, field.Landmark, field.Role = group.Name, group.Name, nil, role
	a.Target, a.Verb, a.Value = &field, capture.Select, &capture.Value{Kind: capture.KindChoice, Text: name, Chosen: true}
}

// TicksItem reports whether the act ticked a row among many, to choose it: the row is named by data, and the box says no more
// than that. A box that has a readable name of its own is an option instead.
func (a *Act) TicksItem() bool {
	t := a.Target
	if a.Verb != capture.Check && a.Verb != capture.Uncheck || t == nil || t.Role != "checkbox" || t.Landmark == nil ||
		!page.ItemRoles[t.Landmark.Role] {
		return false
	}
	data := func(s string) bool { return page.MaskForm.MatchString(s) || page.IDLike(s) }
	name := plain.Squeeze(page.TargetName(t))
	return data(t.Landmark.Name) && (name == "" || data(name) || Choosing.Has(strings.ToLower(name)))
}

// OfItem reports whether a box is one that every row has: the row was picked with it.
func (a *Act) OfItem() bool {
	t := a.Target
	return t != nil && t.Landmark != nil && page.ItemRoles[t.Landmark.Role] && page.MaskForm.MatchString(t.Landmark.Name) && a.Value != nil &&
		a.Value.Chosen
}

// Choosing are names of boxes that say nothing of what is chosen.
var Choosing = lang.English("controls.choosing")
