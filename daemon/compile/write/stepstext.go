package write

import (
	"fmt"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/prove"
	"showhow/daemon/workflow"
)

// stepsText writes references/steps.md: every step with the place where it was taken, for an agent that cannot find the
// way by the checkpoints alone. It names things as a person sees them, never by id or position.
func stepsText(d *Understanding) string {
	w := &md{}
	w.head(1, "Step by step: "+d.Title)
	w.para("One way that worked, in order. The checkpoints in [SKILL.md](../SKILL.md) say what has to be true; follow these steps only " +
		"when it is unclear how to get there. `...` stands for text that varies.")
	part, page := 0, ""
	proof := map[string]*prove.Candidate{}
	for _, c := range d.cps {
		proof[c.StepID] = c
	}
	for i, st := range d.Steps {
		if i >= maxStory {
			w.line("%d. And %d more steps of the same kind.", maxStory+1, len(d.Steps)-maxStory)
			break
		}
		if st.Part > part {
			part = st.Part
			w.head(2, fmt.Sprintf("Part %d", part))
		}
		w.line("%d. %s%s", i+1, st.Title, d.aside(st))
		for _, s := range d.whereTo(st, &page) {
			w.line("   - %s", s)
		}
		if c := proof[st.StepID]; c != nil {
			w.line("   - Then check %s: %s", c.CheckpointID, lowerQuoted(c.SuccessCondition))
		}
	}
	return strings.TrimRight(w.b.String(), "\n") + "\n"
}

// whereTo says where a step was taken and with which control.
func (d *Understanding) whereTo(st *flow.Step, here *string) []string {
	var out []string
	switch {
	case st.Surface == workflow.OnBrowser && st.Page != nil:
		if at := anyPath(page.PathOf(st.Page.URL)); at != *here && at != "" {
			*here = at
			out = append(out, "On the page "+at)
		}
		if c := controlName(st.Verb, st.Target); c != "" && st.Verb != capture.Navigate && st.Verb != capture.NewTab {
			out = append(out, c)
		}
	case st.Act.Command != nil && st.Dir != "":
		out = append(out, "In the folder `"+strings.ReplaceAll(st.Dir, "{*}", "...")+"`")
	}
	if st.Dialog != "" {
		out = append(out, "The browser's native dialog is "+st.Dialog)
	}
	if st.Grave {
		out = append(out, "Ask the user first")
	}
	return out
}

// anyPath returns a path without the parts that name one thing among many.
func anyPath(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if !strings.Contains(p, "{") && page.NamesThing(parts, i) {
			parts[i] = "..."
		}
	}
	return strings.ReplaceAll(strings.Join(parts, "/"), "{*}", "...")
}

var roleNames = map[string]string{"textbox": "text field", "field": "field", "searchbox": "search field", "combobox": "list",
	"listbox": "list", "spinbutton": "number field", "radiogroup": "choice", "checkbox": "box", workflow.BoxGroup: "group of boxes",
	"switch": "switch", "button": "button", "link": "link", "tab": "tab", "menuitem": "menu entry", "option": "entry of the list",
	"row": "row", "listitem": "entry", "slider": "slider"}

// controlName describes a control and its place as a person would: the button "Save" in the dialog "Edit contact".
func controlName(v capture.Verb, t *capture.Target) string {
	if t == nil {
		return ""
	}
	kind := roleNames[t.Role]
	if v == capture.Select && t.Role == workflow.BoxGroup {
		kind = roleNames[workflow.RadioGroup]
	}
	name := strings.ReplaceAll(page.Clean(page.TargetName(t)), "{*}", "...")
	if kind == "" || name == "" {
		return ""
	}
	out := fmt.Sprintf("The %s %q", kind, name)
	if l := t.Landmark; l != nil && l.Name != "" && l.Role != "" && l.Role != "navigation" && l.Name != name {
		place := l.Role
		switch l.Role {
		case "heading":
			place = "part under the heading"
		case "listitem":
			place = "entry"
		case "region", "generic", "group":
			place = "part"
		}
		out += fmt.Sprintf(" in the %s %q", place, strings.ReplaceAll(l.Name, "{*}", "..."))
	}
	if t.Frame != "" {
		out += ", in a frame of the page"
	}
	return out
}
