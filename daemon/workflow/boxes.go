package workflow

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
)

// BoxGroup is the role of the group that stands for its boxes.
const BoxGroup = "group"

// RadioGroup is the role of radio buttons as one field. A group of buttons that is set like one keeps the role of a group.
const RadioGroup = "radiogroup"

// ManyBoxes reports whether a step sets boxes of a group: its target is the group, its value the list of them.
func (s Step) ManyBoxes() bool { return ManyBoxes(s.Verb, s.Target) }

// ManyBoxes reports whether a verb on a target sets several boxes of one group.
func ManyBoxes(v capture.Verb, t *capture.Target) bool {
	return (v == capture.Check || v == capture.Uncheck) && t != nil && t.Role == BoxGroup
}

// Box is the box of a group that a label names.
func Box(group *capture.Target, label string) *capture.Target {
	return &capture.Target{Role: "checkbox", Name: label, Label: label, InputType: "checkbox", Frame: group.Frame, Landmark: inGroup(group)}
}

// inGroup is where the members of a group stand: in it, or where a group stood that has no name.
func inGroup(group *capture.Target) *capture.Landmark {
	if called := cmp.Or(group.Label, group.Name); called != "" {
		return &capture.Landmark{Role: BoxGroup, Name: called}
	}
	return group.Landmark
}

// OneOf is the radio button of a group that stands for a choice, or the button of one where always one is pressed; nil for what is
// no such group. It is set to be on, which is no act when it is.
func OneOf(v capture.Verb, group *capture.Target, label string) *capture.Target {
	if v != capture.Select || group == nil || group.Role != RadioGroup && group.Role != BoxGroup {
		return nil
	}
	one := &capture.Target{Role: "button", Name: label, Tag: group.Tag, Frame: group.Frame, Landmark: inGroup(group)}
	if group.Role == RadioGroup {
		one.Role, one.Label, one.InputType = "radio", label, group.InputType
	}
	return one
}

// SplitChoices is a list of choices, written one after the other with commas or in lines; an option's own comma separates nothing.
func SplitChoices(text string, options []string) []string {
	var out []string
	for text = strings.Trim(text, " \t\r\n,;"); text != ""; text = strings.Trim(text, " \t\r\n,;") {
		end := strings.IndexAny(text, ",;\n\r")
		if end < 0 {
			end = len(text)
		}
		one := strings.TrimSpace(text[:end])
		for _, o := range options {
			if len(o) > len(one) && len(o) <= len(text) && strings.EqualFold(text[:len(o)], o) &&
				(len(o) == len(text) || strings.ContainsRune(" ,;\n\r", rune(text[len(o)]))) {
				one, end = o, len(o)
			}
		}
		if i := slices.IndexFunc(options, func(o string) bool { return strings.EqualFold(o, one) }); i >= 0 {
			one = options[i]
		}
		if one != "" && !slices.Contains(out, one) {
			out = append(out, one)
		}
		text = text[end:]
	}
	return out
}
