package workflow

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
)

// BoxGroup is the role of a group of checkboxes that one target stands for.
const BoxGroup = "group"

// RadioGroup is the role of a set of radio buttons treated as one field. A group of buttons that is set like one keeps
// the role group.
const RadioGroup = "radiogroup"

// ManyBoxes reports whether a step sets several boxes: its target is the group, its value the list of them.
func (s Step) ManyBoxes() bool { return ManyBoxes(s.Verb, s.Target) }

// ManyBoxes reports whether a verb on a target sets several boxes of one group.
func ManyBoxes(v capture.Verb, t *capture.Target) bool {
	return (v == capture.Check || v == capture.Uncheck) && t != nil && t.Role == BoxGroup
}

// Box is the target of the box in group with a label.
func Box(group *capture.Target, label string) *capture.Target {
	return &capture.Target{Role: "checkbox", Name: label, Label: label, InputType: "checkbox", Frame: group.Frame, Landmark: inGroup(group)}
}

// inGroup is the landmark of a group's members: the group itself or, when it has no name, the group's own landmark.
func inGroup(group *capture.Target) *capture.Landmark {
	if called := cmp.Or(group.Label, group.Name); called != "" {
		return &capture.Landmark{Role: BoxGroup, Name: called}
	}
	return group.Landmark
}

// OneOf is the target for one choice of a radio group, or of a group of buttons of which one is always pressed; nil
// for other targets. Setting it when it is on already does nothing.
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

// SplitChoices splits a list of choices, separated by commas or lines; a comma inside an option separates nothing.
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
