package write

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// KindWords describes an input's type for a person.
func KindWords(s workflow.InputSpec) string {
	switch {
	case s.Kind == capture.KindBoolean:
		return "yes or no"
	case s.List && len(s.Options) > 0:
		return "any of: " + OptionList(s.Options)
	case s.List && s.Kind == capture.KindFile:
		return "list of files"
	case len(s.Options) > 0:
		return "one of: " + OptionList(s.Options)
	case s.Kind == capture.KindID:
		return "code or number"
	case s.Kind == capture.KindDate:
		return "date"
	case s.Kind == capture.KindEmail:
		return "email address"
	case s.Kind == capture.KindURL:
		return "web address"
	case s.Kind == capture.KindFile:
		return "file"
	case s.Kind == capture.KindChoice:
		return "one of the choices on the page"
	case s.Kind == "":
		return "text"
	}
	return string(s.Kind)
}

// OptionList joins options so that they stay distinct even if one contains a comma.
func OptionList(options []string) string {
	if slices.ContainsFunc(options, func(o string) bool { return strings.Contains(o, ",") }) {
		return strings.Join(options, "; ")
	}
	return strings.Join(options, ", ")
}

// constantWords describes a value that never changes: a box by its state, a file by its type.
func constantWords(p workflow.Param) string {
	if p.Kind == capture.KindBoolean {
		return p.Label + ": " + map[bool]string{true: "ticked", false: "not ticked"}[p.Default == page.Yes]
	}
	label := p.Label
	if kind, ok := strings.CutSuffix(label, " file"); ok && len(kind) > 1 && len(kind) <= 4 && kind == strings.ToLower(kind) &&
		p.Kind == capture.KindFile {
		label = strings.ToUpper(kind) + " file"
	}
	return fmt.Sprintf("%s: `%s`", plain.UpperFirst(label), strings.ReplaceAll(p.Default, "`", "'"))
}

// lowerQuoted puts the first word of a condition in lower case, unless it is a name, a quotation or code.
func lowerQuoted(s string) string {
	first, _, _ := strings.Cut(s, " ")
	switch first {
	case "The", "No", "A", "An", "There":
		return plain.LowerFirst(s)
	}
	return s
}
