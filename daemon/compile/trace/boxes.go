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

// boxRoles are the roles of what is ticked, in a form or in a menu.
var boxRoles = plain.Set("checkbox menuitemcheckbox")

// ManyBoxes reports whether the act sets several check boxes of a group: its value is the list of them.
func (a *Act) ManyBoxes() bool { return a.Value != nil && workflow.ManyBoxes(a.Verb, a.Target) }

// box returns the label of a check box that belongs to a group, as the group lists it, or "" for any other act. A group
// may have no name: its boxes stand side by side and list each other.
func (a *Act) box() string {
	t := a.Target
	if a.Verb != capture.Check && a.Verb != capture.Uncheck || t == nil || !boxRoles[t.Role] {
		return ""
	}
	if len(t.Options) < 2 || len(page.Options(t)) != len(t.Options) || page.MaskForm.MatchString(groupOf(t)) {
		return "" // too many for a choice, or a person's data
	}
	if groupOf(t) == "" && len(t.Options) < 3 {
		return "" // two boxes side by side may be about two things
	}
	for _, o := range page.Options(t) {
		if strings.EqualFold(o, plain.Squeeze(t.Name)) || strings.EqualFold(o, plain.Squeeze(t.Label)) {
			return o
		}
	}
	return ""
}

// groupOf returns the name of the group of a check box or radio button, or "" if it has none.
func groupOf(t *capture.Target) string {
	if t.Landmark == nil || t.Landmark.Role != workflow.BoxGroup && t.Landmark.Role != workflow.RadioGroup {
		return ""
	}
	return plain.Squeeze(t.Landmark.Name)
}

// asField turns a target into the group that it belongs to, as a field. A group without a name keeps its landmark.
func asField(t *capture.Target, role string) *capture.Target {
	field, called := *t, groupOf(t)
	field.Role, field.Label, field.Name, field.Text = role, called, called, ""
	if called != "" {
		field.Landmark = nil
	} else {
		field.Locators = nil // they lead to one member only
	}
	return &field
}

// boxes joins the boxes of a group that were ticked one after the other into one act, and those unticked into another.
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
		key := string(a.Verb) + "|" + a.Tab() + "|" + a.Target.Frame + "|" + groupOf(a.Target)
		if groupOf(a.Target) == "" {
			key += "|" + strings.Join(page.Options(a.Target), "|")
		}
		j, more := first[key]
		if !more {
			first[key] = i
			group := asField(a.Target, workflow.BoxGroup)
			group.InputType, group.Locators, group.Options = "", nil, page.Options(a.Target)
			a.Target, a.Value = group, &capture.Value{Kind: capture.KindChoice, Text: label, Chosen: true}
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

// inOrder joins the chosen options into one text, in the order of the page.
func inOrder(options, chosen []string) string {
	var out []string
	for _, o := range options {
		if slices.Contains(chosen, o) {
			out = append(out, o)
		}
	}
	return strings.Join(out, ", ")
}

// ChooseOne turns the ticking of a radio button, or of one button in a group where one is always pressed, into a choice: the
// group is the field and the button's name the value.
func (a *Act) ChooseOne() {
	t := a.Target
	if a.Verb != capture.Check && a.Verb != capture.Click || t == nil || len(t.Options) < 2 {
		return
	}
	role := workflow.RadioGroup
	if t.Role == "button" && a.Verb == capture.Check {
		role = workflow.BoxGroup
	} else if t.Role != "radio" {
		return
	}
	group, name := groupOf(t), plain.Squeeze(page.TargetName(t))
	value := &capture.Value{Kind: capture.KindChoice, Text: name, Chosen: true}
	if m := page.MaskForm.FindStringSubmatch(name); m != nil && m[0] == name && m[1] != "" && group != "" && len(page.Options(t)) > 1 {
		// a choice of that name was made elsewhere, too: which of the group's it is remains a choice
		value.Policy, value.Text, value.LinkID, name = capture.Masked, "", m[1], ""
	}
	if page.MaskForm.MatchString(group+name) || group == "" && (role == workflow.BoxGroup || name == "" || t.Landmark != nil &&
		page.ItemRoles[t.Landmark.Role]) {
		return
	}
	a.Target, a.Verb, a.Value = asField(t, role), capture.Select, value
}

// TicksItem reports whether the act ticked the box of one row among many in order to select it: the row is named by
// data, and the box has no readable name of its own. A box with a readable name is an option instead.
func (a *Act) TicksItem() bool {
	t := a.Target
	if a.Verb != capture.Check && a.Verb != capture.Uncheck || t == nil || !boxRoles[t.Role] || t.Landmark == nil ||
		!page.ItemRoles[t.Landmark.Role] {
		return false
	}
	data := func(s string) bool { return page.MaskForm.MatchString(s) || page.IDLike(s) }
	name := plain.Squeeze(page.TargetName(t))
	return data(t.Landmark.Name) && (name == "" || data(name) || SelectWords.Has(strings.ToLower(name)))
}

// OfItem reports whether the act used a box that every row has, in a row that was picked.
func (a *Act) OfItem() bool {
	t := a.Target
	return t != nil && t.Landmark != nil && page.ItemRoles[t.Landmark.Role] && page.MaskForm.MatchString(t.Landmark.Name) && a.Value != nil &&
		a.Value.Chosen
}

// SelectWords are names of boxes that do not say what is chosen: "Select".
var SelectWords = lang.English("controls.choosing")
